"""What every worker does around its work: keep the lease, read claims, persist the result, wake others."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Final, Protocol, TypeVar
from uuid import UUID

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError
from tenacity import Retrying, retry_if_exception_type, stop_after_delay, wait_random_exponential

from ace import telemetry, tracing
from ace.claim_work import CHECKED_SET_CHARACTERS
from ace.errors import Unavailable
from ace.store import moves, reads
from ace.store.database import News, announce, transact
from ace.types.rules_version import RulesVersion

T = TypeVar("T")

# The lease had run out, or the filing was cancelled: the worker's result changes nothing.
TOO_LATE: Final = "verdict came too late"

# How long a result is kept for a database that is away, and the pauses between two attempts to persist it.
PERSIST_SECONDS: Final = 60
FIRST_PAUSE_SECONDS: Final = 0.1
LONGEST_PAUSE_SECONDS: Final = 2


class Holding(Protocol):
    """Keeps a lease alive while a worker works on what it holds."""

    def __call__(self, token: UUID) -> AbstractContextManager[None]: ...


@contextmanager
def in_view(name: str, token: UUID, held: Sequence[reads.Held]) -> Iterator[tracing.Note]:
    """Lets a worker's part of a message be seen: a span of this name, and log lines with the id of
    the request if one handed all its claims in."""
    of = [one.traceparent for one in held]
    with (
        telemetry.about(one.request_id for one in held),
        tracing.span(name, of=of, message=str(token), claims=len(held)) as note,
    ):
        yield note


def take_up(
    db: Engine,
    token: UUID,
    max_chain_characters: int,
    lease_seconds: float,
    worker: str,
    version: RulesVersion | None,
) -> reads.Taken:
    """Starts the lease and reads its claims, in one transaction; nothing if somebody else holds them.

    `version` is that of the analyses to read with them; None for none.
    """

    def work(connection: Connection) -> reads.Taken:
        if not moves.start(connection, token, worker=worker, lease_seconds=lease_seconds):
            return reads.Taken([], {})
        found = reads.taken(
            connection,
            token,
            max_chain_characters=max_chain_characters,
            version=version,
            max_set_characters=CHECKED_SET_CHARACTERS,
        )
        if not found.held:  # all of it was cancelled meanwhile
            moves.release(connection, [token], actor=worker, worker=worker)
        return found

    return transact(db, work, durable=False)


def persist(db: Engine, work: Callable[[Connection], T]) -> T:
    """Commits an expensive result, even through an outage of the database of up to a minute.

    Trying for longer than the lease is safe: the move is guarded by the lease's token.
    """
    for attempt in Retrying(
        retry=retry_if_exception_type(Unavailable),
        stop=stop_after_delay(PERSIST_SECONDS),
        wait=wait_random_exponential(multiplier=FIRST_PAUSE_SECONDS, max=LONGEST_PAUSE_SECONDS),
        reraise=True,
    ):
        with attempt:
            return transact(db, work)
    raise AssertionError("unreachable: tenacity returns or raises")


def wake(db: Engine, news: News = News.MOVED) -> None:
    """Tells listeners that something moved; if that fails, they find out at their next look."""
    try:
        announce(db, news)
    except (Unavailable, DBAPIError):  # the move is committed; an error now would say that it was not
        return
