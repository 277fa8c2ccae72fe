"""Looking at filings and evaluations, and waiting for them."""

import math
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Final

from patent_ace_client._async.connection import AsyncConnection
from patent_ace_client._async.pages import AsyncPages
from patent_ace_client._async.sending import NOT_MODIFIED, given, parsed
from patent_ace_client.errors import NotFound, NotSettled
from patent_ace_client.evaluations import Evaluation, EvaluationPage, Event, Events
from patent_ace_client.filings import ClaimText, Filing, FilingClaims, FilingPage, ListedFiling
from patent_ace_client.findings import Findings
from patent_ace_client.literals import DecidedBy, ErrorClass, ExportFormat, Ground, Reviewed, State, Verdict

LONG_POLL_SECONDS: Final = 30
WATCH_SECONDS: Final = 1


class AsyncReading(AsyncConnection):
    """What a key with the scope `read` may do; claims need the scope `text`."""

    async def filing(self, filing_id: str, *, wait_seconds: int | None = None) -> Filing:
        """A filing; with `wait_seconds`, once all of it is settled or the time is up."""
        return await self._sender.get(Filing, f"/v1/filings/{filing_id}", wait_seconds=wait_seconds)

    async def evaluation(self, evaluation_id: str, *, wait_seconds: int | None = None) -> Evaluation:
        """An evaluation; with `wait_seconds`, once it is settled or the time is up."""
        path = f"/v1/evaluations/{evaluation_id}"
        return await self._sender.get(Evaluation, path, wait_seconds=wait_seconds)

    async def find_evaluation(self, evaluation_id: str) -> Evaluation | None:
        """An evaluation, or None if no evaluation has that id."""
        try:
            return await self.evaluation(evaluation_id)
        except NotFound:
            return None

    def evaluations(
        self,
        *,
        state: State | None = None,
        verdict: Verdict | None = None,
        ground: Ground | None = None,
        decided_by: DecidedBy | None = None,
        error_class: ErrorClass | None = None,
        error: str | None = None,
        disputed: bool = False,
        docket: str | None = None,
        filing: str | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
    ) -> AsyncPages[Evaluation]:
        """Matching evaluations, newest first; pages are fetched as needed.

        `ground` and `error_class` select Fails, `disputed` disputed verdicts, `since` and `until` (RFC 3339)
        the time of the last change.
        """
        params = given(
            state=state,
            verdict=verdict,
            ground=ground,
            decided_by=decided_by,
            error_class=error_class,
            error=error,
            disputed="true" if disputed else None,
            docket=docket,
            filing=filing,
            since=since,
            until=until,
        )
        return AsyncPages(self._evaluations, params, limit)

    async def _evaluations(self, params: Mapping[str, str]) -> tuple[tuple[Evaluation, ...], str | None]:
        page = await self._sender.get(EvaluationPage, "/v1/evaluations", params=params)
        return page.evaluations, page.next

    def filings(
        self,
        *,
        docket: str | None = None,
        since: str | None = None,
        until: str | None = None,
        state: State | None = None,
        verdict: Verdict | None = None,
        decided_by: DecidedBy | None = None,
        error_class: ErrorClass | None = None,
        error: str | None = None,
        disputed: bool = False,
        model: str | None = None,
        reviewed: Reviewed | None = None,
        limit: int | None = None,
    ) -> AsyncPages[ListedFiling]:
        """Matching filings, newest first; pages are fetched as needed.

        `since` and `until` (RFC 3339) are times of submission. The filters after them select filings with an
        evaluation to which all of these apply; `model` is a revision of the gatekeeper.
        """
        params = given(
            docket=docket,
            since=since,
            until=until,
            state=state,
            verdict=verdict,
            decided_by=decided_by,
            error_class=error_class,
            error=error,
            disputed="true" if disputed else None,
            model=model,
            reviewed=reviewed,
        )
        return AsyncPages(self._filings, params, limit)

    async def _filings(self, params: Mapping[str, str]) -> tuple[tuple[ListedFiling, ...], str | None]:
        page = await self._sender.get(FilingPage, "/v1/filings", params=params)
        return page.filings, page.next

    async def claims(self, filing_id: str) -> tuple[ClaimText, ...]:
        """The claims of a filing, by number; needs a key with the scope text."""
        return (await self._sender.get(FilingClaims, f"/v1/filings/{filing_id}/claims")).claims

    async def report(
        self,
        filing_id: str,
        format: ExportFormat = "json",  # noqa: A002  # as in the API
    ) -> bytes:
        """A filing with its verdicts and findings as a file; needs a key with the scope text too.

        "docx" has the claims with comments at the findings, "html" is a page that prints, "csv" has a row for
        each finding, and "svg" is the graph of the claims.
        """
        path = f"/v1/filings/{filing_id}/report"
        return (await self._sender.request("GET", path, params={"format": format})).content

    async def findings(self, evaluation_id: str) -> Findings:
        """What the rules find in the claim of an evaluation, whatever its verdict."""
        return await self._sender.get(Findings, f"/v1/evaluations/{evaluation_id}/findings")

    async def events(self, evaluation_id: str) -> tuple[Event, ...]:
        """The audit trail of an evaluation, in order."""
        return (await self._sender.get(Events, f"/v1/evaluations/{evaluation_id}/events")).events

    async def watch(
        self, filing_id: str, *, timeout_seconds: float | None = None, poll_seconds: int = WATCH_SECONDS
    ) -> AsyncIterator[Filing]:
        """A filing now, and again whenever it has changed, until it is settled.

        Raises `NotSettled` after `timeout_seconds`. The server is asked every `poll_seconds`, and answers
        earlier when the filing settles.
        """
        deadline = math.inf if timeout_seconds is None else self._clock() + timeout_seconds
        headers: dict[str, str] = {}
        last: Filing | None = None
        while True:
            left = max(0.0, deadline - self._clock())
            wait = math.ceil(min(poll_seconds, left)) if last is not None else 0
            path = f"/v1/filings/{filing_id}"
            response = await self._sender.request("GET", path, wait_seconds=wait, headers=headers)
            if response.status_code != NOT_MODIFIED:
                last = parsed(Filing, response)
                headers = {"If-None-Match": tag} if (tag := response.headers.get("ETag")) else {}
                yield last
                if last.settled:
                    return
            if timeout_seconds is not None and left == 0 and last is not None:
                raise NotSettled(last, timeout_seconds)

    async def wait(
        self,
        filing_id: str,
        *,
        timeout_seconds: float | None = None,
        on_filing: Callable[[Filing], object] | None = None,
    ) -> list[Evaluation]:
        """The evaluations that count for the claims of a filing, by claim, once all are settled.

        `on_filing` is called with the filing whenever it has changed; it says what waits and why. Raises
        `NotSettled` after `timeout_seconds`.
        """
        poll = LONG_POLL_SECONDS if on_filing is None else WATCH_SECONDS
        async for found in self.watch(filing_id, timeout_seconds=timeout_seconds, poll_seconds=poll):
            if on_filing is not None:
                on_filing(found)
        counting = {one.id for one in found.evaluations}
        every = await self.evaluations(filing=filing_id).all()
        return sorted((one for one in every if one.id in counting), key=lambda one: (one.claim, one.id))
