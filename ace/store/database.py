"""Access to PostgreSQL: one engine per process, short transactions, timeouts on everything.

No statement about claims is here; those belong to `moves`, `reads` and their neighbours.
"""

import contextlib
import select
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, TypeVar

import psycopg
from psycopg.errors import DeadlockDetected, LockNotAvailable, ReadOnlySqlTransaction, SerializationFailure
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.exc import DBAPIError, DisconnectionError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_random_exponential

from ace.errors import Unavailable
from ace.types import outages

T = TypeVar("T")

CHANNEL: Final = "ace_moves"  # NOTIFY: once per batch, never per row

ANNOUNCE_SECONDS: Final = 0.02  # between two announcements of one process

POOL_WAIT_SECONDS: Final = 5  # for a connection that another thread gives back
CONNECT_SECONDS: Final = 3

# A transaction whose rows collided with another's is repeated, after ever longer random pauses.
ATTEMPTS: Final = 5
FIRST_PAUSE_SECONDS: Final = 0.01
LONGEST_PAUSE_SECONDS: Final = 0.5

SESSION: Final[Mapping[str, str]] = {
    "DateStyle": "ISO, MDY",
    "IntervalStyle": "postgres",
    "TimeZone": "UTC",
    "bytea_output": "hex",
    "extra_float_digits": "1",
    "standard_conforming_strings": "on",
    "array_nulls": "on",
    "transform_null_equals": "off",
    "quote_all_identifiers": "off",
    "search_path": "public",
    "row_security": "on",
    "default_transaction_isolation": "read committed",
    "default_transaction_deferrable": "off",
    "idle_session_timeout": "0",
    "transaction_timeout": "0",
}
"""What every session of ACE sets for itself, as PostgreSQL 18 writes it: a database, a role or a server may
have other defaults, which alter what values look like or what statements do. `default_transaction_read_only`
is not among them: an operator or a provider sets it to keep a database from being written."""

# A process that freezes inside a transaction holds its rows; after 5 s the server releases them, so
# that others can take them over.
TIMEOUTS: Final[Mapping[str, str]] = {
    "statement_timeout": "1min",
    "lock_timeout": "3s",
    "idle_in_transaction_session_timeout": "5s",
}
UNHURRIED: Final[Mapping[str, str]] = dict.fromkeys(TIMEOUTS, "0")
"""For what may take long, such as a migration."""

_CHANGED: Final = text("""
SELECT name FROM unnest(CAST(:names AS text[]), CAST(:wanted AS text[])) AS s (name, wanted)
WHERE current_setting(name) <> wanted ORDER BY name LIMIT 1""")
_ACT_FOR: Final = text("SELECT set_config('ace.tenant', :tenant, true)")
# A server that was demoted to a standby counts as unavailable.
_AWAY: Final = (psycopg.OperationalError, psycopg.InterfaceError, ReadOnlySqlTransaction)
_COLLISIONS: Final = (DeadlockDetected, SerializationFailure, LockNotAvailable)


def connect_engine(url: str, *, name: str, pool: int = 5, role: str | None = None) -> Engine:
    """An engine for `url` (postgresql://…); `name` shows in pg_stat_activity. Connects lazily.

    With `role`, every connection has the rights of that role from its start, whoever logged in.
    """
    engine = create_engine(
        driver_url(url),
        pool_size=pool,
        max_overflow=0,
        pool_timeout=POOL_WAIT_SECONDS,
        hide_parameters=True,  # claim text never enters an error message
        connect_args=session(name, {**TIMEOUTS, **({} if role is None else {"role": role})}),
    )
    event.listen(engine, "checkout", _refuse_closed)
    return engine


def session(name: str, more: Mapping[str, str]) -> dict[str, Any]:
    """What psycopg is given beside a URL, for a session named `name` with the settings `SESSION` and `more`.

    Sent when the connection is made, so they precede what ALTER DATABASE and ALTER ROLE have set.
    """
    settings = {**SESSION, **more}
    options = " ".join(f"-c {key}={value.replace(' ', chr(92) + ' ')}" for key, value in settings.items())
    return {
        "application_name": name,
        "connect_timeout": CONNECT_SECONDS,
        "client_encoding": "UTF8",
        "options": options,
    }


def refuse_unfit(connection: Connection) -> None:
    """Raises Unavailable if the database accepts no writes, or if the session lacks the settings that ACE
    sends, as behind a pooler that drops them."""
    if connection.scalar(text("SELECT current_setting('transaction_read_only')")) == "on":
        raise Unavailable("postgres", outages.words("postgres", "read_only"), cause="read_only")
    wanted = {**SESSION, **TIMEOUTS}
    changed = connection.scalar(_CHANGED, {"names": list(wanted), "wanted": list(wanted.values())})
    if changed is not None:
        words = f"{outages.words('postgres', 'altered')} ({changed})"
        raise Unavailable("postgres", words, cause="altered")


def _refuse_closed(connection: psycopg.Connection[Any], *_: object) -> None:
    """Makes the pool reconnect if the server has closed an idle connection.

    An end of stream that is ready to be read shows it, without a round trip.
    """
    waiting = select.poll()
    waiting.register(connection.fileno(), select.POLLIN)
    if waiting.poll(0):
        raise DisconnectionError


def driver_url(url: str) -> str:
    """The URL with SQLAlchemy's name for psycopg 3 in front."""
    scheme, _, rest = url.partition("://")
    return f"postgresql+psycopg://{rest}" if scheme in {"postgres", "postgresql"} else url


@contextlib.contextmanager
def reaching() -> Iterator[None]:
    """Turns "cannot serve" into `Unavailable`, with its cause; other database errors pass."""
    try:
        yield
    except PoolTimeout as error:
        words = "no database connection came free in time"
        raise Unavailable("postgres", words, cause="busy") from error
    except DBAPIError as error:
        # Only the cause is reported: the driver's text may quote parameters.
        if isinstance(error.orig, _COLLISIONS):
            raise
        if error.connection_invalidated or isinstance(error.orig, _AWAY):
            cause = outages.of_postgres(error.orig)
            words = f"{outages.words('postgres', cause)} ({type(error.orig).__name__})"
            raise Unavailable("postgres", words, cause=cause) from None
        raise


def collided(error: BaseException) -> bool:
    """Whether a transaction was undone because of what others held, so that it may be begun again."""
    return isinstance(error, DBAPIError) and isinstance(error.orig, _COLLISIONS)


def transact(
    engine: Engine, work: Callable[[Connection], T], *, durable: bool = True, tenant: str | None = None
) -> T:
    """Runs `work` in one transaction and commits it; repeats it when rows collided.

    `durable=False` does not wait for the disk: for leases, whose loss in a crash of the server only
    costs a repetition. A role bound by row security sees and writes the rows of `tenant`, and none
    without it. Raises `Unavailable` if the database cannot be reached.
    """
    try:
        for attempt in Retrying(
            retry=retry_if_exception(collided),
            stop=stop_after_attempt(ATTEMPTS),
            wait=wait_random_exponential(multiplier=FIRST_PAUSE_SECONDS, max=LONGEST_PAUSE_SECONDS),
            reraise=True,
        ):
            with attempt, reaching(), engine.begin() as connection:
                if not durable:
                    connection.exec_driver_sql("SET LOCAL synchronous_commit = off")
                if tenant is not None:
                    connection.execute(_ACT_FOR, {"tenant": tenant})
                return work(connection)
    except DBAPIError as error:
        if collided(error):
            raise Unavailable("postgres", "database: rows stay locked", cause="busy") from None
        raise
    raise AssertionError("unreachable: tenacity returns or raises")


def ask(engine: Engine, question: Callable[[Connection], T]) -> T:
    """The result of one read-only statement, without a transaction around it: one round trip.

    Raises `Unavailable` if the database cannot be reached.
    """
    with reaching(), engine.connect() as connection:
        return question(connection.execution_options(isolation_level="AUTOCOMMIT"))


def clock(connection: Connection) -> datetime:
    """The time of the database, in UTC: what expires and what is listed goes by it, since the clocks of
    processes differ."""
    now: datetime = connection.execute(text("SELECT now()")).scalar_one()
    return now


def server_major(connection: Connection) -> int:
    """The major version of the server."""
    number = connection.execute(text("SELECT current_setting('server_version_num')::int")).scalar_one()
    return int(number) // 10_000


class News(StrEnum):
    """Why listeners are woken."""

    MOVED = "moved"  # evaluations moved
    SLOT = "slot"  # the same, and the expert has a free slot


class Listener:
    """Waits for `announce`; reconnects by itself and never raises for a missing server."""

    def __init__(self, url: str, *, name: str) -> None:
        self._url = url
        self._name = name
        self._connection: psycopg.Connection[Any] | None = None

    def wait(self, timeout_seconds: float, sleep: Callable[[float], object] = time.sleep) -> News | None:
        """What was announced, or None if the time ran out or the server is unavailable."""
        try:
            if self._connection is None:
                self._connection = psycopg.connect(
                    self._url, autocommit=True, **session(self._name, UNHURRIED)
                )
                self._connection.execute(f"LISTEN {CHANNEL}")
            heard = list(self._connection.notifies(timeout=timeout_seconds, stop_after=1))
        except psycopg.OperationalError:
            self.close()
            sleep(timeout_seconds)
            return None
        if not heard:
            return None
        return News.SLOT if any(each.payload == News.SLOT for each in heard) else News.MOVED

    def close(self) -> None:
        """Closes the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def announce(engine: Engine, news: News = News.MOVED) -> None:
    """Wakes everybody who listens on `CHANNEL`; a lost wake-up only costs one poll interval.

    A transaction that notifies holds a database-wide lock while it commits, so this one does nothing
    else and does not wait for the disk.
    """
    with reaching(), engine.begin() as connection:
        connection.exec_driver_sql(f"SET LOCAL synchronous_commit = off; NOTIFY {CHANNEL}, '{news}'")


class Announcer:
    """Announces from a thread of its own: nobody waits for it, and many requests become one.

    An announcement that fails costs one poll interval, like any lost wake-up.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._requested = threading.Event()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="announcer", daemon=True)

    def start(self) -> None:
        """Starts the thread."""
        self._thread.start()

    def wake(self) -> None:
        """Requests an announcement, from any thread."""
        self._requested.set()

    def stop(self) -> None:
        """Announces what was requested so far, and ends the thread."""
        self._stopped.set()
        self._requested.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopped.is_set():
            self._requested.wait()
            self._requested.clear()
            with contextlib.suppress(Unavailable, DBAPIError):
                announce(self._engine)
            self._stopped.wait(ANNOUNCE_SECONDS)
