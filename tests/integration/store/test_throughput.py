"""How fast claims are decided just now, and how long what waits takes."""

from datetime import timedelta
from functools import partial

import pytest
from sqlalchemy import Engine, text

from ace.store import moves, throughput
from ace.store.database import transact
from ace.store.tables import Stage
from ace.store.throughput import Decided, Rate, rates
from tests import factories
from tests.unit.desk.test_health import NOW


@pytest.mark.parametrize(
    ("rate", "claims", "minutes"), [(0, 0, None), (0, 9, None), (3, 0, None), (3, 9, 3), (0.5, 9, 18)]
)
def test_how_long_what_waits_takes(rate: float, claims: int, minutes: float | None) -> None:
    assert Rate(rate).minutes_for(claims) == minutes


def decided(by: str, count: int, *, seconds: float, tenant: str = "office") -> Decided:
    return Decided(tenant, by, count, NOW - timedelta(seconds=seconds))


@pytest.mark.parametrize(
    ("known", "fast", "slow"),
    [
        ([], 0, 0),
        ([decided("gatekeeper", 100, seconds=120)], 50, 0),
        ([decided("gatekeeper", 100, seconds=120), decided("expert", 10, seconds=60)], 60, 10),
        ([decided("gatekeeper", 100, seconds=1)], 400, 0),  # as if it had taken 15 s
        ([decided("gatekeeper", 100, seconds=60, tenant="other")], 0, 0),
    ],
)
def test_rates_of_a_tenant(known: list[Decided], fast: float, slow: float) -> None:
    found = rates(known, NOW, tenant="office")
    assert {stage: rate.per_minute for stage, rate in found.items()} == {Stage.FAST: fast, Stage.SLOW: slow}
    assert rates(known, NOW)[Stage.FAST].per_minute == sum(
        60 * one.count / max(15, (NOW - one.since).total_seconds()) for one in known
    )


def test_what_was_decided_just_now_is_read_from_the_minutes_that_are_kept(db: Engine) -> None:
    factories.submit(db)
    leased = factories.lease(db, Stage.FAST)
    assert leased is not None
    said = factories.verdicts(leased.evaluations)
    transact(db, partial(moves.start, token=leased.token, worker="w", lease_seconds=60))
    transact(db, partial(moves.screened, token=leased.token, screened=said, actor="w"))
    transact(db, moves.compact_tallies)

    (found,) = transact(db, throughput.decided_just_now)
    assert (found.tenant, found.decided_by, found.count) == ("office", "gatekeeper", 3)
    assert transact(db, partial(throughput.decided_just_now, tenant="other")) == []
    with db.begin() as connection:  # and long ago
        connection.execute(text("UPDATE decided_by_minute SET minute = minute - interval '10 minutes'"))
    assert transact(db, throughput.decided_just_now) == []
