"""Filings as the API answers them."""

from datetime import datetime
from typing import Any, Final

from patent_ace_client.literals import AnyGround, AnyState, AnyVerdict, State
from patent_ace_client.model import Model, Note

SETTLED: Final[frozenset[State]] = frozenset({"decided", "failed", "cancelled"})
OF_EXPERT: Final[frozenset[State]] = frozenset({"escalated", "examining"})  # their faults are the expert's


class Reference(Model):
    """The evaluation of one claim."""

    id: str
    claim: int


class Brief(Reference):
    """An evaluation as its filing lists it; `error` is the kind of its latest fault."""

    state: AnyState
    verdict: AnyVerdict | None
    ground: AnyGround | None
    disputed: bool
    error: str | None


class Accepted(Model):
    """A filing that the API stored, and its evaluations in the order filed.

    `canceled` are the numbers of claims that are not evaluated, `notes` warnings about the claims;
    `test` says whether a test key filed it.
    """

    filing: str
    test: bool
    evaluations: tuple[Reference, ...]
    canceled: tuple[int, ...]
    notes: tuple[Note, ...]

    @property
    def id(self) -> str:
        """The id of the filing."""
        return self.filing


class Result(Model):
    """The result for one of many filings: `accepted`, or the `problem` with it."""

    line: int
    status: int
    accepted: Accepted | None
    problem: dict[str, Any] | None


class Progress(Model):
    """How far an upload has come, in filings."""

    done: int
    accepted: int

    @property
    def refused(self) -> int:
        """Those that were not stored."""
        return self.done - self.accepted


class ListedFiling(Model):
    """A filing as a list shows it, with its evaluations by state and by verdict."""

    id: str
    docket: str
    priority: int
    claims: int
    created_at: datetime
    updated_at: datetime | None
    states: dict[AnyState, int]
    verdicts: dict[AnyVerdict, int]
    disputed: int
    settled: bool


class FilingPage(Model):
    """One page of a list; `next` is the cursor of the page after it."""

    filings: tuple[ListedFiling, ...]
    next: str | None


class ClaimText(Model):
    """A claim as it is stored; `text` is None if it was purged. The nearest of its ancestors comes first."""

    number: int
    text: str | None
    ancestors: tuple[int, ...]
    evaluation: str | None


class FilingClaims(Model):
    """The claims of a filing, by number."""

    filing: str
    claims: tuple[ClaimText, ...]


class Filing(Model):
    """A filing, the evaluation that counts for each of its claims, and how many of these are in each state.

    `reevaluating` is how many re-evaluations are under way, whose verdicts will count instead.
    """

    id: str
    docket: str
    priority: int
    metadata: dict[str, Any]
    claims: int
    created_at: datetime
    test: bool
    states: dict[AnyState, int]
    settled: bool
    reevaluating: int
    evaluations: tuple[Brief, ...]

    @property
    def settled_count(self) -> int:
        """Evaluations that do not move by themselves any more."""
        return sum(self.states.get(state, 0) for state in SETTLED)

    @property
    def waiting(self) -> str:
        """What is not settled, and why if that is known: "3 escalated: expert unreachable"."""
        parts = []
        for state in sorted(self.states.keys() - SETTLED):
            faults = sorted({one.error for one in self.evaluations if one.state == state and one.error})
            by = "expert " if state in OF_EXPERT else ""
            why = f": {by}{' or '.join(faults)}" if faults else ""
            parts.append(f"{self.states[state]} {state}{why}")
        if self.reevaluating:
            parts.append(f"{self.reevaluating} being evaluated again")
        return ", ".join(parts)
