"""deliver: sends the deliveries of one message to their webhook, and stores what came of them."""

import logging
import random
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final, Protocol
from uuid import UUID

from sqlalchemy import Connection, Engine

from ace import tracing
from ace.errors import NotConfigured
from ace.flow.leased import Holding, persist, wake
from ace.store import moves
from ace.store.database import transact
from ace.webhooks import payloads, signing
from ace.webhooks.schedule import SCHEDULE_SECONDS, Answer, Next, next_of
from ace.webhooks.urls import UrlRefused

log = logging.getLogger(__name__)

FAILURES_IN_A_ROW: Final = 3
"""After which the receiver gets nothing more with this message."""

MESSAGE_SECONDS: Final = 60.0
"""After which the rest of a message is given back: a slow receiver keeps no thread for longer."""


class Posts(Protocol):
    """A connection to a receiver: `ace.webhooks.sending.Receiver`."""

    def post(self, body: bytes, headers: dict[str, str]) -> Answer: ...


Reached = Callable[[str], AbstractContextManager[Posts]]
"""Opens a connection to a URL; raises UrlRefused."""


@dataclass(frozen=True, slots=True)
class Attempts:
    """What came of a message: the attempts in order, and what the last one says about the webhook."""

    made: Sequence[moves.Attempted]
    last: Next


def deliver(
    db: Engine,
    *,
    token: UUID,
    reached: Reached,
    masters: Sequence[bytes],
    holding: Holding,
    lease_seconds: float,
    worker: str,
    schedule: Sequence[float] = SCHEDULE_SECONDS,
    rng: random.Random,
) -> None:
    """Sends what the lease `token` is for, in the order of the feed, until the receiver is in trouble.

    What is left then is due as before. A delivery may be repeated if the worker is lost between the request
    and the commit; its event keeps its id. `masters` are the values of ACE_SECRET that secrets may come from.
    """
    message = transact(
        db, partial(_take_up, token=token, lease_seconds=lease_seconds, worker=worker), durable=False
    )
    if message is None:
        return
    of = [one.traceparent for one in message.deliveries]
    webhook = str(message.webhook_id)
    with (
        holding(token),
        tracing.span("deliver", of=of, message=str(token), deliveries=len(of), webhook=webhook) as note,
    ):
        attempts = _attempt_all(message, reached, masters, schedule, rng)
        note(accepted=sum(one.accepted for one in attempts.made))
        store = partial(
            moves.delivered,
            token=token,
            webhook_id=message.webhook_id,
            attempted=attempts.made,
            gone=attempts.last.gone,
            pause_seconds=attempts.last.pause_seconds,
        )
        disabled = persist(db, store)
    if disabled is not None:
        log.warning("a webhook was disabled", extra={"webhook": webhook, "why": disabled})
    wake(db)


def _take_up(
    connection: Connection, token: UUID, lease_seconds: float, worker: str
) -> moves.HeldMessage | None:
    if not moves.start(connection, token, worker=worker, lease_seconds=lease_seconds):
        return None
    message = moves.held_message(connection, token)
    if message is None or not message.deliveries:
        moves.release(connection, [token], actor=worker, worker=worker)
        return None
    return message


def _attempt_all(
    message: moves.HeldMessage,
    reached: Reached,
    masters: Sequence[bytes],
    schedule: Sequence[float],
    rng: random.Random,
) -> Attempts:
    """Attempts in order, until the receiver has no answer, asks for a pause or refuses several in a row."""
    began = time.monotonic()
    made: list[moves.Attempted] = []
    last, in_a_row = Next(accepted=True), 0

    def note(delivery: moves.HeldDelivery, at: datetime, answer: Answer) -> Next:
        outcome = next_of(answer, delivery.tried, schedule=schedule, rng=rng)
        record = _record(at, answer)
        made.append(moves.Attempted(delivery.event_id, outcome.accepted, outcome.delay_seconds, record))
        return outcome

    try:
        secrets = signing.secrets_of(masters, message.secrets)
        with reached(message.url) as receiver:
            for delivery in message.deliveries:
                at = message.at + timedelta(seconds=time.monotonic() - began)
                last = note(delivery, at, _attempt(receiver, delivery, at, secrets))
                in_a_row = 0 if last.accepted else in_a_row + 1
                if last.gone or last.pause_seconds is not None or in_a_row == FAILURES_IN_A_ROW:
                    break
                if time.monotonic() - began > MESSAGE_SECONDS:
                    break
    except (NotConfigured, UrlRefused) as fault:  # before anything was sent
        log.error("a webhook cannot be used", extra={"webhook": str(message.webhook_id), "why": str(fault)})
        word = "refused_url" if isinstance(fault, UrlRefused) else "no_secret"
        last = note(message.deliveries[0], message.at, Answer(fault=word))
    return Attempts(made, last)


def _attempt(receiver: Posts, delivery: moves.HeldDelivery, at: datetime, secrets: Sequence[bytes]) -> Answer:
    body = payloads.body_of(delivery.kind, delivery.at, delivery.told)
    return receiver.post(body, signing.headers(delivery.event_id, at, body, secrets))


def _record(at: datetime, answer: Answer) -> dict[str, Any]:
    """What is kept of an attempt: never what the receiver says."""
    return {"at": at.isoformat(), "status": answer.status, "fault": answer.fault, "seconds": answer.seconds}
