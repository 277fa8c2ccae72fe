"""What people say of verdicts and findings: recording it, listing it, and what should be looked at next.

A review is added and never changed, so each row also says who said what and when. Its reason stays out of the
record of acts, where no purge would remove it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, NamedTuple
from uuid import UUID

from sqlalchemy import Connection, RowMapping, text

from ace.store import acts
from ace.store.ids import new_id
from ace.store.review_tables import Answer, ReviewStatus
from ace.store.statements import source, statement
from ace.wording import percent, plural


class Queue(StrEnum):
    """Why claims need eyes; also the order of work."""

    DISPUTED = "disputed"  # there is a reason to doubt the verdict
    DOUBTFUL = "doubtful"  # the gatekeeper's doubt, the highest first
    AUDIT = "audit"  # drawn at random
    DIFFERING = "differing"  # reviewers gave different labels: somebody must adjudicate


class FindingPlace(NamedTuple):
    """A finding: its rule and the span of its words."""

    rule: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class NewReview:
    """A judgement that passed the edge. `label` is the right class, or "pass"; `span` the right words."""

    evaluation_id: UUID
    answer: Answer
    finding: FindingPlace | None = None
    label: str | None = None
    span: tuple[int, int] | None = None
    reason: str | None = None
    status: ReviewStatus = ReviewStatus.REVIEWED
    blind: bool = False
    seconds: float | None = None


_RECORD: Final = text("""
INSERT INTO reviews (id, tenant, evaluation_id, rule, place, answer, label, span, reason, status, blind,
  seconds, reviewer)
VALUES (:id, :tenant, :evaluation, :rule, :place, :answer, :label, :span, :reason, :status, :blind,
  :seconds, :reviewer)""")
_SUBJECT: Final = text("""
SELECT e.verdict, e.error_class, length(c.text) AS characters,
  (SELECT count(*) FROM reviews r
   WHERE r.evaluation_id = e.id AND r.rule IS NOT DISTINCT FROM :rule) AS reviews
FROM evaluations e JOIN claims c ON c.filing_id = e.filing_id AND c.number = e.claim_number
WHERE e.id = :id AND e.tenant = :tenant""")


class Subject(NamedTuple):
    """What a review is about: the verdict, the length of the claim, and how many reviews there are."""

    verdict: str | None
    error_class: str | None
    characters: int
    reviews: int


def subject(
    connection: Connection, tenant: str, evaluation_id: UUID, finding: FindingPlace | None
) -> Subject | None:
    """What a review of an evaluation, or of a finding on it, is about; None if the tenant has no such
    evaluation."""
    given = {"id": evaluation_id, "tenant": tenant, "rule": None if finding is None else finding.rule}
    row = connection.execute(_SUBJECT, given).first()
    return None if row is None else Subject(*row)


def record(connection: Connection, tenant: str, review: NewReview, *, reviewer: str) -> UUID:
    """Adds a review of an evaluation of the tenant; returns its id."""
    id_ = new_id(connection)
    finding = review.finding
    connection.execute(
        _RECORD,
        {
            "id": id_,
            "tenant": tenant,
            "evaluation": review.evaluation_id,
            "rule": None if finding is None else finding.rule,
            "place": None if finding is None else [finding.start, finding.end],
            "answer": review.answer,
            "label": review.label,
            "span": None if review.span is None else list(review.span),
            "reason": review.reason,
            "status": review.status,
            "blind": review.blind,
            "seconds": review.seconds,
            "reviewer": reviewer,
        },
    )
    act = "adjudicate" if review.status is ReviewStatus.ADJUDICATED else "review"
    what = "verdict" if finding is None else "finding"
    target = f"{what} of evaluation {review.evaluation_id}"
    acts.record(connection, tenant, actor=reviewer, act=act, target=target, reason="")
    return id_


def page(
    connection: Connection,
    tenant: str,
    *,
    evaluation_id: UUID | None = None,
    status: str | None = None,
    after: UUID | None = None,
    limit: int,
) -> Sequence[RowMapping]:
    """The tenant's reviews, newest first, beyond `after`."""
    wanted = {
        "r.evaluation_id = :evaluation": ("evaluation", evaluation_id),
        "r.status = :status": ("status", status),
        "r.id < :after": ("after", after),
    }
    given = {sql: pair for sql, pair in wanted.items() if pair[1] is not None}
    conditions = "".join(f" AND {sql}" for sql in given)
    return (
        connection.execute(
            text(
                source("reviews_listed")
                + f" WHERE r.tenant = :tenant{conditions} ORDER BY r.id DESC LIMIT :limit"
            ),
            {"tenant": tenant, "limit": limit, **dict(given.values())},
        )
        .mappings()
        .all()
    )


_NEEDS_EYES: Final = {
    Queue.DISPUTED: "e.disputed",
    Queue.DOUBTFUL: "e.doubt IS NOT NULL",
    Queue.AUDIT: "e.id IN (SELECT evaluation_id FROM audit_sample WHERE tenant = :tenant)",
    Queue.DIFFERING: """e.id IN (
        SELECT evaluation_id FROM reviews WHERE tenant = :tenant AND rule IS NULL AND label IS NOT NULL
        GROUP BY evaluation_id HAVING count(DISTINCT label) > 1)""",
}
"""Conditions over evaluations `e`, each of which the planner answers from an index or a small table."""


def queue(
    connection: Connection, tenant: str, kind: Queue, *, reviewer: str, limit: int
) -> Sequence[RowMapping]:
    """What this reviewer should look at next: verdicts in force that nobody has adjudicated, and that the
    reviewer has not answered, unless reviewers differ."""
    mine = "" if kind is Queue.DIFFERING else " OR r.reviewer = :reviewer"
    order = "e.doubt DESC, e.id" if kind is Queue.DOUBTFUL else "e.id"
    found = connection.execute(
        text(f"""
        WITH page AS MATERIALIZED (
          SELECT e.id FROM evaluations e
          WHERE e.tenant = :tenant AND e.verdict IS NOT NULL AND e.superseded_by IS NULL
            AND {_NEEDS_EYES[kind]}
            AND NOT EXISTS (
              SELECT FROM reviews r WHERE r.tenant = :tenant AND r.evaluation_id = e.id AND r.rule IS NULL
                AND (r.status = 'adjudicated'{mine}))
            AND NOT EXISTS (
              SELECT FROM filings f
              WHERE f.id = e.filing_id AND f.tenant = :tenant AND f.purged_at IS NOT NULL)
          ORDER BY {order} LIMIT :limit)
        {source("review_queue")} ORDER BY {order}"""),
        {"tenant": tenant, "limit": limit, **({"reviewer": reviewer} if mine else {})},
    )
    return found.mappings().all()


def draw(connection: Connection, tenant: str, probability: float, *, since: datetime, actor: str) -> int:
    """Draws each evaluation decided since then with this probability; returns how many are new in the
    sample."""
    given = {"tenant": tenant, "probability": probability, "since": since, "actor": actor}
    drawn = len(connection.execute(statement("draw_audit_sample"), given).all())
    target = (
        f"{plural(drawn, 'verdict')}, each with probability {percent(probability)}, since {since:%Y-%m-%d}"
    )
    acts.record(connection, tenant, actor=actor, act="draw sample", target=target, reason="")
    return drawn


def reviewed_claims(connection: Connection, tenant: str | None) -> Sequence[RowMapping]:
    """Claims that people have labelled, with their texts, ancestors and reviews, oldest first."""
    return connection.execute(statement("reviewed_claims"), {"tenant": tenant}).mappings().all()


def verdict_labels(reviews: Sequence[dict[str, Any]]) -> set[str]:
    """The labels that reviews of a verdict, oldest first, come to: one if people agree or somebody has
    adjudicated, several if they differ, none if all are unsure. Of each person the last word counts."""
    of_verdict = [each for each in reviews if each["rule"] is None]
    adjudicated = [each for each in of_verdict if each["status"] == ReviewStatus.ADJUDICATED]
    if adjudicated:
        of_verdict = adjudicated[-1:]
    last = {each["reviewer"]: each["label"] for each in of_verdict}
    return {label for label in last.values() if label is not None}
