"""The Chain of Patent Thought prompt (paper, section 4.2 and appendix on prompts), version 1.

Fixed messages first and byte for byte the same in every call, so that a server's prefix cache
helps; then one message with the claim. Claims are data: each stands between two marks that carry
a digest of what is between them, so no text can close its own block. `read_target` is the inverse.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from importlib import resources

from ace.claims.model import ClaimInput
from ace.expert.rationale import JSON_SCHEMA

_OPEN = re.compile(
    r"<<<(?:ancestor|claim (?P<number>[0-9]+) of (?P<total>[0-9]+)) (?P<tag>[0-9a-f]{12})>>>\n"
)
_DIGEST_CHARACTERS = 12


@dataclass(frozen=True, slots=True)
class Prompt:
    """The texts of one prompt version; `messages` puts a claim into them."""

    system: str
    target: str
    demonstrations: tuple[tuple[ClaimInput, int, str], ...]

    @property
    def version(self) -> str:
        """copt-v1- and 12 hex digits of SHA-256 over all fixed text and the answer's schema."""
        fixed = [*self.messages(ClaimInput(0, "", ("",)), 0), JSON_SCHEMA]
        digest = hashlib.sha256(json.dumps(fixed, sort_keys=True).encode())
        return f"copt-v1-{digest.hexdigest()[:_DIGEST_CHARACTERS]}"

    def messages(self, claim: ClaimInput, total: int) -> list[dict[str, str]]:
        """Chat messages that ask about `claim`, one of `total` claims in its set."""
        messages = [{"role": "system", "content": self.system}]
        for shown, shown_total, answer in self.demonstrations:
            messages.append({"role": "user", "content": self._ask(shown, shown_total)})
            messages.append({"role": "assistant", "content": answer})
        messages.append({"role": "user", "content": self._ask(claim, total)})
        return messages

    def _ask(self, claim: ClaimInput, total: int) -> str:
        blocks = [_block("ancestor", ancestor) for ancestor in claim.ancestors]
        blocks.append(_block(f"claim {claim.number} of {total}", claim.text))
        fixed, _, end = self.target.partition("{blocks}")
        return fixed.format(number=claim.number, total=total) + "\n".join(blocks) + end


@dataclass(frozen=True, slots=True)
class Target:
    """What a target message asks about."""

    claim: ClaimInput
    total: int


def read_target(message: str) -> Target:
    """The claim that a message made by Prompt.messages asks about. Raises ValueError."""
    ancestors: list[str] = []
    position = 0
    while match := _OPEN.search(message, position):
        content, position = _content(message, match)
        if match["number"] is not None:
            claim = ClaimInput(int(match["number"]), content, tuple(ancestors))
            return Target(claim, int(match["total"]))
        ancestors.append(content)
    raise ValueError("the message holds no delimited claim")


def _block(title: str, content: str) -> str:
    tag = _tag(content)
    return f"<<<{title} {tag}>>>\n{content}\n<<<end {tag}>>>"


def _content(message: str, opened: re.Match[str]) -> tuple[str, int]:
    """The text of a block and the position after it; the digest tells its true end."""
    close = f"\n<<<end {opened['tag']}>>>"
    end = message.find(close, opened.end())
    while end >= 0:
        content = message[opened.end() : end]
        if _tag(content) == opened["tag"]:
            return content, end + len(close)
        end = message.find(close, end + 1)
    raise ValueError("a block of the message does not end")


def _tag(content: str) -> str:
    digest = hashlib.sha256(content.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:_DIGEST_CHARACTERS]


def _load() -> Prompt:
    folder = resources.files("ace.expert") / "prompts"

    def text(name: str) -> str:
        return (folder / f"copt_v1_{name}.txt").read_text(encoding="utf-8").rstrip("\n")

    passing, failing = text("pass_claim"), text("fail_claim")
    return Prompt(
        system=text("system"),
        target=text("target"),
        demonstrations=(
            (ClaimInput(1, passing), 2, text("pass_answer")),
            (ClaimInput(2, failing, (f"1. {passing}",)), 2, text("fail_answer")),
        ),
    )


PROMPT = _load()
"""The prompt in force. Its texts are package data, read once."""
