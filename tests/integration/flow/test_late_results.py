"""A worker whose result comes too late says so, and one whose result counts does not."""

from collections.abc import Sequence
from functools import partial
from uuid import UUID

import numpy as np
import pytest
from numpy.typing import NDArray
from sqlalchemy import Engine, text

from ace.claims.model import ClaimInput
from ace.expert.client.answer import Answer
from ace.expert.prompt.rationale import Rationale
from ace.flow.leased import TOO_LATE
from ace.store import moves
from ace.store.database import transact
from ace.store.tables import Stage
from tests import factories, fakes
from tests.integration.flow.examining import examine_by

PASS = Rationale(reasoning="Step 3 [Verdict]: it passes.", verdict="Pass")


def cancel(db: Engine, claim: int) -> None:
    with db.begin() as connection:
        connection.execute(
            text("UPDATE evaluations SET state = 'cancelled', lease = NULL WHERE claim_number = :claim"),
            {"claim": claim},
        )


class Slow(fakes.Gatekeeper):
    """While it scores, claims are cancelled."""

    def __init__(self, db: Engine, cancelled: list[int]) -> None:
        super().__init__()
        self.db, self.cancelled = db, cancelled

    def score(self, inputs: Sequence[ClaimInput]) -> NDArray[np.float32]:
        for claim in self.cancelled:
            cancel(self.db, claim)
        return super().score(inputs)


class SlowExpert(fakes.Expert):
    """While it answers, its claim is cancelled."""

    db: Engine | None = None

    def examine(self, claim: ClaimInput, total: int, **more: object) -> Answer:
        if self.db is not None:
            cancel(self.db, claim.number)
        return super().examine(claim, total)


def rejected(caplog: pytest.LogCaptureFixture) -> list[int]:
    """How many claims each warning about a late result names."""
    return [int(getattr(one, "rejected")) for one in caplog.records if one.message == TOO_LATE]  # noqa: B009


@pytest.mark.parametrize(("cancelled", "late"), [([], []), ([2], [1]), ([1, 2, 3], [3])])
def test_claims_cancelled_while_the_gatekeeper_works_are_reported(
    db: Engine, caplog: pytest.LogCaptureFixture, cancelled: list[int], late: list[int]
) -> None:
    factories.submit(db)
    leased = factories.lease(db, Stage.FAST)
    assert leased is not None

    moved = factories.screen(db, leased.token, Slow(db, cancelled))

    assert moved == 3 - len(cancelled)
    assert rejected(caplog) == late


def examining(db: Engine) -> UUID:
    """The lease of a claim that is to be examined."""
    factories.submit(db, factories.new_filing(["A hook."]))
    fast = factories.lease(db, Stage.FAST)
    assert fast is not None
    said = factories.verdicts(fast.evaluations, escalate=True)
    transact(db, partial(moves.screened, token=fast.token, screened=said, actor="t"))
    slow = factories.lease(db, Stage.SLOW)
    assert slow is not None
    return slow.token


@pytest.mark.parametrize("late", [False, True])
def test_a_claim_cancelled_while_the_expert_works_is_reported(
    db: Engine, caplog: pytest.LogCaptureFixture, late: bool
) -> None:
    token = examining(db)
    expert = SlowExpert([PASS])
    expert.db = db if late else None

    moved = examine_by(db, token, expert)

    assert moved is not late
    assert rejected(caplog) == ([1] if late else [])
