"""The answer to version 2: the Chain of Patent Thought as one flat object, and the same in prose.

Every field is required and every array bounded. Strings are bounded here and by the words of the prompt, not
in the schema that servers receive: they turn a bound into states, or pay for it at every token
(docs/reference/copt.md has the measurements).
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from ace.claims.taxonomy import ErrorClass
from ace.expert.prompt.compliance import cut
from ace.expert.prompt.rationale import (
    MAX_REASONING_CHARACTERS,
    Rationale,
    Reasoning,
    Storable,
    own_words,
    read_object,
)
from ace.types.rationale import CheckOutcome, StatedDefect

MAX_ELEMENTS: Final = 12
MAX_FINDINGS: Final = 6

# The prompt asks for about half as much, because models do not count characters.
PREAMBLE_CHARACTERS: Final = 600
TRANSITION_CHARACTERS: Final = 120
QUOTE_CHARACTERS: Final = 400
LAW_CHARACTERS: Final = 160
EXPLANATION_CHARACTERS: Final = 640
SUMMARY_CHARACTERS: Final = 1_600
_ELEMENT_SHOWN: Final = 160

Quote = Annotated[Storable, Field(max_length=QUOTE_CHARACTERS)]


class Defect(BaseModel):
    """One finding: the words of the claim that show it, the law that it violates, and why."""

    model_config = ConfigDict(extra="forbid", frozen=True, serialize_by_alias=True, validate_by_name=True)

    error_class: ErrorClass = Field(alias="class")
    quote: Quote
    law: Storable = Field(max_length=LAW_CHARACTERS)
    explanation: Storable = Field(max_length=EXPLANATION_CHARACTERS)


class Steps(BaseModel):
    """The three steps in the order in which the model should think; `verdict` comes last."""

    model_config = ConfigDict(extra="forbid", frozen=True, serialize_by_alias=True)

    preamble: Storable = Field(max_length=PREAMBLE_CHARACTERS)
    transition: Storable = Field(max_length=TRANSITION_CHARACTERS)
    elements: tuple[Quote, ...] = Field(max_length=MAX_ELEMENTS)
    antecedent: CheckOutcome
    dependency: CheckOutcome
    logical: CheckOutcome
    ambiguity: CheckOutcome
    syntax: CheckOutcome
    findings: tuple[Defect, ...] = Field(max_length=MAX_FINDINGS)
    reasoning: Reasoning = Field(min_length=1, max_length=SUMMARY_CHARACTERS)
    verdict: Literal["Pass", "Fail"]

    def outcomes(self) -> tuple[tuple[ErrorClass, CheckOutcome], ...]:
        """The outcome of each check, in the order of the taxonomy."""
        return tuple((kind, CheckOutcome(getattr(self, kind.value))) for kind in ErrorClass)


_TEXT: Final[dict[str, Any]] = {"type": "string"}


def _enum(values: list[str]) -> dict[str, Any]:
    return {"type": "string", "enum": values}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


SCHEMA: Final[dict[str, Any]] = _object(
    {
        "preamble": _TEXT,
        "transition": _TEXT,
        "elements": {"type": "array", "items": _TEXT, "maxItems": MAX_ELEMENTS},
        **{kind.value: _enum([outcome.value for outcome in CheckOutcome]) for kind in ErrorClass},
        "findings": {
            "type": "array",
            "items": _object(
                {
                    "class": _enum([kind.value for kind in ErrorClass]),
                    "quote": _TEXT,
                    "law": _TEXT,
                    "explanation": _TEXT,
                }
            ),
            "maxItems": MAX_FINDINGS,
        },
        "reasoning": {**_TEXT, "minLength": 1},
        "verdict": _enum(["Pass", "Fail"]),
    }
)


def parse_steps(raw: str | None, finish_reason: str | None) -> Rationale:
    """The rationale in the text of an answer to version 2; raises as `read_object` does.

    A verdict that does not follow from the findings is read as it is: its shape is right, and verification.py
    disputes it.
    """
    steps = read_object(Steps, raw, finish_reason)
    return Rationale(
        reasoning=as_prose(steps),
        verdict=steps.verdict,
        findings=tuple(
            StatedDefect(each.error_class, each.quote, each.law, each.explanation) for each in steps.findings
        ),
        outcomes=steps.outcomes(),
        spoken=tuple(map(own_words, (*(each.explanation for each in steps.findings), steps.reasoning))),
        free=steps.reasoning,
        quoted=tuple(filter(None, (steps.preamble, *steps.elements))),
    )


def as_prose(steps: Steps) -> str:
    """The steps as an answer to version 1 words them: the same headings, cut to the length of a rationale."""
    body = "; ".join(f"'{cut(each, _ELEMENT_SHOWN)}'" for each in steps.elements)
    parts = [
        f"Step 1 [Element Parsing]: Preamble: '{steps.preamble}'.",
        f"Transition: '{steps.transition}'." if steps.transition else "No transition phrase.",
        f"Body: {body or 'empty'}.",
        "Step 2 [Statutory Compliance]:",
    ]
    for kind, outcome in steps.outcomes():
        own = [each for each in steps.findings if each.error_class is kind]
        parts.append(f"{kind.value}: {outcome.value}{':' if own else '.'}")
        parts.extend(f"'{each.quote}'. {each.explanation} [{each.law}]" for each in own)
    kinds = dict.fromkeys(each.error_class.value for each in steps.findings)
    named = f" ({', '.join(f'[{kind}]' for kind in kinds)})" if steps.verdict == "Fail" and kinds else ""
    verdict = f" Step 3 [Verdict]: {steps.verdict}{named}. {steps.reasoning}"
    return cut(" ".join(parts), MAX_REASONING_CHARACTERS - len(verdict) - 1) + verdict
