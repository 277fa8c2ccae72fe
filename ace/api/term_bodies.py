"""Bodies and answers of the routes of the term list."""

from datetime import datetime
from typing import Annotated, Any, Final
from uuid import UUID

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from ace.api.fields import PRINTED, line
from ace.api.intake import Body, TermText
from ace.claims.terms import TermKind
from ace.store.acts import REASON_CHARACTERS

TERM_EXAMPLE: Final[dict[str, Any]] = {
    "kind": "ignore",
    "term": "operator",
    "reason": "Whoever drives the machine; the description says so.",
}
_TERM: Final[dict[str, Any]] = {
    "id": "0199d2a0-5b1c-7e53-9c11-6d2f0a7c4e12",
    **TERM_EXAMPLE,
    "actor": "key:5f0c2a9be411",
    "at": "2026-11-20T09:30:00.125Z",
}


class TermIn(Body):
    """A term for the list."""

    model_config = ConfigDict(json_schema_extra={"examples": [TERM_EXAMPLE]})

    kind: Annotated[TermKind, Field(strict=False)] = Field(
        description="`ignore`: no finding is about it, except on dependencies. `keep_together`: its words are"
        " read as one, as if they were written with hyphens."
    )
    term: TermText = Field(description="As a claim has it; article, number and case make no difference.")
    reason: Annotated[str, Field(max_length=REASON_CHARACTERS), PRINTED, AfterValidator(line)] | None = Field(
        None, description="Why; kept with the term."
    )


class TermOut(BaseModel):
    """A term of the list."""

    model_config = ConfigDict(json_schema_extra={"examples": [_TERM]})

    id: UUID
    kind: TermKind
    term: str
    reason: str
    actor: str
    at: datetime


class TermList(BaseModel):
    """The term list."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"terms": [_TERM], "digest": "5388439f289252d3"}]}
    )

    terms: list[TermOut] = Field(description="In alphabetical order.")
    digest: str = Field(
        description="Identifies the list: analyses that obey it carry it. Empty without terms."
    )


class TermAdded(BaseModel):
    """A term that is on the list."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"term": _TERM["id"]}]})

    term: UUID
