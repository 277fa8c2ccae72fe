"""Models on trial: a canary decides a share of the filings, a shadow scores a share and decides nothing.

Which filings follows from their ids, so that all claims of a filing are decided by one model.
"""

import hashlib
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Engine

from ace.claims.taxonomy import LABELS, PASS
from ace.flow.judging import Judgement, judge
from ace.gatekeeper.engine import Engine as Gatekeeper
from ace.routing.policy import Routing
from ace.store import monitoring
from ace.store.database import transact
from ace.store.monitoring import ShadowScores
from ace.store.reads import Held

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Trial:
    """A model that scores `share` per cent of the filings; `model` is the id of its row."""

    model: UUID
    gatekeeper: Gatekeeper
    share: float

    def takes(self, filing: UUID) -> bool:
        """Whether this filing is among them."""
        return in_share(self.model, filing, self.share)


@dataclass(frozen=True, slots=True)
class Judged:
    """Claims of a message that one model judged."""

    gatekeeper: Gatekeeper
    held: list[Held]
    judgement: Judgement


def in_share(model: UUID, filing: UUID, per_cent: float) -> bool:
    """Whether a filing is in a model's share: the same for ever, and independent of other models."""
    drawn = int.from_bytes(hashlib.sha256(model.bytes + filing.bytes).digest()[:8])
    return drawn < per_cent / 100 * 2**64


def judged(
    gatekeeper: Gatekeeper, canary: Trial | None, ready: Sequence[Held], *, rules: bool
) -> list[Judged]:
    """The judgement of the claims of a message, each by the model that decides its filing.

    A canary that breaks must not end the worker: `gatekeeper` judges its claims. Raises whatever that raises
    once it can score nothing.
    """
    tried = [canary is not None and canary.takes(held.filing_id) for held in ready]
    found = [_judged(gatekeeper, [held for held, at in zip(ready, tried, strict=True) if not at], rules)]
    if canary is not None and any(tried):
        held = [held for held, at in zip(ready, tried, strict=True) if at]
        try:
            found.append(_judged(canary.gatekeeper, held, rules))
        except Exception as error:  # whatever a runtime raises
            log.error("the canary is broken: the standing model decides", extra={"why": type(error).__name__})
            found.append(_judged(gatekeeper, held, rules))
    return found


def _judged(gatekeeper: Gatekeeper, held: list[Held], rules: bool) -> Judged:
    return Judged(gatekeeper, held, judge(gatekeeper, [one.claim for one in held], rules=rules))


def shadow(db: Engine, trial: Trial, decided: Sequence[Judged], *, rules: bool) -> int:
    """Has the shadow score its share of the claims of a message whose moves are committed, and keeps what it
    says; returns how many claims those were. Raises whatever its engine raises."""
    scored = 0
    for group in decided:
        at = [index for index, held in enumerate(group.held) if trial.takes(held.filing_id)]
        if not at:
            continue
        held = [group.held[index] for index in at]
        live_called = _called(group.judgement.routing)
        said = judge(trial.gatekeeper, [one.claim for one in held], rules=rules).routing
        live = group.judgement.routing
        scores = ShadowScores(
            evaluations=[one.evaluation_id for one in held],
            escalated=said.escalate.tolist(),
            called=_called(said),
            doubt=_numbers(said.doubt),
            live_escalated=live.escalate[at].tolist(),
            live_called=[live_called[index] for index in at],
            live_doubt=_numbers(live.doubt[at]),
            live_calibration=group.gatekeeper.calibration.id,
        )
        keep: Any = partial(monitoring.keep_shadow_scores, model=trial.model, scores=scores)
        transact(db, keep, durable=False)
        scored += len(held)
    return scored


def _called(routing: Routing) -> list[str]:
    """What a model calls each claim, whether or not it escalates it."""
    return [
        LABELS[named] if fail else PASS
        for fail, named in zip(routing.fail.tolist(), routing.error_class.tolist(), strict=True)
    ]


def _numbers(values: NDArray[np.float64]) -> list[float | None]:
    return [float(value) if np.isfinite(value) else None for value in values]
