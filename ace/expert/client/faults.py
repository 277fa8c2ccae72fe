"""What can go wrong with an examination, and what becomes of it: from the wire to an error of ours.

`kind_of` names the fault, `fault` makes the error. No message repeats a claim or anything that a
server wrote, because servers echo what they were sent.
"""

from __future__ import annotations

import re
import ssl
import unicodedata
from dataclasses import dataclass
from enum import StrEnum

import httpx2

from ace.errors import ExpertPermanent, ExpertTransient


class Kind(StrEnum):
    """The faults, in the words that examinations are kept under."""

    OVERLOADED = "overloaded"  # 429
    GENERATION = "generation"  # 424: a shard of TGI broke down
    INCOMPLETE = "incomplete"  # 500: generation began and did not end
    UNAVAILABLE = "unavailable"  # 502-504, and whatever a proxy says of a server that is not there
    UNREACHABLE = "unreachable"  # no connection: nothing was sent
    RESET = "reset"  # the connection broke with the question asked
    TIMEOUT = "timeout"  # not a byte in time
    DRIPPING = "dripping"  # bytes, but no end of them in time
    TRUNCATED = "truncated"  # finish_reason "length"
    WHITESPACE = "whitespace"  # white space up to max_tokens, which a schema allows everywhere
    SCHEMA = "schema"  # not the JSON object asked for
    EMPTY = "empty"
    LANGUAGE = "language"  # reasoning that is not in English
    VALIDATION = "validation"  # 400, 422 and other refusals of this request
    TOO_LONG = "too_long"  # a refusal that speaks of tokens or context
    UNAUTHORISED = "unauthorised"  # 401, 403, 407
    REDIRECTED = "redirected"  # a claim goes nowhere but to the address in the settings
    UNTRUSTED = "untrusted"  # a certificate of an unknown authority or another host


@dataclass(frozen=True, slots=True)
class Treatment:
    """What is said of a fault, and whether the same try would fail again; more on it in handling.py."""

    message: str
    permanent: bool = False


TREATMENTS = {
    Kind.OVERLOADED: Treatment("the expert answered {status}"),
    Kind.GENERATION: Treatment("the expert answered {status}"),
    Kind.INCOMPLETE: Treatment("the expert answered {status}"),
    Kind.UNAVAILABLE: Treatment("the expert answered {status}"),
    Kind.UNREACHABLE: Treatment("the connection to the expert failed"),
    Kind.RESET: Treatment("the connection to the expert broke in the middle"),
    Kind.TIMEOUT: Treatment("the expert did not answer in time"),
    Kind.DRIPPING: Treatment("the expert's answer came too slowly to end in time"),
    Kind.TRUNCATED: Treatment("the answer was cut off at max_tokens"),
    Kind.WHITESPACE: Treatment("the answer ran on in white space up to max_tokens"),
    Kind.SCHEMA: Treatment("the answer is not the JSON object asked for"),
    Kind.EMPTY: Treatment("the answer is empty"),
    Kind.LANGUAGE: Treatment("the reasoning is not in English"),
    Kind.VALIDATION: Treatment("the expert answered {status}: it refuses this request", permanent=True),
    Kind.TOO_LONG: Treatment("the expert answered {status}: claim and chain are too long", permanent=True),
    Kind.UNAUTHORISED: Treatment("the expert answered {status}: check its token", permanent=True),
    Kind.REDIRECTED: Treatment(
        "the expert answered {status}: name its own address in ACE_EXPERT_URL", permanent=True
    ),
    Kind.UNTRUSTED: Treatment(
        "the expert's certificate has expired, is another host's, or is not signed by an authority that is"
        " trusted (ACE_EXPERT_CA_FILE)"
    ),
}

_BY_STATUS = {
    401: Kind.UNAUTHORISED,
    403: Kind.UNAUTHORISED,
    404: Kind.UNAVAILABLE,  # a model that is not loaded yet, a proxy without a route
    407: Kind.UNAUTHORISED,
    408: Kind.TIMEOUT,
    413: Kind.TOO_LONG,
    424: Kind.GENERATION,
    425: Kind.UNAVAILABLE,
    429: Kind.OVERLOADED,
    500: Kind.INCOMPLETE,
}

# What TGI, vLLM, SGLang, llama-server, llama-cpp-python and OpenAI say of a prompt beyond their context.
_CONTEXT = re.compile(r"context[ _](?:length|size|window)", re.IGNORECASE)
_LENGTH = re.compile(rf"{_CONTEXT.pattern}|\btokens?\b|max_(?:new_)?tokens|too long", re.IGNORECASE)
_READ_OF_A_REFUSAL = 4_000

_RUNAWAY_CHARACTERS = 200
_RUN_OF_SPACE = re.compile(rf"\s{{{_RUNAWAY_CHARACTERS},}}")

_NOTHING_SENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.ProxyError, httpx2.UnsupportedProtocol)

_WORD = re.compile(r"[^\W\d_]+")
_LATIN_SHARE, _ENGLISH_SHARE, _LEAST_WORDS = 0.7, 0.04, 12
_ENGLISH = frozenset(
    {"the", "of", "and", "to", "are", "it", "its", "that", "this", "these", "which", "with", "but"}
    | {"for", "from", "by", "not", "has", "have", "each", "into", "there", "does", "because", "only"}
    | {"claim", "claims", "recites", "introduces", "scope", "unclear", "found"}
)
"""Frequent in English answers, and words of no other language that is written in the same letters."""
_FOREIGN = frozenset(
    {"der", "das", "und", "ist", "nicht", "ein", "eine", "kein", "keine", "den", "dem", "mit", "wird"}  # de
    | {"le", "la", "les", "des", "du", "une", "est", "et", "dans", "pas", "que", "qui", "aucun"}  # fr
    | {"el", "los", "las", "del", "una", "il", "che", "di", "della", "não", "uma", "os", "het", "niet"}
)
"""The same the other way round: for texts too short to miss English words in."""


def kind_of(
    *,
    status: int | None = None,
    body: str = "",
    error: BaseException | None = None,
    received: int = 0,
    finish_reason: str | None = None,
    text: str | None = None,
) -> Kind | None:
    """The fault in what came of one HTTP call; None where there is none to be seen here.

    `status` and `body` are of an answer other than 200, `error` is the HTTP client's, with `received`
    bytes of an answer there by then; `finish_reason` and `text` are of a completion, whose JSON the
    prompt's own parser checks.
    """
    if error is not None:
        return _kind_of_error(error, received)
    if status is not None and status != 200:
        return _kind_of_status(status, body)
    if finish_reason == "length":
        return Kind.WHITESPACE if _ran_on(text or "") else Kind.TRUNCATED
    return None if (text or "").strip() else Kind.EMPTY


def fault(
    kind: Kind, *, status: int | None = None, retry_after: float | None = None, detail: str = ""
) -> ExpertTransient | ExpertPermanent:
    """The error for a fault. `detail` is a word of ours, such as the name of an exception's class."""
    treatment = TREATMENTS[kind]
    message = treatment.message.format(status=status) + (f" ({detail})" if detail else "")
    if treatment.permanent:
        return ExpertPermanent(kind.value, message)
    return ExpertTransient(kind.value, message, retry_after)


def fault_of_status(
    status: int, retry_after: float | None = None, body: str = ""
) -> ExpertTransient | ExpertPermanent:
    """The error for an HTTP status other than 200."""
    return fault(_kind_of_status(status, body), status=status, retry_after=retry_after)


def is_english(*spoken: str) -> bool:
    """Whether texts of the model's own words can be read by those they are for: each in letters of the
    Latin script and with no more frequent words of other languages than of English, and all together,
    where they are long enough to tell, with enough of English."""
    texts = [_WORD.findall(text) for text in spoken]
    english = [sum(word.lower() in _ENGLISH for word in words) for words in texts]
    if not all(map(_may_be_english, texts, english)):
        return False
    count = sum(map(len, texts))
    return count < _LEAST_WORDS or sum(english) >= _ENGLISH_SHARE * count


def _may_be_english(words: list[str], english: int) -> bool:
    letters = [letter for word in words for letter in word]
    latin = sum(letter.isascii() or unicodedata.name(letter, "").startswith("LATIN") for letter in letters)
    foreign = sum(word.lower() in _FOREIGN for word in words)
    return latin >= _LATIN_SHARE * len(letters) and foreign <= english


def _kind_of_status(status: int, body: str) -> Kind:
    said = body[:_READ_OF_A_REFUSAL]
    if (status in {400, 422} and _LENGTH.search(said)) or (status == 500 and _CONTEXT.search(said)):
        return Kind.TOO_LONG
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if 300 <= status < 400:
        return Kind.REDIRECTED
    return Kind.VALIDATION if 400 <= status < 500 else Kind.UNAVAILABLE


def _kind_of_error(error: BaseException, received: int) -> Kind:
    causes = list(_causes(error))
    if any(isinstance(cause, ssl.SSLCertVerificationError) for cause in causes):
        return Kind.UNTRUSTED
    if any(isinstance(cause, _NOTHING_SENT) for cause in causes):
        return Kind.UNREACHABLE
    if any(isinstance(cause, httpx2.TimeoutException | TimeoutError) for cause in causes):
        return Kind.DRIPPING if received else Kind.TIMEOUT
    if any(isinstance(cause, httpx2.TransportError) for cause in causes):
        return Kind.RESET
    return Kind.UNREACHABLE if isinstance(error, OSError) else Kind.SCHEMA


def _causes(error: BaseException) -> list[BaseException]:
    found: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in found:
        found.append(cause)
        cause = cause.__cause__ or cause.__context__
    return found


def _ran_on(text: str) -> bool:
    """White space is no part of an answer's worth: as much of it as of text, or a long run of it."""
    return len(text) > 2 * len(text.strip()) or _RUN_OF_SPACE.search(text) is not None
