# Made from ../_async/reviewing.py by `python -m tests.client_halves`; change that file.
"""Saying whether verdicts and findings are right, finding those that most need eyes, and the term list."""

from collections.abc import Mapping

from patent_ace_client._sync.connection import Connection
from patent_ace_client._sync.pages import Pages
from patent_ace_client._sync.sending import given
from patent_ace_client.errors import NotFound
from patent_ace_client.literals import Answer, Label, Queue, ReviewStatus, TermKind
from patent_ace_client.model import Span
from patent_ace_client.reviewing import FindingRef, Queued, Review, ReviewPage, ReviewQueue, TermList


class Reviewing(Connection):
    """What keys with the scopes `read`, `text` and `review` may do with reviews and terms."""

    def review(
        self,
        evaluation_id: str,
        answer: Answer,
        *,
        finding: FindingRef | None = None,
        label: Label | None = None,
        span: Span | None = None,
        reason: str | None = None,
        status: ReviewStatus = "reviewed",
        blind: bool = False,
        seconds: float | None = None,
    ) -> str:
        """Records whether a verdict is right, or a `finding`; returns the review's id.

        To disagree with a verdict, give the right class as `label`. `span` has the words that are wrong.
        "adjudicated" stands where reviewers differ; `blind` says that the verdict had not been shown. Of what
        one key says of a verdict the last word counts, so a retried request does no harm.
        """
        body = given(
            evaluation=evaluation_id,
            answer=answer,
            finding=None if finding is None else finding.as_dict(),
            label=label,
            span=None if span is None else span.as_dict(),
            reason=reason,
            status=status,
            blind=blind,
            seconds=seconds,
        )
        response = self._sender.request("POST", "/v1/reviews", json=body)
        return str(response.json()["review"])

    def reviews(
        self,
        *,
        evaluation: str | None = None,
        status: ReviewStatus | None = None,
        limit: int | None = None,
    ) -> Pages[Review]:
        """The tenant's reviews, newest first; pages are fetched as needed."""
        return Pages(self._reviews, given(evaluation=evaluation, status=status), limit)

    def _reviews(self, params: Mapping[str, str]) -> tuple[tuple[Review, ...], str | None]:
        page = self._sender.get(ReviewPage, "/v1/reviews", params=params)
        return page.reviews, page.next

    def review_queue(self, kind: Queue = "disputed", *, limit: int = 50) -> list[Queued]:
        """Claims that this key has not reviewed and that need eyes, the neediest first; up to 200."""
        params = {"kind": kind, "limit": str(limit)}
        return list((self._sender.get(ReviewQueue, "/v1/reviews/queue", params=params)).queue)

    def draw_sample(self, probability: float, *, since: str) -> int:
        """Puts each verdict since a time (RFC 3339) into the audit sample with this probability.

        Returns how many are new in it. A second draw with the same probability adds only newer verdicts.
        """
        body = {"probability": probability, "since": since}
        response = self._sender.request("POST", "/v1/reviews/sample", json=body)
        return int(response.json()["drawn"])

    def terms(self) -> TermList:
        """The tenant's term list, which the rules obey. The key needs the scope `text`."""
        return self._sender.get(TermList, "/v1/terms")

    def add_term(self, term: str, kind: TermKind = "ignore", *, reason: str | None = None) -> str:
        """Puts a term on the list unless it is on it; returns its id.

        No finding is about a term to "ignore"; the words of one to "keep_together" are read as one. Analyses
        obey it from now on; verdicts stay as they are.
        """
        body = given(kind=kind, term=term, reason=reason)
        response = self._sender.request("POST", "/v1/terms", json=body)
        return str(response.json()["term"])

    def remove_term(self, term_id: str) -> bool:
        """Takes a term off the list; False if it is not on it."""
        try:
            self._sender.request("DELETE", f"/v1/terms/{term_id}")
        except NotFound:
            return False
        return True
