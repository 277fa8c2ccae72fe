"""What the expert answers: reasoning first, then a verdict, and what it says is wrong.

Each prompt version asks for an object of its own (`Prose` here, `Steps` in steps.py); all are read into a
`Rationale`. An answer that is cut off, unreadable or of another shape is a failed examination and never a
verdict. No error repeats the answer, because it quotes the claim.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from ace.claims.taxonomy import ErrorClass
from ace.errors import ExpertTransient
from ace.expert.prompt.quotations import defects_in, parts_in
from ace.types.rationale import CheckOutcome, StatedDefect

MAX_REASONING_CHARACTERS: Final = 8_000
UNSTORABLE: Final = re.compile(r"[\x00\ud800-\udfff]")
"""Characters that neither a database text nor UTF-8 can hold."""

# Words that the model does not choose: quotations, headings, "Preamble:" and the like.
_NOT_SPOKEN: Final = re.compile(
    r"(?<!\w)'[^\n]{1,400}?'(?!\w)|\"[^\"\n]{1,400}\"|‘[^\n]{1,400}?’(?!\w)|[“„][^“”\n]{1,400}[“”]"
    r"|«[^»\n]{1,400}»|\[[^\]\n]{0,80}\]|\bStep \d|\b\w++\s*+:"
)
_NAMED: Final = re.compile(r"\[(" + "|".join(ErrorClass) + r")\]")

ModelT = TypeVar("ModelT", bound=BaseModel)


def _is_storable(value: str) -> str:
    if UNSTORABLE.search(value):
        raise ValueError("it contains characters that are not text")
    return value


def _is_not_blank(value: str) -> str:
    if not value.strip():
        raise ValueError("it is blank")
    return value


Storable = Annotated[str, AfterValidator(_is_storable)]
Reasoning = Annotated[Storable, AfterValidator(_is_not_blank)]


class Prose(BaseModel):
    """The answer to version 1. `reasoning` comes first, so that it is written before `verdict`."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    reasoning: Reasoning = Field(min_length=1, max_length=MAX_REASONING_CHARACTERS)
    verdict: Literal["Pass", "Fail"]


class Rationale(Prose):
    """One answer of the expert, whatever version asked for it.

    `reasoning` is for people: as it was written, or worded from the steps. `findings` are the defects, the
    gravest first; `outcomes` are those of the checks if the version asks for them; `spoken` are the texts in
    the model's own words, `free` the text in which it may say anything, and `quoted` what it quotes as the
    parts of the claim. The JSON of a rationale leaves all of these out.
    """

    findings: tuple[StatedDefect, ...] = Field(default=(), exclude=True)
    outcomes: tuple[tuple[ErrorClass, CheckOutcome], ...] = Field(default=(), exclude=True)
    spoken: tuple[str, ...] = Field(default=(), exclude=True)
    free: str = Field(default="", exclude=True)
    quoted: tuple[str, ...] = Field(default=(), exclude=True)

    @property
    def error_class(self) -> ErrorClass | None:
        """The gravest kind of defect; None for a Pass, and if the expert named none.

        Prose names it in square brackets in Step 3, steps in their first finding or outcome.
        """
        if self.verdict == "Pass":
            return None
        if self.outcomes:
            wrong = (kind for kind, outcome in self.outcomes if outcome is CheckOutcome.DEFECT)
            return self.findings[0].error_class if self.findings else next(wrong, None)
        found = _NAMED.search(self.reasoning, max(0, self.reasoning.rfind("[Verdict]")))
        return ErrorClass(found[1]) if found else None


# No maxLength: servers that turn a schema into an automaton need thousands of states for a bound of thousands
# of characters. max_tokens bounds the answer, and parse() checks it.
JSON_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "reasoning": {"type": "string", "minLength": 1},
        "verdict": {"type": "string", "enum": ["Pass", "Fail"]},
    },
    "required": ["reasoning", "verdict"],
    "additionalProperties": False,
}


def parse(raw: str | None, finish_reason: str | None) -> Rationale:
    """The rationale in the text of an answer to version 1; raises as `read_object` does."""
    prose = read_object(Prose, raw, finish_reason)
    defects = defects_in(prose.reasoning) if prose.verdict == "Fail" else ()
    return Rationale(
        reasoning=prose.reasoning,
        verdict=prose.verdict,
        findings=tuple(StatedDefect(kind, quote) for kind, quote in defects),
        spoken=(own_words(prose.reasoning),),
        free=prose.reasoning,
        quoted=parts_in(prose.reasoning),
    )


def own_words(text: str) -> str:
    """The text without its quotations and without the words that the prompt prescribes."""
    return _NOT_SPOKEN.sub(" ", text)


def read_object(model: type[ModelT], raw: str | None, finish_reason: str | None) -> ModelT:
    """The object in the text of an answer.

    Raises ExpertTransient of kind "truncated" if the server stopped at its token limit, even if the text
    happens to parse, and of kind "schema" for anything but the object asked for.
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
        return model.model_validate_json(text)
    except ValidationError as error:
        problem = _problem(error, model)
    raise ExpertTransient("schema", f"the answer is not the JSON object asked for: {problem}")


def _problem(error: ValidationError, model: type[BaseModel]) -> str:
    """The first problem as "field: kind", without any of the answer. Unknown fields are not named."""
    first = error.errors(include_input=False, include_context=False, include_url=False)[0]
    known = [str(part) for part in first["loc"][:1] if part in model.model_fields]
    return f"{'.'.join(known) or 'object'}: {first['type']}"
