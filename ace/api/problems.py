"""Errors as RFC 9457 problem documents, of the types in the registry (problem_types.py).

A problem names the field and the limit, never the value: claims are secret, and anything that a
client sent may be one. `instance` is a fresh id; the log line of an internal error has it too.
"""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal
from uuid import UUID, uuid4

from fastapi import Response

from ace.api.problem_types import TYPES, ProblemType
from ace.errors import Conflict, Refused, TooMuch
from ace.types import outages

MEDIA_TYPE: Final = "application/problem+json"
RETRY_AFTER_SECONDS: Final = 2


class RefusedPart(Refused):
    """A refusal of a query parameter or a header, which no JSON pointer can name."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        part: Literal["parameter", "header"],
        name: str,
        limit: int | str | None = None,
    ) -> None:
        super().__init__(message, code=code, limit=limit)
        self.part = part
        self.name = name


class Forbidden(Refused):
    """A valid key that lacks the scope `scope`."""

    def __init__(self, scope: str) -> None:
        super().__init__(f"this needs a key with the scope {scope}", code="forbidden")
        self.scope = scope


def problem(slug: str, detail: str, errors: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
    """A problem document (RFC 9457, section 3) of a registered type, with the extension `errors`."""
    kind = TYPES[slug]
    document: dict[str, Any] = {
        "type": kind.uri,
        "title": kind.title,
        "status": kind.status,
        "detail": detail,
        "instance": f"urn:uuid:{uuid4()}",
    }
    if errors:
        document["errors"] = list(errors)
    return document


def of_refusal(refused: Refused) -> dict[str, Any]:
    """The problem of bad input at an edge."""
    return problem(refused.code, refused.message, _entries(refused))


def _entries(refused: Refused) -> list[dict[str, Any]]:
    entry: dict[str, Any] = {}
    if isinstance(refused, RefusedPart):
        entry[refused.part] = refused.name
    elif refused.pointer is not None:
        entry["pointer"] = refused.pointer
    else:
        return []
    entry |= {"code": refused.code, "detail": refused.message}
    if refused.limit is not None:
        entry["limit"] = refused.limit
    return [entry]


def respond(document: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> Response:
    """The HTTP response that carries a problem."""
    return Response(
        json.dumps(document),
        status_code=document["status"],
        media_type=MEDIA_TYPE,
        headers={"Cache-Control": "no-store", **(headers or {})},
    )


def unavailable(part: str, cause: str) -> dict[str, Any]:
    """The problem for a part that cannot serve."""
    document = problem("unavailable", f"{outages.words(part, cause)}; try again later")
    return {**document, "part": part, "cause": cause}


def of_excess(error: TooMuch) -> dict[str, Any]:
    """The problem for a key or tenant over its share."""
    entry = {"code": error.code, "detail": error.message, "limit": error.limit}
    document = problem(error.code, error.message, [entry])
    return {**document, "retry_after": whole_seconds(error.retry_after)}


def of_refused(error: Refused | TooMuch) -> dict[str, Any]:
    """The problem of either."""
    return of_excess(error) if isinstance(error, TooMuch) else of_refusal(error)


def excess(error: TooMuch) -> Response:
    """The HTTP response for a key or tenant over its share."""
    document = of_excess(error)
    return respond(document, {"Retry-After": str(document["retry_after"])})


def whole_seconds(retry_after: float) -> int:
    """The value of a Retry-After header (RFC 9110, section 10.2.3): whole seconds, at least one."""
    return max(1, math.ceil(retry_after))


def unexpected() -> dict[str, Any]:
    """The problem for an internal error; the log has the details under the same `instance`."""
    return problem("internal_error", "internal error; it was logged")


def example(kind: ProblemType) -> dict[str, Any]:
    """A problem as the OpenAPI document shows it: always the same."""
    return {**problem(kind.slug, kind.meaning), "instance": f"urn:uuid:{UUID(int=0)}"}


def of_conflict(error: Conflict, **place: str) -> dict[str, Any]:
    """The problem for an idempotency key that was used again with a different body.

    `place` is where the key stood, if not in the header: `pointer="/idempotency_key"`.
    """
    where = place or {"header": "Idempotency-Key"}
    entry = {**where, "code": "idempotency_key_reused", "detail": str(error)}
    return problem("idempotency_key_reused", str(error), [entry])
