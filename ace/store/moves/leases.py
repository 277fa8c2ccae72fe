"""dispatch, release, expire: who may move an evaluation, and until when. One lease is one message."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from sqlalchemy import Connection, text
from uuid_utils.compat import uuid7

from ace.store.statements import statement
from ace.store.tables import Stage

# Any numbers, one for each stage: whose turn it is to dispatch.
_TURN: Final = {Stage.FAST: 112_001, Stage.SLOW: 112_002}

_WAITING: Final = text("SELECT count(*) FROM leases WHERE stage = 'fast' AND started_at IS NULL")

# A message may carry so many claims whose worker was lost over them before.
SUSPECTS: Final = 32
SHORT_TOKENS: Final = 32  # a short claim's size


@dataclass(frozen=True, slots=True)
class Leased:
    """One message's worth of evaluations, leased and not yet published.

    `alone` says that it is a claim's last try: whoever takes it up does nothing else meanwhile, so
    that a claim that kills its worker is the only one to have been held by it. `full` says that
    there may have been room for more had the message been allowed to be larger.
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
    """dispatch on the fast stage: leases due evaluations, evenly over tenants, each one's most urgent first.

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
            # Every row that is offered is locked, so no more are than may fit: of short claims.
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
    """A living worker keeps what it took up and nobody has taken back since."""
    connection.execute(
        text("""
        UPDATE leases SET until = now() + make_interval(secs => :seconds)
        WHERE token = ANY(:tokens) AND worker = :worker"""),
        {"tokens": list(tokens), "worker": worker, "seconds": lease_seconds},
    )


def spare(connection: Connection, stage: Stage, *, lease_seconds: float, away_seconds: float) -> None:
    """After an outage of the database, in which nobody could renew: workers get that time back.

    No more than that, and no more than a lease from now: where outages come often, a worker that is
    dead must still be taken for dead.
    """
    connection.execute(
        text("""
        UPDATE leases SET until = greatest(until, least(
          until + make_interval(secs => :away), now() + make_interval(secs => :seconds)))
        WHERE stage = :stage AND started_at IS NOT NULL"""),
        {"stage": str(stage), "seconds": lease_seconds, "away": away_seconds},
    )


def release(connection: Connection, tokens: Sequence[UUID], *, actor: str, worker: str | None = None) -> int:
    """release: gives back whatever the tokens still hold, counting no try, and closes the leases.

    Only leases that `worker` took up, or, where that is None, that nobody has taken up yet: a
    message may have been delivered twice.
    """
    return int(
        connection.execute(
            statement("release"),
            {"tokens": list(tokens), "worker": worker, "actor": actor},
        ).scalar_one()
    )


def expire(connection: Connection, *, max_tries: int, actor: str, limit: int = 100) -> int:
    """expire and fail: takes back what silent workers held.

    A message nobody took up goes back as it was; one that a worker took up counts a try, and the
    `max_tries`-th fails the claim as poison; the event names the worker. Returns how many evaluations
    moved.
    """
    rows = connection.execute(
        statement("expire"),
        {"limit": limit, "max_tries": max_tries, "actor": actor},
    )
    return int(rows.scalar_one())
