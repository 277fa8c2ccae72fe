"""What a call may raise.

ApiError            the API rejected the request or failed; `problem` is its problem document (RFC 9457)
  Unauthorised      the key is missing, wrong, expired or revoked
    Forbidden       the key is valid, and lacks the scope
  NotFound          it does not exist, or belongs to another tenant
  Invalid           the request is invalid; `errors` name the fields and limits
  Unreachable       the API, or a part that it needs, cannot be reached, even with retries
    TooMuch         too many requests with the key, or too many waiting claims, even with retries
NotSettled          a filing was not settled in time
"""

from collections.abc import Iterable, Mapping
from typing import Any

from patent_ace_client.filings import Filing


class ApiError(Exception):
    """The API rejected the request or failed; `problem` is its problem document (RFC 9457).

    `request_id` is what the API's log calls the request; None if there was no answer.
    """

    def __init__(self, problem: Mapping[str, Any], request_id: str | None = None) -> None:
        self.problem = problem
        self.status = int(problem.get("status", 0))
        errors = problem.get("errors")
        listed = errors if isinstance(errors, list) else []  # a proxy may have written anything
        self.errors: list[dict[str, Any]] = [error for error in listed if isinstance(error, dict)]
        self.request_id = request_id
        super().__init__(_message(problem, self.errors))


class Unauthorised(ApiError):  # named after what happened, as the API names it
    """The key is missing, wrong, expired or revoked."""


class Forbidden(Unauthorised):
    """The key is valid, but lacks the scope for this request."""


class NotFound(ApiError):
    """It does not exist, or belongs to another tenant."""


class Invalid(ApiError):
    """The request is invalid; `errors` name the fields and limits."""


class Unreachable(ApiError):
    """The API, or a part that it needs, could not be reached, even with retries."""


class TooMuch(Unreachable):
    """Too many requests with the key, or too many waiting claims of the tenant, even with retries."""


class NotSettled(TimeoutError):
    """A filing is not settled in time; `filing` is its last state."""

    def __init__(self, filing: Filing, seconds: float) -> None:
        done = f"{filing.settled_count} of {len(filing.evaluations)}; {filing.waiting}"
        super().__init__(f"filing {filing.id} is not settled after {seconds:g} s: {done}")
        self.filing = filing


def error_of(status: int, problem: Mapping[str, Any], request_id: str | None = None) -> ApiError:
    """The error for a response that is not a success; an empty `problem` is that of a proxy."""
    full = {"title": f"the API answered {status}", **problem, "status": status}
    if status in {502, 503, 504} and not problem:
        full["detail"] = f"the API is away: something before it answered {status}"
    kinds = {401: Unauthorised, 403: Forbidden, 404: NotFound, 429: TooMuch}
    kinds |= dict.fromkeys((502, 503, 504), Unreachable)
    kind = kinds.get(status, Invalid if 400 <= status < 500 else ApiError)
    return kind(full, request_id)


def _message(problem: Mapping[str, Any], errors: Iterable[Mapping[str, Any]]) -> str:
    detail = str(problem.get("detail") or problem.get("title") or "the API failed")
    places = []
    for error in errors:
        where = error.get("pointer") or error.get("parameter") or error.get("header")
        if where:
            places.append(f"{where} {error.get('detail', '')}".strip())
    return f"{detail} ({'; '.join(places)})" if places else detail
