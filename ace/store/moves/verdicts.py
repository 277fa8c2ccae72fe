"""decide, escalate, defer, fail: what a worker that holds a lease makes of it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, text
from uuid_utils.compat import uuid7

from ace.claims.findings import finding_as_json
from ace.store.findings import RuleFindings, disagreements_as_json, findings_as_json
from ace.store.moves.events import LOG
from ace.store.moves.leases import release
from ace.store.tables import State
from ace.types.verification import Verified

_CLOSE_EMPTY: Final = text("""
DELETE FROM leases WHERE token = :token AND NOT EXISTS (SELECT FROM evaluations WHERE lease = :token)""")


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
    doubt: Sequence[float | None]  # what was compared with tau
    score: str  # and what it is called
    tau: float
    model: str
    calibration: str


# Part of the same statement, so that findings are there exactly when their evaluation has moved.
_KEEP: Final = """, kept AS (
  INSERT INTO findings (evaluation_id, jurisdiction, threshold, rules, found)
  SELECT moved.id, :jurisdiction, :threshold, :rules, c.found
  FROM moved JOIN unnest(CAST(:checked AS uuid[]), CAST(:found AS jsonb[])) AS c (id, found) USING (id)
  ON CONFLICT (evaluation_id) DO UPDATE SET jurisdiction = excluded.jurisdiction,
    threshold = excluded.threshold, rules = excluded.rules, found = excluded.found, at = now()
)"""


def screened(
    connection: Connection,
    token: UUID,
    screened: Screened,
    checked: RuleFindings | None = None,
    *,
    actor: str,
) -> int:
    """decide and escalate: one statement for the whole message, with the findings on what was `checked`.

    Returns how many it moved.
    """
    p = list(zip(*screened.probabilities, strict=True)) or [()] * 6
    moved = connection.execute(
        text(f"""
        WITH held AS MATERIALIZED (SELECT token FROM leases WHERE token = :token FOR UPDATE),
        given AS MATERIALIZED (
          SELECT * FROM unnest(
            CAST(:ids AS uuid[]), CAST(:escalate AS boolean[]), CAST(:fail AS boolean[]),
            CAST(:classes AS text[]), CAST(:u AS float8[]), CAST(:h6 AS float8[]),
            CAST(:p0 AS real[]), CAST(:p1 AS real[]), CAST(:p2 AS real[]),
            CAST(:p3 AS real[]), CAST(:p4 AS real[]), CAST(:p5 AS real[]), CAST(:doubt AS float8[]))
          AS g (id, escalate, fail, class, u, h6, p0, p1, p2, p3, p4, p5, doubt)
        ), moved AS (
          UPDATE evaluations e SET
            state = CASE WHEN escalate THEN 'escalated' ELSE 'decided' END,
            verdict = CASE WHEN escalate THEN NULL WHEN fail THEN 'Fail' ELSE 'Pass' END,
            decided_by = CASE WHEN escalate THEN NULL ELSE 'gatekeeper' END,
            error_class = CASE WHEN fail AND NOT escalate THEN g.class END,
            probabilities = ARRAY[p0, p1, p2, p3, p4, p5], u = g.u, h6 = g.h6,
            doubt = g.doubt, score = :score, tau = :tau, model = :model, calibration = :calibration,
            tries = 0, lease = NULL,
            error = NULL, failed_stage = NULL, moves = moves + 1, due_at = now(), updated_at = now()
          FROM held, given g WHERE e.id = g.id AND e.state = 'screening' AND e.lease = held.token
          RETURNING e.id, e.tenant, moves, 'screening' AS before, e.state AS after, e.decided_by,
                    CASE e.state WHEN 'decided' THEN 'decide' ELSE 'escalate' END AS move,
                    NULL::text AS detail
        ), {LOG}{_KEEP if checked else ""}
        SELECT count(*) FROM moved"""),
        {
            **(_kept(checked) if checked else {}),
            "ids": list(screened.evaluations),
            "escalate": list(screened.escalate),
            "fail": list(screened.fail),
            "classes": list(screened.error_classes),
            "u": list(screened.u),
            "h6": list(screened.h6),
            **{f"p{i}": list(column) for i, column in enumerate(p)},
            "doubt": list(screened.doubt),
            "score": screened.score,
            "tau": screened.tau,
            "model": screened.model,
            "calibration": screened.calibration,
            "token": token,
            "actor": actor,
        },
    ).scalar_one()
    release(connection, [token], actor=actor, worker=actor)
    return int(moved)


def _kept(checked: RuleFindings) -> dict[str, Any]:
    return {
        "checked": list(checked.found),
        "found": [json.dumps([finding_as_json(one) for one in found]) for found in checked.found.values()],
        "jurisdiction": checked.jurisdiction.value,
        "threshold": checked.threshold,
        "rules": checked.rules,
    }


@dataclass(frozen=True, slots=True)
class Attempt:
    """One examination as it is kept, successful (`verdict`) or not (`error`).

    Tokens and calls are those of all `opinions`, of which `agreeing` have the verdict that stands.
    """

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
    endpoint: str | None = None
    retry_after: float | None = None  # seconds that the endpoint asked for
    verified: Verified | None = None
    cut: bool | None = None
    calls: int | None = None
    opinions: int | None = None
    agreeing: int | None = None


def examined(connection: Connection, token: UUID, attempt: Attempt, *, actor: str) -> bool:
    """decide: the expert's verdict. False: the lease is no longer held, and nothing was stored."""
    return _examined(
        connection,
        token,
        attempt,
        move="decide",
        after=State.DECIDED,
        change="verdict = :verdict, decided_by = 'expert', error_class = :error_class,"
        " examination_id = :examination, disputed = :disputed, error = NULL, failed_stage = NULL",
        actor=actor,
        error_class=attempt.error_class,
        disputed=attempt.verified is not None and attempt.verified.disputed,
    )


def deferred(
    connection: Connection,
    token: UUID,
    attempt: Attempt,
    *,
    delay_seconds: float,
    spent: bool,
    actor: str,
    elsewhere: bool = False,
) -> bool:
    """defer: the expert failed in a way that may pass; due again after `delay_seconds`.

    `spent` counts the examination against the limit, which an outage of the expert does not. With
    `elsewhere` it is due at once for as long as there are endpoints in service that it may try.
    """
    return _examined(
        connection,
        token,
        attempt,
        move="defer",
        after=State.ESCALATED,
        change="due_at = now() + make_interval(secs => CASE WHEN :elsewhere AND examined + outages <"
        " (SELECT count(*) FROM endpoints WHERE breaker = 'closed' AND name <> :endpoint)"
        " THEN 0 ELSE :delay END), error = :error",
        actor=actor,
        spent=spent,
        delay=delay_seconds,
        elsewhere=elsewhere,
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


def _verified(verified: Verified | None) -> dict[str, Any]:
    if verified is None:
        return {"findings": None, "disagreements": None, "disputes": []}
    return {
        "findings": json.dumps(findings_as_json(verified)),
        "disagreements": json.dumps(disagreements_as_json(verified)),
        "disputes": sorted({each.kind.value for each in verified.disagreements}),
    }


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
          RETURNING id, tenant, moves, '{move}' AS move, 'examining' AS before, '{after}' AS after,
                    decided_by, CAST(:error AS text) AS detail
        ), kept AS (
          INSERT INTO examinations (id, evaluation_id, number, prompt_version, model, seconds,
            prompt_tokens, completion_tokens, verdict, reasoning, raw, error, endpoint,
            cut, calls, findings, disagreements, opinions, agreeing)
          SELECT :examination, id, (SELECT count(*) + 1 FROM examinations x WHERE x.evaluation_id = moved.id),
            :prompt_version, :model, :seconds,
            :prompt_tokens, :completion_tokens, :verdict, :reasoning, :raw, :error, CAST(:endpoint AS text),
            CAST(:cut AS boolean), :calls, CAST(:findings AS jsonb), CAST(:disagreements AS jsonb),
            :opinions, :agreeing
          FROM moved
        ), disputing AS (
          INSERT INTO disputes (kind, count)
          SELECT kind, 1 FROM moved CROSS JOIN unnest(CAST(:disputes AS text[])) AS d (kind)
        ), learned AS (  -- whatever became of the claim
          INSERT INTO outcomes (endpoint, token, error, seconds, retry_after, leased_at)
          SELECT CAST(:endpoint AS text), :token, :error, :seconds, :retry_after,
            (SELECT made_at FROM leases WHERE token = :token)
          WHERE CAST(:endpoint AS text) IS NOT NULL
        ), {LOG}, closed AS (
          DELETE FROM leases WHERE token = :token AND EXISTS (SELECT FROM moved)
        )
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
            "endpoint": attempt.endpoint,
            "retry_after": attempt.retry_after,
            "cut": attempt.cut,
            "calls": attempt.calls,
            "opinions": attempt.opinions,
            "agreeing": attempt.agreeing,
            **_verified(attempt.verified),
            "actor": actor,
            "spent": int(spent),
            **more,
        },
    ).first()
    if row is None:  # cancelled meanwhile, perhaps: a lease of nothing must not keep a slot
        connection.execute(_CLOSE_EMPTY, {"token": token})
    return row is not None
