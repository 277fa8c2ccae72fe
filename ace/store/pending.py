"""What a dispatcher has to do: it looks once each time it wakes, using indexes and no locks.

Most looks find nothing. Each takes one round trip, so waking often is cheap.
"""

from dataclasses import dataclass

from sqlalchemy import Connection

from ace.store.statements import statement
from ace.store.tables import Stage


@dataclass(frozen=True, slots=True)
class Pending:
    """What a look found. It may have changed since: every move has its own guard."""

    lapsed: bool  # leases have run out
    due: frozenset[Stage]  # stages with due claims
    drained: bool  # messages that a drain takes back
    jobs: bool  # jobs to work off
    came: bool  # outcomes of examinations that no dispatcher has learned from
    endpoints: frozenset[tuple[str, float, int]]  # name, weight, maximum of slots
    room: bool  # an endpoint has room for a claim
    waiting: int  # fast messages that no worker has taken up
    waited_seconds: float  # how long the oldest of them has waited
    told: bool  # moves have put something into the outbox
    webhooks: bool  # a webhook has a due delivery, and room for it


def look(connection: Connection) -> Pending:
    """What is to be done now."""
    seen = connection.execute(statement("pending")).one()
    return Pending(
        lapsed=seen.lapsed,
        due=frozenset(stage for stage in Stage if (seen.fast if stage is Stage.FAST else seen.slow)),
        drained=seen.drained,
        jobs=seen.jobs,
        came=seen.came,
        endpoints=frozenset(zip(seen.names or (), seen.weights or (), seen.most or (), strict=True)),
        room=seen.room,
        waiting=seen.waiting,
        waited_seconds=float(seen.waited_seconds),
        told=seen.told,
        webhooks=seen.webhooks,
    )
