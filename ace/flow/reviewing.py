"""review: what a person says of a verdict or a finding."""

from dataclasses import replace
from uuid import UUID

from sqlalchemy import Connection, Engine

from ace.claims.taxonomy import Verdict
from ace.errors import NotFound, Refused
from ace.store import reviews
from ace.store.database import transact
from ace.store.review_tables import PASS, Answer, ReviewStatus
from ace.store.reviews import NewReview, Subject


def review(db: Engine, tenant: str, given: NewReview, *, reviewer: str) -> UUID:
    """Records a review; returns its id. Who agrees with a verdict gives it the label that it has.

    Raises NotFound for an evaluation that the tenant has not, and Refused for one without a verdict, a label
    that contradicts the answer, a span beyond the claim, and an adjudication of what nobody reviewed.
    """

    def work(connection: Connection) -> UUID:
        subject = reviews.subject(connection, tenant, given.evaluation_id, given.finding)
        if subject is None:
            raise NotFound("no such evaluation")
        _refuse_unfit(given, subject)
        labelled = replace(given, label=_label(given, subject))
        return reviews.record(connection, tenant, labelled, reviewer=reviewer)

    return transact(db, work, tenant=tenant)


def predicted(verdict: str | None, error_class: str | None) -> str | None:
    """The label that a verdict gives a claim."""
    return PASS if verdict == Verdict.PASS else error_class


def _refuse_unfit(given: NewReview, subject: Subject) -> None:
    if subject.verdict is None:
        raise Refused("this evaluation has no verdict yet", code="no_verdict")
    if given.status is ReviewStatus.ADJUDICATED and not subject.reviews:
        raise Refused("nobody has reviewed this yet", code="nothing_to_adjudicate")
    spans = {"/span": given.span, "/finding": None if given.finding is None else given.finding[1:]}
    for pointer, span in spans.items():
        empty = pointer == "/span" and span is not None and span[0] == span[1]  # a finding may have no words
        if span is not None and (empty or not 0 <= span[0] <= span[1] <= subject.characters):
            raise Refused(
                "the span is not within the claim",
                code="span_outside",
                pointer=pointer,
                limit=subject.characters,
            )


def _label(given: NewReview, subject: Subject) -> str | None:
    """The right class as the review has it; None for a finding, and for who is unsure."""
    if given.finding is not None or given.answer is Answer.UNSURE:
        if given.label is not None:
            raise _mismatch("only a review of a verdict that is not unsure has a label")
        return None
    said = predicted(subject.verdict, subject.error_class)
    if given.answer is Answer.AGREE:
        if given.label is not None and (given.label == PASS) != (said == PASS):
            raise _mismatch("who agrees does not give another verdict")
        return given.label or said
    if given.label is None or given.label == said:
        raise _mismatch("who disagrees gives the right class")
    return given.label


def _mismatch(words: str) -> Refused:
    return Refused(words, code="label_mismatch", pointer="/label")
