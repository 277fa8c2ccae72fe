"""Jobs: what they replay, how far they have come, and that they can be stopped."""

from functools import partial
from typing import Any
from uuid import UUID

from sqlalchemy import Engine, text

from ace import flow
from ace.store import jobs, reads
from ace.store.database import transact
from ace.store.pauses import Order
from tests import factories, fakes
from tests.integration.flow.test_dispatching import LIMITS

ORDER = Order("office", "key:1", "the expert is back")


def failed(db: Engine, count: int, *, error: str = "timeout", tenant: str = "office") -> None:
    factories.submit(db, *[factories.new_filing(["A hook."], tenant=tenant) for _ in range(count)])
    with db.begin() as connection:
        connection.execute(
            text(
                "UPDATE evaluations SET state = 'failed', failed_stage = 'slow', error = :error"
                " WHERE state = 'queued' AND tenant = :tenant"
            ),
            {"error": error, "tenant": tenant},
        )


def order(db: Engine, **which: Any) -> UUID:
    return transact(db, partial(jobs.order, given=ORDER, which=reads.Filter(**which)))


def seen(db: Engine, job: UUID) -> Any:
    return transact(db, partial(jobs.one, tenant="office", job=job))


def test_all_that_match_are_replayed_in_batches_and_nothing_else(db: Engine) -> None:
    failed(db, 7)
    failed(db, 2, error="schema")
    failed(db, 2, tenant="other")
    job = order(db, error="timeout")
    assert (seen(db, job)["matched"], seen(db, job)["state"]) == (7, "running")

    progress = []
    while seen(db, job)["state"] == "running":
        transact(db, partial(jobs.work_off, batch=3))
        progress.append(seen(db, job)["replayed"])

    assert progress == [3, 6, 7]
    assert sorted(factories.states(db).values()) == ["escalated"] * 7 + ["failed"] * 4
    assert seen(db, job)["ended_at"] is not None
    assert transact(db, jobs.work_off) == 0


def test_the_dispatcher_works_jobs_off(db: Engine) -> None:
    failed(db, 2)
    job = order(db)
    assert flow.dispatch(db, fakes.Broker(), LIMITS, actor="d").more
    assert seen(db, job)["state"] == "done"
    with db.connect() as connection:
        actors = connection.execute(text("SELECT actor FROM events WHERE move = 'replay'")).scalars()
        assert set(actors) == {f"job:{job}"}


def test_what_fails_after_the_order_is_left_alone(db: Engine) -> None:
    job = order(db)
    failed(db, 1)
    with db.begin() as connection:
        connection.execute(text("UPDATE evaluations SET updated_at = now() + interval '1 s'"))
    assert transact(db, jobs.work_off) == 0
    assert (seen(db, job)["matched"], seen(db, job)["state"]) == (0, "done")


def test_a_cancelled_job_replays_nothing_more(db: Engine) -> None:
    failed(db, 5)
    job = order(db)
    transact(db, partial(jobs.work_off, batch=2))
    assert transact(db, partial(jobs.cancel, given=ORDER, job=job))
    assert not transact(db, partial(jobs.cancel, given=ORDER, job=job))
    assert transact(db, jobs.work_off) == 0
    assert (seen(db, job)["replayed"], seen(db, job)["state"]) == (2, "cancelled")


def test_another_tenant_neither_sees_nor_cancels_a_job(db: Engine) -> None:
    failed(db, 1)
    job = order(db)
    stranger = Order("stranger", "key:2", "why not")
    assert transact(db, partial(jobs.one, tenant="stranger", job=job)) is None
    assert not transact(db, partial(jobs.cancel, given=stranger, job=job))
    assert not transact(db, partial(jobs.of_tenant, tenant="stranger", limit=9))
