"""Re-evaluations: claims that are decided are evaluated anew, and no verdict is overwritten."""

from functools import partial
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import Engine, text

from ace.store import filings, jobs, moves, reads
from ace.store.auditing import audit
from ace.store.database import transact
from ace.store.operating_tables import JobKind
from ace.store.pauses import Order
from ace.store.purge import Purged, purge
from ace.store.tables import Stage
from tests import factories
from tests.integration.store.test_purge import BETWEEN, LONG_AGO

ORDER = Order("office", "key:1", "a new model")


def decide(db: Engine, *, fail: bool = False, escalate: bool = False) -> None:
    """Brings everything that waits to a verdict."""
    while leased := factories.lease(db, Stage.FAST):
        said = factories.verdicts(leased.evaluations, fail=fail, escalate=escalate)
        transact(db, partial(moves.screened, token=leased.token, screened=said, actor="w"))
    while leased := factories.lease(db, Stage.SLOW):
        said = factories.examination(leased.evaluations[0], "Fail" if fail else "Pass")
        transact(db, partial(moves.examined, token=leased.token, examination=said, actor="w"))


def decided(db: Engine, count: int = 1, **more: Any) -> list[UUID]:
    """Filings of one claim that the gatekeeper passes; their evaluations."""
    accepted = factories.submit(db, *[factories.new_filing(["A hook."], **more) for _ in range(count)])
    decide(db)
    return [id_ for one in accepted for _, id_ in one.evaluations]


def again(db: Engine, *evaluations: UUID) -> list[UUID]:
    order = partial(moves.reevaluate, tenant="office", evaluations=evaluations, actor="job:1")
    return transact(db, order)


def seen(db: Engine, evaluation: UUID) -> Any:
    return transact(db, partial(reads.evaluation, tenant="office", evaluation_id=evaluation))


def filing(db: Engine, evaluation: UUID) -> Any:
    filing_id = seen(db, evaluation)["filing_id"]
    return transact(db, partial(reads.filing, tenant="office", filing_id=filing_id))


@pytest.mark.parametrize("escalate", [False, True])
def test_a_new_verdict_supersedes_and_the_old_one_stays(db: Engine, escalate: bool) -> None:
    (old,) = decided(db)
    before = dict(seen(db, old))

    (new,) = again(db, old)

    assert filing(db, old)["reevaluating"] == 1
    assert str(old) in filing(db, old)["evaluations"]
    assert str(new) not in filing(db, old)["evaluations"]  # the old verdict counts until there is a new one
    decide(db, fail=True, escalate=escalate)
    after = seen(db, old)
    assert after["superseded_by"] == new
    assert {**after, "superseded_by": None} == before
    made = seen(db, new)
    assert (made["verdict"], made["supersedes"], made["superseded_by"]) == ("Fail", old, None)
    shown = filing(db, old)
    assert (shown["reevaluating"], shown["states"]) == (0, {"decided": 1})
    assert str(new) in shown["evaluations"]
    assert str(old) not in shown["evaluations"]
    assert transact(db, audit).sound
    events = transact(db, partial(reads.events, tenant="office", evaluation_id=new))
    assert events is not None
    assert (events[0]["move"], events[0]["actor"]) == ("submit", "job:1")


def test_lists_show_what_counts(db: Engine) -> None:
    (old,) = decided(db)
    again(db, old)
    decide(db, fail=True)

    def listed(**which: Any) -> list[Any]:
        page = partial(
            filings.page, tenant="office", which=filings.FilingFilter(**which), after=None, limit=9
        )
        return [(row["verdicts"], row["open"]) for row in transact(db, page)]

    assert listed() == listed(verdict="Fail") == [({"Fail": 1}, False)]
    assert listed(verdict="Pass") == []


def test_a_claim_is_evaluated_again_once_at_a_time(db: Engine) -> None:
    (old,) = decided(db)
    (new,) = again(db, old)
    assert again(db, old, new) == []  # it is under way
    decide(db)
    assert again(db, old) == []  # it is superseded
    (third,) = again(db, new)
    decide(db)
    assert [seen(db, one)["superseded_by"] for one in (old, new, third)] == [new, third, None]


def test_two_jobs_at_once_make_one_evaluation(db: Engine) -> None:
    (old,) = decided(db)
    with db.connect() as one:
        assert len(moves.reevaluate(one, "office", [old], actor="job:1")) == 1
        with db.connect() as other:
            other.execute(text("SET lock_timeout = '50ms'"))
            with pytest.raises(Exception, match="lock timeout"):
                moves.reevaluate(other, "office", [old], actor="job:2")
        one.commit()
    assert again(db, old) == []


def test_what_is_cancelled_supersedes_nothing_and_may_be_tried_again(db: Engine) -> None:
    (old,) = decided(db)
    (new,) = again(db, old)
    cancel = partial(moves.cancel, tenant="office", filing_id=seen(db, old)["filing_id"], actor="t")
    assert transact(db, cancel) == [new]
    assert (seen(db, old)["superseded_by"], filing(db, old)["states"]) == (None, {"decided": 1})
    assert len(again(db, old)) == 1


def test_only_decided_claims_of_the_tenant_that_still_have_their_text(db: Engine) -> None:
    (theirs,) = decided(db, tenant="other")
    (purged,) = decided(db)
    (held,) = decided(db)
    with db.begin() as connection:
        connection.execute(
            text(
                "UPDATE filings SET created_at = :at"
                " WHERE id = (SELECT filing_id FROM evaluations WHERE id = :id)"
            ),
            {"at": LONG_AGO, "id": purged},
        )
    assert purge(db, BETWEEN) == Purged(filings=1, claims=1)
    [[waiting]] = [
        [id_ for _, id_ in one.evaluations] for one in factories.submit(db, factories.new_filing(["A."]))
    ]
    with db.begin() as connection:  # as a purge holds it
        connection.execute(
            text(
                "SELECT FROM filings WHERE id = (SELECT filing_id FROM evaluations WHERE id = :id)"
                " FOR NO KEY UPDATE"
            ),
            {"id": held},
        )
        assert again(db, theirs, purged, held, waiting) == []
    assert len(again(db, held)) == 1


def test_the_same_submission_again_names_its_first_evaluations(db: Engine) -> None:
    new = factories.new_filing(["A hook."], key="once")
    (first,) = factories.submit(db, new)
    decide(db)
    again(db, *(id_ for _, id_ in first.evaluations))
    (known,) = factories.submit(db, new)
    assert known.evaluations == first.evaluations


def job_seen(db: Engine, job: UUID) -> Any:
    return transact(db, partial(jobs.one, tenant="office", job=job))


def order(db: Engine, **which: Any) -> UUID:
    wanted = partial(jobs.order, given=ORDER, which=reads.Filter(**which), kind=JobKind.REEVALUATE)
    return transact(db, wanted)


def test_a_job_evaluates_all_that_match_in_batches_and_nothing_that_comes_later(db: Engine) -> None:
    old = decided(db, 7)
    decided(db, 1, docket="D-2")
    job = order(db, docket="D-1", model="test-model", verdict="Pass", decided_by="gatekeeper")
    later = decided(db, 1)
    progress = []
    while (shown := job_seen(db, job))["state"] == "running":
        progress.append(shown["replayed"])
        transact(db, partial(jobs.work_off, batch=3))

    assert (shown["kind"], shown["matched"], progress) == ("reevaluate", 7, [0, 3, 6])
    with db.connect() as connection:
        made = connection.execute(
            text("SELECT supersedes, priority FROM evaluations WHERE supersedes IS NOT NULL")
        ).all()
    assert {tuple(row) for row in made} == {(id_, 9) for id_ in old}
    assert not {*later} & {row.supersedes for row in made}


def test_a_job_of_one_filing_keeps_its_filter(db: Engine) -> None:
    old = decided(db, 2)
    job = order(db, filing_id=seen(db, old[0])["filing_id"])
    assert job_seen(db, job)["filter"] == {"filing": str(seen(db, old[0])["filing_id"])}
    assert transact(db, jobs.work_off) == 1


def test_while_much_waits_no_re_evaluation_is_added_and_other_jobs_go_on(
    db: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    decided(db, 2)
    order(db)
    (theirs,) = decided(db, tenant="other")
    wanted = partial(jobs.order, which=reads.Filter(), kind=JobKind.REEVALUATE)
    transact(db, partial(wanted, given=Order("other", "key:2", "a new model")))
    factories.submit(db, factories.new_filing(["A hook."]))
    monkeypatch.setattr(jobs, "WAITING", 1)

    assert transact(db, jobs.work_off) == 1
    with db.connect() as connection:
        made = connection.execute(text("SELECT supersedes FROM evaluations WHERE supersedes IS NOT NULL"))
        assert made.scalars().all() == [theirs]
    assert transact(db, jobs.work_off) == 0  # the tenant whose claims wait

    decide(db)
    assert transact(db, jobs.work_off) == 2


def test_a_filing_is_told_of_as_settled_again(db: Engine) -> None:
    (old,) = decided(db)
    transact(db, moves.number_notices)
    again(db, old)
    decide(db)
    transact(db, moves.number_notices)
    with db.connect() as connection:
        kinds = connection.execute(text("SELECT kind FROM notices ORDER BY number")).scalars().all()
    assert kinds == ["evaluation.decided", "filing.settled"] * 2


def test_a_filing_with_a_re_evaluation_under_way_is_not_purged(db: Engine) -> None:
    (old,) = decided(db)
    again(db, old)
    with db.begin() as connection:
        connection.execute(text("UPDATE filings SET created_at = :at"), {"at": LONG_AGO})
    assert purge(db, BETWEEN) == Purged(still_open=1)
