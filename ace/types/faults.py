"""Why an evaluation failed, or waits for another examination: the stable words that are stored with it."""

from enum import StrEnum
from typing import Final


class FaultKind(StrEnum):
    """The kinds of fault; their values are stored with the examinations."""

    OVERLOADED = "overloaded"  # 429
    GENERATION = "generation"  # 424: a shard of TGI broke down
    INCOMPLETE = "incomplete"  # 500: generation began and did not end
    UNAVAILABLE = "unavailable"  # other 5xx, 404, and a 200 without a chat completion
    UNREACHABLE = "unreachable"  # no connection: nothing was sent
    RESET = "reset"  # the connection broke after the question was sent
    TIMEOUT = "timeout"  # no byte arrived in time
    DRIPPING = "dripping"  # bytes arrived, but not all of them in time
    OVERSIZED = "oversized"  # more bytes than an answer may have; the rest was not read
    ENCODED = "encoded"  # compressed, although it was asked for plain; it was not unpacked
    TRUNCATED = "truncated"  # finish_reason "length"
    WHITESPACE = "whitespace"  # white space up to max_tokens: a schema allows it everywhere
    SCHEMA = "schema"  # not the JSON object asked for
    EMPTY = "empty"
    LANGUAGE = "language"  # reasoning that is not in English
    VALIDATION = "validation"  # 400, 422: perhaps of this request, perhaps of everybody's
    REFUSED = "refused"  # other 4xx, such as 402, 405, 409, 410, 451: usually of everybody's
    TOO_LONG = "too_long"  # a refusal that mentions tokens or the context
    UNAUTHORISED = "unauthorised"  # 401, 403, 407
    REDIRECTED = "redirected"  # a claim goes only to the address in the settings
    UNTRUSTED = "untrusted"  # an unknown authority's certificate, another host's, or another user's socket


UNSCORED: Final = "unscored"
"""Of a test alone: the gatekeeper has no score for the claim, which would go to the expert."""

ERRORS: Final = ("poison", "check_too_slow", "check_crashed", UNSCORED, *FaultKind)
"""Every `error` of an evaluation: its claim took its workers down, the rules were stopped, there was no score
for a test, or the expert failed."""
