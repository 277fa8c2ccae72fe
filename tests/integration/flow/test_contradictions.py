"""No verdict stands undisputed beside an analysis that says otherwise, whatever gatekeeper and expert say."""

import random
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
from numpy.typing import NDArray
from sqlalchemy import Engine, RowMapping, text

from ace import flow
from ace.claims.analysis import from_json
from ace.claims.findings import CERTAIN
from ace.claims.model import ClaimInput, ClaimSet
from ace.claims.readers import read_text
from ace.claims.taxonomy import ErrorClass
from ace.expert.client.control import ControlledExpert
from ace.expert.prompt.rationale import Rationale
from ace.local import samples
from ace.routing.policy import LIKELY
from ace.store.tables import State
from ace.types.endpoints import ONLY
from ace.types.rationale import StatedDefect
from ace_lab.data.filed_sets import read_filed
from tests import factories, fakes
from tests.shared import shared_file

SETS = 200
LIMITS = flow.DispatchLimits(
    fast_lease_seconds=600,
    slow_lease_seconds=600,
    message_budget_tokens=1_000_000,
    message_max_claims=2_000,
    fast_waiting_messages=1_000,
    expert_slots=1_000,
    max_tries=3,
)
PASS = Rationale(reasoning="Step 3 [Verdict]: it passes.", verdict="Pass")
FAIL = Rationale(
    reasoning="Step 3 [Verdict]: it fails.",
    verdict="Fail",
    findings=(StatedDefect(ErrorClass.AMBIGUITY, "words of no claim"),),
)


class Sure(fakes.Gatekeeper):
    """Is sure of one verdict for every claim, and of every tenth one it knows no place."""

    def __init__(self, *, fails: bool) -> None:
        super().__init__()
        self.row = [0.01, 0.99, 0, 0, 0, 0] if fails else [0.99, 0.01, 0, 0, 0, 0]

    def score(self, inputs: Sequence[ClaimInput]) -> NDArray[np.float32]:
        return np.array([self.row] * len(inputs), dtype=np.float32)

    def locate(self, inputs: Sequence[ClaimInput], classes: Sequence[int]) -> list[tuple[int, int] | None]:
        return [(0, 1) if one.number % 10 else None for one in inputs]


def shared_sets() -> list[ClaimSet]:
    file = shared_file("data/us-claim-sets.jsonl.gz")
    return [filed.claims() for filed in islice(read_filed(file), 3, None, 13)][:SETS]


def run(db: Engine, *, fails: bool, answer: Rationale) -> None:
    """Screens and examines everything that is filed."""
    broker = fakes.Broker()
    gatekeeper, expert = Sure(fails=fails), fakes.Expert([answer])
    done = 0
    while flow.dispatch(db, broker, LIMITS, actor="d").messages:
        for stage, leased in broker.sent[done:]:
            given = {"checks": fakes.Checks("nothing stops"), "lease_seconds": 600.0, "worker": "w"}
            if stage == "fast":
                given |= {"model_lock": nullcontext(), "in_hand": flow.AnalysesInHand()}
                flow.screen(db, leased.token, gatekeeper, fakes.holding, **given)
            else:
                flow.examine(
                    db,
                    leased.token,
                    {ONLY: ControlledExpert(expert)},
                    fakes.holding,
                    rng=random.Random(1),
                    **given,
                )
        done = len(broker.sent)


@pytest.mark.parametrize(("fails", "answer"), [(False, PASS), (True, FAIL), (True, PASS)])
def test_no_contradiction_stands_undisputed_in_our_samples(
    db: Engine, fails: bool, answer: Rationale
) -> None:
    look(db, [read_text(sample.text) for sample in samples.load()], fails=fails, answer=answer)


@pytest.mark.slow
@pytest.mark.parametrize(("fails", "answer"), [(False, PASS), (True, FAIL)])
def test_no_contradiction_stands_undisputed_in_real_sets(db: Engine, fails: bool, answer: Rationale) -> None:
    look(db, shared_sets(), fails=fails, answer=answer)


def look(db: Engine, sets: Sequence[ClaimSet], *, fails: bool, answer: Rationale) -> None:
    """Files the sets, has them decided, and looks at every claim."""
    new = factories.new_filing()
    factories.submit(db, *[replace(new, claims=claims) for claims in sets])

    run(db, fails=fails, answer=answer)

    assert set(factories.states(db).values()) == {State.DECIDED}
    contradictions, disputed = [], 0
    for row in rows(db):
        analysis = from_json(row["analysis"], row["number"], row["text"])
        doubtful = LIKELY if row["decided_by"] == "gatekeeper" else CERTAIN
        against = analysis.sure >= doubtful if row["verdict"] == "Pass" else analysis.sure == 0
        if against and not row["disputed"]:
            contradictions.append((row["number"], row["text"], row["verdict"]))
        disputed += row["disputed"]
    assert contradictions == []
    assert disputed > 0


def rows(db: Engine) -> Sequence[RowMapping]:
    """Every claim with its verdict and its analysis."""
    with db.connect() as connection:
        return (
            connection.execute(
                text(
                    "SELECT number, text, verdict, decided_by, disputed,"
                    " claims -> CAST(number AS text) AS analysis"
                    " FROM evaluations e JOIN claims c USING (filing_id) JOIN analyses USING (filing_id)"
                    " WHERE claim_number = number"
                )
            )
            .mappings()
            .all()
        )
