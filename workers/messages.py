"""What a worker takes from its queue, checked at the edge: anything but a message of ACE's ends there.

Celery would end the process over what it cannot read, and log what it does not know. So its transport passes
on messages made anew from a token and ids, and drops what has none. A message that the broker refuses to give
is asked for again after a pause.
"""

import base64
import json
import logging
import time
from collections.abc import Callable
from queue import Empty
from typing import Any, Final, Literal
from uuid import UUID, uuid4

import kombu
from celery.app.amqp import AMQP
from kombu.transport import redis as kombu_redis
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from redis.exceptions import ResponseError

from ace import tracing
from ace.store.tables import WEBHOOKS, Stage
from ace.types import outages

log = logging.getLogger(__name__)

TASKS: Final[dict[str, str]] = {Stage.FAST: "ace.screen", Stage.SLOW: "ace.examine", WEBHOOKS: "ace.deliver"}
"""The task of each queue."""

REFUSED_SECONDS: Final = 1.0  # until the broker is asked again after it has refused
REPORT_SECONDS: Final = 10.0  # between two log lines about that
MAX_BODY_CHARACTERS: Final = 16_000_000  # of a message's body, which has 52 for each claim

Dropped = Callable[[str], object]
"""Is told the queue of a message that was dropped."""


class Lease(BaseModel):
    """What a message says: the token of a lease, what it covers, and whether nothing may run beside it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    token: UUID
    ids: list[UUID]
    alone: bool = Field(strict=True)


class _Headers(BaseModel):
    """Of Celery's headers, those that matter."""

    task: str
    compression: None = None
    traceparent: str | None = Field(None, alias=tracing.HEADER, max_length=100)


class _Properties(BaseModel):
    body_encoding: Literal["base64"]


class _Envelope(BaseModel):
    """Kombu's wrapping around a body that Celery wrote."""

    body: str = Field(max_length=MAX_BODY_CHARACTERS)
    content_type: Literal["application/json"] = Field(alias="content-type")
    content_encoding: Literal["utf-8"] = Field(alias="content-encoding")
    headers: _Headers
    properties: _Properties


_BODY: Final = TypeAdapter(tuple[tuple[()], Lease, dict[str, Any]])


def checked(queue: str, raw: object) -> dict[str, Any]:
    """The message that `raw` stands for, made anew. Raises ValueError if it is none for this queue."""
    envelope = _Envelope.model_validate(raw)
    if envelope.headers.task != TASKS.get(queue):
        raise ValueError("not a task of this queue")
    _, lease, _ = _BODY.validate_json(base64.b64decode(envelope.body, validate=True))
    return _message(queue, lease, envelope.headers.traceparent)


def _message(queue: str, lease: Lease, traceparent: str | None) -> dict[str, Any]:
    """A message as Celery and kombu would have written it (version 2 of Celery's protocol)."""
    token = str(lease.token)
    body = json.dumps([[], lease.model_dump(mode="json"), {}])
    return {
        "body": base64.b64encode(body.encode()).decode(),
        "content-type": "application/json",
        "content-encoding": "utf-8",
        "headers": {
            "lang": "py",
            "task": TASKS[queue],
            "id": token,
            "root_id": token,
            "retries": 0,
            "timelimit": [None, None],
            "argsrepr": "",
            "kwargsrepr": "",
            tracing.HEADER: traceparent,
        },
        "properties": {
            "body_encoding": "base64",
            "correlation_id": token,
            "delivery_tag": str(uuid4()),
            "delivery_info": {"exchange": "", "routing_key": queue},
        },
    }


class _Channel(kombu_redis.Channel):  # type: ignore[misc]  # kombu has no types
    """Takes messages from lists, and stays when one cannot be read or the broker refuses."""

    reported_at = float("-inf")

    def _brpop_read(self, **options: Any) -> Any:
        """Reads what the broker answers. Raises Empty if that is no message."""
        try:
            return super()._brpop_read(**options)
        except (Empty, *self.connection_errors):
            raise
        except ResponseError as error:
            self._refused(error)
        except Exception as error:  # whatever its parsers raise over bytes of somebody else's
            self.connection.drop("", error)
        raise Empty

    def _refused(self, error: ResponseError) -> None:
        now = time.monotonic()
        if now - self.reported_at >= REPORT_SECONDS:
            self.reported_at = now
            cause = outages.of_redis(error)
            log.warning("the broker gives no messages", extra={"part": "redis", "cause": cause})
        time.sleep(REFUSED_SECONDS)


class _Transport(kombu_redis.Transport):  # type: ignore[misc]
    Channel = _Channel

    def _deliver(self, message: object, queue: str) -> None:
        try:
            made = checked(queue, message)
        except (ValidationError, ValueError) as error:
            self.drop(queue, error)
        else:
            super()._deliver(made, queue)

    def drop(self, queue: str, error: Exception) -> None:
        """Counts and logs a message that was dropped, without a word of it."""
        queue = queue or next(iter(self._callbacks), "")
        log.warning(
            "a message was dropped: it is none of ACE's", extra={"queue": queue, "why": type(error).__name__}
        )
        dropped: Dropped | None = self.client.transport_options.get("dropped")
        if dropped is not None:
            dropped(queue)


class _Connection(kombu.Connection):  # type: ignore[misc]
    def get_transport_cls(self) -> type[_Transport]:
        return _Transport


class CheckedAMQP(AMQP):  # type: ignore[misc]
    """Celery's messaging over that transport."""

    Connection = _Connection
