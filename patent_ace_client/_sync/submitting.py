# Made from ../_async/submitting.py by `python -m tests.client_halves`; change that file.
"""Filing claim sets, one or many, and checking claims without filing them.

A retried submission carries the same idempotency key, so a lost answer makes no second filing.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final
from uuid import uuid4

from pydantic import PrivateAttr

from patent_ace_client._sync.reading import Reading
from patent_ace_client._sync.sending import Sender, parsed
from patent_ace_client.errors import Unreachable
from patent_ace_client.evaluations import Evaluation
from patent_ace_client.filings import Accepted, Filing, Progress, Result
from patent_ace_client.findings import Report
from patent_ace_client.literals import Jurisdiction, TermKind
from patent_ace_client.retrying import RETRIED
from patent_ace_client.uploads import Claims, File, body_of, chunks, expected_results, longest_pause

ACCEPTED: Final = 202
SARIF: Final = "application/sarif+json"


class Submission(Accepted):
    """A filing that was just accepted. `replayed` says that its idempotency key had filed it before."""

    _client: Reading = PrivateAttr()
    _replayed: bool = PrivateAttr(default=False)

    @property
    def replayed(self) -> bool:
        """Whether this is the answer to an earlier submission with the same key."""
        return self._replayed

    def wait(
        self, timeout_seconds: float | None = None, *, on_filing: Callable[[Filing], object] | None = None
    ) -> list[Evaluation]:
        """All evaluations, by claim, once they are settled: `Client.wait` for this filing."""
        return self._client.wait(self.filing, timeout_seconds=timeout_seconds, on_filing=on_filing)

    def watch(self, timeout_seconds: float | None = None) -> Iterator[Filing]:
        """The filing whenever it has changed, until it is settled."""
        for found in self._client.watch(self.filing, timeout_seconds=timeout_seconds):
            yield found


class Submitting(Reading):
    """What a key with the scope `submit` may do."""

    def submit(
        self,
        docket: str,
        claims: Claims | File,
        *,
        priority: int = 5,
        metadata: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
    ) -> Submission:
        """Files a claim set. The same key and content, sent again, name the same filing.

        A file has no metadata.
        """
        details = None if metadata is None else dict(metadata)
        body = body_of(claims, {"docket": docket, "priority": priority, "metadata": details})
        body["headers"]["Idempotency-Key"] = idempotency_key or str(uuid4())
        response = self._sender.request("POST", "/v1/filings", **body)
        accepted = parsed(Submission, response)
        accepted._client = self
        accepted._replayed = response.headers.get("Idempotent-Replayed") == "true"
        return accepted

    def submit_many(
        self,
        filings: Iterable[Mapping[str, Any]],
        *,
        idempotency_key: str | None = None,
        on_progress: Callable[[Progress], object] | None = None,
    ) -> Iterator[Result]:
        """Files many claim sets, each {docket, claims, priority?, metadata?} as in the API.

        `on_progress` is called after every batch of about a thousand.
        """
        lines = (json.dumps(filing).encode() + b"\n" for filing in filings)
        uploaded = self.submit_lines(lines, idempotency_key=idempotency_key, on_progress=on_progress)
        for found in uploaded:
            accepted = Accepted.model_validate(found) if found["status"] == ACCEPTED else None
            given = {"line": found["line"], "status": found["status"], "problem": found.get("problem")}
            yield Result(**given, accepted=accepted)

    def submit_lines(
        self,
        lines: Iterable[bytes],
        *,
        idempotency_key: str | None = None,
        on_progress: Callable[[Progress], object] | None = None,
    ) -> Iterator[dict[str, Any]]:
        """Files NDJSON lines as they are; yields {line, status, filing, evaluations | problem}.

        Send the same lines with the same key to resume an interrupted upload. Lines are sent in
        batches of about a thousand, so neither side holds them all.
        """
        key = idempotency_key or str(uuid4())
        first = 1
        done = accepted = 0
        for chunk in chunks(lines):
            results = upload(self._sender, chunk, f"{key}:{first}")
            done += len(results)
            accepted += sum(found["status"] == ACCEPTED for found in results)
            if on_progress is not None:
                on_progress(Progress(done=done, accepted=accepted))
            for found in results:
                yield {**found, "line": found["line"] + first - 1}
            first += len(chunk)

    def cancel(self, filing_id: str) -> list[str]:
        """Cancels the evaluations of a filing that have no verdict yet."""
        response = self._sender.request("POST", f"/v1/filings/{filing_id}/cancel")
        return [str(id_) for id_ in response.json()["cancelled"]]

    def check(
        self,
        claims: Claims | File,
        *,
        jurisdiction: Jurisdiction | None = None,
        threshold: float | None = None,
        graph: bool | None = None,
        terms: Mapping[TermKind, Sequence[str]] | None = None,
    ) -> Report:
        """What the rules find in claims, without filing them; "US" or "EPC" chooses the law.

        Findings with a confidence below `threshold` are left out. `terms` are obeyed in place of the tenant's
        list; a file cannot have any.
        """
        asked = {"jurisdiction": jurisdiction, "threshold": threshold, "graph": graph, "terms": terms}
        return self._sender.post(Report, "/v1/check", **body_of(claims, asked))

    def check_sarif(
        self,
        claims: Claims | File,
        *,
        jurisdiction: Jurisdiction | None = None,
        threshold: float | None = None,
        terms: Mapping[TermKind, Sequence[str]] | None = None,
    ) -> dict[str, Any]:
        """The same as a log of SARIF 2.1.0, for an editor."""
        body = body_of(claims, {"jurisdiction": jurisdiction, "threshold": threshold, "terms": terms})
        body["headers"]["Accept"] = SARIF
        log: dict[str, Any] = (self._sender.request("POST", "/v1/check", **body)).json()
        return log


def upload(sender: Sender, chunk: list[bytes], key: str) -> list[dict[str, Any]]:
    """The results of one chunk. Lines that met a full backlog or an outage are sent again with the rest.

    This goes on as long as each attempt gets further, then for the sender's retries.
    """
    headers = {"Content-Type": "application/x-ndjson", "Idempotency-Key": key}
    expected = expected_results(chunk)
    content = b"".join(chunk)
    attempt, done = 0, expected
    while True:
        response = sender.request("POST", "/v1/filings/bulk", content=content, headers=headers)
        results: list[dict[str, Any]] = [json.loads(line) for line in response.text.splitlines() if line]
        whole = len(results) == expected
        held_up = [one["problem"] for one in results if one["status"] in RETRIED]
        if whole and not held_up:
            return results
        before, done = done, len(results) - len(held_up)
        attempt = 0 if done > before else attempt
        if attempt == sender.retries:
            break
        reason = str(held_up[0].get("detail")) if held_up else "the API broke off its answer"
        sender.pause(attempt, longest_pause(held_up), reason)
        attempt += 1
    if not whole:
        raise Unreachable({"detail": "the API broke off its answer"})
    return results
