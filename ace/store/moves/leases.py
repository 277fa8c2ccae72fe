"""dispatch, release, expire: who may move an evaluation, and until when. One lease is one message."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from sqlalchemy import Connection, text
from uuid_utils.compat import uuid7

from ace.store.counts import LINES
from ace.store.moves.events import LOG
from ace.store.tables import Stage

# Any numbers, one for each stage: whose turn it is to dispatch.
_TURN: Final = {Stage.FAST: 112_001, Stage.SLOW: 112_002}


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
    stage: Stage,
    *,
    bound: int | None,
    lease_seconds: float,
    budget_tokens: int,
    max_claims: int,
    max_tries: int,
    actor: str,
) -> Leased | None:
    """dispatch: leases due evaluations of one stage, evenly over tenants, each one's most urgent first.

    None when none is due, or `bound` is reached: of messages that wait, on the fast stage; of
    examinations in flight, on the slow one, which `lease_each` is for. Dispatchers take turns at a
    stage, so that the bound holds over all of them. Claims whose worker was lost travel in small
    groups of their own, and alone on their last try, so that a claim that kills its worker takes
    nobody along.
    """
    if bound is not None:
        take_turn(connection, stage)
        if _on_their_way(connection, stage) >= bound:
            return None
    token = uuid7()
    rows = connection.execute(
        text(f"""
        WITH RECURSIVE {LINES.format(due=stage.due)}, tenants AS MATERIALIZED (
          -- where there is not room for all, it is given out by lot
          SELECT tenant, random() AS turn, ceil(CAST(:offer AS float8) / count(*) OVER ()) AS share
          FROM lines GROUP BY tenant
        ), due AS MATERIALIZED (
          SELECT e.*, turn, share FROM lines JOIN tenants USING (tenant) CROSS JOIN LATERAL (
            SELECT id, tenant, size, tries, priority, due_at FROM evaluations
            WHERE state = '{stage.due}' AND tenant = lines.tenant AND priority = lines.priority
              AND due_at <= now()
            ORDER BY due_at, id LIMIT share FOR UPDATE SKIP LOCKED) e
        ), ranked AS MATERIALIZED (
          SELECT id, size, tries, turn, share,
            row_number() OVER (PARTITION BY tenant ORDER BY priority, due_at, id) AS rank,
            CASE WHEN tries = 0 THEN :max_claims
                 WHEN tries < :max_tries - 1 THEN least({SUSPECTS}, :max_claims) ELSE 1 END AS company
          FROM due
        ), fellows AS (
          SELECT *, row_number() OVER w AS place, sum(size) OVER w AS spent, count(*) OVER () AS offered
          FROM ranked
          WHERE rank <= share AND company = (SELECT company FROM ranked ORDER BY rank, turn LIMIT 1)
          WINDOW w AS (ORDER BY rank, turn, id)
        ), taken AS (
          SELECT id, tries, offered FROM fellows
          WHERE place = 1 OR (place <= company AND spent <= :budget_tokens)
        ), leased AS (
          INSERT INTO leases (token, stage, until)
          SELECT :token, '{stage}', now() + make_interval(secs => :lease_seconds)
          WHERE EXISTS (SELECT FROM taken)
        ), moved AS (
          UPDATE evaluations SET
            state = '{stage.running}', lease = :token, moves = moves + 1, updated_at = now()
          WHERE id IN (SELECT id FROM taken)
          RETURNING id, tenant, moves, 'dispatch' AS move, '{stage.due}' AS before,
                    '{stage.running}' AS after, decided_by, NULL::text AS detail
        ), {LOG}
        SELECT id, tries, offered FROM taken"""),
        {
            "token": token,
            "lease_seconds": lease_seconds,
            "budget_tokens": budget_tokens,
            # Every row that is offered is locked, so no more are than may fit: of short claims.
            "offer": min(max_claims, max(SUSPECTS, budget_tokens // SHORT_TOKENS)),
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


def _on_their_way(connection: Connection, stage: Stage) -> int:
    waiting = "AND started_at IS NULL" if stage is Stage.FAST else ""
    return int(
        connection.execute(
            text(f"SELECT count(*) FROM leases WHERE stage = '{stage}' {waiting}")
        ).scalar_one()
    )


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
            text(f"""
            WITH closed AS (
              DELETE FROM leases
              WHERE token = ANY(:tokens) AND worker IS NOT DISTINCT FROM CAST(:worker AS text) RETURNING token
            ), moved AS (
              UPDATE evaluations SET
                state = CASE state WHEN 'screening' THEN 'queued' ELSE 'escalated' END,
                lease = NULL, moves = moves + 1, updated_at = now()
              FROM closed WHERE lease = closed.token AND state IN ('screening', 'examining')
              RETURNING id, tenant, moves, 'release' AS move,
                        CASE state WHEN 'queued' THEN 'screening' ELSE 'examining' END AS before,
                        state AS after, decided_by, NULL::text AS detail
            ), {LOG}
            SELECT count(*) FROM moved"""),
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
        text(f"""
        WITH lapsed AS MATERIALIZED (
          SELECT token FROM leases WHERE until < now() ORDER BY until LIMIT :limit FOR UPDATE SKIP LOCKED
        ), dead AS (
          DELETE FROM leases WHERE token IN (SELECT token FROM lapsed)
          RETURNING token, stage, worker, (started_at IS NOT NULL)::int AS started
        ), moved AS (
          UPDATE evaluations e SET
            state = CASE WHEN tries + started >= :max_tries THEN 'failed'
                         WHEN d.stage = 'fast' THEN 'queued' ELSE 'escalated' END,
            error = CASE WHEN tries + started >= :max_tries THEN 'poison' ELSE error END,
            failed_stage = CASE WHEN tries + started >= :max_tries THEN d.stage ELSE failed_stage END,
            tries = tries + started, lease = NULL, moves = moves + 1, updated_at = now()
          FROM dead d WHERE e.lease = d.token AND e.state IN ('screening', 'examining')
          RETURNING e.id, e.tenant, moves, CASE e.state WHEN 'failed' THEN 'fail' ELSE 'expire' END AS move,
                    CASE d.stage WHEN 'fast' THEN 'screening' ELSE 'examining' END AS before,
                    e.state AS after, decided_by,
                    CASE e.state WHEN 'failed' THEN 'poison' ELSE d.worker END AS detail
        ), {LOG}
        SELECT count(*) FROM moved"""),
        {"limit": limit, "max_tries": max_tries, "actor": actor},
    )
    return int(rows.scalar_one())
