"""The expert's part of one message: one claim, one examination, and the move that follows from it."""

import logging
import random
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from typing import Final
from uuid import UUID

import numpy as np
from sqlalchemy import Connection, Engine

from ace.claims.analysis import analysis_of
from ace.claims.findings import CERTAIN
from ace.claims.model import MAX_CHAIN_CHARACTERS, ClaimInput
from ace.claims.taxonomy import ErrorClass, Verdict
from ace.errors import ExpertPermanent, ExpertTransient
from ace.expert.client.control import ControlledExpert, suspected
from ace.expert.client.handling import MAX_EXAMINATIONS, Blame, handling_of
from ace.expert.client.opinions import NO_SECOND, Opinions, conclude
from ace.expert.client.retry import due_in
from ace.flow.analysing import RULES, Analysed, Checks, with_analyses
from ace.flow.leased import TOO_LATE, Holding, in_view, persist, take_up, wake
from ace.flow.observer import NOBODY, Observer
from ace.routing.scores import calls
from ace.store import endpoints, moves, reads
from ace.store.database import News, transact
from ace.store.tables import Stage
from ace.types.examination import Asked, Examination

log = logging.getLogger(__name__)

# A claim waits no longer than this for a server that is away: the breaker does the waiting, for all claims.
AWAY_SECONDS: Final = 2.0

Fault = ExpertPermanent | ExpertTransient


def report(db: Engine, name: str, *, max_concurrent: int | None) -> None:
    """A worker that starts reports what an endpoint says about itself; raises `Unavailable`.

    An endpoint whose breaker is open is tried again at once: what was missing may be there now.
    """
    transact(db, partial(endpoints.report, name=name, max_concurrent=max_concurrent))
    wake(db, News.SLOT)


def examine(
    db: Engine,
    token: UUID,
    experts: Mapping[str, ControlledExpert],
    holding: Holding,
    *,
    checks: Checks,
    lease_seconds: float,
    worker: str,
    rng: random.Random,
    opinions: Opinions = NO_SECOND,
    clock: Callable[[], float] = time.monotonic,
    observer: Observer = NOBODY,
) -> bool:
    """The expert's part of one message: one claim, one examination, which is kept whatever its outcome.

    `experts` has one for each endpoint; the lease says which one to ask. If its answer is disputed, further
    answers are asked for, as far as `opinions` allows. If the analysis of its filing is not stored, it is
    made in `checks`; a claim on whose set the rules take too long fails without being asked about.
    """
    with ExitStack() as in_message:
        in_message.enter_context(holding(token))
        taken = take_up(db, token, MAX_CHAIN_CHARACTERS, lease_seconds, worker, RULES)
        if not taken.held:
            return False
        note = in_message.enter_context(in_view("examine", token, taken.held))
        began = clock()
        held, analysed = taken.held[0], with_analyses(checks, taken)
        examination, fault = _examination(held, analysed, experts, opinions=opinions, clock=clock)
        ground = _ground(examination, analysed)
        delay = None if fault is None else _delay(fault, held, rng)
        move = _move(token, examination, fault, delay, ground=ground, worker=worker)
        moved = persist(db, partial(_kept, token, analysed, move))
        note(evaluation=str(held.evaluation_id), moved=int(moved), fault=examination.error or "")
        if not moved:
            log.warning(TOO_LATE, extra={"rejected": 1, "worker": worker})
        else:
            observer.took_up(Stage.SLOW, [held.waited_seconds])
            _tell(observer, examination, delay, age_seconds=held.age_seconds + clock() - began)
    wake(db, News.SLOT)
    return moved


def _tell(observer: Observer, examination: Examination, delay: float | None, *, age_seconds: float) -> None:
    """Tells of an examination that was stored; without a `delay`, it was the last one."""
    if examination.conclusion is not None:
        rationale = examination.conclusion.answer.rationale
        observer.decided("expert", {(rationale.verdict, rationale.error_class): 1}, [age_seconds])
    elif delay is None:
        observer.failed(str(examination.error))


def _kept(
    token: UUID, analysed: Analysed, move: Callable[[Connection], bool], connection: Connection
) -> bool:
    """The move, and before it the analysis, if that is new: the claim comes from an older version of the
    rules."""
    moves.keep_analyses(connection, token, analysed.new)
    return move(connection)


def _examination(
    held: reads.Held,
    analysed: Analysed,
    experts: Mapping[str, ControlledExpert],
    *,
    opinions: Opinions,
    clock: Callable[[], float],
) -> tuple[Examination, Fault | None]:
    """Examines the claim at the endpoint that was chosen with the lease; the fault, if that failed."""
    endpoint = held.endpoint or next(iter(experts))
    controlled = experts.get(endpoint)
    version = controlled.expert.prompt_version if controlled else ""
    began = clock()
    try:
        if controlled is None:
            raise _unknown(endpoint)
        conclusion = controlled.examined(
            partial(
                conclude,
                controlled.expert,
                _analysed_claim(held, analysed),
                held.total,
                opinions=opinions,
                certain=held.certain or CERTAIN,
                gatekeeper_fails=_gatekeeper_fails(held),
                clock=clock,
            ),
            suspect=suspected(held.error, held.outages),
        )
    except (ExpertPermanent, ExpertTransient) as fault:
        failed = Examination(
            evaluation_id=held.evaluation_id,
            asked=Asked(endpoint=endpoint, prompt_version=version),
            seconds=clock() - began,
            error=fault.kind,
            retry_after=getattr(fault, "retry_after", None),
        )
        return failed, fault
    answer = conclusion.answer
    concluded = Examination(
        evaluation_id=held.evaluation_id,
        asked=Asked(endpoint=endpoint, prompt_version=answer.prompt_version or version, cut=answer.cut),
        seconds=clock() - began,
        conclusion=conclusion,
    )
    return concluded, None


def _ground(examination: Examination, analysed: Analysed) -> str | None:
    """What the claim draws if the expert fails it: by its findings, or by the class that the expert names."""
    conclusion = examination.conclusion
    if conclusion is None or conclusion.answer.rationale.verdict != Verdict.FAIL:
        return None
    named = conclusion.answer.rationale.error_class
    error_class = None if named is None else ErrorClass(named)
    return analysis_of(analysed.ready[0].claim).ground(error_class).value


def _move(
    token: UUID,
    examination: Examination,
    fault: Fault | None,
    delay: float | None,
    *,
    ground: str | None,
    worker: str,
) -> Callable[[Connection], bool]:
    """The move that keeps the examination: decide, or after a fault defer or fail."""
    if fault is None:
        return partial(moves.examined, token=token, examination=examination, ground=ground, actor=worker)
    if delay is None:
        return partial(moves.failed, token=token, examination=examination, actor=worker)
    return partial(
        moves.deferred,
        token=token,
        examination=examination,
        delay_seconds=delay,
        own=fault.own,
        actor=worker,
    )


def _delay(fault: Fault, held: reads.Held, rng: random.Random) -> float | None:
    """Seconds until the claim is due again; None if it has failed for good."""
    handling = handling_of(fault.kind)
    retry_after = fault.retry_after if isinstance(fault, ExpertTransient) else None
    if fault.own:
        return due_in(held.examined + 1, retry_after, rng=rng, max_examinations=handling.examinations)
    if handling.blame is Blame.LOAD:
        return due_in(min(held.outages + 1, MAX_EXAMINATIONS - 1), retry_after, rng=rng)
    return rng.uniform(AWAY_SECONDS / 2, AWAY_SECONDS)


def _gatekeeper_fails(held: reads.Held) -> bool:
    """Whether the gatekeeper calls the claim a Fail; not, if its score is no number."""
    p = np.array([held.probabilities or [None] * 6], dtype=np.float64)
    return bool(calls(p)[0])


def _analysed_claim(held: reads.Held, analysed: Analysed) -> ClaimInput:
    """The claim with its analysis. Raises `ExpertPermanent` if the rules were stopped on its set."""
    if held.evaluation_id in analysed.stopped:
        code = analysed.stopped[held.evaluation_id]
        raise ExpertPermanent(code, "the rules take too long on this claim's set", own=True)
    return analysed.ready[0].claim


def _unknown(endpoint: str) -> ExpertTransient:
    log.error("unknown endpoint: give dispatcher and workers the same settings", extra={"endpoint": endpoint})
    return ExpertTransient("unreachable", "this worker does not know the endpoint")
