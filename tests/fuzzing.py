"""What schemathesis must know of our API that no schema can say. Loaded by `st run` as its hooks.

Valid cursors are signed, a used idempotency key wants the same body, an upload answers line by line.
Nothing here excuses an answer: requests that are meant to be valid are made so, and what the lines of
an upload say is checked like any other answer.
"""

import itertools
import json
import os
import unicodedata
from typing import Any, Final
from uuid import UUID

import schemathesis
from schemathesis.core.failures import AcceptedNegativeData

from ace.api import cursors, evaluations, filing_pages, reviews
from ace.api.fields import MAX_METADATA_DEPTH, SAFE_INTEGER
from ace.api.filing_pages import asked_of
from ace.api.review_schemas import ReviewsQuery
from ace.api.schemas import EvaluationQuery, FilingsQuery
from ace.claims.model import MAX_CLAIM_NUMBER
from ace.claims.readers import read_text
from ace.errors import Refused
from tests.files import MAKERS
from tests.problems import check_answer

SECRETS: Final = [os.environ.get("FUZZ_SECRET", "").encode()]  # the API's
OWN_KEYS: Final = frozenset(os.environ.get("FUZZ_KEY_IDS", "").split(","))  # ids of the keys in use
TENANT: Final = "office"
BULK: Final = "POST /v1/filings/bulk"
FILING: Final = "POST /v1/filings"
FILINGS: Final = "GET /v1/filings"
EVENTS: Final = "GET /v1/events"
REVIEWS: Final = "GET /v1/reviews"
DELIVERIES: Final = "GET /v1/webhooks/{id}/deliveries"
CLAIM: Final = "A bracket."
URL: Final = "https://docketing.example/ace"
FILES_TAKEN: Final = frozenset({FILING, "POST /v1/check"})
_numbers = itertools.count()


@schemathesis.serializer("application/x-ndjson")
def one_line(_: schemathesis.SerializationContext, value: Any) -> bytes:
    """A generated body is one line of an upload."""
    return json.dumps(value).encode() + b"\n"


@schemathesis.hook
def before_load_schema(_: schemathesis.HookContext, raw_schema: dict[str, Any]) -> None:
    """What is generated for an upload is one line of it."""
    for operation in (operation for item in raw_schema["paths"].values() for operation in item.values()):
        for content in operation.get("requestBody", {}).get("content", {}).values():
            if "x-item-schema" in content:
                content["schema"] = content["x-item-schema"]


@schemathesis.serializer(*MAKERS)
def file_of(context: schemathesis.SerializationContext, value: Any) -> bytes:
    """A file of the claim that stands for all readable ones; what else was generated is no file."""
    if value == CLAIM and context.case.media_type in MAKERS:
        return MAKERS[context.case.media_type](CLAIM)
    return json.dumps(value).encode()


@schemathesis.hook
def before_call(_: schemathesis.HookContext, case: schemathesis.Case, __: dict[str, Any]) -> None:
    """Makes valid what is meant to be valid, and spares the keys that the run itself needs."""
    label = case.operation.label
    if label == "POST /v1/keys/{id}/revoke" and case.path_parameters.get("id") in OWN_KEYS:
        case.path_parameters["id"] = "000000000000"
    positive = case.meta is not None and case.meta.generation.mode.is_positive
    if label == "GET /v1/hints":
        _end_soon(case, positive=positive)
    if not positive:
        return
    _of_webhooks(case)
    if label == "POST /v1/pauses":
        _pause_what_is_there(case)
    _make_valid(case)


def _make_valid(case: schemathesis.Case) -> None:
    """What is meant to be valid and no schema can say."""
    if case.query and case.query.get("cursor") is not None:
        case.query["cursor"] = cursors.write(SECRETS, _scope(case), UUID(int=next(_numbers)))
    if case.headers and case.headers.get("Idempotency-Key") is not None:
        case.headers["Idempotency-Key"] = f"fuzz-{next(_numbers)}"
    if case.operation.label in FILES_TAKEN:
        _beside_the_claims(case)
    if isinstance(case.body, dict) and case.body.get("idempotency_key") is not None:
        case.body["idempotency_key"] = f"fuzz-{next(_numbers)}"
    if isinstance(case.body, dict) and "claims" in case.body:
        case.body["claims"] = _readable(case.body["claims"])
    if isinstance(case.body, dict) and "metadata" in case.body:
        case.body["metadata"] = _kept(case.body["metadata"], MAX_METADATA_DEPTH)
    if isinstance(case.body, dict) and "term" in case.body:
        case.body["term"] = _term()
    if isinstance(case.body, dict) and isinstance(case.body.get("terms"), dict):
        case.body["terms"] = {kind: [_term() for _ in given] for kind, given in case.body["terms"].items()}


def _term() -> str:
    """A term of a few words with letters in them, which no list has yet or too many of."""
    return f"airflow member {next(_numbers) % 100}"


def _end_soon(case: schemathesis.Case, *, positive: bool) -> None:
    """A stream that ends at once: nobody waits for the end of a long one."""
    if positive or "seconds" not in (case.query or {}):
        case.query = {**(case.query or {}), "seconds": 0}


def _pause_what_is_there(case: schemathesis.Case) -> None:
    """A tenant, or a stage: the expert has no endpoint here."""
    if isinstance(case.body, dict) and case.body.get("kind") != "tenant":
        case.body |= {"kind": "stage", "name": "fast"}


def _of_webhooks(case: schemathesis.Case) -> None:
    """A URL that a webhook may have, and a place in the feed where a stream may go on."""
    if isinstance(case.body, dict) and case.body.get("url") is not None:
        case.body["url"] = URL
    for name in case.headers or ():
        if name.lower() == "last-event-id":
            case.headers[name] = cursors.write(SECRETS, _scope(case), UUID(int=next(_numbers)))


def _beside_the_claims(case: schemathesis.Case) -> None:
    """A file that can be read, and a docket for it; beside JSON there are no parameters."""
    if case.media_type not in MAKERS:
        case.query = {}
        return
    case.body = CLAIM
    if case.operation.label == FILING:
        case.query = {"docket": "P", **(case.query or {})}


def _scope(case: schemathesis.Case) -> list[str]:
    """What a cursor is good for: the tenant and the filter, as the route has it."""
    tenant = case.auth_identity or TENANT
    if case.operation.label == EVENTS:
        return [tenant, "events"]
    if case.operation.label == DELIVERIES:
        return [tenant, "deliveries", UUID(case.path_parameters["id"]).hex, case.query.get("state") or ""]
    given = {name: value for name, value in case.query.items() if name not in {"cursor", "limit"}}
    if case.operation.label == FILINGS:
        which = filing_pages.filter_of(FilingsQuery.model_validate(given))
        return [tenant, "filings", *asked_of(which)]
    if case.operation.label == REVIEWS:
        return [tenant, "reviews", *reviews.asked_of(ReviewsQuery.model_validate(given))]
    return evaluations.scope_of(tenant, evaluations.filter_of(EvaluationQuery.model_validate(given)))


def _readable(claims: Any) -> Any:
    """Claims that say something, each number once: both are rules of the trade, not of JSON."""
    if isinstance(claims, str):
        try:
            read_text(claims)
        except Refused:
            return CLAIM
        return claims
    seen: set[int] = set()
    for place, claim in enumerate(claims, start=1):
        number = place if claim.get("number") is None else int(claim["number"])
        while number in seen:
            number = number % MAX_CLAIM_NUMBER + 1
        seen.add(number)
        claim["text"] = _said(claim["text"])
        if number != place or claim.get("number") is not None:
            claim["number"] = number
    return claims


def _said(words: str) -> str:
    """The words without what cannot be printed, and with something that can."""
    return f"A {_printed(words)}"


def _printed(words: str) -> str:
    return "".join(letter for letter in words if unicodedata.category(letter) not in {"Cc", "Cs"})


def _kept(value: Any, depth: int) -> Any:
    """Metadata that can be given back as it came: printable, not deeper, with numbers that JSON carries."""
    if isinstance(value, str):
        return _printed(value)
    if isinstance(value, int | float):
        return value if abs(value) <= SAFE_INTEGER else 1
    if isinstance(value, dict):
        return {_printed(name): _kept(inner, depth - 1) for name, inner in value.items()} if depth else 1
    if isinstance(value, list):
        return [_kept(inner, depth - 1) for inner in value] if depth else 1
    return value


@schemathesis.check
def problems_are_registered(
    _: schemathesis.CheckContext, response: schemathesis.Response, case: schemathesis.Case
) -> None:
    """An error is a problem of a type that the registry has and the operation names."""
    if case.method.upper() == case.operation.method.upper():
        (media_type,) = response.headers.get("content-type", [""])  # a 304 has none
        check_answer(response.status_code, media_type, response.content, case.operation.definition.raw)


@schemathesis.check
def lines_answer_for_themselves(
    _: schemathesis.CheckContext, response: schemathesis.Response, case: schemathesis.Case
) -> None:
    """An upload is accepted whole; whether its line was good, the line's result says."""
    if case.operation.label != BULK or response.status_code != 200 or case.meta is None:
        return
    results = [json.loads(line) for line in response.text.splitlines()]
    assert [result["line"] for result in results] == [1]
    if case.meta.generation.mode.is_positive:
        assert results[0]["status"] == 202, f"a valid line was refused: {results[0]}"


@schemathesis.hook
def filter_failure(
    _: schemathesis.HookContext,
    failure: schemathesis.checks.Failure,
    case: schemathesis.Case,
    response: schemathesis.Response,
) -> bool:
    """A bad line that was refused by its result was refused, whatever the status of the whole."""
    refused = (
        case.operation.label == BULK
        and isinstance(failure, AcceptedNegativeData)
        and all(400 <= json.loads(line)["status"] < 500 for line in response.text.splitlines())
    )
    return not refused
