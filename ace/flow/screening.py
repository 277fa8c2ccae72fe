"""The gatekeeper's part of one message: score, route, and move all its claims at once."""

import logging
from contextlib import AbstractContextManager
from functools import partial
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Engine

from ace.claims.taxonomy import LABELS
from ace.errors import ModelError
from ace.flow.checking import CHECKED_SET_CHARACTERS, check_all
from ace.flow.leased import TOO_LATE, Holding, persist, take_up, wake
from ace.gatekeeper.engine import Engine as Gatekeeper
from ace.gatekeeper.engine import score_each
from ace.gatekeeper.inputs import CHAIN_CHARACTERS
from ace.routing.policy import route
from ace.store import moves, reads
from ace.store.findings import RuleFindings

log = logging.getLogger(__name__)


def screen(
    db: Engine,
    token: UUID,
    gatekeeper: Gatekeeper,
    holding: Holding,
    *,
    model_lock: AbstractContextManager[object],
    lease_seconds: float,
    worker: str,
) -> int:
    """The gatekeeper's part of one message: score, route, and move all its claims at once.

    `model_lock` guards the model if several messages are in hand. Returns how many evaluations
    moved; 0 also for a message that somebody else took up or whose lease ran out. Raises
    `ModelError` if the gatekeeper can no longer score anything: the worker must end. The claims may
    have broken it, so their lease runs out like that of any lost worker.
    """
    with holding(token):
        taken = take_up(db, token, CHAIN_CHARACTERS, lease_seconds, worker)
        if not taken:
            return 0
        try:
            with model_lock:
                p = score_each(gatekeeper, [held.claim for held in taken])
        except Exception as error:  # whatever a runtime raises once it is broken for every claim
            raise ModelError(f"the gatekeeper can no longer score anything: {type(error).__name__}") from None
        screened = _routed(taken, p, gatekeeper)
        found = _checked(db, taken, screened)
        moved = persist(
            db, lambda connection: moves.screened(connection, token, screened, found, actor=worker)
        )
    if moved < len(taken):
        log.warning(TOO_LATE, extra={"rejected": len(taken) - moved, "worker": worker})
    wake(db)
    return moved


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


def _checked(db: Engine, taken: list[reads.Held], screened: moves.Screened) -> RuleFindings | None:
    """The findings on claims that fail or escalate; None if there are none."""
    doubtful: dict[UUID, dict[int, UUID]] = {}
    for held, escalate, fail in zip(taken, screened.escalate, screened.fail, strict=True):
        if escalate or fail:
            doubtful.setdefault(held.filing_id, {})[held.claim.number] = held.evaluation_id
    if not doubtful:
        return None
    read = partial(reads.claim_sets, filings=doubtful.keys(), max_characters=CHECKED_SET_CHARACTERS)
    return check_all(persist(db, read), doubtful)


def _numbers(values: NDArray[np.floating[Any]]) -> Any:
    """Nested lists of floats, with None in place of NaN and infinities."""
    return np.where(np.isfinite(values), values, np.array(None)).tolist()
