"""What people write to each other between claims: comments and notes, which are no text of a claim.

A comment shows itself by its marks ("<!-- … -->", "// …", "*** … ***"), or by the word that it opens with,
in brackets or before a colon ("[Comment: …]", "NOTE TO INVENTOR: …").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ace.claims.readers.source import Span

_MAX_COMMENT_CHARACTERS: Final = 2_000
_WHO: Final = (
    r"(?:drafters?|drafting|attorneys?|agents?|applicants?|inventors?|clients?|examiners?|reviewers?|editors?"
    r"|authors?|translators?|partners?|paralegals?|internal)"
)
_WORD: Final = (
    rf"(?:(?:{_WHO}(?:['’]s?)?\s)?(?:comments?|notes?|remarks?|queries|query|questions?)|support|to\sdo|todo|fixme|nb|n\.b\.|ntd)"
    r"(?:\s\#?[0-9]{1,3})?"
)
_TO: Final = r"(?:\s(?:to|for|from|by|re)\s[^\n:;.()\[\]]{1,40})?"
_BRACKET: Final = re.compile(
    rf"(?<!\[)\[(?!\[)[*_]{{0,3}}(?:commented\s\[|{_WORD}(?:\s(?:to|for|from|by|re)\s|\s*+[\]:–—-]))"
    rf"|[({{](?!supp)[*_]{{0,3}}{_WORD}{_TO}\s?:",
    re.IGNORECASE,
)
_FRAME_ENDS: Final = {"<": "<>", **{sign: sign for sign in "*=~%!+>-"}}
_CLOSING: Final = {"[": "]", "(": ")", "{": "}"}
_MARKED: Final = re.compile(r"<!--[\s\S]*?(?:-->|\Z)|/\*[^*]{0,2000}\*/|^[^\S\n]*+//[^\n]*$", re.MULTILINE)
_FRAME: Final = re.compile(
    r"^[^\S\n]*+(?P<frame>\*{3}|={3}|~{3}|%{3}|!{3}|\+{3}|<{3}|>{3}|-{3})(?P=frame)?[^\S\n]++(?!(?:end|claims?)\b)\w",
    re.MULTILINE | re.IGNORECASE,
)
_FRAME_END: Final = re.compile(
    r"(?:\*{3}|={3}|~{3}|%{3}|!{3}|\+{3}|>{3}|<{3}|-{3})[^\S\n]*$|\n[^\S\n]*\n", re.MULTILINE
)
_SLANTED: Final = re.compile(
    r"(?<=\n\n)[^\S\n]*+(?P<mark>[*_])(?![*_\s0-9]|(?i:claim)\b)[^*_\n]{2,500}(?P=mark)[^\S\n]*$",
    re.MULTILINE,
)
_LED: Final = re.compile(
    rf"(?:^[^\S\n]*+(?:[-*>•]\s)?|(?<=[.!?\])]\s))[*_]{{0,3}}(?:commented\s\[\w{{1,9}}\]|(?P<word>{_WORD}{_TO}))[*_]{{0,3}}[^\S\n]?[:–—-][*_]{{0,3}}\s",
    re.MULTILINE | re.IGNORECASE,
)
_END: Final = re.compile(
    r"\n[^\S\n]*+(?=\n|\Z)"
    r"|(?<!claim)(?<!claims)\n(?=[^\S\n]*+(?:\#{1,6}\s|[*_>-]{1,3}\s?)?(?:claims?\s)?[0-9]{1,4}[^\S\n]?[.):])"
    r"|(?<=[.!?\])*])\s(?=[0-9]{1,4}[.)]\s(?:An?|The|In|One)\s)"
    r"|\Z",
    re.IGNORECASE,
)
_ENDED: Final = tuple(".!?])>*/-")
_STRONG: Final = re.compile(rf"{_WHO}|\bto\b|\bfor\b", re.IGNORECASE)


def comments(text: str) -> list[Span]:
    """Spans of the comments in `text`, in order."""
    spans = [match.span() for match in _MARKED.finditer(text)]
    spans += _framed(text)
    spans += _in_brackets(text)
    spans += _led(text)
    spans += [match.span() for match in _SLANTED.finditer(text) if _follows_sentence(text, match.start())]
    return sorted(spans)


def _framed(text: str) -> Iterator[Span]:
    """Lines between two rows of the same sign: "*** to be checked ***"."""
    for match in _FRAME.finditer(text):
        end = _FRAME_END.search(text, match.end(), match.end() + _MAX_COMMENT_CHARACTERS)
        if end is not None and end.group()[0] in _FRAME_ENDS[match["frame"][0]]:
            yield match.start(), end.end()


def _in_brackets(text: str) -> Iterator[Span]:
    for match in _BRACKET.finditer(text):
        end = _closed(text, match.start())
        if end is not None:
            yield match.start(), end


def _closed(text: str, start: int) -> int | None:
    """The offset after the bracket that closes the one at `start`, or None."""
    opening, closing = text[start], _CLOSING[text[start]]
    depth = 0
    for at in range(start, min(len(text), start + _MAX_COMMENT_CHARACTERS)):
        depth += (text[at] == opening) - (text[at] == closing)
        if depth == 0:
            return at + 1
    return None


def _led(text: str) -> Iterator[Span]:
    """Comments that open with a word such as "Note:", after a sentence or in capitals."""
    free = 0
    for match in _LED.finditer(text):
        if match.start() < free:
            continue
        word = match["word"]
        strong = word is None or word.isupper() or _STRONG.search(word) is not None
        alone = text[max(0, match.start() - 2) : match.start()] == "\n\n" and strong
        if alone or _follows_sentence(text, match.start()):
            end = _END.search(text, match.end())
            free = len(text) if end is None else end.start()
            yield match.start(), free


def _follows_sentence(text: str, at: int) -> bool:
    before = text[max(0, at - 24) : at].rstrip('"”’_ \t\n\r\f\xa0')
    return not before or before.endswith(_ENDED)
