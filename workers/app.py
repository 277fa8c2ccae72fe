"""The Celery app, its queues, and the broker that the dispatcher publishes through.

Messages are hints: a lease token and the ids it covers. They are acknowledged as soon as they are
taken up, because PostgreSQL, not Redis, knows what is still to be done.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from celery import Celery
from kombu import Queue
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from ace import tracing
from ace.errors import NotConfigured, Unavailable
from ace.settings import Settings
from ace.store.moves import Leased
from ace.store.tables import Stage
from ace.types import outages
from ace.workers.messages import TASKS, CheckedAMQP, Dropped

PATIENCE_SECONDS: Final = 5  # for an answer of the broker
CONNECT_SECONDS: Final = 3  # for a connection to the broker, unless its answers have less time
HEALTH_CHECK_SECONDS: Final = 10  # an idle connection is tried before it is used again
CONNECTIONS: Final = 4  # that a process keeps to the broker
RECONNECTIONS: Final = 1  # for one message; what cannot be sent then goes back to the database


def make_app(
    settings: Settings, *, patience_seconds: float = PATIENCE_SECONDS, dropped: Dropped | None = None
) -> Celery:
    """A Celery app on the broker of `settings`, which waits `patience_seconds` for each of its answers.

    `dropped` is told of messages that are none of ACE's. Raises `NotConfigured` if the settings name no
    broker.
    """
    if settings.broker_url is None:
        raise NotConfigured("ACE_BROKER_URL is not set: name a Redis, or use `ace up`, which starts one")
    url = kombu_url(settings.broker_url.get_secret_value())
    app = Celery("ace", broker=url, amqp=CheckedAMQP, set_as_current=False)
    app.conf.update(
        # Not declared: that would write bindings, which nothing reads, under a key that may be taken.
        task_queues=[Queue(str(queue), routing_key=str(queue), no_declare=True) for queue in TASKS],
        task_default_queue=str(Stage.FAST),
        task_create_missing_queues=False,
        task_serializer="json",
        accept_content=["json"],
        task_ignore_result=True,
        task_acks_late=False,
        task_send_sent_event=False,
        task_publish_retry=False,
        worker_send_task_events=False,
        worker_prefetch_multiplier=1,
        worker_enable_remote_control=False,
        worker_hijack_root_logger=False,
        worker_cancel_long_running_tasks_on_connection_loss=False,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_heartbeat=0,
        broker_pool_limit=CONNECTIONS,
        broker_transport_options={
            "socket_timeout": patience_seconds,
            # What a killed worker had fetched is published again when its lease runs out. Kombu's own way to
            # deliver it again would need scripts, which Redis may refuse, and five more commands a message.
            "ack_emulation": False,
            "socket_connect_timeout": min(patience_seconds, CONNECT_SECONDS),
            "socket_keepalive": True,
            "health_check_interval": HEALTH_CHECK_SECONDS,
            "max_retries": RECONNECTIONS,
            "priority_steps": [0],  # one list for each queue
            "dropped": dropped,
        },
    )
    return app


def kombu_url(url: str) -> str:
    """A Redis URL in kombu's spelling, which has a scheme of its own for sockets.

    With TLS the server's certificate is checked unless the URL says otherwise, as in redis-py; kombu
    by default accepts any.
    """
    if url.startswith("rediss://") and "ssl_cert_reqs=" not in url:
        url += f"{'&' if '?' in url else '?'}ssl_cert_reqs=required"
    return url.replace("unix://", "redis+socket://", 1) if url.startswith("unix://") else url


def database_url(settings: Settings) -> str:
    """The database of a process that needs one. Raises `NotConfigured`."""
    if settings.database_url is None:
        raise NotConfigured(
            "ACE_DATABASE_URL is not set: name a PostgreSQL, or use `ace up`, which starts one"
        )
    return settings.database_url.get_secret_value()


class CeleryBroker:
    """Publishes leases as Celery messages, over one connection and from one thread."""

    def __init__(self, app: Celery) -> None:
        self._app = app
        self._connection = app.connection_for_write()

    def waiting(self, queue: str) -> int:
        """Messages in the queue's list; raises `Unavailable` if Redis cannot be reached."""
        with self._reaching():
            return int(self._connection.default_channel.client.llen(str(queue)))

    def publish(self, queue: str, leased: Leased) -> None:
        """One message: the token, and the ids for people who inspect the queue."""
        with self._reaching():
            self._app.send_task(
                TASKS[queue],
                kwargs={
                    "token": str(leased.token),
                    "ids": [str(id_) for id_ in leased.evaluations],
                    "alone": leased.alone,
                },
                task_id=str(leased.token),
                queue=str(queue),
                connection=self._connection,
                # No argument, because workers of the version before would not know it.
                headers={tracing.HEADER: tracing.traceparent()} if tracing.on() else None,
                argsrepr="",
                kwargsrepr="",
            )

    @contextmanager
    def _reaching(self) -> Iterator[None]:
        try:
            yield
        except (OperationalError, RedisError, OSError) as error:
            self._connection.close()
            self._connection = self._app.connection_for_write()
            cause = outages.of_redis(error)
            words = f"{outages.words('redis', cause)} ({type(error).__name__})"
            raise Unavailable("redis", words, cause=cause) from None
