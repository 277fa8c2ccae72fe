# Made from ../_async/listening.py by `python -m tests.client_halves`; change that file.
"""Hearing what happens: the feed of events, hints, and webhooks."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from typing import Final, Literal

from pydantic import ValidationError

from patent_ace_client._sync.connection import Connection
from patent_ace_client._sync.pages import LARGEST_PAGE, Pages
from patent_ace_client._sync.sending import given, parsed
from patent_ace_client.errors import ApiError, NotFound
from patent_ace_client.hooks import Delivery, DeliveryPage, NewSecret, NewWebhook, Webhook, Webhooks
from patent_ace_client.literals import DeliveryState, NoticeKind
from patent_ace_client.notices import Notice, NoticePage, StreamedNotice
from patent_ace_client.retrying import is_passing
from patent_ace_client.server_sent import EventLines, ServerSent

LONGEST_STREAM_SECONDS: Final = 600


def _notice(sent: ServerSent) -> StreamedNotice:
    """An event of a stream. Raises `ApiError` if it is not as this version of the client knows it."""
    try:
        return StreamedNotice(**Notice.model_validate_json(sent.data).model_dump(), cursor=sent.id)
    except ValidationError:
        raise ApiError({"detail": "an event is not as this version of the client knows it"}) from None


class Listening(Connection):
    """What a key with the scope `webhooks` may do; the feed and hints need the scope `read`."""

    def notices(
        self,
        *,
        cursor: str | None = None,
        start: Literal["latest"] | None = None,
        wait_seconds: int | None = None,
    ) -> Iterator[NoticePage]:
        """Pages of what has happened, oldest first, after a `cursor`: the `next` of an earlier page.

        Without a cursor it begins with the first event, or with "latest" at the end. It ends when everything
        is read, or with `wait_seconds` (up to 60) never: then each page comes as soon as it has an event, or
        empty after so long. No event is missed or repeated.
        """
        params = given(cursor=cursor, start=start)
        while True:
            params["limit"] = str(LARGEST_PAGE)
            page = self._sender.get(NoticePage, "/v1/events", params=params, wait_seconds=wait_seconds)
            yield page
            if wait_seconds is None and len(page.events) < LARGEST_PAGE:
                return
            params = {"cursor": page.next}

    def stream_notices(
        self, *, cursor: str | None = None, start: Literal["latest"] | None = None
    ) -> Generator[StreamedNotice]:
        """Each thing that happens, as soon as it does, after a `cursor`: that of an earlier event or page.

        Without a cursor it begins with the first event, or with "latest" with what happens from now on. It
        never ends: a stream that ends or breaks is opened again after the last event that came, so that none
        is missed or repeated. Raises `ApiError` if that is refused, or fails too often in a row.
        """
        if start is not None and cursor is None:
            params = {"start": start, "limit": "1"}
            cursor = (self._sender.get(NoticePage, "/v1/events", params=params)).next
        attempt = 0
        while True:
            stream = EventLines()
            where = {"Last-Event-ID": cursor} if cursor else None
            try:
                with closing(self._sender.lines("/v1/events", headers=where)) as lines:
                    for line in lines:
                        attempt = 0
                        sent = stream.take(line)
                        if sent is not None:
                            cursor = sent.id
                            yield _notice(sent)
                wait, why = stream.retry_seconds, "the stream of events ended"
            except ApiError as fault:
                if attempt == self._sender.retries or not is_passing(fault):
                    raise
                wait, why = fault.problem.get("retry_after"), str(fault)
            self._sender.pause(attempt, wait, why)
            attempt += 1

    def hints(self, *, filing: str | None = None, seconds: int = LONGEST_STREAM_SECONDS) -> Generator[None]:
        """Comes round at once, and whenever claims of the tenant, or of the filing, have moved.

        It is one stream, which the server ends after `seconds` (up to 600): then call this again. Close it to
        end it earlier. Raises `Unreachable` if it breaks.
        """
        params = {**given(filing=filing), "seconds": str(seconds)}
        for line in self._sender.lines("/v1/hints", params=params):
            if line == "event: filings":
                yield None

    def webhooks(self) -> list[Webhook]:
        """The tenant's webhooks, oldest first."""
        return list((self._sender.get(Webhooks, "/v1/webhooks")).webhooks)

    def webhook(self, webhook_id: str) -> Webhook:
        """A webhook, and how it is doing."""
        return self._sender.get(Webhook, f"/v1/webhooks/{webhook_id}")

    def make_webhook(
        self, url: str, *, events: Sequence[NoticeKind] | None = None, description: str | None = None
    ) -> NewWebhook:
        """Has events sent to a URL from now on, by default all kinds.

        The secret that signs them is shown only once; the request is never retried.
        """
        body = given(url=url, events=events, description=description)
        return self._sender.post(NewWebhook, "/v1/webhooks", retries=0, json=body)

    def change_webhook(
        self,
        webhook_id: str,
        *,
        url: str | None = None,
        events: Sequence[NoticeKind] | None = None,
        description: str | None = None,
        enabled: bool | None = None,
    ) -> Webhook:
        """Changes what is given. Disabling one fails what waits for it."""
        body = given(url=url, events=events, description=description, enabled=enabled)
        return parsed(Webhook, self._sender.request("PATCH", f"/v1/webhooks/{webhook_id}", json=body))

    def delete_webhook(self, webhook_id: str) -> bool:
        """Deletes a webhook; False if there is none with this id."""
        try:
            self._sender.request("DELETE", f"/v1/webhooks/{webhook_id}")
        except NotFound:
            return False
        return True

    def rotate_webhook_secret(self, webhook_id: str) -> NewSecret:
        """A new secret; those of before sign for 24 hours more. Never retried."""
        return self._sender.post(NewSecret, f"/v1/webhooks/{webhook_id}/secrets", retries=0)

    def deliveries(
        self, webhook_id: str, *, state: DeliveryState | None = None, limit: int | None = None
    ) -> Pages[Delivery]:
        """What was sent to a webhook, newest first, with every attempt; pages are fetched as needed."""

        def fetch(params: Mapping[str, str]) -> tuple[tuple[Delivery, ...], str | None]:
            path = f"/v1/webhooks/{webhook_id}/deliveries"
            page = self._sender.get(DeliveryPage, path, params=params)
            return page.deliveries, page.next

        return Pages(fetch, given(state=state), limit)

    def replay_delivery(self, webhook_id: str, event_id: str) -> int:
        """Sends one event again; 0 if it is still waiting. Never retried."""
        path = f"/v1/webhooks/{webhook_id}/deliveries/{event_id}/replay"
        response = self._sender.request("POST", path, retries=0)
        return int(response.json()["replayed"])

    def replay_deliveries(self, webhook_id: str, *, since: str, limit: int = 10_000) -> int:
        """Sends failed events since a time (RFC 3339) again, the oldest first; how many. Never retried."""
        path = f"/v1/webhooks/{webhook_id}/replays"
        response = self._sender.request("POST", path, retries=0, json={"since": since, "limit": limit})
        return int(response.json()["replayed"])
