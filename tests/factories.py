"""Filings, scores and shortcuts that many tests start from. All claim text is ours."""

import json
from collections.abc import Sequence
from contextlib import nullcontext
from random import Random
from typing import Any, Final
from uuid import UUID, uuid4

from sqlalchemy import Connection, Engine, text

from ace import flow
from ace.claims.analysis import ClaimAnalysis, as_json
from ace.claims.findings import Finding, Fix
from ace.claims.model import Claim, ClaimSet
from ace.claims.references.claim_references import parents_of
from ace.claims.rules import Severity
from ace.claims.taxonomy import ErrorClass
from ace.expert.prompt.rationale import Rationale
from ace.flow.analysing import RULES
from ace.store import moves, reads, webhooks
from ace.store.assignment import FreeEndpoint, assign
from ace.store.database import transact
from ace.store.tables import MOVES, Stage
from ace.types.examination import Answered, Asked, Conclusion, Examination
from ace.types.notices import NoticeKind
from ace.types.verification import Verified
from ace.webhooks import signing
from tests import fakes

TENANT = "office"
MASTER = b"m" * 32  # ACE_SECRET, as far as webhooks are concerned
BRACKET = (
    "A bracket comprising a plate and a hook that is fixed to the plate.",
    "The bracket of claim 1, wherein the hook is made of steel.",
    "The bracket of claim 2, wherein the plate has two holes.",
)

ROWS: Final = {
    "keys": "tenant = :tenant",
    "sessions": "tenant = :tenant",
    "filings": "tenant = :tenant",
    "claims": "filing_id IN (SELECT id FROM filings WHERE tenant = :tenant)",
    "evaluations": "tenant = :tenant",
    "examinations": "evaluation_id IN (SELECT id FROM evaluations WHERE tenant = :tenant)",
    "analyses": "filing_id IN (SELECT id FROM filings WHERE tenant = :tenant)",
    "findings": "evaluation_id IN (SELECT id FROM evaluations WHERE tenant = :tenant)",
    "events": "evaluation_id IN (SELECT id FROM evaluations WHERE tenant = :tenant)",
    "tallies": "tenant = :tenant",
    "reviews": "tenant = :tenant",
    "audit_sample": "tenant = :tenant",
    "views": "tenant = :tenant",
    "terms": "tenant = :tenant",
    "pauses": "tenant = :tenant",
    "jobs": "tenant = :tenant",
    "acts": "tenant = :tenant",
    "models": "tenant = :tenant",
    "decided_by_minute": "tenant = :tenant",
    "outbox": "tenant = :tenant",
    "notices": "tenant = :tenant",
    "webhooks": "tenant = :tenant",
    "webhook_secrets": "webhook_id IN (SELECT id FROM webhooks WHERE tenant = :tenant)",
    "deliveries": "tenant = :tenant",
}
"""How the rows of a tenant are known, in every table that has any."""


def claim_set(texts: Sequence[str] = BRACKET) -> ClaimSet:
    """Claims numbered from 1."""
    return ClaimSet(
        tuple(Claim(number, words, parents_of(words, number)) for number, words in enumerate(texts, start=1))
    )


def new_filing(
    texts: Sequence[str] = BRACKET,
    *,
    tenant: str = TENANT,
    docket: str = "D-1",
    priority: int = 5,
    key: str | None = None,
    body_hash: bytes = b"body",
) -> moves.NewFiling:
    """A filing that passed the edge."""
    return moves.NewFiling(
        tenant=tenant,
        docket=docket,
        claims=claim_set(texts),
        priority=priority,
        details={},
        body_hash=body_hash,
        idempotency_key=key,
    )


def submit(db: Engine, *filings: moves.NewFiling) -> list[moves.Accepted]:
    """Stores filings as an actor named test."""
    return transact(db, lambda connection: moves.submit(connection, filings or [new_filing()], actor="test"))


def lease(
    db: Engine, stage: Stage, *, seconds: float = 60, budget: int = 10_000, most: int = 100
) -> moves.Leased | None:
    """One dispatch without a broker; `budget` and `most` are those of a fast message."""
    if stage is Stage.SLOW:
        return transact(db, lambda connection: lease_slow(connection, seconds=seconds))
    return transact(
        db,
        lambda connection: moves.lease_due(
            connection,
            bound=1_000,
            lease_seconds=seconds,
            budget_tokens=budget,
            max_claims=most,
            max_tries=3,
            actor="test",
        ),
    )


def lease_slow(connection: Connection, *, seconds: float) -> moves.Leased | None:
    """Leases one claim that is due to be examined, at an endpoint named "expert"."""
    line = moves.waiting_claims(connection, each=100)
    assigned = assign(line, [FreeEndpoint("expert", 1.0, 1, False)], maximum=1, rng=Random())
    leased = moves.lease_assigned(connection, assigned, lease_seconds=seconds, max_tries=3, actor="test")
    return leased[0] if leased else None


def webhook(db: Engine, tenant: str = TENANT, *, url: str = "https://example.org/hook") -> UUID:
    """A webhook for every kind of event, with a secret of `MASTER`."""
    secret_id = uuid4()
    fingerprint = signing.fingerprint(signing.secret_of(MASTER, secret_id))

    def work(connection: Connection) -> UUID:
        id_ = webhooks.create(
            connection, tenant, url=url, kinds=list(NoticeKind), description="tests", actor="t"
        )
        webhooks.add_secret(connection, id_, secret_id, fingerprint)
        return id_

    return transact(db, work)


def verdicts(
    evaluations: Sequence[UUID],
    *,
    escalate: bool = False,
    fail: bool = False,
    span: tuple[int, int] | None = None,
) -> moves.Screened:
    """What a gatekeeper of one opinion says of these evaluations; with a `span` it is disputed."""
    count = len(evaluations)
    return moves.Screened(
        evaluations=list(evaluations),
        escalate=[escalate] * count,
        fail=[fail] * count,
        error_classes=["antecedent"] * count,
        grounds=["rejection"] * count,
        probabilities=[[0.9, 0.02, 0.02, 0.02, 0.02, 0.02]] * count,
        u=[0.325] * count,
        h6=[0.486] * count,
        doubt=[0.325] * count,
        disputed=[span is not None] * count,
        would_escalate=[False] * count,
        spans=[span] * count,
        score="u",
        tau=0.4,
        certain=0.9,
        model="test-model",
        calibration="test-calibration",
    )


def examination(
    evaluation: UUID,
    verdict: str | None = None,
    *,
    error: str | None = None,
    endpoint: str | None = "expert",
    prompt_version: str = "p",
    seconds: float = 0.1,
    cut: bool | None = None,
    verified: Verified | None = None,
    opinions: int = 1,
    agreeing: int = 1,
    **answer: Any,
) -> Examination:
    """An examination that came to a verdict, or failed without one."""
    conclusion = None
    if verdict is not None:
        rationale = Rationale(reasoning=answer.pop("reasoning", "It is so."), verdict=verdict)
        given = {"raw": "{}", "model": "m", "prompt_tokens": None, "completion_tokens": None} | answer
        verified = verified or Verified(verdict, (), ())
        conclusion = Conclusion(Answered(rationale=rationale, **given), verified, opinions, agreeing)
    asked = Asked(endpoint=endpoint, prompt_version=prompt_version, cut=cut)
    return Examination(
        evaluation_id=evaluation, asked=asked, seconds=seconds, conclusion=conclusion, error=error
    )


FINDING = Finding(
    claim=1,
    error_class=ErrorClass.ANTECEDENT,
    subtype="no_basis",
    law="35 U.S.C. 112(b)",
    severity=Severity.WARNING,
    start=2,
    end=9,
    quote="",
    explanation="Nothing introduces it.",
    confidence=0.9,
    fix=Fix(2, 9, "part"),
)


def analyse(db: Engine, leased: moves.Leased, *found: Finding) -> None:
    """Keeps an analysis of each filing of a message: the same of all claims, one finding where none is
    given."""
    claim = as_json(ClaimAnalysis(findings=found or (FINDING,)))
    with db.begin() as connection:
        filings = connection.execute(
            text("SELECT DISTINCT filing_id FROM evaluations WHERE id = ANY(:ids)"),
            {"ids": list(leased.evaluations)},
        ).scalars()
        made = json.dumps(dict.fromkeys(map(str, range(1, 10)), claim))
        moves.keep_analyses(connection, leased.token, moves.Analyses(dict.fromkeys(filings, made), RULES))


def held(connection: Connection, token: UUID, *, max_chain_characters: int = 1_000) -> list[reads.Held]:
    """What a worker without rules holds by a lease."""
    return reads.taken(
        connection, token, max_chain_characters=max_chain_characters, version=None, max_set_characters=0
    ).held


def states(db: Engine) -> dict[UUID, str]:
    """The state of every evaluation."""
    with db.connect() as connection:
        return dict(row for row in connection.execute(text("SELECT id, state FROM evaluations")))


def illegal_chains(db: Engine) -> list[UUID]:
    """Evaluations whose events have a gap, an unknown move, or do not lead from one to the next."""
    with db.connect() as connection:
        rows = connection.execute(
            text(
                "SELECT e.id, e.state, e.moves, v.number, v.move, v.before, v.after FROM evaluations e"
                " LEFT JOIN events v ON v.evaluation_id = e.id ORDER BY e.id, v.number"
            )
        ).all()
    chains: dict[UUID, list[tuple[object, ...]]] = {}
    for row in rows:
        chains.setdefault(row.id, []).append(tuple(row))
    return [id_ for id_, chain in chains.items() if not _legal(chain)]


def _legal(chain: list[tuple[object, ...]]) -> bool:
    at = None
    for expected, (_, _, _, number, move, before, after) in enumerate(chain, start=1):
        if number != expected or before != at or (before, after) not in MOVES.get(str(move), ()):
            return False
        at = after
    state, moves_counted = chain[0][1], chain[0][2]
    return at == state and moves_counted == len(chain)


def screen(db: Engine, token: UUID, gatekeeper: fakes.Gatekeeper | None = None, **given: Any) -> int:
    """The gatekeeper's part of one message, as `flow.screen` does it, with a worker's usual arguments."""
    usual = {
        "checks": fakes.Checks(),
        "model_lock": nullcontext(),
        "in_hand": flow.AnalysesInHand(),
        "lease_seconds": 10,
        "worker": "w",
    }
    return flow.screen(db, token, gatekeeper or fakes.Gatekeeper(), fakes.holding, **(usual | given))
