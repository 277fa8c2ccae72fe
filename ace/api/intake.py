"""Request bodies: their models, validated once, and what they become.

Bodies are JSON (RFC 8259) in UTF-8 and strict: no unknown or repeated fields, no numbers in strings, no NaN.
Nothing here reads a stream (bodies.py) or stores anything.
"""

import hashlib
import json
from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    ValidationError,
    model_validator,
)

from ace.api.fields import (
    MAX_KEY_CHARACTERS,
    MAX_METADATA_CHARACTERS,
    MAX_METADATA_DEPTH,
    PRINTED,
    KnownError,
    Metadata,
    Moment,
    Name,
    fault,
    line,
    whole,
)
from ace.api.validation import Invalid, of_unfit, of_validation
from ace.claim_work import Unread, read
from ace.claims.checks.confidence import DEFAULT_THRESHOLD
from ace.claims.model import MAX_CLAIM_NUMBER, MAX_CLAIMS, ClaimSet
from ace.claims.rules import Jurisdiction
from ace.claims.terms import MAX_TERMS, TERM_CHARACTERS, Terms, terms_of
from ace.errors import Refused
from ace.store.moves import NewFiling
from ace.store.scopes import DEFAULT_SCOPES, MAX_PER_SECOND, MIN_PER_SECOND, Scope
from ace.types.faults import ERRORS
from ace.types.json_text import UnfitValue, read_json

MAX_FIELDS: Final = 32
MAX_REPLAYED: Final = 10_000
MAX_SEPARATORS: Final = 250_000
MIN_LIFETIME_SECONDS: Final = 60  # of a key
MAX_LIFETIME_SECONDS: Final = 10 * 366 * 86_400
PRIORITY: Final = 5

FILING_EXAMPLE: Final[dict[str, Any]] = {
    "docket": "P-2041-US",
    "claims": "1. A bracket comprising a plate and a hook fixed to the plate.\n"
    "2. The bracket of claim 1, wherein the hook is made of steel.",
    "priority": 3,
    "metadata": {"client": "Orchard"},
}
CHECK_EXAMPLE: Final[dict[str, Any]] = {"claims": FILING_EXAMPLE["claims"], "jurisdiction": "EPC"}
REPLAYS_EXAMPLE: Final[dict[str, Any]] = {
    "filter": {"error": "unreachable", "since": "2026-11-20T00:00:00Z"},
    "limit": 1000,
}
KEY_EXAMPLE: Final[dict[str, Any]] = {"label": "docketing", "scopes": ["submit", "read"]}


class Body(BaseModel):
    """What all bodies have in common."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _few_fields(cls, value: Any) -> Any:
        # Checked before pydantic makes an error for each of a million unknown fields.
        if isinstance(value, dict) and len(value) > MAX_FIELDS:
            raise fault("too_many_fields", "has too many fields", limit=MAX_FIELDS)
        return value


class ClaimIn(Body):
    """One claim of a list."""

    number: Annotated[int, Field(ge=1, le=MAX_CLAIM_NUMBER), BeforeValidator(whole)] | None = Field(
        None,
        description="The claim's number; by default its position in the list.",
    )
    text: str = Field(min_length=1, description="The claim as filed, without its number.")


def _shape(value: Any) -> str | None:
    return "<text>" if isinstance(value, str) else "<list>" if isinstance(value, list) else None


Claims = Annotated[
    Annotated[str, Field(min_length=1), Tag("<text>")]
    | Annotated[list[ClaimIn], Field(min_length=1, max_length=MAX_CLAIMS), Tag("<list>")],
    Discriminator(
        _shape,
        custom_error_type="claims_type",
        custom_error_message="must be a string or a list of claims",
        custom_error_context={"ours": 1},
    ),
    Field(description="All claims as one numbered text, or one by one."),
]


class FilingIn(Body):
    """A claim set to file."""

    model_config = ConfigDict(json_schema_extra={"examples": [FILING_EXAMPLE]})

    docket: Name = Field(description="The client's own reference.")
    claims: Claims
    priority: Annotated[int, Field(ge=0, le=9), BeforeValidator(whole)] = Field(
        PRIORITY, description="0 is most urgent, 9 least."
    )
    metadata: Metadata = Field(
        default_factory=dict,
        description="Stored with the filing and returned; maximum "
        f"{MAX_METADATA_CHARACTERS} characters as JSON, {MAX_METADATA_DEPTH} levels deep.",
    )


TermText = Annotated[str, Field(max_length=TERM_CHARACTERS), PRINTED, AfterValidator(line)]
_Listed = Annotated[list[TermText], Field(max_length=MAX_TERMS)]


class TermsIn(Body):
    """A term list for one check."""

    ignore: _Listed = Field([], description="Terms that no finding is about, except on dependencies.")
    keep_together: _Listed = Field(
        [], description="Terms whose words are read as one, as if they were written with hyphens."
    )

    def terms(self) -> Terms:
        """The list. Raises Refused."""
        return terms_of(self.ignore, self.keep_together, pointer="/terms")


class CheckIn(Body):
    """Claims to check without storing them."""

    model_config = ConfigDict(json_schema_extra={"examples": [CHECK_EXAMPLE]})

    claims: Claims
    jurisdiction: Annotated[Jurisdiction, Field(strict=False)] = Field(
        Jurisdiction.US, description="The law to apply."
    )
    threshold: float = Field(
        DEFAULT_THRESHOLD,
        ge=0,
        le=1,
        description="Findings with less confidence are left out.",
    )
    graph: bool = Field(False, description="Include the reference graph and its proofs.")
    terms: TermsIn | None = Field(None, description="Obeyed in place of your tenant's term list.")


class BulkLine(FilingIn):
    """One line of a bulk upload: a filing that may carry its own idempotency key."""

    idempotency_key: str | None = Field(
        None,
        min_length=1,
        max_length=MAX_KEY_CHARACTERS,
        pattern=r"^[\x21-\x7e]+$",
        description="Like the header of the same name, over which it takes precedence.",
    )


class ReplayFilter(Body):
    """Which failed evaluations to run again; omitted fields match everything."""

    state: Literal["failed"] = Field("failed", description="Only failed evaluations can run again.")
    error: KnownError | None = Field(
        None, description="Kind of the latest fault.", json_schema_extra={"enum": [*ERRORS, None]}
    )
    docket: Name | None = None
    since: Moment | None = Field(None, description="Failed at or after this time.")
    until: Moment | None = Field(None, description="Failed before this time.")


class ReplaysIn(Body):
    """A request to run failed evaluations again."""

    model_config = ConfigDict(json_schema_extra={"examples": [REPLAYS_EXAMPLE]})

    filter: ReplayFilter
    limit: Annotated[int, Field(ge=1, le=MAX_REPLAYED), BeforeValidator(whole)] = Field(
        1000, description="Maximum number, oldest first."
    )


def _few(scopes: Any) -> Any:
    if isinstance(scopes, list) and len(scopes) > len(Scope):
        raise fault("too_many_scopes", "has too many entries", limit=len(Scope))
    return scopes


def _distinct(scopes: list[Scope]) -> list[Scope]:
    if len(set(scopes)) < len(scopes):
        raise fault("repeated", "contains a duplicate")
    return scopes


class KeyIn(Body):
    """A key that an admin creates for its own tenant."""

    model_config = ConfigDict(json_schema_extra={"examples": [KEY_EXAMPLE]})

    label: Name = Field(description="What the key is for.")
    scopes: Annotated[
        list[Annotated[Scope, Field(strict=False)]],
        Field(min_length=1, json_schema_extra={"uniqueItems": True, "maxItems": len(Scope)}),
        BeforeValidator(_few),
        AfterValidator(_distinct),
    ] = Field(list(DEFAULT_SCOPES), description="The scopes of the key.")
    requests_per_second: float | None = Field(
        None,
        ge=MIN_PER_SECOND,
        le=MAX_PER_SECOND,
        description="Capped at the default rate, which null means.",
    )
    test: bool = Field(
        False,
        description="For tests: its filings are apart from all others, decided by the gatekeeper and the"
        " rules alone, and purged after 24 hours.",
    )
    expires_in_seconds: (
        Annotated[int, Field(ge=MIN_LIFETIME_SECONDS, le=MAX_LIFETIME_SECONDS), BeforeValidator(whole)] | None
    ) = Field(None, description="How long it is valid; null means until it is revoked.")


Model = TypeVar("Model", bound=Body)


def parse(model: type[Model], raw: bytes) -> Model:
    """`raw` as `model`. Raises Refused if it is not JSON in UTF-8, Invalid if it does not fit."""
    # A million empty lists fit into an allowed body and take fifty times its size in memory.
    if sum(map(raw.count, (b",", b"[", b"{"))) > MAX_SEPARATORS:
        words = f"more than {MAX_SEPARATORS} commas and brackets"
        raise Refused(words, code="too_many_values", pointer="", limit=MAX_SEPARATORS)
    try:
        value = read_json(raw)
    except UnfitValue as unfit:
        raise Invalid(of_unfit(unfit)) from None
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise Invalid(of_validation(error.errors(include_input=False, include_url=False))) from None


def new_filing(body: FilingIn, tenant: str, key: str | None) -> NewFiling:
    """The filing that `body` describes. Raises Refused if its claims cannot be read."""
    return filing_of(body, read(unread(body.claims)), tenant, key)


def filing_of(body: FilingIn, claims: ClaimSet, tenant: str, key: str | None) -> NewFiling:
    """The filing that `body` describes, of the claims that were read from it. Raises Refused."""
    refuse_nothing_pending(claims, pointer="/claims")
    return NewFiling(
        tenant=tenant,
        docket=body.docket,
        claims=claims,
        priority=body.priority,
        details=body.metadata,
        body_hash=_hash(body),
        idempotency_key=key,
    )


def unread(claims: str | list[ClaimIn], *, partial: bool = False) -> Unread:
    """The claims of a body, to be read; with `partial`, as far as they can be understood."""
    if isinstance(claims, str):
        return Unread(claims, partial=partial)
    pairs = [
        (place if claim.number is None else claim.number, claim.text)
        for place, claim in enumerate(claims, start=1)
    ]
    return Unread(pairs, partial=partial)


def refuse_nothing_pending(claims: ClaimSet, *, pointer: str) -> None:
    """Raises Refused for a set in which every claim is canceled."""
    if not any(claim.pending for claim in claims):
        words = "every claim is canceled: there is nothing to evaluate"
        raise Refused(words, code="nothing_pending", pointer=pointer)


def _hash(body: FilingIn) -> bytes:
    """SHA-256 of the body as canonical JSON: sorted keys, defaults filled in, no key of its own."""
    claims = body.claims
    value = {
        "docket": body.docket,
        "claims": claims if isinstance(claims, str) else [[one.number, one.text] for one in claims],
        "priority": body.priority,
        "metadata": body.metadata,
    }
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).digest()
