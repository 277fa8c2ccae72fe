"""Claims as files: the media types accepted besides JSON, and their query parameters.

A file has no fields for its docket, its priority or how to check it, so these are query parameters.
Beside a JSON body the same parameters are refused, so that nothing is stated twice.
"""

import hashlib
import json
from typing import Annotated, Any, Final

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from ace.api.fields import Name, fault, written
from ace.api.intake import FILING_EXAMPLE, PRIORITY, refuse_nothing_pending
from ace.api.problems import RefusedPart
from ace.claims.model import ClaimSet
from ace.claims.rules import Jurisdiction
from ace.store.moves import NewFiling

JSON: Final = "application/json"
DOCX: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_XML_EXAMPLE: Final = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<claims><claim num="00001"><claim-text>1. A bracket comprising a'
    " plate and a hook fixed to the plate.</claim-text></claim></claims>\n"
)
MEDIA_TYPES: Final[dict[str, str | None]] = {
    "text/plain": FILING_EXAMPLE["claims"],
    DOCX: None,
    "application/xml": _XML_EXAMPLE,
    "text/xml": _XML_EXAMPLE,
}
"""Media types of files, with an example of those that are text."""

_BESIDE_FILES: Final = "Only with a file; JSON has a field of this name."


def _said(value: Any) -> Any:
    if value not in {"true", "false"}:
        raise fault("bool_parsing", "must be true or false")
    return value == "true"


class FilingQuery(BaseModel):
    """The fields of a filing besides its claims."""

    model_config = ConfigDict(extra="forbid")

    docket: Name | None = Field(None, description=f"The client's own reference. {_BESIDE_FILES}")
    priority: Annotated[int, Field(ge=0, le=9), BeforeValidator(written)] | None = Field(
        None, description=f"0 is most urgent, 9 least; {PRIORITY} if not given. {_BESIDE_FILES}"
    )


class CheckQuery(BaseModel):
    """How to check the claims."""

    model_config = ConfigDict(extra="forbid")

    jurisdiction: Jurisdiction | None = Field(
        None, description=f"The law to apply; US by default. {_BESIDE_FILES}"
    )
    threshold: Annotated[float, Field(ge=0, le=1), BeforeValidator(written)] | None = Field(
        None, description=f"Findings with less confidence are left out. {_BESIDE_FILES}"
    )
    graph: Annotated[bool, BeforeValidator(_said)] | None = Field(
        None, description=f"`true` includes the reference graph and its proofs. {_BESIDE_FILES}"
    )


def refuse_beside_json(query: BaseModel) -> None:
    """Raises RefusedPart for a parameter that JSON has a field for."""
    for name in sorted(query.model_fields_set):
        words = "belongs in the JSON body"
        raise RefusedPart(words, code="not_beside_json", part="parameter", name=name)


def docket_of(query: FilingQuery) -> str:
    """The docket of a file. Raises RefusedPart if there is none."""
    if query.docket is None:
        raise RefusedPart("is required with a file", code="missing", part="parameter", name="docket")
    return query.docket


def filing_of_file(
    file: bytes, media: str, query: FilingQuery, claims: ClaimSet, tenant: str, key: str | None
) -> NewFiling:
    """The filing that a file and its parameters describe, of the claims read from it. Raises Refused."""
    docket = docket_of(query)
    priority = PRIORITY if query.priority is None else query.priority
    refuse_nothing_pending(claims, pointer="")
    content = hashlib.sha256(file).hexdigest()
    said = json.dumps([media, content, docket, priority])
    return NewFiling(
        tenant=tenant,
        docket=docket,
        claims=claims,
        priority=priority,
        details={},
        body_hash=hashlib.sha256(said.encode()).digest(),
        idempotency_key=key,
    )
