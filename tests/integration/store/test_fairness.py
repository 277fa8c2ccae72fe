"""What the dispatcher takes first: tenants share evenly, priorities order a tenant's own claims."""

from collections import Counter

import pytest
from sqlalchemy import Engine, text

from ace.errors import TooMuch
from ace.store import counts, moves
from ace.store.database import transact
from ace.store.tables import Stage
from tests import factories


def tenants_of(db: Engine, leased: moves.Leased | None) -> Counter[str]:
    """How many claims of each tenant a message carries."""
    assert leased is not None
    with db.connect() as connection:
        rows = connection.execute(
            text("SELECT tenant FROM evaluations WHERE id = ANY(:ids)"), {"ids": list(leased.evaluations)}
        )
        return Counter(rows.scalars())


def filing(tenant: str, claims: int = 1, *, priority: int = 5) -> moves.NewFiling:
    return factories.new_filing(["A hook."] * claims, tenant=tenant, priority=priority)


def test_a_single_claim_goes_out_with_the_next_message_however_much_another_tenant_queued(db: Engine) -> None:
    factories.submit(db, *[filing("bulk", 100) for _ in range(3)])
    factories.submit(db, filing("single"))

    assert tenants_of(db, factories.lease(db, Stage.FAST, most=50)) == {"bulk": 25, "single": 1}


def test_no_tenant_gets_ahead_by_calling_all_it_has_urgent(db: Engine) -> None:
    factories.submit(db, filing("pushy", 100, priority=0), filing("patient", 100, priority=9))

    assert tenants_of(db, factories.lease(db, Stage.FAST, most=50)) == {"pushy": 25, "patient": 25}


def sizes_of(db: Engine, claims: int) -> list[tuple[int, ...]]:
    """How many claims of each filing the messages carry, one message after the other, if one has room for
    so many."""
    sizes: list[tuple[int, ...]] = []
    with db.connect() as connection:
        budget = claims * connection.execute(text("SELECT max(size) FROM evaluations")).scalar_one()
    while leased := factories.lease(db, Stage.FAST, budget=budget):
        with db.connect() as connection:
            rows = connection.execute(
                text("SELECT filing_id FROM evaluations WHERE id = ANY(:ids)"),
                {"ids": list(leased.evaluations)},
            )
            sizes.append(tuple(sorted(Counter(rows.scalars()).values())))
    return sizes


@pytest.mark.parametrize(
    ("filings", "most", "sizes"),
    [
        ((4, 4, 4), 10, [(4, 4), (4,)]),  # the third waits for the next message
        ((4, 9), 10, [(4, 6), (3,)]),  # more than half a message would wait too long beside urgent ones
        ((12,), 10, [(10,), (2,)]),  # larger than a message
        ((4,), 2, [(2,), (2,)]),
        ((1, 1, 1), 10, [(1, 1, 1)]),
    ],
)
def test_filings_travel_whole_where_they_fit(
    db: Engine, filings: tuple[int, ...], most: int, sizes: list[tuple[int, ...]]
) -> None:
    for claims in filings:
        factories.submit(db, filing("one", claims))
    assert sizes_of(db, most) == sizes


def test_a_tenant_with_nothing_but_a_cut_filing_is_served(db: Engine) -> None:
    factories.submit(db, filing("small"), filing("large", 5))
    assert sizes_of(db, 4) == [(1, 3), (2,)]


def test_more_tenants_than_room_are_served_by_lot(db: Engine) -> None:
    factories.submit(db, *[filing(f"tenant-{number}", 3) for number in range(12)])

    served = [tenants_of(db, factories.lease(db, Stage.FAST, most=4)) for _ in range(4)]

    assert all(set(message.values()) == {1} for message in served)
    assert len(set().union(*served)) > 4


def test_one_expert_slot_is_not_kept_by_whoever_queued_first(db: Engine) -> None:
    factories.submit(db, filing("bulk", 40), filing("single"))
    while leased := factories.lease(db, Stage.FAST):
        screened = factories.verdicts(leased.evaluations, escalate=True)
        transact(db, lambda c, token=leased.token, s=screened: moves.screened(c, token, s, actor="t"))

    order = [next(iter(tenants_of(db, factories.lease(db, Stage.SLOW)))) for _ in range(41)]

    # By lot: it would come last in one of 2**40 runs.
    assert order.index("single") < 40


def test_claims_that_are_not_due_yet_hide_none_that_are(db: Engine) -> None:
    later = factories.submit(db, filing("office", 5, priority=0))[0]
    with db.begin() as connection:
        connection.execute(text("UPDATE evaluations SET due_at = now() + interval '1 hour'"))
    due = factories.submit(db, filing("office", 2, priority=9))[0]

    leased = factories.lease(db, Stage.FAST, most=3)

    assert leased is not None
    assert set(leased.evaluations) == {id_ for _, id_ in due.evaluations}
    assert factories.states(db)[later.evaluations[0][1]] == "queued"


def test_claims_whose_worker_was_lost_travel_apart_and_in_small_groups(db: Engine) -> None:
    factories.submit(db, *[filing("office", 50) for _ in range(2)])
    with db.begin() as connection:
        connection.execute(text("UPDATE evaluations SET tries = 1 WHERE claim_number <= 40"))

    sizes = []
    while leased := factories.lease(db, Stage.FAST):
        with db.connect() as connection:
            tries = connection.execute(
                text("SELECT DISTINCT tries FROM evaluations WHERE lease = :t"), {"t": leased.token}
            ).scalars()
            sizes.append((len(leased.evaluations), list(tries), leased.alone))

    assert sorted(sizes) == [(16, [1], False), (20, [0], False), (32, [1], False), (32, [1], False)]


def test_a_message_that_leaves_claims_behind_for_its_size_says_so(db: Engine) -> None:
    factories.submit(db, filing("office", 10))

    assert [
        (len(leased.evaluations), leased.full)
        for budget in (30, 10_000)
        if (leased := factories.lease(db, Stage.FAST, budget=budget))
    ] == [(3, True), (7, False)]


@pytest.mark.parametrize("folded", [False, True])
def test_a_backlog_has_a_bound_for_each_tenant(db: Engine, folded: bool) -> None:
    factories.submit(db, filing("office", 8), filing("other", 100))
    if folded:
        transact(db, moves.compact_tallies)

    for claims, refused in ((3, True), (2, False), (1, True)):
        work = [filing("office", claims)]
        if refused:
            with pytest.raises(TooMuch, match="more than 10 claims"):
                transact(db, lambda c, work=work: moves.submit(c, work, actor="t", backlog=10))
        else:
            transact(db, lambda c, work=work: moves.submit(c, work, actor="t", backlog=10))

    with db.connect() as connection:
        assert counts.backlog(connection, "office") == 10


def test_a_known_filing_is_answered_also_when_the_backlog_is_full(db: Engine) -> None:
    known = factories.new_filing(["A hook."] * 5, key="k")
    first = factories.submit(db, known)[0]

    [again] = transact(db, lambda c: moves.submit(c, [known], actor="t", backlog=5))

    assert (again.filing_id, again.created) == (first.filing_id, False)


def test_decided_claims_leave_the_backlog_and_folding_changes_no_count(db: Engine) -> None:
    factories.submit(db, filing("office", 5))
    leased = factories.lease(db, Stage.FAST, most=3)
    assert leased is not None
    screened = factories.verdicts(leased.evaluations)
    transact(db, lambda c: moves.screened(c, leased.token, screened, actor="t"))

    def told() -> tuple[object, ...]:
        with db.connect() as connection:
            rows = connection.execute(text("SELECT count(*) FROM tallies")).scalar_one()
            return counts.state_counts(connection), counts.backlog(connection, "office"), rows

    before = told()
    transact(db, moves.compact_tallies)

    assert before[:2] == ({("queued", ""): 2, ("decided", "gatekeeper"): 3}, 2)
    assert told() == (*before[:2], 2)
