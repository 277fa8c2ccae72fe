"""The expert's share of one message: one claim, one examination, and the move that it calls for."""

import logging
import random
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final
from uuid import UUID

from sqlalchemy import Connection, Engine

from ace.errors import ExpertPermanent, ExpertTransient
from ace.expert.client.handling import Blame, handling_of
from ace.expert.client.opinions import NO_SECOND, Expert, Opinions, examined
from ace.expert.client.retry import MAX_EXAMINATIONS, due_in
from ace.flow.leased import TOO_LATE, Holding, persist, take_up, wake
from ace.store import endpoints, moves, reads
from ace.store.database import transact

log = logging.getLogger(__name__)

EXAMINE_CHAIN_CHARACTERS: Final = 60_000
# A claim waits no longer than that for a server that is away: the breaker does the waiting, for all.
AWAY_SECONDS: Final = 2.0

Move = Callable[[Connection], bool]


def report(db: Engine, name: str, *, max_concurrent: int | None) -> None:
    """A worker that starts says what an endpoint has told of itself; raises `Unavailable`.

    An endpoint that was given up is tried again at once, as what was missing may be there now.
    """
    transact(db, partial(endpoints.report, name=name, max_concurrent=max_concurrent))
    wake(db)


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
        taken = take_up(db, token, EXAMINE_CHAIN_CHARACTERS, lease_seconds, worker)
        if not taken:
            return False
        move = examination(token, taken[0], experts, opinions=opinions, worker=worker, rng=rng, clock=clock)
        moved = persist(db, move)
    if not moved:
        log.warning(TOO_LATE, extra={"rejected": 1, "worker": worker})
    wake(db)
    return moved


def examination(
    token: UUID,
    held: reads.Held,
    experts: Mapping[str, Expert],
    *,
    opinions: Opinions,
    worker: str,
    rng: random.Random,
    clock: Callable[[], float],
) -> Move:
    """Examines the claim that the lease holds, by the endpoint that was chosen with the lease.

    The move that it returns keeps the examination, whatever came of it.
    """
    endpoint = held.endpoint or next(iter(experts))
    expert = experts.get(endpoint)
    began = clock()
    try:
        if expert is None:
            raise _unknown(endpoint)
        found = examined(expert, held.claim, held.total, opinions=opinions, clock=clock)
    except (ExpertPermanent, ExpertTransient) as fault:
        kept = moves.Attempt(
            held.evaluation_id,
            prompt_version=expert.prompt_version if expert else "",
            seconds=clock() - began,
            error=fault.kind,
            endpoint=endpoint,
            retry_after=getattr(fault, "retry_after", None),
        )
        return _move_of(fault, token, held, kept, worker=worker, rng=rng)
    answer, rationale = found.answer, found.answer.rationale
    decided = moves.Attempt(
        held.evaluation_id,
        prompt_version=answer.prompt_version or expert.prompt_version,
        seconds=clock() - began,
        model=answer.model,
        prompt_tokens=answer.prompt_tokens,
        completion_tokens=answer.completion_tokens,
        verdict=rationale.verdict,
        error_class=rationale.error_class,
        reasoning=rationale.reasoning,
        raw=answer.raw,
        endpoint=endpoint,
        verified=found.verified,
        cut=answer.cut,
        calls=answer.calls,
        opinions=found.opinions,
        agreeing=found.agreeing,
    )
    return partial(moves.examined, token=token, attempt=decided, actor=worker)


def _move_of(
    fault: ExpertPermanent | ExpertTransient,
    token: UUID,
    held: reads.Held,
    kept: moves.Attempt,
    *,
    worker: str,
    rng: random.Random,
) -> Move:
    delay = _delay(fault, held, rng)
    if delay is None:
        return partial(moves.failed, token=token, attempt=kept, actor=worker)
    handling = handling_of(fault.kind)
    return partial(
        moves.deferred,
        token=token,
        attempt=kept,
        delay_seconds=delay,
        spent=handling.spends,
        elsewhere=handling.elsewhere,
        actor=worker,
    )


def _delay(fault: ExpertPermanent | ExpertTransient, held: reads.Held, rng: random.Random) -> float | None:
    """Seconds until the claim is due again; None where it has failed."""
    handling = handling_of(fault.kind)
    if handling.permanent or (not handling.elsewhere and isinstance(fault, ExpertPermanent)):
        return None
    retry_after = fault.retry_after if isinstance(fault, ExpertTransient) else None
    if handling.spends:
        most = handling.examinations or MAX_EXAMINATIONS
        return due_in(held.examined + 1, retry_after, rng=rng, max_examinations=most)
    if handling.blame is Blame.LOAD:
        return due_in(min(held.outages + 1, MAX_EXAMINATIONS - 1), retry_after, rng=rng)
    return rng.uniform(AWAY_SECONDS / 2, AWAY_SECONDS)


def _unknown(endpoint: str) -> ExpertTransient:
    log.error("no such endpoint: give dispatcher and workers the same ones", extra={"endpoint": endpoint})
    return ExpertTransient("unreachable", "this worker knows no such endpoint")
