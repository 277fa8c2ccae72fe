"""The clients of a chaos run: a webhook receiver that fails at random, and a reader of the feed that
reconnects at random. Once the faults end, the receiver must have every event, and the reader each of them
once, in order."""

import json
import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Final

import httpx
from sqlalchemy import Connection, text

from ace.processes import wait_until
from patent_ace_client.webhooks import NotVerified, verify
from tests.receivers import Receiver, Reply, Sent, receiving

RETRY_SECONDS: Final = ",".join(["0.2", "0.5", "1", "1", "2"] + ["2"] * 200)
"""Instead of three days, in as many attempts as chance may need."""
FAULTY_SHARE: Final = 0.2
SLOW_SHARE: Final = 0.003
TIMEOUT_SECONDS: Final = 2.0
"""Of a delivery; a slow receiver answers after it, when the delivery is already due again."""
LEAVING_SHARE: Final = 0.01  # after each event, the reader goes away and comes back
CAUGHT_UP_SECONDS: Final = 60

# Evaluations whose feed does not say exactly what their trail says.
UNTOLD: Final = """
SELECT count(*) FROM (
  SELECT evaluation_id, 'evaluation.' || after AS kind, count(*) AS n FROM events
  WHERE after IN ('decided', 'failed', 'cancelled') GROUP BY 1, 2) AS moved
FULL JOIN (
  SELECT evaluation_id, kind, count(*) AS n FROM notices
  WHERE evaluation_id IS NOT NULL GROUP BY 1, 2) AS told
USING (evaluation_id, kind) WHERE moved.n IS DISTINCT FROM told.n"""
UNSETTLED: Final = """
SELECT count(*) FROM filings f WHERE NOT EXISTS (
  SELECT FROM notices WHERE filing_id = f.id AND kind = 'filing.settled' AND moves = (
    SELECT sum(moves) FROM evaluations WHERE filing_id = f.id))"""


class Reader:
    """Reads the feed as a stream, from a thread, until it is ended; a connection may break at any time."""

    def __init__(self, url: str, key: str, rng: random.Random) -> None:
        self.ids: list[str] = []
        self._url = f"{url}/v1/events"
        self._headers = {"Authorization": f"Bearer {key}", "Accept": "text/event-stream"}
        self._rng = rng
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="reader", daemon=True)
        self._thread.start()

    def end(self) -> None:
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ended.is_set():
            try:
                with (
                    httpx.Client(timeout=5, trust_env=False) as client,
                    client.stream("GET", self._url, headers=self._headers) as answer,
                ):
                    self._read(answer.iter_lines())
            except (httpx.HTTPError, httpx.StreamError):
                pass
            self._ended.wait(0.1)

    def _read(self, lines: Iterator[str]) -> None:
        cursor = ""
        for line in lines:
            name, _, value = line.partition(": ")
            if name == "id":
                cursor = value
            elif name == "data":
                self.ids.append(json.loads(value)["id"])
                self._headers["Last-Event-ID"] = cursor
                if self._rng.random() < LEAVING_SHARE:
                    return
            if self._ended.is_set():
                return


class Audience:
    """The receiver and the reader of one run."""

    def __init__(self, receiver: Receiver, url: str, key: str, rng: random.Random) -> None:
        headers = {"Authorization": f"Bearer {key}"}
        made = httpx.post(f"{url}/v1/webhooks", json={"url": receiver.url}, headers=headers, timeout=60)
        self._receiver = receiver
        self._secret = made.raise_for_status().json()["secret"]
        self._reader = Reader(url, key, rng)

    def figures(self, connection: Connection) -> dict[str, int]:
        """What was missed, repeated or forged; and how often an event came more than once."""
        ids = list(connection.execute(text("SELECT id::text FROM notices ORDER BY number")).scalars())
        try:
            wait_until(
                lambda: len(self._reader.ids) >= len(ids), seconds=CAUGHT_UP_SECONDS, what="the reader"
            )
        finally:
            self._reader.end()
        came = self._receiver.ids()
        return {
            "events": len(ids),
            "events_untold": connection.execute(text(UNTOLD)).scalar_one(),
            "filings_untold": connection.execute(text(UNSETTLED)).scalar_one(),
            "undelivered": len(set(ids) - set(came)),
            "forged": sum(not self._holds(sent) for sent in self._receiver.came),
            "misread": int(self._reader.ids != ids),
            "delivered_again": len(came) - len(set(came)),
        }

    def end(self) -> None:
        self._reader.end()

    def _holds(self, sent: Sent) -> bool:
        try:
            verify(
                sent.body, sent.headers, [self._secret], now=lambda: int(sent.headers["webhook-timestamp"])
            )
        except NotVerified:
            return False
        return True


@contextmanager
def audience(url: str, key: str, rng: random.Random) -> Iterator[Audience]:
    """Both, from now on. A fifth of the requests meet a fault, and a few an answer that comes too late."""
    faults = [Reply(500), Reply(503, {"Retry-After": "0"}), Reply(reset=True), Reply(307, {"Location": url})]

    late = Reply(after=partial(time.sleep, 1.5 * TIMEOUT_SECONDS))

    def reply(_: Sent) -> Reply:
        drawn = rng.random()
        return late if drawn < SLOW_SHARE else rng.choice(faults) if drawn < FAULTY_SHARE else Reply()

    with receiving(reply) as receiver:
        listening = Audience(receiver, url, key, rng)
        try:
            yield listening
        finally:
            listening.end()
