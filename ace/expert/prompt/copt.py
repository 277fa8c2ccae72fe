"""The Chain of Patent Thought prompts (paper, section 4.2 and appendix on prompts), by version.

v1 is the paper's: reasoning and verdict. v2 asks for the steps one by one (steps.py) and shows what the
rules believe (evidence.py). The fixed messages come first and are the same bytes in every call, so that a
server's prefix cache helps; then comes one message with the claim, in v2 laid out so that the claims of one
filing begin alike. Claims are data: each has a block of its own (blocks.py). `read_target` is the inverse.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any, NamedTuple

from ace.claims.model import ClaimInput
from ace.expert.prompt.blocks import block, content_of, original, plain
from ace.expert.prompt.evidence import evidence
from ace.expert.prompt.rationale import JSON_SCHEMA, Rationale, parse
from ace.expert.prompt.steps import SCHEMA, parse_steps

_VERSION_DIGITS = 12
_DIGITS = {"v1": 12, "v2": 16}

_V1_OPEN = re.compile(
    r"<<<(?:ancestor|claim (?P<number>[0-9]+) of (?P<total>[0-9]+)) (?P<tag>[0-9a-f]{12})>>>\n"
)
_V2_OPEN = re.compile(r"<<<(?P<title>claim|evidence) (?P<tag>[0-9a-f]{16})>>>\n")
_V2_ASKED = re.compile(r"claim (?P<number>[0-9]+) of a set of (?P<total>[0-9]+)")


class Demonstration(NamedTuple):
    """An example: a claim, the answer, and the evidence that v2 shows with the claim."""

    claim: ClaimInput
    total: int
    answer: str
    evidence: str = ""


Layout = Callable[[str, ClaimInput, int, str], str]
"""Makes the text of a message from the target's template, a claim, the size of its set, and the evidence."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """The texts of one prompt version; `messages` puts a claim into them.

    `schema` is the JSON schema of the answer. `parse(raw, finish_reason)` reads an answer and raises
    ExpertTransient if it is not one. `believe` makes the evidence that goes with a claim.
    """

    name: str
    system: str
    target: str
    demonstrations: tuple[Demonstration, ...]
    schema: dict[str, Any]
    parse: Callable[[str | None, str | None], Rationale]
    layout: Layout
    believe: Callable[[ClaimInput], str]

    @property
    def version(self) -> str:
        """copt-<name>- and 12 hexadecimal digits of SHA-256 over all fixed text and the answer's schema."""
        fixed = [*self._messages(ClaimInput(0, "", ("",)), 0, ""), self.schema]
        digest = hashlib.sha256(json.dumps(fixed, sort_keys=True).encode())
        return f"copt-{self.name}-{digest.hexdigest()[:_VERSION_DIGITS]}"

    def messages(self, claim: ClaimInput, total: int) -> list[dict[str, str]]:
        """Chat messages that ask about `claim`, one of `total` claims in its set."""
        return self._messages(claim, total, self.believe(claim))

    def _messages(self, claim: ClaimInput, total: int, believed: str) -> list[dict[str, str]]:
        messages = [{"role": "system", "content": self.system}]
        for shown in self.demonstrations:
            asked = self.layout(self.target, shown.claim, shown.total, shown.evidence)
            messages.append({"role": "user", "content": asked})
            messages.append({"role": "assistant", "content": shown.answer})
        messages.append({"role": "user", "content": self.layout(self.target, claim, total, believed)})
        return messages


@dataclass(frozen=True, slots=True)
class Target:
    """What a target message asks about."""

    claim: ClaimInput
    total: int


def read_target(message: str) -> Target:
    """The claim that a message made by Prompt.messages asks about. Raises ValueError."""
    # No claim text comes before the first block, so the first opening mark is ours.
    first, second = _V1_OPEN.search(message), _V2_OPEN.search(message)
    if second is not None and (first is None or second.start() < first.start()):
        return _read_v2(message)
    return _read_v1(message)


def _read_v1(message: str) -> Target:
    ancestors: list[str] = []
    position = 0
    while match := _V1_OPEN.search(message, position):
        content, position = content_of(message, match)
        if match["number"] is not None:
            claim = ClaimInput(int(match["number"]), content, tuple(ancestors))
            return Target(claim, int(match["total"]))
        ancestors.append(content)
    raise ValueError("the message holds no delimited claim")


def _read_v2(message: str) -> Target:
    claims: list[str] = []
    position = 0
    while match := _V2_OPEN.search(message, position):
        content, position = content_of(message, match)
        if match["title"] == "claim":
            claims.append(original(content))
            continue
        asked = _V2_ASKED.search(message, position)
        begin = f"{asked['number']}. " if asked else ""
        if asked and claims and claims[-1].startswith(begin):
            *chain, own = claims
            claim = ClaimInput(int(asked["number"]), own.removeprefix(begin), tuple(reversed(chain)))
            return Target(claim, int(asked["total"]))
        break
    raise ValueError("the message holds no delimited claim")


def _lay_out_v1(target: str, claim: ClaimInput, total: int, _believed: str) -> str:
    digits = _DIGITS["v1"]
    blocks = [block("ancestor", ancestor, digits=digits) for ancestor in claim.ancestors]
    blocks.append(block(f"claim {claim.number} of {total}", claim.text, digits=digits))
    fixed, _, end = target.partition("{blocks}")
    return fixed.format(number=claim.number, total=total) + "\n".join(blocks) + end


def _lay_out_v2(target: str, claim: ClaimInput, total: int, believed: str) -> str:
    """The chain from its far end, each claim in the same block whether it is examined or context, so that the
    messages about two claims of a filing begin with what they have in common."""
    digits = _DIGITS["v2"]
    lines = [*reversed(claim.ancestors), f"{claim.number}. {claim.text}"]
    blocks = [block("claim", plain(line), digits=digits) for line in lines]
    before, _, rest = target.partition("{claims}")
    between, _, end = rest.partition("{evidence}")
    shown = block("evidence", plain(believed), digits=digits)
    asked = end.format(number=claim.number, total=total)
    return before + "\n".join(blocks) + between + shown + asked


def _text(name: str) -> str:
    return (
        (resources.files("ace.expert.prompt") / "templates" / name).read_text(encoding="utf-8").rstrip("\n")
    )


def _load_v1() -> Prompt:
    passing, failing = _text("copt_v1_pass_claim.txt"), _text("copt_v1_fail_claim.txt")
    return Prompt(
        name="v1",
        system=_text("copt_v1_system.txt"),
        target=_text("copt_v1_target.txt"),
        demonstrations=(
            Demonstration(ClaimInput(1, passing), 2, _text("copt_v1_pass_answer.txt")),
            Demonstration(ClaimInput(2, failing, (f"1. {passing}",)), 2, _text("copt_v1_fail_answer.txt")),
        ),
        schema=JSON_SCHEMA,
        parse=parse,
        layout=_lay_out_v1,
        believe=lambda _claim: "",
    )


def _load_v2() -> Prompt:
    return Prompt(
        name="v2",
        system=_text("copt_v2_system.txt"),
        target=_text("copt_v2_target.txt"),
        demonstrations=(_shown_v2("pass", 3), _shown_v2("fail", 3)),
        schema=SCHEMA,
        parse=parse_steps,
        layout=_lay_out_v2,
        believe=evidence,
    )


def _shown_v2(name: str, total: int) -> Demonstration:
    """A file has the chain from its far end, one numbered claim on each line, the examined one last."""
    *chain, own = _text(f"copt_v2_{name}_claims.txt").split("\n")
    number, _, text = own.partition(". ")
    return Demonstration(
        ClaimInput(int(number), text, tuple(reversed(chain))),
        total,
        _text(f"copt_v2_{name}_answer.txt"),
        _text(f"copt_v2_{name}_evidence.txt"),
    )


PROMPTS: Mapping[str, Prompt] = {"v1": _load_v1(), "v2": _load_v2()}
"""Every version, by name. Their texts are package data, read once."""

PROMPT = PROMPTS["v1"]
"""The version that is used if none is named."""
