# Made from ../_async/reviewing.py by `python -m tests.client_halves`; change that file.
"""Saying whether verdicts and findings are right, and finding those that most need eyes."""

from collections.abc import Mapping

from ace_client._sync.connection import Connection
from ace_client._sync.pages import Pages
from ace_client._sync.sending import given
from ace_client.literals import Answer, Label, Queue, ReviewStatus
from ace_client.model import Span
from ace_client.reviewing import FindingRef, Queued, Review, ReviewPage, ReviewQueue


class Reviewing(Connection):
    """What keys with the scopes `read` and `review` may do with reviews."""

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
