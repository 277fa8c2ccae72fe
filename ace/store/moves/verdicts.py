"""decide, escalate, defer, fail: what a worker that holds a lease makes of it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal
from uuid import UUID

from sqlalchemy import Connection, text
from uuid_utils.compat import uuid7

from ace.claims.findings import finding_as_json
from ace.store.findings import RuleFindings, disagreements_as_json, findings_as_json
from ace.store.moves.leases import release
from ace.store.statements import statement
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
        statement("screened"),
        {
            **_findings(checked),
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


def _findings(checked: RuleFindings | None) -> dict[str, Any]:
    if checked is None:
        return {"checked": [], "found": [], "jurisdiction": None, "threshold": None, "rules": None}
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
    return _examined(connection, token, attempt, move="decide", actor=actor)


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
        actor=actor,
        spent=spent,
        delay_seconds=delay_seconds,
        elsewhere=elsewhere,
    )


def failed(connection: Connection, token: UUID, attempt: Attempt, *, actor: str) -> bool:
    """fail: the expert failed for good, or too often. Only a replay moves it on."""
    return _examined(connection, token, attempt, move="fail", actor=actor)


def _columns(attempt: Attempt) -> dict[str, Any]:
    verified = attempt.verified
    return {
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
        "cut": attempt.cut,
        "calls": attempt.calls,
        "opinions": attempt.opinions,
        "agreeing": attempt.agreeing,
        "findings": None if verified is None else findings_as_json(verified),
        "disagreements": None if verified is None else disagreements_as_json(verified),
    }


def _examined(
    connection: Connection,
    token: UUID,
    attempt: Attempt,
    *,
    move: Literal["decide", "defer", "fail"],
    actor: str,
    spent: bool = True,
    delay_seconds: float = 0.0,
    elsewhere: bool = False,
) -> bool:
    disagreements = attempt.verified.disagreements if attempt.verified else ()
    row = connection.execute(
        statement("examined"),
        {
            "move": move,
            "token": token,
            "id": attempt.evaluation_id,
            "examination": uuid7(),
            "columns": json.dumps(_columns(attempt)),
            "error_class": attempt.error_class,
            "disputed": bool(disagreements),
            "disputes": sorted({each.kind.value for each in disagreements}),
            "delay": delay_seconds,
            "elsewhere": elsewhere,
            "spent": int(spent),
            "retry_after": attempt.retry_after,
            "actor": actor,
        },
    ).first()
    if row is None:  # cancelled meanwhile, perhaps: a lease of nothing must not keep a slot
        connection.execute(_CLOSE_EMPTY, {"token": token})
    return row is not None
