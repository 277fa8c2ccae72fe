"""The gatekeeper's part of one message: analyse, score, route, and move all its claims at once."""

import logging
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Engine

from ace.claims.taxonomy import LABELS
from ace.errors import ModelError
from ace.flow.analysing import RULES, Analysed, AnalysesInHand, Checks
from ace.flow.judging import Judgement, judge
from ace.flow.leased import TOO_LATE, Holding, persist, take_up, wake
from ace.flow.observer import NOBODY, Observer
from ace.gatekeeper.engine import Engine as Gatekeeper
from ace.gatekeeper.inputs import CHAIN_CHARACTERS
from ace.store import moves, reads
from ace.store.tables import Stage

log = logging.getLogger(__name__)


def screen(
    db: Engine,
    token: UUID,
    gatekeeper: Gatekeeper,
    holding: Holding,
    *,
    checks: Checks | None,
    model_lock: AbstractContextManager[object],
    in_hand: AnalysesInHand,
    lease_seconds: float,
    worker: str,
    observer: Observer = NOBODY,
    clock: Callable[[], float] = time.monotonic,
) -> int:
    """The gatekeeper's part of one message: analyse, score, route, and move all its claims at once.

    The rules run in `checks`, once for each filing; with None, no rule looks at the claims. The claims of a
    set on which they take too long fail; claims of its tenant that are not reached for that are given back.

    If several messages are in hand, they share the analyses `in_hand`, and `model_lock` guards the model;
    `observer` is called for messages whose claims all moved. Returns how many evaluations moved; 0 also for a
    message that somebody else took up or whose lease ran out. Raises `ModelError` if the gatekeeper can no
    longer score anything: the worker must end. The claims may have broken it, so their lease runs out like
    that of any lost worker.
    """
    with ExitStack() as in_message:
        in_message.enter_context(holding(token))
        taken = take_up(db, token, CHAIN_CHARACTERS, lease_seconds, worker, RULES if checks else None)
        if not taken.held:
            return 0
        began = clock()
        analysed = in_message.enter_context(in_hand.of(checks, taken)) if checks else Analysed(taken.held)
        claims = [held.claim for held in analysed.ready]
        try:
            with model_lock:
                judging = clock()
                judgement = judge(gatekeeper, claims, rules=checks is not None)
                judged = clock() - judging
        except Exception as error:  # whatever a runtime raises once it is broken for every claim
            raise ModelError(f"the gatekeeper can no longer score anything: {type(error).__name__}") from None
        screened = _screened(analysed.ready, judgement, gatekeeper)
        moved = persist(db, partial(_move, token, screened, analysed, worker))
    if moved < (settled := len(screened.evaluations) + len(analysed.stopped)):
        log.warning(TOO_LATE, extra={"rejected": settled - moved, "worker": worker})
    else:
        observer.took_up(Stage.FAST, [held.waited_seconds for held in taken.held])
        _tell(observer, analysed, judgement, judged_seconds=judged, seconds=clock() - began)
    wake(db)
    return moved


def _tell(
    observer: Observer, analysed: Analysed, judgement: Judgement, *, judged_seconds: float, seconds: float
) -> None:
    """Tells of a message whose claims all moved."""
    routing = judgement.routing
    observer.judged(len(analysed.ready), int(routing.escalate.sum()), judged_seconds)
    for at, held in enumerate(analysed.ready):
        if not routing.escalate[at]:
            fails = bool(routing.fail[at])
            named = LABELS[routing.error_class[at]] if fails else None
            age = held.age_seconds + seconds
            observer.decided("Fail" if fails else "Pass", named, "gatekeeper", age)
    for error in analysed.stopped.values():
        observer.failed(error)


def _move(
    token: UUID, screened: moves.Screened, analysed: Analysed, worker: str, connection: Connection
) -> int:
    """Moves the claims of a message; those in neither group go back to the queue."""
    moves.keep_analyses(connection, token, analysed.new)
    stopped = analysed.stopped
    failed = moves.quarantined(connection, token, stopped, actor=worker) if stopped else 0
    return failed + moves.screened(connection, token, screened, actor=worker)


def _screened(ready: list[reads.Held], judgement: Judgement, gatekeeper: Gatekeeper) -> moves.Screened:
    calibration, routing = gatekeeper.calibration, judgement.routing
    return moves.Screened(
        evaluations=[held.evaluation_id for held in ready],
        escalate=routing.escalate.tolist(),
        fail=routing.fail.tolist(),
        error_classes=[LABELS[index] for index in routing.error_class.tolist()],
        grounds=[each.value for each in judgement.grounds],
        probabilities=_numbers(judgement.p),
        u=_numbers(routing.u),
        h6=_numbers(routing.h6),
        doubt=_numbers(routing.doubt),
        disputed=(routing.disputed & ~routing.escalate).tolist(),
        spans=judgement.spans,
        score=calibration.score,
        tau=calibration.tau,
        certain=calibration.certain,
        model=gatekeeper.revision,
        calibration=calibration.id,
    )


def _numbers(values: NDArray[np.floating[Any]]) -> Any:
    """Nested lists of floats, with None in place of NaN and infinities."""
    return np.where(np.isfinite(values), values, np.array(None)).tolist()
