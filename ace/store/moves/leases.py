"""dispatch, release, expire: who may move an evaluation, and until when. One lease is one message."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from sqlalchemy import Connection, text
from uuid_utils.compat import uuid7

from ace.store.statements import statement
from ace.store.tables import Stage

# The advisory lock of each stage's dispatchers: any numbers that no other lock has.
_TURN: Final = {Stage.FAST: 112_001, Stage.SLOW: 112_002}

_WAITING: Final = text("SELECT count(*) FROM leases WHERE stage = 'fast' AND started_at IS NULL")
SUSPECTS: Final = 32  # the maximum of claims in a message if they have lost a worker before
SHORT_TOKENS: Final = 32  # the size of a short claim
EXPIRED_AT_ONCE: Final = 100  # leases taken back in one transaction


@dataclass(frozen=True, slots=True)
class Leased:
    """The evaluations of one message, leased and not yet published.

    `alone` says that it is a claim's last try: its worker does nothing else meanwhile, so that a claim
    that kills its worker takes no other along. `full` says that a larger message might have carried
    more claims.
    """

    token: UUID
    evaluations: tuple[UUID, ...]
    alone: bool
    full: bool
    endpoint: str | None = None  # of the expert; None on the fast stage


def take_turn(connection: Connection, stage: Stage) -> None:
    """Waits until no other dispatcher leases for the stage; ends with the transaction."""
    connection.execute(text("SELECT pg_advisory_xact_lock(:stage)"), {"stage": _TURN[stage]})


def lease_due(
    connection: Connection,
    *,
    bound: int | None,
    lease_seconds: float,
    budget_tokens: int,
    max_claims: int,
    max_tries: int,
    actor: str,
) -> Leased | None:
    """dispatch on the fast stage: leases due evaluations, evenly across tenants, the most urgent first.

    None when none is due, or `bound` messages wait already. Dispatchers take turns, so that the bound
    holds over all of them. Claims whose worker was lost travel in small groups of their own, and alone
    on their last try, so that a claim that kills its worker takes no other along.
    """
    if bound is not None:
        take_turn(connection, Stage.FAST)
        waiting = connection.execute(_WAITING).scalar_one()
        if waiting >= bound:
            return None
    token = uuid7()
    rows = connection.execute(
        statement("lease_due"),
        {
            "token": token,
            "lease_seconds": lease_seconds,
            "budget_tokens": budget_tokens,
            # Every claim looked at is locked, so no more than the message could carry if all were short.
            "offer": min(max_claims, max(SUSPECTS, budget_tokens // SHORT_TOKENS)),
            "suspects": SUSPECTS,
            "max_claims": max_claims,
            "max_tries": max_tries,
            "actor": actor,
        },
    ).all()
    if not rows:
        return None
    tries = rows[0].tries
    alone = tries > 0 and tries >= max_tries - 1
    full = tries == 0 and len(rows) < min(rows[0].offered, max_claims)
    return Leased(token, tuple(row.id for row in rows), alone, full)


def start(connection: Connection, token: UUID, *, worker: str, lease_seconds: float) -> bool:
    """A worker takes up a message. False: the lease ran out, or another delivery took it up first."""
    result = connection.execute(
        text("""
        UPDATE leases SET
          worker = :worker, started_at = now(), until = now() + make_interval(secs => :seconds)
        WHERE token = :token AND started_at IS NULL RETURNING token"""),
        {"token": token, "worker": worker, "seconds": lease_seconds},
    )
    return result.first() is not None


def renew(connection: Connection, tokens: Sequence[UUID], *, worker: str, lease_seconds: float) -> None:
    """A living worker keeps what it took up, unless it was taken back since."""
    connection.execute(
        text("""
        UPDATE leases SET until = now() + make_interval(secs => :seconds)
        WHERE token = ANY(:tokens) AND worker = :worker"""),
        {"tokens": list(tokens), "worker": worker, "seconds": lease_seconds},
    )


def extend_leases(connection: Connection, queue: str, *, lease_seconds: float, away_seconds: float) -> None:
    """Extends leases by the length of an outage of the database, in which no worker could renew them.

    No lease is extended beyond a full lease from now, so that even if outages are frequent, a dead
    worker is noticed in the end.
    """
    connection.execute(
        text("""
        UPDATE leases SET until = greatest(until, least(
          until + make_interval(secs => :away), now() + make_interval(secs => :seconds)))
        WHERE stage = :stage AND started_at IS NOT NULL"""),
        {"stage": str(queue), "seconds": lease_seconds, "away": away_seconds},
    )


def release(connection: Connection, tokens: Sequence[UUID], *, actor: str, worker: str | None = None) -> int:
    """release: gives back whatever the tokens still hold, without counting a try, and closes the leases.

    Only leases that `worker` took up; if that is None, only those that nobody has taken up: a message
    may have been delivered twice.
    """
    return int(
        connection.execute(
            statement("release"),
            {"tokens": list(tokens), "worker": worker, "actor": actor},
        ).scalar_one()
    )


def expire(connection: Connection, *, max_tries: int, actor: str, limit: int = EXPIRED_AT_ONCE) -> int:
    """expire and fail: takes back what silent workers held.

    A message that nobody took up counts no try. One that a worker took up counts a try for each of its
    claims, and the `max_tries`-th fails the claim as poison; the event names the worker. Returns how
    many evaluations moved.
    """
    rows = connection.execute(
        statement("expire"),
        {"limit": limit, "max_tries": max_tries, "actor": actor},
    )
    return int(rows.scalar_one())
