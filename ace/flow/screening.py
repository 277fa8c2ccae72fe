"""The gatekeeper's part of one message: score, route, and move all its claims at once."""

import logging
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Engine

from ace.analysis import CHECKED_SET_CHARACTERS
from ace.claims.taxonomy import LABELS
from ace.errors import ModelError, NotReached, Stopped
from ace.flow.checking import Checked, Checks, check_all
from ace.flow.leased import TOO_LATE, Holding, persist, take_up, wake
from ace.gatekeeper.engine import Engine as Gatekeeper
from ace.gatekeeper.engine import score_each
from ace.gatekeeper.inputs import CHAIN_CHARACTERS, Shown, ShownClaim, show
from ace.routing.policy import route
from ace.store import moves, reads
from ace.store.findings import RuleFindings

log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Message:
    """The claims of a message, and what is known of them by now."""

    ready: list[reads.Held]  # to be scored, with the texts that the gatekeeper reads
    stopped: dict[UUID, str]  # evaluations on which the rules were stopped, and why


def screen(
    db: Engine,
    token: UUID,
    gatekeeper: Gatekeeper,
    holding: Holding,
    *,
    checks: Checks,
    model_lock: AbstractContextManager[object],
    lease_seconds: float,
    worker: str,
    hints: bool = True,
) -> int:
    """The gatekeeper's part of one message: score, route, and move all its claims at once.

    The rules run in `checks`: for the hints, if the gatekeeper reads them, and for the findings. A claim
    whose hints take too long fails; claims of its tenant that are not reached for that are given back.

    `model_lock` guards the model if several messages are in hand. Returns how many evaluations
    moved; 0 also for a message that somebody else took up or whose lease ran out. Raises
    `ModelError` if the gatekeeper can no longer score anything: the worker must end. The claims may
    have broken it, so their lease runs out like that of any lost worker.
    """
    with holding(token):
        taken = take_up(db, token, CHAIN_CHARACTERS, lease_seconds, worker)
        if not taken:
            return 0
        message = _shown(checks, taken) if hints else _Message(taken, {})
        try:
            with model_lock:
                p = score_each(gatekeeper, [held.claim for held in message.ready])
        except Exception as error:  # whatever a runtime raises once it is broken for every claim
            raise ModelError(f"the gatekeeper can no longer score anything: {type(error).__name__}") from None
        screened, found = _screened(db, checks, message, p, gatekeeper)
        moved = persist(db, partial(_move, token, screened, found, message.stopped, worker))
    if moved < (settled := len(screened.evaluations) + len(message.stopped)):
        log.warning(TOO_LATE, extra={"rejected": settled - moved, "worker": worker})
    wake(db)
    return moved


def _shown(checks: Checks, taken: list[reads.Held]) -> _Message:
    """The claims with their texts. One on which a rule breaks stays as it is: scoring it breaks too."""
    outcomes = checks.each(show, [held.claim for held in taken], [held.tenant for held in taken])
    message = _Message([], {})
    for held, outcome in zip(taken, outcomes, strict=True):
        if isinstance(outcome, Stopped):
            message.stopped[held.evaluation_id] = outcome.code
        elif isinstance(outcome, Shown):
            claim = held.claim
            shown = ShownClaim(claim.number, claim.text, claim.ancestors, outcome)
            message.ready.append(replace(held, claim=shown))
        elif not isinstance(outcome, NotReached):
            message.ready.append(held)
    return message


def _screened(
    db: Engine, checks: Checks, message: _Message, p: NDArray[np.float32], gatekeeper: Gatekeeper
) -> tuple[moves.Screened, RuleFindings | None]:
    """The results that can be stored, with their findings: without claims whose sets were not reached."""
    ready = message.ready
    screened = _routed(ready, p, gatekeeper)
    checked = _checked(db, checks, ready, screened)
    if checked is None:
        return screened, None
    kept = [at for at, held in enumerate(ready) if held.evaluation_id not in checked.left]
    return _routed([ready[at] for at in kept], p[kept], gatekeeper), checked.findings


def _move(
    token: UUID,
    screened: moves.Screened,
    found: RuleFindings | None,
    stopped: Mapping[UUID, str],
    worker: str,
    connection: Connection,
) -> int:
    """Moves the claims of a message; those in neither group go back to the queue."""
    failed = moves.quarantined(connection, token, stopped, actor=worker) if stopped else 0
    return failed + moves.screened(connection, token, screened, found, actor=worker)


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


def _checked(db: Engine, checks: Checks, ready: list[reads.Held], screened: moves.Screened) -> Checked | None:
    """The findings on claims that fail or escalate; None if there are none."""
    doubtful: dict[UUID, dict[int, UUID]] = {}
    for held, escalate, fail in zip(ready, screened.escalate, screened.fail, strict=True):
        if escalate or fail:
            doubtful.setdefault(held.filing_id, {})[held.claim.number] = held.evaluation_id
    if not doubtful:
        return None
    read = partial(reads.claim_sets, filings=doubtful.keys(), max_characters=CHECKED_SET_CHARACTERS)
    tenants = {held.filing_id: held.tenant for held in ready}
    return check_all(checks, persist(db, read), doubtful, tenants)


def _numbers(values: NDArray[np.floating[Any]]) -> Any:
    """Nested lists of floats, with None in place of NaN and infinities."""
    return np.where(np.isfinite(values), values, np.array(None)).tolist()
