"""What every worker does around its work: keep the lease, read claims, persist the result, wake others."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Final, Protocol, TypeVar
from uuid import UUID

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError
from tenacity import Retrying, retry_if_exception_type, stop_after_delay, wait_random_exponential

from ace.errors import Unavailable
from ace.store import moves, reads
from ace.store.database import announce, transact

T = TypeVar("T")

# The lease had run out, or the filing was cancelled: the worker's result changes nothing.
TOO_LATE: Final = "verdict came too late"


class Holding(Protocol):
    """Keeps a lease alive while a worker works on what it holds."""

    def __call__(self, token: UUID) -> AbstractContextManager[None]: ...


def take_up(
    db: Engine, token: UUID, max_chain_characters: int, lease_seconds: float, worker: str
) -> list[reads.Held]:
    """Starts the lease and reads its claims, in one transaction; nothing if somebody else holds them."""

    def work(connection: Connection) -> list[reads.Held]:
        if not moves.start(connection, token, worker=worker, lease_seconds=lease_seconds):
            return []
        found = reads.held(connection, token, max_chain_characters=max_chain_characters)
        if not found:  # all of it was cancelled meanwhile
            moves.release(connection, [token], actor=worker, worker=worker)
        return found

    return transact(db, work, durable=False)


def persist(db: Engine, work: Callable[[Connection], T]) -> T:
    """Commits an expensive result, even through an outage of the database of up to a minute.

    Trying for longer than the lease is safe: the move is guarded by the lease's token.
    """
    for attempt in Retrying(
        retry=retry_if_exception_type(Unavailable),
        stop=stop_after_delay(60),
        wait=wait_random_exponential(multiplier=0.1, max=2),
        reraise=True,
    ):
        with attempt:
            return transact(db, work)
    raise AssertionError("unreachable: tenacity returns or raises")


def wake(db: Engine) -> None:
    """Tells listeners that something moved; if that fails, they find out at their next look."""
    try:
        announce(db)
    except (Unavailable, DBAPIError):  # the move is committed; an error now would say that it was not
        return
