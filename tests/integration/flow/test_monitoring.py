"""How a day of the database looks to the standing model, what is kept of it, and what an audit finds."""

from dataclasses import asdict, replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import Engine, text

from ace import flow
from ace.claims.taxonomy import LABELS
from ace.flow import monitoring
from ace.gatekeeper.loading import SHIPPED_MODEL
from ace.routing.calibration import Calibration
from ace.routing.drift import design_effect
from ace.routing.reference import Bins, Reference, counted
from ace.settings import Settings
from ace.store import models
from ace.store import monitoring as stored
from ace.store.database import transact
from ace.store.models import NewModel
from ace.store.operating_tables import ALL_TENANTS
from ace.store.pauses import Order
from ace.store.review_tables import Answer
from ace.store.reviews import NewReview
from ace.store.tables import Stage
from ace.workers.monitor import Monitor
from tests import factories, fakes

CLAIMS = (
    "A bracket comprising a plate.",
    "A bracket comprising a plate on said hook.",
    "A bracket that is about long.",
)
RECORD = replace(
    fakes.CALIBRATION,
    n=1_000,
    reference=Reference(
        Bins((0.2, 0.5), (700, 100, 200)), Bins((16.0,), (500, 500)), dict.fromkeys(LABELS, 1)
    ),
)
TODAY = datetime.now(UTC).date()


def screened(db: Engine, filings: int, *, audit_share: float = 0.0) -> list[UUID]:
    """Files and screens so many filings of three claims; returns the evaluations with a fast verdict."""
    new = [factories.new_filing(CLAIMS, docket=f"D-{at}") for at in range(filings)]
    made = factories.submit(db, *new) if new else []
    while leased := factories.lease(db, Stage.FAST):
        factories.screen(db, leased.token, checks=None, audit_share=audit_share)
    return [id_ for each in made for number, id_ in each.evaluations if number != 3]


def health(db: Engine, **given: Any) -> monitoring.Health:
    return monitoring.health(db, RECORD, **({"last": TODAY, "days": 2, "today": TODAY} | given))


def test_a_day_is_counted_as_its_claims_were_scored(db: Engine) -> None:
    screened(db, 40)
    found = health(db).days[-1]
    assert found.open
    seen = found.seen
    assert (seen.claims, seen.doubtful, seen.decided) == (120, 40, 80)
    with db.connect() as connection:
        doubts, sizes = zip(*connection.execute(text("SELECT doubt, size FROM evaluations")), strict=True)
    assert list(seen.score) == counted(doubts, (0.2, 0.5))
    assert list(seen.length) == counted(sizes, (16.0,))
    assert {label: count for label, count in seen.classes.items() if count} == {"pass": 40, "antecedent": 80}
    assert seen.effects["share"] == design_effect(120, 40, 0.0) == 1.0  # one of three in each filing
    assert [one.characteristic.value for one in found.differences] == ["score", "length", "class", "share"]


def test_claims_of_another_model_or_day_do_not_count(db: Engine) -> None:
    screened(db, 2)
    assert health(db, last=TODAY - timedelta(days=1)).days[-1].seen.claims == 0
    other = replace(RECORD, id="calibration-2")
    assert monitoring.health(db, other, last=TODAY, days=1, today=TODAY).days[-1].seen.claims == 0


def test_a_day_is_kept_once_it_is_over_and_screened(db: Engine) -> None:
    screened(db, 2)
    tomorrow = TODAY + timedelta(days=1)
    factories.submit(db)
    assert health(db, today=tomorrow).days[-1].open  # a claim waits
    screened(db, 0)
    kept = health(db, today=tomorrow).days[-1]
    assert not kept.open
    with db.begin() as connection:
        connection.execute(text("DELETE FROM events; UPDATE evaluations SET model = 'other'"))
    again = health(db, today=tomorrow).days[-1]
    assert again == kept
    assert again.seen.claims == 9


def test_the_audit_weighs_what_people_said(db: Engine) -> None:
    fast = screened(db, 30, audit_share=0.5)
    chosen = stored.drawn(fast, 0.5)
    for at, id_ in enumerate(chosen[:-1]):
        wrong = at % 4 == 0
        with db.connect() as connection:
            sql = text("SELECT error_class FROM evaluations WHERE id = :id")
            called = connection.execute(sql, {"id": id_}).scalar_one() or "pass"
        label = ("pass" if called != "pass" else "logical") if wrong else None
        given = NewReview(id_, Answer.DISAGREE if wrong else Answer.AGREE, label=label)
        flow.review(db, factories.TENANT, given, reviewer="key:a")
    # Who disagrees about the class alone agrees that the verdict is right.
    failed = next(id_ for id_ in chosen[:-1] if chosen.index(id_) % 4 and fast.index(id_) % 2)
    other = NewReview(failed, Answer.DISAGREE, label="logical")
    flow.review(db, factories.TENANT, other, reviewer="key:a")

    audit = health(db).audit
    wrong_ones = len(range(0, len(chosen) - 1, 4))
    assert (audit.drawn, audit.labels) == (len(chosen), len(chosen) - 1)
    assert audit.estimate == pytest.approx(wrong_ones / (len(chosen) - 1))


def test_the_record_in_force_is_that_of_the_standing_model(db: Engine, tmp_path: Path) -> None:
    shipped = Calibration.load(SHIPPED_MODEL / "calibration.json")
    assert monitoring.record_in_force(db, None, None) == shipped
    structural = Calibration.load(SHIPPED_MODEL / "calibration-structural.json")
    assert monitoring.record_in_force(db, None, Path("structural")) == structural
    assert monitoring.record_in_force(db, tmp_path, None) is None
    standing = replace(shipped, tau=0.5).sealed()
    new = NewModel("a" * 64, "m", standing.id, asdict(standing))
    transact(db, partial(models.adopt, order=Order(ALL_TENANTS, "a", "r"), new=new))
    assert monitoring.record_in_force(db, tmp_path, None) == standing


def test_a_record_of_a_newer_version_is_not_looked_at(db: Engine, caplog: pytest.LogCaptureFixture) -> None:
    new = NewModel("a" * 64, "m", "c", {**asdict(RECORD), "of_tomorrow": 1})
    transact(db, partial(models.adopt, order=Order(ALL_TENANTS, "a", "r"), new=new))
    monitor = Monitor(db, Settings(_env_file=None))
    monitor.look()
    assert list(monitor.collect()) == []
    assert "could not be looked at" in caplog.text


def test_the_dispatcher_shows_what_it_found(db: Engine) -> None:
    screened(db, 100)  # the doubt of the tests' gatekeeper is nothing like that of the shipped record
    standing = RECORD.sealed()
    with db.begin() as connection:
        connection.execute(text("UPDATE evaluations SET calibration = :id"), {"id": standing.id})
    new = NewModel("a" * 64, "model-1", standing.id, asdict(standing))
    transact(db, partial(models.adopt, order=Order(ALL_TENANTS, "a", "r"), new=new))
    monitor = Monitor(db, Settings(_env_file=None), today=lambda: TODAY + timedelta(days=1))
    assert list(monitor.collect()) == []
    monitor.look()
    shown = {
        (family.name, *sample.labels.values()): sample.value
        for family in monitor.collect()
        for sample in family.samples
    }
    assert shown["ace_drifts", "score"] == 1
    assert shown["ace_drifts", "share"] == 1
    assert shown["ace_drift_psi", "score"] > 0.1
    assert shown["ace_audit_alarm",] == 0
    assert shown["ace_audit_error", "low"] == 0
    assert ("ace_audit_error", "estimate") not in shown  # nobody has judged anything


def test_the_ids_of_a_day() -> None:
    first, beyond = (stored.first_id(date(2026, 11, day)) for day in (20, 21))
    assert first < UUID("01a1f8d3-ea00-7000-8000-000000000000") < beyond
    assert (beyond.int - first.int) >> 80 == 24 * 3600 * 1000
