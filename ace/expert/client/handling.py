"""What each fault of the expert means for the claim, for the endpoint that it came from, and for the wait.

This is the only table of it: it decides the client's short retries, what becomes of the claim (ace.flow), and
what becomes of the endpoint (ace.expert.pacing). How a fault is recognised is in faults.py. Whether it is the
claim's own is decided by asking the endpoint something else (control.py): only then it counts against the
claim. If it is not, it counts against the endpoint.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from ace.types.faults import FaultKind

MAX_EXAMINATIONS: Final = 8


class Blame(StrEnum):
    """Who has to wait if the fault is not the claim's own."""

    ANSWER = "answer"  # the endpoint writes what cannot be used; a few in a row open its breaker
    LOAD = "load"  # the endpoint was asked for more at once than it can take: its slots are lowered
    ENDPOINT = "endpoint"  # a few of them in a row open its breaker
    OPERATOR = "operator"  # the first one opens it, for long: somebody has to correct a setting


class Suspicion(StrEnum):
    """Whether a claim can be the reason for a fault, and when its endpoint is asked something else to find
    out."""

    NONE = "none"  # the endpoint never saw the claim
    AT_ONCE = "at_once"  # after the fault
    NEXT_TIME = "next_time"  # before the next examination: a claim may have broken the endpoint for a while
    IN_THE_END = "in_the_end"  # before an examination after many of these faults in a row


@dataclass(frozen=True, slots=True)
class Handling:
    """One row. The claim fails after so many `examinations` with faults of its own.

    They are fewer for faults that another question within the examination did not cure: such a fault
    usually comes again later too.
    """

    blame: Blame = Blame.ANSWER
    suspicion: Suspicion = Suspicion.AT_ONCE
    short_retry: bool = False  # a short wait may cure it, within the examination
    examinations: int = MAX_EXAMINATIONS


_REMEDIED: Final = Handling(examinations=3)
# More than one, so that a server that stops and recovers meanwhile cannot fail a claim.
_REJECTED: Final = Handling(examinations=3)
_BROKE: Final = Handling(Blame.ENDPOINT, Suspicion.NEXT_TIME, short_retry=True)
_SLOW: Final = Handling(Blame.ENDPOINT, Suspicion.NEXT_TIME)  # the time of the call is used up
_OUT_OF_ORDER: Final = Handling(Blame.ENDPOINT)
_AWAY: Final = Handling(Blame.ENDPOINT, short_retry=True)
_NEVER_SEEN: Final = Handling(Blame.ENDPOINT, Suspicion.NONE, short_retry=True)
_SETTING: Final = Handling(Blame.OPERATOR)
_OTHER: Final = Handling(suspicion=Suspicion.NONE, examinations=1)

HANDLING: Final[dict[str, Handling]] = {
    # An immediate retry would hide it from the dispatcher, which has to lower the slots.
    FaultKind.OVERLOADED: Handling(Blame.LOAD, Suspicion.IN_THE_END),
    FaultKind.GENERATION: _BROKE,
    FaultKind.INCOMPLETE: _BROKE,
    FaultKind.RESET: _BROKE,
    FaultKind.UNAVAILABLE: _AWAY,
    FaultKind.UNREACHABLE: _NEVER_SEEN,
    FaultKind.TIMEOUT: _SLOW,
    FaultKind.DRIPPING: _SLOW,
    FaultKind.OVERSIZED: _OUT_OF_ORDER,
    FaultKind.REFUSED: _OUT_OF_ORDER,
    FaultKind.ENCODED: _SETTING,
    FaultKind.TRUNCATED: _REMEDIED,
    FaultKind.WHITESPACE: _REMEDIED,
    FaultKind.LANGUAGE: _REMEDIED,
    FaultKind.SCHEMA: Handling(),
    FaultKind.EMPTY: Handling(),
    FaultKind.VALIDATION: _REJECTED,
    FaultKind.TOO_LONG: _REJECTED,
    FaultKind.UNAUTHORISED: _SETTING,
    FaultKind.REDIRECTED: _SETTING,
    FaultKind.UNTRUSTED: Handling(Blame.OPERATOR, Suspicion.NONE),
}


def handling_of(kind: str) -> Handling:
    """The row of a kind. One that is not the expert's fails its claim at once."""
    return HANDLING.get(kind, _OTHER)
