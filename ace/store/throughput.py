"""How fast claims are decided just now, and how long what waits takes at that rate."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from ace.store.statements import statement
from ace.store.tables import Stage

MINUTES: Final = 5
"""How far back "just now" goes."""
SHORTEST_SECONDS: Final = 15.0
"""A rate is not taken over less: the first claims of a minute would look like a flood."""
BY: Final = {Stage.FAST: {"gatekeeper", "expert"}, Stage.SLOW: {"expert"}}
"""Whose verdicts each stage has finished: the gatekeeper has screened what the expert has decided, too."""


@dataclass(frozen=True, slots=True)
class Decided:
    """Claims of a tenant that one decider has decided since the beginning of a minute."""

    tenant: str
    decided_by: str
    count: int
    since: datetime


@dataclass(frozen=True, slots=True)
class Rate:
    """Claims that a stage finishes per minute; 0 if it has finished none just now."""

    per_minute: float

    def minutes_for(self, claims: int) -> float | None:
        """How long so many claims take; None if none is finished just now, or none waits."""
        return claims / self.per_minute if claims and self.per_minute else None


def rates(decided: Iterable[Decided], now: datetime, *, tenant: str | None = None) -> dict[Stage, Rate]:
    """The rates of both stages, for one tenant or all."""
    known = [one for one in decided if tenant in {None, one.tenant}]
    return {
        stage: Rate(sum(_per_minute(one, now) for one in known if one.decided_by in deciders))
        for stage, deciders in BY.items()
    }


def _per_minute(decided: Decided, now: datetime) -> float:
    return 60 * decided.count / max(SHORTEST_SECONDS, (now - decided.since).total_seconds())


def decided_just_now(connection: Connection, tenant: str | None = None) -> list[Decided]:
    """Claims that were decided in the last minutes, by tenant and by whom, of one tenant or all."""
    rows = connection.execute(statement("decided_just_now"), {"tenant": tenant, "minutes": MINUTES})
    return [Decided(row[0], row[1], int(row[2]), row[3]) for row in rows]
