"""Every state change of an evaluation, each one guarded statement with its audit event.

A move says which rows it takes (`state = <from> AND lease = <token>`) and reports how many it
moved; zero means that someone else did it, and is no error. Callers own the transaction.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, text
from uuid_utils.compat import uuid7

from ace.claims.model import ClaimSet
from ace.store.tables import Stage, State

# Any numbers, one for each stage: whose turn it is to dispatch.
_TURN: Final = {Stage.FAST: 112_001, Stage.SLOW: 112_002}

# Locks are always taken in the same order, first the lease and then its evaluations: two moves over
# one lease never wait for each other, and a worker frozen in its move keeps only its own lease.

# Every move ends like this: log what `moved` returned, in the same statement.
_LOG: Final = """
logged AS (
  INSERT INTO events (evaluation_id, number, move, before, after, actor, detail)
  SELECT id, moves, :move, before, after, :actor, detail FROM moved
)"""


@dataclass(frozen=True, slots=True)
class NewFiling:
    """A filing that passed every check at the edge; `body_hash` tells two bodies of one key apart."""

    tenant: str
    docket: str
    claims: ClaimSet
    priority: int
    details: dict[str, Any]
    body_hash: bytes
    idempotency_key: str | None = None


@dataclass(frozen=True, slots=True)
class Accepted:
    """What became of one `NewFiling`: new, known (`created` false), or in conflict with a known one."""

    filing_id: UUID
    evaluations: tuple[tuple[int, UUID], ...]  # (claim number, evaluation id)
    created: bool
    conflict: bool


def submit(connection: Connection, filings: Sequence[NewFiling], *, actor: str) -> list[Accepted]:
    """Stores filings, claims and queued evaluations, set-based; the answers are in order.

    Two filings with one tenant and idempotency key are one filing, also when they arrive at once:
    the unique index makes the second wait for the first and then read it.
    """
    ids = [uuid7() for _ in filings]
    created = _insert_filings(connection, filings, ids)
    fresh = [(id_, new) for id_, new in zip(ids, filings, strict=True) if id_ in created]
    evaluations = _insert_claims(connection, fresh, actor)
    known = _known(connection, [new for id_, new in zip(ids, filings, strict=True) if id_ not in created])
    answers = []
    for id_, new in zip(ids, filings, strict=True):
        if id_ in created:
            answers.append(Accepted(id_, evaluations[id_], created=True, conflict=False))
        else:
            first, body_hash, numbered = known[new.tenant, new.idempotency_key or ""]
            answers.append(Accepted(first, numbered, created=False, conflict=body_hash != new.body_hash))
    return answers


def _insert_filings(connection: Connection, filings: Sequence[NewFiling], ids: Sequence[UUID]) -> set[UUID]:
    rows = connection.execute(
        text("""
        INSERT INTO filings (id, tenant, docket, priority, metadata, claim_count, idempotency_key, body_hash)
        SELECT * FROM unnest(
          CAST(:ids AS uuid[]), CAST(:tenants AS text[]), CAST(:dockets AS text[]),
          CAST(:priorities AS smallint[]), CAST(:details AS jsonb[]), CAST(:counts AS integer[]),
          CAST(:keys AS text[]), CAST(:hashes AS bytea[]))
        ON CONFLICT (tenant, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
        RETURNING id"""),
        {
            "ids": list(ids),
            "tenants": [new.tenant for new in filings],
            "dockets": [new.docket for new in filings],
            "priorities": [new.priority for new in filings],
            "details": [json.dumps(new.details) for new in filings],
            "counts": [len(new.claims.claims) for new in filings],
            "keys": [new.idempotency_key for new in filings],
            "hashes": [new.body_hash for new in filings],
        },
    )
    return set(rows.scalars())


def _insert_claims(
    connection: Connection, fresh: Sequence[tuple[UUID, NewFiling]], actor: str
) -> dict[UUID, tuple[tuple[int, UUID], ...]]:
    """Claims, their queued evaluations and the first event of each."""
    columns: dict[str, list[Any]] = {
        name: []
        for name in ("ids", "filings", "numbers", "texts", "ancestors", "tenants", "priorities", "sizes")
    }
    numbered: dict[UUID, tuple[tuple[int, UUID], ...]] = {}
    for filing_id, new in fresh:
        pairs = []
        for claim in new.claims.claims:
            id_ = uuid7()
            pairs.append((claim.number, id_))
            columns["ids"].append(id_)
            columns["filings"].append(filing_id)
            columns["numbers"].append(claim.number)
            columns["texts"].append(claim.text)
            # Arrays of unequal length do not fit in one parameter; their text form does.
            columns["ancestors"].append(f"{{{','.join(map(str, new.claims.ancestors(claim.number)))}}}")
            columns["tenants"].append(new.tenant)
            columns["priorities"].append(new.priority)
            columns["sizes"].append(_tokens(claim.text))
        numbered[filing_id] = tuple(pairs)
    if columns["ids"]:
        connection.execute(
            text("""
            WITH given AS MATERIALIZED (
              SELECT * FROM unnest(
                CAST(:ids AS uuid[]), CAST(:filings AS uuid[]), CAST(:numbers AS smallint[]),
                CAST(:texts AS text[]), CAST(:ancestors AS text[]), CAST(:tenants AS text[]),
                CAST(:priorities AS smallint[]), CAST(:sizes AS integer[]))
              AS g (id, filing_id, number, text, ancestors, tenant, priority, size)
            ), stored AS (
              INSERT INTO claims (filing_id, number, text, ancestors)
              SELECT filing_id, number, text, CAST(ancestors AS smallint[]) FROM given
            ), moved AS (
              INSERT INTO evaluations
                (id, tenant, filing_id, claim_number, state, priority, size, tries, examined, outages, moves)
              SELECT id, tenant, filing_id, number, 'queued', priority, size, 0, 0, 0, 1 FROM given
            )
            INSERT INTO events (evaluation_id, number, move, before, after, actor)
            SELECT id, 1, 'submit', NULL, 'queued', :actor FROM given"""),
            {**columns, "actor": actor},
        )
    return numbered


def _tokens(claim_text: str) -> int:
    """A claim's size in tokens, estimated: English runs at about four characters a token."""
    return 8 + len(claim_text) // 4


def _known(
    connection: Connection, filings: Sequence[NewFiling]
) -> dict[tuple[str, str], tuple[UUID, bytes, tuple[tuple[int, UUID], ...]]]:
    if not filings:
        return {}
    rows = connection.execute(
        text("""
        SELECT f.tenant, f.idempotency_key, f.id, f.body_hash,
               array_agg(e.claim_number ORDER BY e.id) AS numbers, array_agg(e.id ORDER BY e.id) AS ids
        FROM (SELECT DISTINCT * FROM unnest(CAST(:tenants AS text[]), CAST(:keys AS text[])))
          AS g (tenant, key)
        JOIN filings f ON f.tenant = g.tenant AND f.idempotency_key = g.key
        JOIN evaluations e ON e.filing_id = f.id
        GROUP BY f.id"""),
        {
            "tenants": [new.tenant for new in filings],
            "keys": [new.idempotency_key for new in filings],
        },
    )
    return {
        (tenant, key): (id_, bytes(body_hash), tuple(zip(numbers, ids, strict=True)))
        for tenant, key, id_, body_hash, numbers, ids in rows
    }


@dataclass(frozen=True, slots=True)
class Leased:
    """One message's worth of evaluations, leased and not yet published.

    `alone` says that a worker was lost over it before: whoever takes it up does nothing else
    meanwhile, so that a claim that kills its worker is the only one to have been held by it.
    """

    token: UUID
    evaluations: tuple[UUID, ...]
    alone: bool


def lease_due(
    connection: Connection,
    stage: Stage,
    *,
    bound: int,
    lease_seconds: float,
    budget_tokens: int,
    max_claims: int,
    actor: str,
) -> Leased | None:
    """dispatch: leases the most urgent due evaluations of one stage.

    None when none is due, or `bound` is reached: of messages that wait, on the fast stage; of
    examinations in flight, on the slow one. Dispatchers take turns at a stage, so that the bound
    holds over all of them. A claim whose worker was lost before travels alone, so that a poison
    claim takes nobody along.
    """
    connection.execute(text("SELECT pg_advisory_xact_lock(:stage)"), {"stage": _TURN[stage]})
    if _on_their_way(connection, stage) >= bound:
        return None
    token = uuid7()
    rows = connection.execute(
        text(f"""
        WITH due AS MATERIALIZED (
          SELECT id, size, tries, priority, due_at FROM evaluations
          WHERE state = '{stage.due}' AND due_at <= now()
          ORDER BY priority, due_at, id LIMIT (
            SELECT CASE WHEN tries > 0 THEN 1 ELSE :max_claims END FROM evaluations
            WHERE state = '{stage.due}' AND due_at <= now() ORDER BY priority, due_at, id LIMIT 1)
          FOR UPDATE SKIP LOCKED
        ), ranked AS (
          SELECT id, tries, row_number() OVER w AS rank, sum(size) OVER w AS spent,
                 first_value(tries) OVER w AS first_tries
          FROM due WINDOW w AS (ORDER BY priority, due_at, id)
        ), taken AS (
          SELECT id FROM ranked
          WHERE rank = 1 OR (tries = 0 AND first_tries = 0 AND spent <= :budget_tokens)
        ), leased AS (
          INSERT INTO leases (token, stage, until)
          SELECT :token, '{stage}', now() + make_interval(secs => :lease_seconds)
          WHERE EXISTS (SELECT FROM taken)
        ), moved AS (
          UPDATE evaluations SET
            state = '{stage.running}', lease = :token, moves = moves + 1, updated_at = now()
          WHERE id IN (SELECT id FROM taken)
          RETURNING id, tries, moves, '{stage.due}' AS before, '{stage.running}' AS after,
                    NULL::text AS detail
        ), {_LOG}
        SELECT id, tries FROM moved"""),
        {
            "token": token,
            "lease_seconds": lease_seconds,
            "budget_tokens": budget_tokens,
            "max_claims": max_claims,
            "move": "dispatch",
            "actor": actor,
        },
    ).all()
    if not rows:
        return None
    # On the slow stage being alone means to wait for all other examinations: the last resort.
    alone = rows[0].tries > (0 if stage is Stage.FAST else 1)
    return Leased(token, tuple(row.id for row in rows), alone)


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


def spare(connection: Connection, stage: Stage, *, lease_seconds: float) -> None:
    """After an outage of the database, in which nobody could renew: every worker gets another lease."""
    connection.execute(
        text("""
        UPDATE leases SET until = greatest(until, now() + make_interval(secs => :seconds))
        WHERE stage = :stage AND started_at IS NOT NULL"""),
        {"stage": str(stage), "seconds": lease_seconds},
    )


@dataclass(frozen=True, slots=True)
class Screened:
    """What the gatekeeper made of one message, column by column, all of one length."""

    evaluations: Sequence[UUID]
    escalate: Sequence[bool]
    fail: Sequence[bool]  # verdict Fail; means nothing where `escalate`
    error_classes: Sequence[str]
    probabilities: Sequence[Sequence[float | None]]  # (n, 6), None where no number came out
    u: Sequence[float | None]
    h6: Sequence[float | None]
    tau: float
    model: str
    calibration: str


def screened(connection: Connection, token: UUID, screened: Screened, *, actor: str) -> int:
    """decide and escalate: one statement for the whole message. Returns how many it moved."""
    p = list(zip(*screened.probabilities, strict=True)) or [()] * 6
    moved = connection.execute(
        text("""
        WITH held AS MATERIALIZED (SELECT token FROM leases WHERE token = :token FOR UPDATE),
        given AS MATERIALIZED (
          SELECT * FROM unnest(
            CAST(:ids AS uuid[]), CAST(:escalate AS boolean[]), CAST(:fail AS boolean[]),
            CAST(:classes AS text[]), CAST(:u AS float8[]), CAST(:h6 AS float8[]),
            CAST(:p0 AS real[]), CAST(:p1 AS real[]), CAST(:p2 AS real[]),
            CAST(:p3 AS real[]), CAST(:p4 AS real[]), CAST(:p5 AS real[]))
          AS g (id, escalate, fail, class, u, h6, p0, p1, p2, p3, p4, p5)
        ), moved AS (
          UPDATE evaluations e SET
            state = CASE WHEN escalate THEN 'escalated' ELSE 'decided' END,
            verdict = CASE WHEN escalate THEN NULL WHEN fail THEN 'Fail' ELSE 'Pass' END,
            decided_by = CASE WHEN escalate THEN NULL ELSE 'gatekeeper' END,
            error_class = CASE WHEN fail AND NOT escalate THEN g.class END,
            probabilities = ARRAY[p0, p1, p2, p3, p4, p5], u = g.u, h6 = g.h6,
            tau = :tau, model = :model, calibration = :calibration, tries = 0, lease = NULL,
            error = NULL, failed_stage = NULL, moves = moves + 1, due_at = now(), updated_at = now()
          FROM held, given g WHERE e.id = g.id AND e.state = 'screening' AND e.lease = held.token
          RETURNING e.id, moves, 'screening' AS before, e.state AS after, NULL::text AS detail
        ), logged AS (
          INSERT INTO events (evaluation_id, number, move, before, after, actor, detail)
          SELECT id, moves, CASE after WHEN 'decided' THEN 'decide' ELSE 'escalate' END,
                 before, after, :actor, detail FROM moved
        )
        SELECT count(*) FROM moved"""),
        {
            "ids": list(screened.evaluations),
            "escalate": list(screened.escalate),
            "fail": list(screened.fail),
            "classes": list(screened.error_classes),
            "u": list(screened.u),
            "h6": list(screened.h6),
            **{f"p{i}": list(column) for i, column in enumerate(p)},
            "tau": screened.tau,
            "model": screened.model,
            "calibration": screened.calibration,
            "token": token,
            "actor": actor,
        },
    ).scalar_one()
    release(connection, [token], actor=actor, worker=actor)
    return int(moved)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One examination as it is kept, successful (`verdict`) or not (`error`)."""

    evaluation_id: UUID
    prompt_version: str
    seconds: float
    model: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    verdict: str | None = None
    error_class: str | None = None
    reasoning: str | None = None
    raw: str | None = None
    error: str | None = None


def examined(connection: Connection, token: UUID, attempt: Attempt, *, actor: str) -> bool:
    """decide: the expert's verdict. False: the lease is no longer held, and nothing was stored."""
    return _examined(
        connection,
        token,
        attempt,
        move="decide",
        after=State.DECIDED,
        change="verdict = :verdict, decided_by = 'expert', error_class = :error_class,"
        " examination_id = :examination, error = NULL, failed_stage = NULL",
        actor=actor,
        error_class=attempt.error_class,
    )


def deferred(
    connection: Connection,
    token: UUID,
    attempt: Attempt,
    *,
    delay_seconds: float,
    spent: bool,
    actor: str,
) -> bool:
    """defer: the expert failed in a way that may pass; due again after `delay_seconds`.

    `spent` counts the examination against the limit, which an outage of the expert does not.
    """
    return _examined(
        connection,
        token,
        attempt,
        move="defer",
        after=State.ESCALATED,
        change="due_at = now() + make_interval(secs => :delay), error = :error",
        actor=actor,
        spent=spent,
        delay=delay_seconds,
    )


def failed(connection: Connection, token: UUID, attempt: Attempt, *, actor: str) -> bool:
    """fail: the expert failed for good, or too often. Only a replay moves it on."""
    return _examined(
        connection,
        token,
        attempt,
        move="fail",
        after=State.FAILED,
        change="failed_stage = 'slow', error = :error",
        actor=actor,
    )


def _examined(
    connection: Connection,
    token: UUID,
    attempt: Attempt,
    *,
    move: str,
    after: State,
    change: str,
    actor: str,
    spent: bool = True,
    **more: Any,
) -> bool:
    examination = uuid7()
    row = connection.execute(
        text(f"""
        WITH held AS MATERIALIZED (SELECT token FROM leases WHERE token = :token FOR UPDATE),
        moved AS (
          UPDATE evaluations SET state = '{after}', {change}, tries = 0, lease = NULL,
            examined = examined + :spent, outages = CASE WHEN :spent = 1 THEN 0 ELSE outages + 1 END,
            moves = moves + 1, updated_at = now()
          FROM held WHERE id = :id AND state = 'examining' AND lease = held.token
          RETURNING id, moves, 'examining' AS before, '{after}' AS after, CAST(:error AS text) AS detail
        ), kept AS (
          INSERT INTO examinations (id, evaluation_id, number, prompt_version, model, seconds,
            prompt_tokens, completion_tokens, verdict, reasoning, raw, error)
          SELECT :examination, id, (SELECT count(*) + 1 FROM examinations x WHERE x.evaluation_id = moved.id),
            :prompt_version, :model, :seconds,
            :prompt_tokens, :completion_tokens, :verdict, :reasoning, :raw, :error FROM moved
        ), {_LOG}, closed AS (DELETE FROM leases WHERE token = :token)
        SELECT id FROM moved"""),
        {
            "id": attempt.evaluation_id,
            "token": token,
            "examination": examination,
            "prompt_version": attempt.prompt_version,
            "model": attempt.model,
            "seconds": attempt.seconds,
            "prompt_tokens": attempt.prompt_tokens,
            "completion_tokens": attempt.completion_tokens,
            "verdict": attempt.verdict,
            "reasoning": attempt.reasoning,
            "raw": attempt.raw,
            "error": attempt.error,
            "move": move,
            "actor": actor,
            "spent": int(spent),
            **more,
        },
    ).first()
    return row is not None


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
              RETURNING id, moves, CASE state WHEN 'queued' THEN 'screening' ELSE 'examining' END AS before,
                        state AS after, NULL::text AS detail
            ), {_LOG}
            SELECT count(*) FROM moved"""),
            {"tokens": list(tokens), "worker": worker, "move": "release", "actor": actor},
        ).scalar_one()
    )


def expire(connection: Connection, *, max_tries: int, actor: str, limit: int = 100) -> int:
    """expire and fail: takes back what silent workers held.

    A message nobody took up goes back as it was; one that a worker took up counts a try, and the
    `max_tries`-th fails the claim as poison. Returns how many evaluations moved.
    """
    rows = connection.execute(
        text("""
        WITH dead AS (
          DELETE FROM leases WHERE token IN (
            SELECT token FROM leases WHERE until < now() ORDER BY until LIMIT :limit FOR UPDATE SKIP LOCKED)
          RETURNING token, stage, (started_at IS NOT NULL)::int AS started
        ), moved AS (
          UPDATE evaluations e SET
            state = CASE WHEN tries + started >= :max_tries THEN 'failed'
                         WHEN d.stage = 'fast' THEN 'queued' ELSE 'escalated' END,
            error = CASE WHEN tries + started >= :max_tries THEN 'poison' ELSE error END,
            failed_stage = CASE WHEN tries + started >= :max_tries THEN d.stage ELSE failed_stage END,
            tries = tries + started, lease = NULL, moves = moves + 1, updated_at = now()
          FROM dead d WHERE e.lease = d.token AND e.state IN ('screening', 'examining')
          RETURNING e.id, moves, CASE d.stage WHEN 'fast' THEN 'screening' ELSE 'examining' END AS before,
                    e.state AS after, CASE e.state WHEN 'failed' THEN 'poison' END AS detail
        ), logged AS (
          INSERT INTO events (evaluation_id, number, move, before, after, actor, detail)
          SELECT id, moves, CASE after WHEN 'failed' THEN 'fail' ELSE 'expire' END,
                 before, after, :actor, detail FROM moved
        )
        SELECT count(*) FROM moved"""),
        {"limit": limit, "max_tries": max_tries, "actor": actor},
    )
    return int(rows.scalar_one())


def replay(connection: Connection, tenant: str, evaluations: Sequence[UUID], *, actor: str) -> list[UUID]:
    """replay: failed evaluations of one tenant wait again for the stage that failed, tries forgotten."""
    return list(
        connection.execute(
            text(f"""
            WITH moved AS (
              UPDATE evaluations SET
                state = CASE failed_stage WHEN 'fast' THEN 'queued' ELSE 'escalated' END,
                tries = 0, examined = 0, outages = 0, due_at = now(), moves = moves + 1, updated_at = now()
              WHERE id = ANY(:ids) AND tenant = :tenant AND state = 'failed'
              RETURNING id, moves, 'failed' AS before, state AS after, error AS detail
            ), {_LOG}
            SELECT id FROM moved ORDER BY id"""),
            {"ids": list(evaluations), "tenant": tenant, "move": "replay", "actor": actor},
        ).scalars()
    )


def cancel(connection: Connection, tenant: str, filing_id: UUID, *, actor: str) -> list[UUID]:
    """cancel: whatever of a filing has no verdict yet; a worker that still holds it will move nothing."""
    return list(
        connection.execute(
            text(f"""
            WITH held AS (
              SELECT id, state FROM evaluations
              WHERE filing_id = :filing AND tenant = :tenant AND state NOT IN ('decided', 'cancelled')
              ORDER BY id FOR UPDATE
            ), moved AS (
              UPDATE evaluations e SET
                state = 'cancelled', lease = NULL, moves = moves + 1, updated_at = now()
              FROM held WHERE e.id = held.id
              RETURNING e.id, moves, held.state AS before, e.state AS after, NULL::text AS detail
            ), {_LOG}
            SELECT id FROM moved ORDER BY id"""),
            {"filing": filing_id, "tenant": tenant, "move": "cancel", "actor": actor},
        ).scalars()
    )
