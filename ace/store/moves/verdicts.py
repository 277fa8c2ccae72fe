"""decide, escalate, defer, fail: the results of workers that hold a lease."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal
from uuid import UUID

from sqlalchemy import Connection, text
from uuid_utils.compat import uuid7

from ace.store.examinations import columns_of
from ace.store.moves.leases import release
from ace.store.statements import statement
from ace.types.examination import Examination
from ace.types.rules_version import RulesVersion

_CLOSE_EMPTY: Final = text("""
DELETE FROM leases WHERE token = :token AND NOT EXISTS (SELECT FROM evaluations WHERE lease = :token)""")


@dataclass(frozen=True, slots=True)
class Screened:
    """The gatekeeper's results for one message: columns of one length."""

    evaluations: Sequence[UUID]
    escalate: Sequence[bool]
    fail: Sequence[bool]  # verdict Fail; ignored if `escalate`
    error_classes: Sequence[str]
    grounds: Sequence[str]  # what a Fail draws; ignored without one
    probabilities: Sequence[Sequence[float | None]]  # (n, 6), None in place of NaN
    u: Sequence[float | None]
    h6: Sequence[float | None]
    doubt: Sequence[float | None]  # what was compared with tau
    disputed: Sequence[bool]  # whether there is a reason to doubt the verdict
    would_escalate: Sequence[bool]  # of a test: decided, although the expert would be asked
    spans: Sequence[tuple[int, int] | None]  # of the text that speaks most for a disputed Fail
    score: str  # what the doubt is called
    tau: float
    certain: float  # the confidence of a finding that may not stand beside a Pass
    model: str
    calibration: str


@dataclass(frozen=True, slots=True)
class Analyses:
    """New analyses of filings, as JSON, and what they were made with; `terms` are the digests of the term
    lists that they obey, of filings whose tenant has one."""

    made: Mapping[UUID, str]
    version: RulesVersion
    terms: Mapping[UUID, str] = field(default_factory=dict)


def keep_analyses(connection: Connection, token: UUID, analyses: Analyses) -> None:
    """Keeps the analyses with their filings, before the move that they were made for: while the lease
    holds."""
    if analyses.made:
        connection.execute(
            statement("keep_analyses"),
            {
                "token": token,
                "filings": list(analyses.made),
                "analyses": list(analyses.made.values()),
                "terms": [analyses.terms.get(filing, "") for filing in analyses.made],
                **analyses.version._asdict(),
            },
        )


def screened(
    connection: Connection, token: UUID, screened: Screened, *, also: Sequence[Screened] = (), actor: str
) -> int:
    """decide and escalate: one statement for the whole message, and one for each further model that judged
    some of its claims. Returns how many evaluations moved."""
    moved = sum(_screened(connection, token, each, actor) for each in (screened, *also))
    release(connection, [token], actor=actor, worker=actor)
    return moved


def _screened(connection: Connection, token: UUID, screened: Screened, actor: str) -> int:
    p = list(zip(*screened.probabilities, strict=True)) or [()] * 6
    moved = connection.execute(
        statement("screened"),
        {
            "ids": list(screened.evaluations),
            "escalate": list(screened.escalate),
            "fail": list(screened.fail),
            "classes": list(screened.error_classes),
            "grounds": list(screened.grounds),
            "u": list(screened.u),
            "h6": list(screened.h6),
            **{f"p{i}": list(column) for i, column in enumerate(p)},
            "doubt": list(screened.doubt),
            "disputed": list(screened.disputed),
            "would_escalate": list(screened.would_escalate),
            "start": [span and span[0] for span in screened.spans],
            "end": [span and span[1] for span in screened.spans],
            "score": screened.score,
            "tau": screened.tau,
            "certain": screened.certain,
            "model": screened.model,
            "calibration": screened.calibration,
            "token": token,
            "actor": actor,
        },
    )
    return int(moved.scalar_one())


def quarantined(connection: Connection, token: UUID, stopped: Mapping[UUID, str], *, actor: str) -> int:
    """fail: claims of a message on which the rules were stopped, with the reason for each.

    The lease stays, for the rest of the message. Returns how many evaluations moved.
    """
    moved = connection.execute(
        statement("quarantined"),
        {"token": token, "ids": list(stopped), "errors": list(stopped.values()), "actor": actor},
    )
    return int(moved.scalar_one())


def examined(
    connection: Connection, token: UUID, examination: Examination, *, ground: str | None = None, actor: str
) -> bool:
    """decide: the expert's verdict, with what a Fail draws. False: the lease is no longer held, and nothing
    was stored."""
    return _examined(connection, token, examination, move="decide", ground=ground, actor=actor)


def deferred(
    connection: Connection,
    token: UUID,
    examination: Examination,
    *,
    delay_seconds: float,
    own: bool,
    actor: str,
) -> bool:
    """defer: the expert had a fault that may pass; due again after `delay_seconds`.

    The claim's `own` fault counts against the limit of examinations. Any other counts against the endpoint,
    and the claim is due at once, as long as there are endpoints in service left to try.
    """
    return _examined(
        connection,
        token,
        examination,
        move="defer",
        actor=actor,
        own=own,
        delay_seconds=delay_seconds,
    )


def failed(connection: Connection, token: UUID, examination: Examination, *, actor: str) -> bool:
    """fail: the expert failed for good, or too often. Only a replay or a cancellation moves it on."""
    return _examined(connection, token, examination, move="fail", actor=actor)


def _examined(
    connection: Connection,
    token: UUID,
    examination: Examination,
    *,
    move: Literal["decide", "defer", "fail"],
    actor: str,
    ground: str | None = None,
    own: bool = True,
    delay_seconds: float = 0.0,
) -> bool:
    conclusion = examination.conclusion
    disagreements = conclusion.verified.disagreements if conclusion else ()
    row = connection.execute(
        statement("examined"),
        {
            "move": move,
            "token": token,
            "id": examination.evaluation_id,
            "examination": uuid7(),
            "columns": json.dumps(columns_of(examination)),
            "error_class": conclusion and conclusion.answer.rationale.error_class,
            "ground": ground,
            "disputed": bool(disagreements),
            "disputes": sorted({each.kind.value for each in disagreements}),
            "delay": delay_seconds,
            "own": own,
            "retry_after": examination.retry_after,
            "actor": actor,
        },
    ).first()
    if row is None:  # perhaps it was cancelled meanwhile: an empty lease must not keep a slot
        connection.execute(_CLOSE_EMPTY, {"token": token})
    return row is not None
