"""Which processes dispatch and take up messages, and when each was last seen.

A process reports itself while it lives, and strikes itself off when it stops in order. One that was killed,
or cannot reach the database, stays on the list with the time at which it was last seen.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from sqlalchemy import Connection, text

from ace.store.operating_tables import Part
from ace.store.statements import statement
from ace.store.tables import WEBHOOKS, Stage

BEAT_SECONDS: Final = 10.0
"""How often a process reports itself."""
SILENT: Final = timedelta(seconds=2.5 * BEAT_SECONDS)
"""A process that has not reported itself for longer gives no sign: it may be gone."""
LOST: Final = timedelta(seconds=45)
"""A process that has not reported itself for longer is no longer counted on."""
REMEMBERED: Final = timedelta(hours=1)
"""How long a lost process is shown."""
PARTS: Final = {
    Stage.FAST: Part.GATEKEEPER,
    Stage.SLOW: Part.EXPERT_WORKER,
    WEBHOOKS: Part.WEBHOOK_WORKER,
}
"""The part that takes up the messages of a queue."""
_NEVER: Final = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class KnownWorker:
    """A process and what it holds. `started_at` and `seen_at` are None for one of an older version, which
    shows only by what it holds; `since` is when it took up the oldest of it, None if it is idle."""

    name: str
    part: Part
    host: str
    started_at: datetime | None
    seen_at: datetime | None
    messages: int
    claims: int
    since: datetime | None
    lives: bool

    def silent(self, now: datetime) -> bool:
        """Whether it has given no sign of late, though it is not given up yet."""
        return self.lives and self.seen_at is not None and now - self.seen_at > SILENT


def begin(connection: Connection, name: str, part: Part, host: str) -> None:
    """A process starts. Forgets those that were lost long ago."""
    connection.execute(
        text("DELETE FROM workers WHERE seen_at < now() - :remembered"), {"remembered": REMEMBERED}
    )
    connection.execute(
        text("""
        INSERT INTO workers (name, part, host) VALUES (:name, :part, :host)
        ON CONFLICT (name) DO UPDATE SET started_at = now(), seen_at = now()"""),
        {"name": name, "part": part, "host": host},
    )


def beat(connection: Connection, name: str, part: Part, host: str) -> None:
    """A process lives. It is put back on the list if it was forgotten."""
    connection.execute(
        text("""
        INSERT INTO workers (name, part, host) VALUES (:name, :part, :host)
        ON CONFLICT (name) DO UPDATE SET seen_at = now()"""),
        {"name": name, "part": part, "host": host},
    )


def end(connection: Connection, name: str) -> None:
    """A process stops in order."""
    connection.execute(text("DELETE FROM workers WHERE name = :name"), {"name": name})


def listed(connection: Connection) -> list[KnownWorker]:
    """Every process that lives, or was lost not long ago: by part, those that live first."""
    rows = connection.execute(statement("workers_seen"), {"lost": LOST, "remembered": REMEMBERED}).mappings()
    return [
        KnownWorker(
            name=row["name"],
            part=Part(row["part"] or PARTS[row["stage"]]),
            host=row["host"] or row["name"].partition("@")[2].rpartition(":")[0],
            started_at=row["started_at"],
            seen_at=row["seen_at"],
            messages=row["messages"],
            claims=row["claims"],
            since=row["since"],
            lives=row["lives"],
        )
        for row in rows
    ]


def missed(known: Sequence[KnownWorker]) -> Sequence[KnownWorker]:
    """Lost processes that no other of their part has replaced since, the longest lost first.

    One that replaced another may be lost too: then it is what must be replaced.
    """
    successors, found = list(known), []
    for lost in sorted((one for one in known if not one.lives), key=_last_seen):
        later = [one for one in successors if one.part is lost.part and _started(one) > _last_seen(lost)]
        if later:
            successors.remove(min(later, key=_started))
        else:
            found.append(lost)
    return found


def _started(one: KnownWorker) -> datetime:
    return one.started_at or _NEVER


def _last_seen(one: KnownWorker) -> datetime:
    return one.seen_at or _NEVER
