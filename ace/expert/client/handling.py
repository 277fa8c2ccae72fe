"""What each fault of the expert means for the claim, for the endpoint that it came from, and for the wait.

This is the only table of it: it decides the client's short retries, what becomes of the claim (ace.flow), and
what becomes of the endpoint (ace.expert.pacing). How a fault is recognised is in faults.py.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Blame(StrEnum):
    """Whose fault it is, and so who has to wait."""

    ANSWER = "answer"  # this answer to this claim; the endpoint is healthy
    LOAD = "load"  # the endpoint was asked for more at once than it can take: its slots are lowered
    ENDPOINT = "endpoint"  # a few of them in a row open its breaker
    OPERATOR = "operator"  # the first one opens it, for long: somebody has to correct a setting


@dataclass(frozen=True, slots=True)
class Handling:
    """One row. `spends` counts against the maximum of examinations; `permanent` fails the claim at once.

    `examinations` is a lower maximum for faults that another question within the examination did not cure:
    such a fault usually comes again later too. None means the general maximum (retry.py).
    """

    blame: Blame = Blame.ANSWER
    short_retry: bool = False  # a short wait may cure it, within the examination
    spends: bool = True
    permanent: bool = False
    examinations: int | None = None

    @property
    def elsewhere(self) -> bool:
        """Whether another endpoint may do better, so that the claim may go there at once."""
        return self.blame is not Blame.ANSWER


_ANSWER: Final = Handling()
_REMEDIED: Final = Handling(examinations=3)
_REFUSED: Final = Handling(permanent=True)
# The server had the claim when it broke, so the claim may be the reason: it must not be tried for ever.
_BROKE: Final = Handling(Blame.ENDPOINT, short_retry=True)
_SLOW: Final = Handling(Blame.ENDPOINT)  # the time of the call is used up
_FLOOD: Final = Handling(Blame.ENDPOINT)  # no claim makes a server send so much: it is broken, or hostile
_AWAY: Final = Handling(Blame.ENDPOINT, short_retry=True, spends=False)
_SETTING: Final = Handling(Blame.OPERATOR, spends=False)

HANDLING: Final[dict[str, Handling]] = {
    # An immediate retry would hide it from the dispatcher, which has to lower the slots.
    "overloaded": Handling(Blame.LOAD, spends=False),
    "generation": _BROKE,
    "incomplete": _BROKE,
    "unavailable": _AWAY,
    "unreachable": _AWAY,
    "reset": _AWAY,
    "timeout": _SLOW,
    "dripping": _SLOW,
    "oversized": _FLOOD,
    "encoded": _SETTING,
    "truncated": _REMEDIED,
    "whitespace": _REMEDIED,
    "schema": _ANSWER,
    "empty": _ANSWER,
    "language": _REMEDIED,
    "validation": _REFUSED,
    "too_long": _REFUSED,
    "unauthorised": _SETTING,
    "redirected": _SETTING,
    "untrusted": _SETTING,
}


def handling_of(kind: str) -> Handling:
    """The row of a kind. An unknown kind is treated as a bad answer."""
    return HANDLING.get(kind, _ANSWER)
