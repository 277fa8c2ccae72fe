"""What people say of verdicts and findings, and their terms, as the API answers it."""

from datetime import datetime

from patent_ace_client.literals import AnyAnswer, AnyReviewStatus, AnyTermKind
from patent_ace_client.model import Model, Span


class FindingRef(Span):
    """A finding: its rule, `<class>.<subtype>`, and its place in the claim."""

    rule: str


class Review(Model):
    """What a person has said of a verdict, or of a `finding`. `reviewer` is the key that sent it.

    `label` is the right class, or "pass". `reason` is None without the scope text, and after a purge.
    """

    id: str
    evaluation: str
    filing: str
    docket: str
    claim: int
    finding: FindingRef | None
    answer: AnyAnswer
    label: str | None
    span: Span | None
    reason: str | None
    status: AnyReviewStatus
    blind: bool
    seconds: float | None
    reviewer: str
    at: datetime


class ReviewPage(Model):
    """One page of reviews; `next` is the cursor of the page after it."""

    reviews: tuple[Review, ...]
    next: str | None


class Queued(Model):
    """A claim that needs eyes, without its verdict, so that it can be reviewed blind.

    `probability` is the one with which the audit sample chose it; `reviews` counts those of its verdict.
    """

    evaluation: str
    filing: str
    docket: str
    claim: int
    doubt: float | None
    probability: float | None
    reviews: int


class ReviewQueue(Model):
    """Claims that need eyes, the neediest first."""

    queue: tuple[Queued, ...]


class Term(Model):
    """A term that the rules ignore or keep together. `actor` is the key that added it."""

    id: str
    kind: AnyTermKind
    term: str
    reason: str
    actor: str
    at: datetime


class TermList(Model):
    """The tenant's terms in alphabetical order. `digest` identifies the list in the findings that obey it."""

    terms: tuple[Term, ...]
    digest: str
