"""What can go wrong with an examination: the kinds of fault, how each is recognised, and its error.

What follows from a fault is in handling.py. No message repeats a claim or anything that a server wrote,
because servers echo what they were sent.
"""

from __future__ import annotations

import re
import ssl
from typing import Final

import httpcore2

from ace.errors import ExpertPermanent, ExpertTransient
from ace.types.faults import FaultKind

_STATUS: Final = "the expert answered {status}"
MESSAGES: Final = {
    FaultKind.OVERLOADED: _STATUS,
    FaultKind.GENERATION: _STATUS,
    FaultKind.INCOMPLETE: _STATUS,
    FaultKind.UNAVAILABLE: _STATUS,
    FaultKind.UNREACHABLE: "the connection to the expert failed",
    FaultKind.RESET: "the connection to the expert broke during the call",
    FaultKind.TIMEOUT: "the expert did not answer in time",
    FaultKind.DRIPPING: "the expert's answer arrived too slowly to be complete in time",
    FaultKind.OVERSIZED: "the expert's answer has more bytes than ACE_EXPERT_MAX_ANSWER_BYTES allows",
    FaultKind.ENCODED: "the expert's answer is compressed: turn compression off in the server or its proxy",
    FaultKind.TRUNCATED: "the answer was cut off at max_tokens",
    FaultKind.WHITESPACE: "the answer ran on in white space up to max_tokens",
    FaultKind.SCHEMA: "the answer is not the JSON object asked for",
    FaultKind.EMPTY: "the answer is empty",
    FaultKind.LANGUAGE: "the reasoning is not in English",
    FaultKind.VALIDATION: f"{_STATUS}: it rejects this request",
    FaultKind.REFUSED: f"{_STATUS}: check its address, its account and its model",
    FaultKind.TOO_LONG: f"{_STATUS}: the claim and its chain are too long",
    FaultKind.UNAUTHORISED: f"{_STATUS}: check its token",
    FaultKind.REDIRECTED: f"{_STATUS}: ACE_EXPERT_URL must name the server's own address",
    FaultKind.UNTRUSTED: (
        "the expert did not prove itself: its certificate has expired, belongs to another host, or is not"
        " signed by a trusted authority (ACE_EXPERT_CA_FILE), or its Unix socket belongs to another user"
    ),
}
PERMANENT: Final = {FaultKind.VALIDATION, FaultKind.TOO_LONG, FaultKind.UNAUTHORISED, FaultKind.REDIRECTED}
"""The same call would fail again at once. What follows for the claim and the endpoint is in handling.py."""

_BY_STATUS: Final = {
    400: FaultKind.VALIDATION,
    401: FaultKind.UNAUTHORISED,
    403: FaultKind.UNAUTHORISED,
    404: FaultKind.UNAVAILABLE,  # a model that is not loaded yet, a proxy without a route
    407: FaultKind.UNAUTHORISED,
    408: FaultKind.TIMEOUT,
    413: FaultKind.TOO_LONG,
    422: FaultKind.VALIDATION,
    424: FaultKind.GENERATION,
    425: FaultKind.UNAVAILABLE,
    429: FaultKind.OVERLOADED,
    500: FaultKind.INCOMPLETE,
}

# How TGI, vLLM, SGLang, llama-server, llama-cpp-python and OpenAI reject a prompt that is too long.
_CONTEXT: Final = re.compile(r"context[ _](?:length|size|window)", re.IGNORECASE)
_LENGTH: Final = re.compile(rf"{_CONTEXT.pattern}|\btokens?\b|max_(?:new_)?tokens|too long", re.IGNORECASE)
_REFUSAL_CHARACTERS: Final = 4_000  # that are searched

_RUNAWAY_CHARACTERS: Final = 200
_RUN_OF_SPACE: Final = re.compile(rf"\s{{{_RUNAWAY_CHARACTERS},}}")


class AnotherUser(Exception):
    """The server behind a Unix socket runs as another user, so it may be anybody's."""


class AnswerTooLong(Exception):
    """An answer was left unread beyond the maximum of bytes."""


class AnswerEncoded(Exception):
    """An answer has a Content-Encoding."""


_BY_ERROR: Final[tuple[tuple[tuple[type[Exception], ...], FaultKind], ...]] = (
    ((AnotherUser,), FaultKind.UNTRUSTED),
    ((httpcore2.ConnectError, httpcore2.ConnectTimeout), FaultKind.UNREACHABLE),
    ((httpcore2.ProxyError, httpcore2.UnsupportedProtocol, OSError), FaultKind.UNREACHABLE),
    ((httpcore2.TimeoutException,), FaultKind.TIMEOUT),
    ((httpcore2.NetworkError, httpcore2.ProtocolError), FaultKind.RESET),
    ((AnswerTooLong,), FaultKind.OVERSIZED),
    ((AnswerEncoded,), FaultKind.ENCODED),
)
"""The first row that fits; anything else makes the answer unreadable."""


def fault(
    kind: FaultKind, *, status: int | None = None, retry_after: float | None = None, detail: str = ""
) -> ExpertTransient | ExpertPermanent:
    """The error for a fault. `detail` must be ours, such as the name of an exception's class."""
    message = MESSAGES[kind].format(status=status) + (f" ({detail})" if detail else "")
    if kind in PERMANENT:
        return ExpertPermanent(kind.value, message)
    return ExpertTransient(kind.value, message, retry_after)


def fault_of_status(
    status: int, retry_after: float | None = None, body: str = ""
) -> ExpertTransient | ExpertPermanent:
    """The error for an HTTP status other than 200."""
    return fault(kind_of_status(status, body), status=status, retry_after=retry_after)


def no_completion(detail: str) -> ExpertTransient | ExpertPermanent:
    """The error for a 200 without a chat completion: an error in JSON, a page, nothing at all."""
    return fault(FaultKind.UNAVAILABLE, status=200, detail=detail)


def fault_of_error(error: Exception, received: int) -> ExpertTransient | ExpertPermanent:
    """The error for an exception during a call that had `received` bytes of an answer."""
    return fault(kind_of_error(error, received), detail=type(error).__name__)


def kind_of_status(status: int, body: str = "") -> FaultKind:
    """The fault behind an HTTP status other than 200 and the body that came with it."""
    refusal = body[:_REFUSAL_CHARACTERS]
    if (status in {400, 422} and _LENGTH.search(refusal)) or (status == 500 and _CONTEXT.search(refusal)):
        return FaultKind.TOO_LONG
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if 300 <= status < 400:
        return FaultKind.REDIRECTED
    return FaultKind.REFUSED if 400 <= status < 500 else FaultKind.UNAVAILABLE


def kind_of_error(error: Exception, received: int) -> FaultKind:
    """The fault behind an exception of the transport or httpcore2, after `received` bytes of an answer."""
    # httpcore2 raises its errors "from None" on the way, which leaves the reason as the context.
    if isinstance(error.__cause__ or error.__context__, ssl.SSLCertVerificationError):
        return FaultKind.UNTRUSTED
    kind = next((kind for classes, kind in _BY_ERROR if isinstance(error, classes)), FaultKind.SCHEMA)
    return FaultKind.DRIPPING if kind is FaultKind.TIMEOUT and received else kind


def kind_of_completion(text: str | None, finish_reason: str | None) -> FaultKind | None:
    """The fault in a completion, or None. The prompt's own parser checks the JSON."""
    if finish_reason == "length":
        return FaultKind.WHITESPACE if _ran_on(text or "") else FaultKind.TRUNCATED
    return None if (text or "").strip() else FaultKind.EMPTY


def _ran_on(text: str) -> bool:
    """Whether the model wrote white space: more of it than of text, or a long run of it."""
    return len(text) > 2 * len(text.strip()) or _RUN_OF_SPACE.search(text) is not None
