"""What each fault of the expert means for the claim, for the endpoint it came from, and for the wait.

The one table of it: the client takes its short retries from here, flow.py what becomes of the claim,
pacing.py what becomes of the endpoint. How a fault is told from the wire is in faults.py.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Blame(StrEnum):
    """Whose fault it is, and so who has to wait."""

    ANSWER = "answer"  # this answer to this claim; the endpoint is well
    LOAD = "load"  # more was asked at once than the endpoint takes: its slots are lowered
    ENDPOINT = "endpoint"  # a few of them in a row open its breaker
    OPERATOR = "operator"  # the first one opens it, for long: somebody has to mend a setting


@dataclass(frozen=True, slots=True)
class Handling:
    """One row. `spends` counts against the limit of examinations; `permanent` fails the claim at once.

    `examinations` is that limit where another question, put within the examination, was no better:
    what comes again at once mostly comes again later. None is the limit of all (retry.py).
    """

    blame: Blame = Blame.ANSWER
    short_retry: bool = False  # a moment may cure it, within the examination
    spends: bool = True
    permanent: bool = False
    examinations: int | None = None

    @property
    def elsewhere(self) -> bool:
        """Whether another endpoint may do better, so that the claim goes there at once."""
        return self.blame is not Blame.ANSWER


_ANSWER: Final = Handling()
_REMEDIED: Final = Handling(examinations=3)
_REFUSED: Final = Handling(permanent=True)
# The server had the claim in hand, so it may be the claim that breaks it: it must not be tried for ever.
_BROKE: Final = Handling(Blame.ENDPOINT, short_retry=True)
_SLOW: Final = Handling(Blame.ENDPOINT)  # it has used the call's time up
_AWAY: Final = Handling(Blame.ENDPOINT, short_retry=True, spends=False)
_MEND: Final = Handling(Blame.OPERATOR, spends=False)

HANDLING: Final[dict[str, Handling]] = {
    # To ask again at once would hide it from the dispatcher, which has the slots to lower.
    "overloaded": Handling(Blame.LOAD, spends=False),
    "generation": _BROKE,
    "incomplete": _BROKE,
    "unavailable": _AWAY,
    "unreachable": _AWAY,
    "reset": _AWAY,
    "timeout": _SLOW,
    "dripping": _SLOW,
    "truncated": _REMEDIED,
    "whitespace": _REMEDIED,
    "schema": _ANSWER,
    "empty": _ANSWER,
    "language": _REMEDIED,
    "validation": _REFUSED,
    "too_long": _REFUSED,
    "unauthorised": _MEND,
    "redirected": _MEND,
    "untrusted": _MEND,
}


def handling_of(kind: str) -> Handling:
    """The row of a kind; one that the table does not know is taken for a bad answer."""
    return HANDLING.get(kind, _ANSWER)
