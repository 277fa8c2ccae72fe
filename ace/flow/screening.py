"""The gatekeeper's part of one message: analyse, score, route, and move all its claims at once."""

import logging
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import compress
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Engine

from ace.claims.taxonomy import LABELS
from ace.errors import ModelError
from ace.flow.analysing import RULES, Analysed, AnalysesInHand, Checks
from ace.flow.judging import Judgement
from ace.flow.leased import TOO_LATE, Holding, in_view, persist, take_up, wake
from ace.flow.observer import NOBODY, Observer
from ace.flow.trials import Judged, Trial, judged
from ace.gatekeeper.engine import Engine as Gatekeeper
from ace.gatekeeper.inputs import CHAIN_CHARACTERS
from ace.store import monitoring, moves, reads
from ace.store.tables import Stage
from ace.types.faults import UNSCORED
from ace.types.tenants import is_for_tests

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What one model makes of claims of a message: those `held` with the judgement of each, and those that
    fail, with the reason. `tests` and `spared` have shape (N,): claims of tests, and those of them that would
    escalate."""

    gatekeeper: Gatekeeper
    held: list[reads.Held]
    judgement: Judgement
    tests: NDArray[np.bool_]
    spared: NDArray[np.bool_]
    failed: Mapping[UUID, str]

    @property
    def escalate(self) -> NDArray[np.bool_]:
        """Which claims go to the expert."""
        return self.judgement.routing.escalate & ~self.spared

    @property
    def decided(self) -> NDArray[np.bool_]:
        """Which claims are decided that are no tests."""
        return ~(self.escalate | self.tests)

    @property
    def auditable(self) -> list[UUID]:
        """The claims that are no tests."""
        return [held.evaluation_id for held in compress(self.held, ~self.tests)]


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
    canary: Trial | None = None,
    audit_share: float = 0.0,
    committed: Callable[[Sequence[Judged]], object] = lambda _: None,
    clock: Callable[[], float] = time.monotonic,
) -> int:
    """The gatekeeper's part of one message: analyse, score, route, and move all its claims at once.

    The rules run in `checks`, once for each filing; with None, no rule looks at the claims. The claims of a
    set on which they take too long fail; claims of its tenant that are not reached for that are given back.
    Claims of tests never escalate: the gatekeeper's opinion decides those too that would.

    If several messages are in hand, they share the analyses `in_hand`, and `model_lock` guards the model;
    `observer` is called for messages whose claims all moved, and after it `committed`. A `canary` judges its
    share of the filings in the place of `gatekeeper`. Of the fast verdicts, the share `audit_share` is drawn
    for people to review. Returns how many evaluations moved; 0 also for a message that somebody else took up
    or whose lease ran out. Raises `ModelError` if the gatekeeper can no longer score anything: the worker
    must end. The claims may have broken it, so their lease runs out like that of any lost worker.
    """
    with ExitStack() as in_message:
        in_message.enter_context(holding(token))
        taken = take_up(db, token, CHAIN_CHARACTERS, lease_seconds, worker, RULES if checks else None)
        if not taken.held:
            return 0
        note = in_message.enter_context(in_view("screen", token, taken.held))
        began = clock()
        analysed = in_message.enter_context(in_hand.of(checks, taken)) if checks else Analysed(taken.held)
        try:
            with model_lock:
                judging = clock()
                groups = judged(gatekeeper, canary, analysed.ready, rules=checks is not None)
                judged_seconds = clock() - judging
        except Exception as error:  # whatever a runtime raises once it is broken for every claim
            raise ModelError(f"the gatekeeper can no longer score anything: {type(error).__name__}") from None
        outcomes = [_outcome(group) for group in groups]
        failed = dict(analysed.stopped)
        for each in outcomes:
            failed |= each.failed
        moved = persist(db, partial(_move, token, outcomes, failed, analysed.new, worker, audit_share))
        note(moved=moved, escalated=sum(int(each.escalate.sum()) for each in outcomes))
        if moved < (settled := sum(len(each.held) for each in outcomes) + len(failed)):
            log.warning(TOO_LATE, extra={"rejected": settled - moved, "worker": worker})
        else:
            observer.took_up(Stage.FAST, [held.waited_seconds for held in taken.held])
            _tell(observer, outcomes, failed, judged_seconds=judged_seconds, seconds=clock() - began)
            committed(groups)
    wake(db)
    return moved


def _outcome(group: Judged) -> _Outcome:
    """Spares tests the expert. A test without a score fails, since doubt never passes (law 9)."""
    routing = group.judgement.routing
    tests = np.array([is_for_tests(held.tenant) for held in group.held], dtype=np.bool_)
    unscored = tests & np.isnan(routing.doubt)
    scored = ~unscored
    kept = group.judgement.of(scored)
    return _Outcome(
        group.gatekeeper,
        list(compress(group.held, scored)),
        kept,
        tests[scored],
        tests[scored] & kept.routing.escalate,
        {held.evaluation_id: UNSCORED for held in compress(group.held, unscored)},
    )


def _tell(
    observer: Observer,
    outcomes: Sequence[_Outcome],
    failed: Mapping[UUID, str],
    *,
    judged_seconds: float,
    seconds: float,
) -> None:
    """Tells of a message whose claims all moved. What comes of tests says nothing about the work."""
    screened = sum(len(each.held) for each in outcomes)
    escalated = sum(int(each.escalate.sum()) for each in outcomes)
    decided = sum(int(each.decided.sum()) for each in outcomes)
    observer.judged(screened, escalated, decided, judged_seconds)
    verdicts: Counter[tuple[str, str | None]] = Counter()
    ages_seconds: list[float] = []
    for each in outcomes:
        routing, at = each.judgement.routing, each.decided
        verdicts.update(map(_verdict, routing.fail[at].tolist(), routing.error_class[at].tolist()))
        ages_seconds += [held.age_seconds + seconds for held in compress(each.held, at)]
    if verdicts:
        observer.decided("gatekeeper", verdicts, ages_seconds)
    for error in failed.values():
        observer.failed(error)


def _verdict(fails: bool, named: int) -> tuple[str, str | None]:
    return ("Fail", LABELS[named]) if fails else ("Pass", None)


def _move(
    token: UUID,
    outcomes: Sequence[_Outcome],
    failed: Mapping[UUID, str],
    analyses: moves.Analyses,
    worker: str,
    audit_share: float,
    connection: Connection,
) -> int:
    """Moves the claims of a message; those in no group go back to the queue."""
    moves.keep_analyses(connection, token, analyses)
    moved = moves.quarantined(connection, token, failed, actor=worker) if failed else 0
    first, *others = map(_screened, outcomes)
    moved += moves.screened(connection, token, first, also=others, actor=worker)
    for each in outcomes:
        monitoring.draw(connection, each.auditable, audit_share)
    return moved


def _screened(outcome: _Outcome) -> moves.Screened:
    calibration, judgement, escalate = outcome.gatekeeper.calibration, outcome.judgement, outcome.escalate
    routing = judgement.routing
    return moves.Screened(
        evaluations=[held.evaluation_id for held in outcome.held],
        escalate=escalate.tolist(),
        fail=routing.fail.tolist(),
        error_classes=[LABELS[index] for index in routing.error_class.tolist()],
        grounds=[each.value for each in judgement.grounds],
        probabilities=_numbers(judgement.p),
        u=_numbers(routing.u),
        h6=_numbers(routing.h6),
        doubt=_numbers(routing.doubt),
        disputed=((routing.disputed | outcome.spared) & ~escalate).tolist(),
        would_escalate=outcome.spared.tolist(),
        spans=judgement.spans,
        score=calibration.score,
        tau=calibration.tau,
        certain=calibration.certain,
        model=outcome.gatekeeper.revision,
        calibration=calibration.id,
    )


def _numbers(values: NDArray[np.floating[Any]]) -> Any:
    """Nested lists of floats, with None in place of NaN and infinities."""
    return np.where(np.isfinite(values), values, np.array(None)).tolist()
