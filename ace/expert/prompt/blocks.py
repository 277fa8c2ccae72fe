"""Claims as data within a message: each stands between two marks with a digest of what is between them, so
that no text can close its own block.
"""

from __future__ import annotations

import hashlib
import re
from typing import Final

# The marks of chat templates, which tokenizers read as one token wherever they are: "<|eot_id|>", "</s>",
# "[/INST]", "<end_of_turn>", "<<SYS>>".
_SPECIAL: Final = (
    r"<(?=\u2060*(?:[|\uff5c]|/?(?:s|bos|eos|pad|unk|mask|think|(?:start|end)_of_[a-z]{2,8})>|<\u2060*/?SYS>))"
    r"|\[(?=\u2060*/?(?:INST|SYS|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|IMG|THINK)\])"
)
SPECIAL_TOKEN: Final = re.compile(_SPECIAL, re.IGNORECASE)
# And what only a reader takes for an end: the marks of our blocks, fences, tags, and headings of roles.
_SIGN: Final = (
    rf"{_SPECIAL}|<(?=\u2060*<\u2060*<)|>(?=\u2060*>\u2060*>)|`(?=\u2060*`\u2060*`)"
    r"|<(?=\u2060*/?[a-z_][\w.:-]{0,30}/?>)"
    r"|(?:(?<=\n)|\A)#(?=\u2060*#{1,5} ?\w)"
    r"|(?:(?<=\n)|\A)[SAUHDIR](?=\u2060*(?:ystem|ssistant|ser|uman|eveloper|nstructions?|esponse) ?:)"
)
_ROLE: Final = re.compile(_SIGN, re.IGNORECASE)
_JOINER: Final = "\N{WORD JOINER}"
_JOINED: Final = re.compile(_SIGN.replace(r"(?=\u2060*", r"\u2060(?=\u2060*"), re.IGNORECASE)


def block(title: str, content: str, *, digits: int) -> str:
    """The content between its marks. Its tag is the first `digits` hexadecimal digits of SHA-256."""
    tag = tag_of(content, digits)
    return f"<<<{title} {tag}>>>\n{content}\n<<<end {tag}>>>"


def content_of(message: str, opened: re.Match[str]) -> tuple[str, int]:
    """The text of the block that `opened` (group "tag") begins, and the position after it.

    The digest identifies the true end. Raises ValueError if there is none.
    """
    close = f"\n<<<end {opened['tag']}>>>"
    end = message.find(close, opened.end())
    while end >= 0:
        content = message[opened.end() : end]
        if tag_of(content, len(opened["tag"])) == opened["tag"]:
            return content, end + len(close)
        end = message.find(close, end + 1)
    raise ValueError("a block of the message does not end")


def tag_of(content: str, digits: int) -> str:
    """The first digits of the content's SHA-256. 64 bits are too many to match by trial."""
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:digits]


def plain(content: str) -> str:
    """The content with whatever looks like the machinery of a prompt broken up by a word joiner after its
    first character, so that tokenizers and models read it as text. A quotation of it is still found."""
    return _ROLE.sub(rf"\g<0>{_JOINER}", content)


def original(shown: str) -> str:
    """What `plain` was given."""
    return _JOINED.sub(lambda match: match.group()[:-1], shown)
