"""The gatekeeper's part of one message: analyse, score, route, and move all its claims at once."""

import logging
from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from functools import partial
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Engine

from ace.claims.analysis import ClaimAnalysis, analysis_of
from ace.claims.model import ClaimInput
from ace.claims.taxonomy import LABELS, ErrorClass, Ground
from ace.errors import ModelError
from ace.flow.analysing import RULES, Analysed, AnalysesInHand, Checks
from ace.flow.leased import TOO_LATE, Holding, persist, take_up, wake
from ace.gatekeeper.engine import Engine as Gatekeeper
from ace.gatekeeper.engine import score_each
from ace.gatekeeper.inputs import CHAIN_CHARACTERS
from ace.routing.policy import Routing, route
from ace.store import moves, reads

log = logging.getLogger(__name__)

Span = tuple[int, int]


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
) -> int:
    """The gatekeeper's part of one message: analyse, score, route, and move all its claims at once.

    The rules run in `checks`, once for each filing; with None, no rule looks at the claims. The claims of a
    set on which they take too long fail; claims of its tenant that are not reached for that are given back.

    If several messages are in hand, they share the analyses `in_hand`, and `model_lock` guards the model.
    Returns how many evaluations moved; 0 also for a message that somebody else took up or whose lease
    ran out. Raises `ModelError` if the gatekeeper can no longer score anything: the worker must end. The
    claims may have broken it, so their lease runs out like that of any lost worker.
    """
    with ExitStack() as in_message:
        in_message.enter_context(holding(token))
        taken = take_up(db, token, CHAIN_CHARACTERS, lease_seconds, worker, RULES if checks else None)
        if not taken.held:
            return 0
        analysed = in_message.enter_context(in_hand.of(checks, taken)) if checks else Analysed(taken.held)
        claims = [held.claim for held in analysed.ready]
        analyses = [analysis_of(claim) for claim in claims] if checks else None
        sure = None if analyses is None else [each.sure for each in analyses]
        try:
            with model_lock:
                p = score_each(gatekeeper, claims)
                routing = route(p, gatekeeper.calibration, sure)
                spans = _spans(gatekeeper, claims, routing)
        except Exception as error:  # whatever a runtime raises once it is broken for every claim
            raise ModelError(f"the gatekeeper can no longer score anything: {type(error).__name__}") from None
        grounds = _grounds(routing, analyses)
        screened = _screened(analysed.ready, p, _proved(routing, spans), spans, grounds, gatekeeper)
        moved = persist(db, partial(_move, token, screened, analysed, worker))
    if moved < (settled := len(screened.evaluations) + len(analysed.stopped)):
        log.warning(TOO_LATE, extra={"rejected": settled - moved, "worker": worker})
    wake(db)
    return moved


def _spans(gatekeeper: Gatekeeper, claims: Sequence[ClaimInput], routing: Routing) -> list[Span | None]:
    """What speaks most for each Fail without a finding, if the model can say it; None for all others."""
    alone = np.flatnonzero(routing.fail & routing.disputed & ~routing.escalate).tolist()
    spans: list[Span | None] = [None] * len(claims)
    try:
        classes = routing.error_class[alone].tolist()
        found = gatekeeper.locate([claims[at] for at in alone], classes) if alone else []
    except Exception as error:  # it has scored them: no verdict may wait for a span
        log.error("a span could not be found", extra={"why": type(error).__name__})
        return spans
    for at, span in zip(alone, found, strict=True):
        spans[at] = span
    return spans


def _proved(routing: Routing, spans: Sequence[Span | None]) -> Routing:
    """A Fail with neither a finding nor a span escalates."""
    bare = routing.fail & routing.disputed & np.array([span is None for span in spans], dtype=np.bool_)
    return replace(routing, escalate=routing.escalate | bare)


def _grounds(routing: Routing, analyses: Sequence[ClaimAnalysis] | None) -> list[Ground]:
    """What each claim draws if it fails: by its findings, or if no rule looked at it by its class alone."""
    classes = [ErrorClass(LABELS[index]) for index in routing.error_class.tolist()]
    if analyses is None:
        return [each.ground for each in classes]
    return [analysis.ground(each) for analysis, each in zip(analyses, classes, strict=True)]


def _move(
    token: UUID, screened: moves.Screened, analysed: Analysed, worker: str, connection: Connection
) -> int:
    """Moves the claims of a message; those in neither group go back to the queue."""
    moves.keep_analyses(connection, token, analysed.new)
    stopped = analysed.stopped
    failed = moves.quarantined(connection, token, stopped, actor=worker) if stopped else 0
    return failed + moves.screened(connection, token, screened, actor=worker)


def _screened(
    ready: list[reads.Held],
    p: NDArray[np.float32],
    routing: Routing,
    spans: Sequence[Span | None],
    grounds: Sequence[Ground],
    gatekeeper: Gatekeeper,
) -> moves.Screened:
    calibration = gatekeeper.calibration
    return moves.Screened(
        evaluations=[held.evaluation_id for held in ready],
        escalate=routing.escalate.tolist(),
        fail=routing.fail.tolist(),
        error_classes=[LABELS[index] for index in routing.error_class.tolist()],
        grounds=[each.value for each in grounds],
        probabilities=_numbers(p),
        u=_numbers(routing.u),
        h6=_numbers(routing.h6),
        doubt=_numbers(routing.doubt),
        disputed=(routing.disputed & ~routing.escalate).tolist(),
        spans=spans,
        score=calibration.score,
        tau=calibration.tau,
        certain=calibration.certain,
        model=gatekeeper.revision,
        calibration=calibration.id,
    )


def _numbers(values: NDArray[np.floating[Any]]) -> Any:
    """Nested lists of floats, with None in place of NaN and infinities."""
    return np.where(np.isfinite(values), values, np.array(None)).tolist()
