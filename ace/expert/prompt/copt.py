"""The Chain of Patent Thought prompts (paper, section 4.2 and appendix on prompts), by version.

v1 is the paper's: reasoning and verdict. v2 asks for the steps one by one (steps.py) and shows what the
rules believe (evidence.py). The fixed messages come first and are the same bytes in every call, so that a
server's prefix cache helps; then comes one message with the claim, in v2 laid out so that the claims of one
filing begin alike. Claims are data: each has a block of its own (blocks.py). `read_target` is the inverse.
The texts are in templates/copt.toml; the kinds of defect that they name are the rules'.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final, NamedTuple

from ace.claims.checks import RULES
from ace.claims.model import ClaimInput
from ace.claims.rules import Severity
from ace.claims.taxonomy import ErrorClass
from ace.expert.prompt.blocks import block, content_of, original, plain
from ace.expert.prompt.evidence import evidence
from ace.expert.prompt.rationale import JSON_SCHEMA, Rationale, parse
from ace.expert.prompt.steps import SCHEMA, parse_steps

_VERSION_DIGITS: Final = 12
_DIGITS: Final = {"v1": 12, "v2": 16}

_V1_OPEN: Final = re.compile(
    r"<<<(?:ancestor|claim (?P<number>[0-9]+) of (?P<total>[0-9]+)) (?P<tag>[0-9a-f]{12})>>>\n"
)
_V2_OPEN: Final = re.compile(r"<<<(?P<title>claim|evidence) (?P<tag>[0-9a-f]{16})>>>\n")
_V2_ASKED: Final = re.compile(r"claim (?P<number>[0-9]+) of a set of (?P<total>[0-9]+)")


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
            claim = ClaimInput(int(match["number"]), original(content), tuple(ancestors))
            return Target(claim, int(match["total"]))
        ancestors.append(original(content))
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
    blocks = [block("ancestor", plain(ancestor), digits=digits) for ancestor in claim.ancestors]
    blocks.append(block(f"claim {claim.number} of {total}", plain(claim.text), digits=digits))
    fixed, _, end = target.partition("{blocks}")
    return fixed + "\n".join(blocks) + end


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


_BEYOND_RULES: Final = {
    ErrorClass.LOGICAL: (
        "limitations in conflict",
        "a required element absent",
        "a step that needs a later one",
        "a choice outside a closed group",
    ),
}
"""Kinds of defect that no rule looks for."""


def kinds() -> str:
    """A line for each class: its law, and the kinds of defect that the rules know and that show in a claim
    with its chain, then those that only a reader sees. Rules with the same brief are one kind."""
    lines = []
    for error_class in ErrorClass:
        law = error_class.law.partition(";")[0].removeprefix("35 U.S.C. ")
        named = dict.fromkeys((*_briefs(error_class, fails=True), *_BEYOND_RULES.get(error_class, ())))
        lines.append(f"- {error_class.value}, {law}: {'; '.join(named)}.")
    return "\n".join(lines)


def notes() -> str:
    """The kinds of which the rules only take note: no reason to fail a claim."""
    return ", ".join(brief for error_class in ErrorClass for brief in _briefs(error_class, fails=False))


def _briefs(error_class: ErrorClass, *, fails: bool) -> list[str]:
    """What the rules of the class look for, in the order of the rules, each kind once."""
    return list(
        dict.fromkeys(
            rule.brief
            for rule in RULES
            if rule.error_class is error_class
            and not rule.whole_set
            and rule.us is not None
            and (rule.us.severity is not Severity.NOTE) is fails
        )
    )


def _load() -> dict[str, Prompt]:
    path = resources.files("ace.expert.prompt") / "templates" / "copt.toml"
    texts = tomllib.loads(path.read_text(encoding="utf-8"))
    reading = texts["reading"].replace("{notes}", notes())

    def prompt(name: str, **reads: Any) -> Prompt:
        system = texts[name]["system"].replace("{kinds}", kinds()).replace("{reading}", reading)
        shown = tuple(_demonstration(each, name) for each in texts["demonstrations"])
        return Prompt(name, system, texts[name]["target"], shown, **reads)

    v1 = prompt("v1", schema=JSON_SCHEMA, parse=parse, layout=_lay_out_v1, believe=lambda _claim: "")
    v2 = prompt("v2", schema=SCHEMA, parse=parse_steps, layout=_lay_out_v2, believe=evidence)
    return {"v1": v1, "v2": v2}


def _demonstration(shown: Mapping[str, Any], version: str) -> Demonstration:
    """`claims` has the chain from its far end, each claim with its number, the examined one last."""
    *chain, own = shown["claims"]
    number, _, text = own.partition(". ")
    claim = ClaimInput(int(number), text, tuple(reversed(chain)))
    return Demonstration(claim, shown["total"], shown[version], shown["evidence"])


PROMPTS: Final[Mapping[str, Prompt]] = _load()
"""Every version, by name. Their texts are package data, read once."""

PROMPT: Final = PROMPTS["v1"]
"""The version that is used if none is named."""
