"""Pauses and drains: what is dispatched meanwhile, what is not, and that nothing is lost."""

from collections import Counter
from dataclasses import replace
from functools import partial

import pytest
from sqlalchemy import Engine, text

from ace import flow
from ace.errors import Refused
from ace.store import acts, keys, moves, pauses
from ace.store.database import transact
from ace.store.operating_tables import ALL_TENANTS, PauseKind
from ace.store.pauses import Order
from ace.store.tables import Stage
from ace.types.endpoints import ONLY
from tests import factories, fakes
from tests.integration.flow.test_dispatching import LIMITS as NARROW
from tests.integration.flow.test_dispatching import escalated

LIMITS = replace(NARROW, message_max_claims=9)

OPERATOR = Order(ALL_TENANTS, "operator", "maintenance")


def begin(db: Engine, kind: PauseKind, name: str, *, drain: bool = False) -> None:
    assert transact(db, lambda connection: pauses.begin(connection, OPERATOR, kind, name, drain=drain))


def resume_all(db: Engine) -> None:
    for row in transact(db, pauses.in_force):
        assert transact(db, partial(pauses.end, order=OPERATOR, pause=row["id"]))


def dispatched(db: Engine) -> dict[Stage, int]:
    """How many claims a round publishes."""
    broker = fakes.Broker()
    flow.dispatch(db, broker, LIMITS, actor="d")
    sent: Counter[Stage] = Counter()
    for stage, leased in broker.sent:
        sent[stage] += len(leased.evaluations)
    return dict(sent)


@pytest.mark.parametrize(("kind", "name"), [(PauseKind.STAGE, "fast"), (PauseKind.TENANT, factories.TENANT)])
def test_what_is_paused_is_not_dispatched_until_it_is_resumed(db: Engine, kind: PauseKind, name: str) -> None:
    factories.submit(db)
    begin(db, kind, name)
    assert dispatched(db) == {}
    assert set(factories.states(db).values()) == {"queued"}
    resume_all(db)
    assert dispatched(db) == {Stage.FAST: 3}


def test_a_paused_tenant_holds_up_no_other(db: Engine) -> None:
    factories.submit(db, factories.new_filing(), factories.new_filing(["A hook."], tenant="other"))
    begin(db, PauseKind.TENANT, factories.TENANT)
    assert dispatched(db) == {Stage.FAST: 1}


@pytest.mark.parametrize(
    ("kind", "name"),
    [(PauseKind.STAGE, "slow"), (PauseKind.TENANT, factories.TENANT), (PauseKind.ENDPOINT, ONLY)],
)
def test_no_claim_goes_to_the_expert_while_it_is_paused(db: Engine, kind: PauseKind, name: str) -> None:
    flow.dispatch(db, fakes.Broker(), LIMITS, actor="d")  # declares the endpoint
    escalated(db, 1)
    begin(db, kind, name)
    assert dispatched(db) == {}
    resume_all(db)
    assert dispatched(db) == {Stage.SLOW: 1}


@pytest.mark.parametrize(
    ("kind", "name"),
    [(PauseKind.STAGE, "slow"), (PauseKind.TENANT, factories.TENANT), (PauseKind.ENDPOINT, ONLY)],
)
def test_a_drain_takes_back_what_nobody_has_taken_up(db: Engine, kind: PauseKind, name: str) -> None:
    flow.dispatch(db, fakes.Broker(), LIMITS, actor="d")
    escalated(db, 2)
    broker = fakes.Broker()
    flow.dispatch(db, broker, LIMITS, actor="d")
    taken, waiting = (leased for _, leased in broker.sent)
    transact(db, partial(moves.start, token=taken.token, worker="w", lease_seconds=60))

    begin(db, kind, name)
    dispatched(db)
    assert sorted(factories.states(db).values()) == ["examining", "examining"]  # a pause lets both finish
    resume_all(db)
    begin(db, kind, name, drain=True)
    assert dispatched(db) == {}

    states = factories.states(db)
    assert states[taken.evaluations[0]] == "examining"
    assert states[waiting.evaluations[0]] == "escalated"
    assert [row["in_hand"] for row in transact(db, pauses.in_force)] == [1]
    assert not transact(db, partial(moves.start, token=waiting.token, worker="w", lease_seconds=60))
    outcome = factories.examination(taken.evaluations[0], "Pass")
    transact(db, partial(moves.examined, token=taken.token, examination=outcome, actor="w"))
    assert [row["in_hand"] for row in transact(db, pauses.in_force)] == [0]
    assert factories.illegal_chains(db) == []


def test_a_drain_of_the_fast_stage_takes_back_its_messages(db: Engine) -> None:
    factories.submit(db)
    assert dispatched(db) == {Stage.FAST: 3}
    begin(db, PauseKind.STAGE, "fast", drain=True)
    assert dispatched(db) == {}
    assert set(factories.states(db).values()) == {"queued"}


def test_a_pause_is_begun_once_and_ended_by_its_owner_alone(db: Engine) -> None:
    ours = Order("office", "key:1", "too much")
    begun = transact(
        db, lambda connection: pauses.begin(connection, ours, PauseKind.TENANT, "office", drain=False)
    )
    assert begun is not None
    again = partial(pauses.begin, order=ours, kind=PauseKind.TENANT, name="office", drain=False)
    assert transact(db, again) is None
    begin(db, PauseKind.TENANT, "office")  # another owner's, beside it
    assert not transact(db, partial(pauses.end, order=OPERATOR, pause=begun))
    assert transact(db, partial(pauses.end, order=ours, pause=begun))
    assert not transact(db, partial(pauses.end, order=ours, pause=begun))
    factories.submit(db)
    assert dispatched(db) == {}  # the operator's still holds

    shown = transact(db, partial(acts.latest, tenant="office", limit=9))
    told = [(row["act"], row["target"], row["actor"], row["reason"]) for row in shown]
    assert told == [
        ("resume", "tenant office", "key:1", "too much"),
        ("pause", "tenant office", "key:1", "too much"),
    ]


def test_a_pause_can_become_a_drain(db: Engine) -> None:
    factories.submit(db)
    assert dispatched(db) == {Stage.FAST: 3}
    begin(db, PauseKind.STAGE, "fast")
    begin(db, PauseKind.STAGE, "fast", drain=True)
    assert dispatched(db) == {}
    assert set(factories.states(db).values()) == {"queued"}
    assert [row["act"] for row in transact(db, partial(acts.latest, tenant=ALL_TENANTS, limit=9))] == [
        "drain",
        "pause",
    ]


def test_a_tenant_sees_what_concerns_it(db: Engine) -> None:
    begin(db, PauseKind.STAGE, "slow")
    begin(db, PauseKind.TENANT, "other")
    seen = transact(db, partial(pauses.in_force, tenant="office"))
    assert [row["name"] for row in seen] == ["slow"]
    assert len(transact(db, pauses.in_force)) == 2


def test_no_tenant_can_be_named_like_all_of_them(db: Engine) -> None:
    with pytest.raises(Refused, match="all tenants"):
        transact(db, partial(keys.create, tenant=ALL_TENANTS, label="x"))


def test_decided_claims_are_counted_by_minute_once(db: Engine) -> None:
    factories.submit(db)
    leased = factories.lease(db, Stage.FAST)
    assert leased is not None
    said = factories.verdicts(leased.evaluations)
    transact(db, partial(moves.screened, token=leased.token, screened=said, actor="w"))
    for _ in range(2):
        transact(db, moves.compact_tallies)
    with db.connect() as connection:
        rows = connection.execute(text("SELECT tenant, decided_by, total FROM decided_by_minute")).all()
    assert [tuple(row) for row in rows] == [("office", "gatekeeper", 3)]
