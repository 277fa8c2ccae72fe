"""What the expert must answer: reasoning first, then a verdict, as one flat JSON object.

An answer that is cut off, unreadable or of another shape is a failed examination and never a
verdict. No error here repeats the answer, for it quotes the claim.
"""

from __future__ import annotations

import re
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from ace.claims.taxonomy import ErrorClass
from ace.errors import ExpertTransient

MAX_REASONING_CHARACTERS = 8_000
UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")
"""What no database text and no UTF-8 can hold."""

_NAMED = re.compile(r"\[(" + "|".join(ErrorClass) + r")\]")


class Rationale(BaseModel):
    """One answer of the expert. `reasoning` comes first, so that it is written before `verdict`."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    reasoning: str = Field(min_length=1, max_length=MAX_REASONING_CHARACTERS)
    verdict: Literal["Pass", "Fail"]

    @field_validator("reasoning")
    @classmethod
    def _is_text(cls, value: str) -> str:
        if not value.strip():
            raise ValueError("the reasoning is blank")
        if UNSTORABLE.search(value):
            raise ValueError("the reasoning holds characters that are no text")
        return value

    @property
    def error_class(self) -> ErrorClass | None:
        """The first kind of defect that Step 3 names in square brackets, as the prompt asks for;
        None on a Pass, and where the expert named none."""
        found = _NAMED.search(self.reasoning, max(0, self.reasoning.rfind("[Verdict]")))
        return ErrorClass(found[1]) if self.verdict == "Fail" and found else None


# No maxLength: servers that turn a schema into an automaton unroll it, thousands of states for
# every bound of thousands of characters. max_tokens bounds the answer, and parse() checks it.
JSON_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "reasoning": {"type": "string", "minLength": 1},
        "verdict": {"type": "string", "enum": ["Pass", "Fail"]},
    },
    "required": ["reasoning", "verdict"],
    "additionalProperties": False,
}


def parse(raw: str | None, finish_reason: str | None) -> Rationale:
    """The rationale in the text of an answer.

    Raises ExpertTransient of kind "truncated" where the server stopped at its token limit, also
    when what it wrote happens to parse, and of kind "schema" for anything but the object asked for.
    """
    text = (raw or "").strip()
    if finish_reason == "length":
        ran_on = len(raw or "") > 2 * len(text)
        raise ExpertTransient(
            "truncated",
            "the answer ran on in white space up to max_tokens"
            if ran_on
            else "the answer was cut off at max_tokens",
        )
    if not text:
        raise ExpertTransient("schema", "the answer is empty")
    try:
        return Rationale.model_validate_json(text)
    except ValidationError as error:
        problem = _problem(error)
    raise ExpertTransient("schema", f"the answer is not the JSON object asked for: {problem}")


def _problem(error: ValidationError) -> str:
    """The first problem as "field: kind", without any of the answer. Unknown fields go unnamed."""
    first = error.errors(include_input=False, include_context=False, include_url=False)[0]
    known = [str(part) for part in first["loc"] if part in Rationale.model_fields]
    return f"{'.'.join(known) or 'object'}: {first['type']}"
