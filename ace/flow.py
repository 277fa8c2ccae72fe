"""The verbs of ACE: submit, dispatch, screen, examine, replay, cancel.

Each leases (commit), thinks outside any transaction, and moves (commit). Store, broker, engine and
expert come as arguments; nothing here knows Celery, HTTP, torch or SQL.
"""

import logging
import random
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, Protocol, TypeVar
from uuid import UUID

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError
from tenacity import Retrying, retry_if_exception_type, stop_after_delay, wait_random_exponential

from ace.checking import CHECKED_SET_CHARACTERS, check_all
from ace.claims.taxonomy import LABELS
from ace.dispatching import Broker, Limits, Round, dispatch
from ace.errors import ModelError, Unavailable
from ace.examining import examination
from ace.expert.opinions import NO_SECOND, Expert, Opinions
from ace.gatekeeper.engine import Engine as Gatekeeper
from ace.gatekeeper.engine import score_each
from ace.gatekeeper.inputs import CHAIN_CHARACTERS
from ace.routing.policy import route
from ace.store import endpoints, moves, reads
from ace.store.database import announce, transact
from ace.store.findings import Checked

T = TypeVar("T")

__all__ = [
    "Broker",
    "Expert",
    "Holding",
    "Limits",
    "Opinions",
    "Round",
    "cancel",
    "dispatch",
    "examine",
    "replay",
    "report",
    "screen",
    "submit",
]

log = logging.getLogger(__name__)

EXAMINE_CHAIN_CHARACTERS = 60_000

# The lease had run out, or the filing was cancelled: what the worker made of it changes nothing.
TOO_LATE = "verdict came too late"


class Holding(Protocol):
    """Keeps leases alive while a worker thinks."""

    def __call__(self, token: UUID) -> AbstractContextManager[None]: ...


def submit(
    db: Engine,
    filings: Sequence[moves.NewFiling],
    *,
    actor: str,
    tenant: str | None = None,
    backlog: int | None = None,
    wake: Callable[[], None] | None = None,
) -> list[moves.Accepted]:
    """Stores filings and wakes the dispatcher, by `wake` where the caller has a quicker way to.

    With `tenant`, all filings are this tenant's.

    Raises `TooMuch` where a tenant would have more than `backlog` claims without a verdict, and
    nothing was stored. Raises `Unavailable`; then nothing was stored, unless the connection broke
    while it was being committed, which nobody can know: an idempotency key makes trying again safe.
    """
    work = partial(moves.submit, filings=filings, actor=actor, backlog=backlog)
    accepted = transact(db, work, tenant=tenant)
    (wake or partial(_wake, db))()
    return accepted


def replay(
    db: Engine, tenant: str, which: reads.Filter | Sequence[UUID], *, limit: int, actor: str
) -> list[UUID]:
    """Lets failed evaluations of the tenant run again; those that are not failed stay as they are."""

    def work(connection: Connection) -> list[UUID]:
        ids = (
            reads.failed_ids(connection, tenant, which, limit=limit)
            if isinstance(which, reads.Filter)
            else list(which)[:limit]
        )
        return moves.replay(connection, tenant, ids, actor=actor)

    replayed = transact(db, work, tenant=tenant)
    if replayed:
        _wake(db)
    return replayed


def cancel(db: Engine, tenant: str, filing_id: UUID, *, actor: str) -> list[UUID]:
    """Cancels whatever of a filing has no verdict yet."""
    work = partial(moves.cancel, tenant=tenant, filing_id=filing_id, actor=actor)
    cancelled = transact(db, work, tenant=tenant)
    if cancelled:
        _wake(db)
    return cancelled


def report(db: Engine, name: str, *, max_concurrent: int | None) -> None:
    """A worker that starts says what an endpoint has told of itself; raises `Unavailable`.

    An endpoint that was given up is tried again at once, as what was missing may be there now.
    """
    transact(db, partial(endpoints.report, name=name, max_concurrent=max_concurrent))
    _wake(db)


def screen(
    db: Engine,
    token: UUID,
    gatekeeper: Gatekeeper,
    holding: Holding,
    *,
    thinking: AbstractContextManager[object],
    lease_seconds: float,
    worker: str,
) -> int:
    """The gatekeeper's share of one message: score, route, and move all its claims at once.

    `thinking` guards the model where several messages are in hand. Returns how many evaluations
    moved; 0 also for a message that somebody else took up or whose lease ran out. Raises
    `ModelError` where the gatekeeper can score nothing any more: the worker must end, and as it may
    be the claims that broke it, their lease runs out like that of any lost worker.
    """
    with holding(token):
        taken = _take_up(db, token, CHAIN_CHARACTERS, lease_seconds, worker)
        if not taken:
            return 0
        try:
            with thinking:
                p = score_each(gatekeeper, [held.claim for held in taken])
        except Exception as error:  # whatever a runtime raises that is broken for every claim
            raise ModelError(f"the gatekeeper scores nothing any more: {type(error).__name__}") from None
        screened = _routed(taken, p, gatekeeper)
        found = _checked(db, taken, screened)
        moved = _persist(
            db, lambda connection: moves.screened(connection, token, screened, found, actor=worker)
        )
    if moved < len(taken):
        log.warning(TOO_LATE, extra={"rejected": len(taken) - moved, "worker": worker})
    _wake(db)
    return moved


def _take_up(
    db: Engine, token: UUID, max_chain_characters: int, lease_seconds: float, worker: str
) -> list[reads.Held]:
    def work(connection: Connection) -> list[reads.Held]:
        if not moves.start(connection, token, worker=worker, lease_seconds=lease_seconds):
            return []
        found = reads.held(connection, token, max_chain_characters=max_chain_characters)
        if not found:  # all of it was cancelled meanwhile
            moves.release(connection, [token], actor=worker, worker=worker)
        return found

    return transact(db, work, durable=False)


def _routed(taken: list[reads.Held], p: NDArray[np.float32], gatekeeper: Gatekeeper) -> moves.Screened:
    calibration = gatekeeper.calibration
    routing = route(p, calibration)
    return moves.Screened(
        evaluations=[held.evaluation_id for held in taken],
        escalate=routing.escalate.tolist(),
        fail=routing.fail.tolist(),
        error_classes=[LABELS[index] for index in routing.error_class.tolist()],
        probabilities=_numbers(p),
        u=_numbers(routing.u),
        h6=_numbers(routing.h6),
        doubt=_numbers(routing.doubt),
        score=calibration.score,
        tau=calibration.tau,
        model=gatekeeper.revision,
        calibration=calibration.id,
    )


def _checked(db: Engine, taken: list[reads.Held], screened: moves.Screened) -> Checked | None:
    """The findings on what fails or goes up; None where all is clear."""
    doubtful: dict[UUID, dict[int, UUID]] = {}
    for held, escalate, fail in zip(taken, screened.escalate, screened.fail, strict=True):
        if escalate or fail:
            doubtful.setdefault(held.filing_id, {})[held.claim.number] = held.evaluation_id
    if not doubtful:
        return None
    read = partial(reads.claim_sets, filings=doubtful.keys(), max_characters=CHECKED_SET_CHARACTERS)
    return check_all(_persist(db, read), doubtful)


def _numbers(values: NDArray[np.floating[Any]]) -> Any:
    """Nested lists of floats, with None where there is no number."""
    return np.where(np.isfinite(values), values, np.array(None)).tolist()


def examine(
    db: Engine,
    token: UUID,
    experts: Mapping[str, Expert],
    holding: Holding,
    *,
    lease_seconds: float,
    worker: str,
    rng: random.Random,
    opinions: Opinions = NO_SECOND,
    clock: Callable[[], float] = time.monotonic,
) -> bool:
    """The expert's share of one message: one claim, one examination, kept whatever comes of it.

    `experts` has one for each endpoint; which one is asked was decided with the lease. Where its answer
    is disputed, as many more are asked for as `opinions` has room for.
    """
    with holding(token):
        taken = _take_up(db, token, EXAMINE_CHAIN_CHARACTERS, lease_seconds, worker)
        if not taken:
            return False
        move = examination(token, taken[0], experts, opinions=opinions, worker=worker, rng=rng, clock=clock)
        moved = _persist(db, move)
    if not moved:
        log.warning(TOO_LATE, extra={"rejected": 1, "worker": worker})
    _wake(db)
    return moved


def _persist(db: Engine, work: Callable[[Connection], T]) -> T:
    """Commits what a result that cost thought needs, through an outage of the database of up to a minute.

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


def _wake(db: Engine) -> None:
    """Tells listeners that something moved; they look by themselves when nobody can tell them."""
    try:
        announce(db)
    except (Unavailable, DBAPIError):  # what moved is committed: to raise now would say it was not
        return
