"""The client: one method for each thing that the API does.

A retried submission carries the same idempotency key, so a lost answer makes no second filing.
Every other request may be repeated because the API's operations are idempotent.
"""

import json
import math
import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Final, Self
from uuid import uuid4

import httpx

from ace.client.answers import (
    Accepted,
    ClaimText,
    Evaluation,
    Event,
    Filing,
    Key,
    ListedFiling,
    NewKey,
    NotFound,
    NotSettled,
    Result,
)
from ace.client.findings import Findings, Report
from ace.client.sending import Sender
from ace.client.uploads import Claims, File, body_of, chunks, upload

LONG_POLL_SECONDS: Final = 30
PAGE: Final = 200


class Client:
    """A connection to ACE for one tenant; close it, or use it in a `with` block.

    Retries wait as long as the server asks, or use exponential backoff with jitter. Raises `ApiError` and its
    kinds: `Unauthorised`, `Forbidden`, `NotFound`, `Invalid`, `Unreachable`, `TooMuch`.
    """

    def __init__(
        self,
        url: str,
        key: str,
        *,
        timeout_seconds: float = 30,
        retries: int = 5,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], object] = time.sleep,
        rng: random.Random | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock = clock
        self._sender = Sender(
            url,
            key,
            timeout_seconds=timeout_seconds,
            retries=retries,
            transport=transport,
            sleep=sleep,
            rng=rng,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._sender.close()

    def tell_pauses(self, on_pause: Callable[[float, str], object]) -> None:
        """Calls `on_pause` with the seconds and the reason before every wait from now on."""
        self._sender.on_pause = on_pause

    # Submitting

    def submit(
        self,
        docket: str,
        claims: Claims | File,
        *,
        priority: int = 5,
        metadata: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
    ) -> Accepted:
        """Files a claim set. The same key and content, sent again, name the same filing.

        A file has no metadata.
        """
        details = None if metadata is None else dict(metadata)
        body = body_of(claims, {"docket": docket, "priority": priority, "metadata": details})
        body["headers"]["Idempotency-Key"] = idempotency_key or str(uuid4())
        return Accepted.of(self._sender.json("POST", "/v1/filings", **body))

    def submit_many(
        self, filings: Iterable[Mapping[str, Any]], *, idempotency_key: str | None = None
    ) -> Iterator[Result]:
        """Files many claim sets, each {docket, claims, priority?, metadata?} as in the API."""
        lines = (json.dumps(filing).encode() + b"\n" for filing in filings)
        for found in self.submit_lines(lines, idempotency_key=idempotency_key):
            accepted = Accepted.of(found) if found["status"] == 202 else None
            yield Result(found["line"], found["status"], accepted, found.get("problem"))

    def submit_lines(
        self, lines: Iterable[bytes], *, idempotency_key: str | None = None
    ) -> Iterator[dict[str, Any]]:
        """Files NDJSON lines as they are; yields {line, status, filing, evaluations | problem}.

        Send the same lines with the same key to resume an interrupted upload. Lines are sent in
        batches of about a thousand, so neither side holds them all.
        """
        key = idempotency_key or str(uuid4())
        first = 1
        for chunk in chunks(lines):
            for found in upload(self._sender, chunk, f"{key}:{first}"):
                yield {**found, "line": found["line"] + first - 1}
            first += len(chunk)

    # Checking

    def check(
        self,
        claims: Claims | File,
        *,
        jurisdiction: str | None = None,
        threshold: float | None = None,
        graph: bool | None = None,
    ) -> Report:
        """What the rules find in claims, without filing them; "US" or "EPC" chooses the law.

        Findings with a confidence below `threshold` are left out.
        """
        asked = {"jurisdiction": jurisdiction, "threshold": threshold, "graph": graph}
        return Report.of(self._sender.json("POST", "/v1/check", **body_of(claims, asked)))

    def findings(self, evaluation_id: str) -> Findings:
        """What the rules find in the claim of an evaluation, whatever its verdict."""
        return Findings.of(self._sender.json("GET", f"/v1/evaluations/{evaluation_id}/findings"))

    # Reading

    def filing(self, filing_id: str, *, wait_seconds: int | None = None) -> Filing:
        """A filing; with `wait_seconds`, once all of it is settled or the time is up."""
        path = f"/v1/filings/{filing_id}"
        return Filing.of(self._sender.json("GET", path, wait_seconds=wait_seconds))

    def evaluation(self, evaluation_id: str, *, wait_seconds: int | None = None) -> Evaluation:
        """An evaluation; with `wait_seconds`, once it is settled or the time is up."""
        path = f"/v1/evaluations/{evaluation_id}"
        return Evaluation.of(self._sender.json("GET", path, wait_seconds=wait_seconds))

    def find_evaluation(self, evaluation_id: str) -> Evaluation | None:
        """An evaluation, or None if no evaluation has that id."""
        try:
            return self.evaluation(evaluation_id)
        except NotFound:
            return None

    def evaluations(
        self,
        *,
        state: str | None = None,
        verdict: str | None = None,
        ground: str | None = None,
        disputed: bool = False,
        docket: str | None = None,
        filing: str | None = None,
    ) -> Iterator[Evaluation]:
        """Matching evaluations, newest first; pages are fetched as needed.

        `ground` selects Fails that would draw a "rejection" or an "objection", `disputed` those whose
        expert verdict is disputed.
        """
        given = {
            "state": state,
            "verdict": verdict,
            "ground": ground,
            "docket": docket,
            "filing": filing,
        }
        params = {name: value for name, value in given.items() if value is not None}
        if disputed:
            params["disputed"] = "true"
        yield from map(Evaluation.of, self._pages("evaluations", params))

    def filings(
        self,
        *,
        docket: str | None = None,
        since: str | None = None,
        state: str | None = None,
        verdict: str | None = None,
        decided_by: str | None = None,
        error_class: str | None = None,
        error: str | None = None,
        disputed: bool = False,
    ) -> Iterator[ListedFiling]:
        """Matching filings, newest first; pages are fetched as needed. `since` is RFC 3339.

        The filters from `state` on select filings with an evaluation to which all of them apply.
        """
        given = {
            "docket": docket,
            "since": since,
            "state": state,
            "verdict": verdict,
            "decided_by": decided_by,
            "error_class": error_class,
            "error": error,
            "disputed": "true" if disputed else None,
        }
        params = {name: value for name, value in given.items() if value is not None}
        yield from map(ListedFiling.of, self._pages("filings", params))

    def claims(self, filing_id: str) -> list[ClaimText]:
        """The claims of a filing, by number; needs a key with the scope text."""
        body = self._sender.json("GET", f"/v1/filings/{filing_id}/claims")
        return [ClaimText.of(one) for one in body["claims"]]

    def _pages(self, name: str, params: Mapping[str, str]) -> Iterator[dict[str, Any]]:
        """The entries of a list, page by page."""
        cursor: dict[str, str] = {}
        while True:
            page = self._sender.json("GET", f"/v1/{name}", params={**params, **cursor, "limit": str(PAGE)})
            yield from page[name]
            if page["next"] is None:
                return
            cursor = {"cursor": page["next"]}

    def events(self, evaluation_id: str) -> list[Event]:
        """The audit trail of an evaluation, in order."""
        body = self._sender.json("GET", f"/v1/evaluations/{evaluation_id}/events")
        return [Event.of(one) for one in body["events"]]

    def wait(
        self,
        filing_id: str,
        *,
        timeout_seconds: float | None = None,
        on_progress: Callable[[int, int], object] | None = None,
        on_filing: Callable[[Filing], object] | None = None,
    ) -> list[Evaluation]:
        """All evaluations of a filing, by claim, once they are settled.

        About once a second, `on_progress` is called with the settled count and the total, and `on_filing`
        with the filing, which says what waits and why. Raises `NotSettled` after `timeout_seconds`.
        """
        watched = on_progress is not None or on_filing is not None
        poll_seconds = 1 if watched else LONG_POLL_SECONDS
        deadline = math.inf if timeout_seconds is None else self._clock() + timeout_seconds
        while True:
            left = max(0.0, deadline - self._clock())
            found = self.filing(filing_id, wait_seconds=math.ceil(min(poll_seconds, left)))
            if on_progress is not None:
                on_progress(found.settled_count, len(found.evaluations))
            if on_filing is not None:
                on_filing(found)
            if found.settled:
                return sorted(self.evaluations(filing=filing_id), key=lambda one: (one.claim, one.id))
            if timeout_seconds is not None and left == 0:
                raise NotSettled(found, timeout_seconds)

    # Replaying and cancelling

    def replay(self, evaluation_id: str) -> list[str]:
        """Runs a failed evaluation again; empty if it was not failed."""
        body = self._sender.json("POST", f"/v1/evaluations/{evaluation_id}/replay")
        return [str(id_) for id_ in body["replayed"]]

    def replay_where(
        self,
        *,
        error: str | None = None,
        docket: str | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int = 1_000,
    ) -> list[str]:
        """Runs the oldest matching failed evaluations again; times are RFC 3339.

        Never retried: a second request would replay the next ones that failed.
        """
        given = {"error": error, "docket": docket, "since": since, "until": until}
        which = {name: value for name, value in given.items() if value is not None}
        content = json.dumps({"filter": which, "limit": limit}).encode()
        headers = {"Content-Type": "application/json"}
        body = self._sender.json("POST", "/v1/replays", retries=0, content=content, headers=headers)
        return [str(id_) for id_ in body["replayed"]]

    def cancel(self, filing_id: str) -> list[str]:
        """Cancels the evaluations of a filing that have no verdict yet."""
        body = self._sender.json("POST", f"/v1/filings/{filing_id}/cancel")
        return [str(id_) for id_ in body["cancelled"]]

    # Keys, for a key with the scope admin

    def make_key(
        self, label: str, *, scopes: Sequence[str] | None = None, requests_per_second: float | None = None
    ) -> NewKey:
        """Creates a key of the same tenant. It is shown only once; the request is never retried."""
        given = {"label": label, "scopes": scopes, "requests_per_second": requests_per_second}
        content = json.dumps({name: value for name, value in given.items() if value is not None}).encode()
        headers = {"Content-Type": "application/json"}
        return NewKey.of(self._sender.json("POST", "/v1/keys", retries=0, content=content, headers=headers))

    def list_keys(self) -> list[Key]:
        """The tenant's active keys, oldest first."""
        return [Key.of(one) for one in self._sender.json("GET", "/v1/keys")["keys"]]

    def revoke_key(self, key_id: str) -> bool:
        """Revokes a key immediately; False if it was already revoked."""
        return bool(self._sender.json("POST", f"/v1/keys/{key_id}/revoke")["revoked"])
