"""A canary decides its share of the filings, a shadow scores and changes nothing, an audit draws."""

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import Engine, text

from ace.flow import trials
from ace.flow.monitoring import agreement
from ace.flow.trials import Judged, Trial, in_share
from ace.store import monitoring, reviews
from ace.store.database import transact
from ace.store.monitoring import drawn, first_id
from ace.store.tables import Stage
from tests import factories, fakes

CLAIMS = (
    "A bracket comprising a plate.",
    "A bracket comprising a plate on said hook.",
    "A bracket that is about long.",
)
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
ROW = UUID("0199d2a0-5b1c-7e53-9c11-6d2f0a7c4e13")
OTHER = fakes.Gatekeeper(
    revision="model-2", calibration=replace(fakes.CALIBRATION, id="calibration-2", model_revision="model-2")
)


class Stern(fakes.Gatekeeper):
    """Fails every claim for its syntax, without a doubt."""

    def _row(self, text: str) -> list[float]:
        del text
        return [0.01, 0.01, 0.01, 0.01, 0.01, 0.95]


def screened(db: Engine, **given: Any) -> list[Judged]:
    """Screens everything that is due, and returns what was handed on once it was committed."""
    handed: list[Judged] = []
    while leased := factories.lease(db, Stage.FAST):
        factories.screen(db, leased.token, checks=None, committed=handed.extend, **given)
    return handed


def rows(db: Engine, sql: str) -> list[Any]:
    with db.connect() as connection:
        return list(connection.execute(text(sql)).all())


def test_a_filing_is_decided_by_one_model(db: Engine) -> None:
    factories.submit(db, *(factories.new_filing(CLAIMS, docket=f"D-{at}") for at in range(40)))
    screened(db, canary=Trial(ROW, OTHER, 30))
    by_filing: dict[UUID, set[tuple[str, str]]] = {}
    for filing, model, calibration in rows(db, "SELECT filing_id, model, calibration FROM evaluations"):
        by_filing.setdefault(filing, set()).add((model, calibration))
    for filing, made in by_filing.items():
        wanted = ("model-2", "calibration-2") if in_share(ROW, filing, 30) else ("model-1", "calibration-1")
        assert made == {wanted}
    assert set(factories.states(db).values()) == {"decided", "escalated"}
    assert rows(db, "SELECT token FROM leases") == []
    assert factories.illegal_chains(db) == []


def test_a_canary_that_breaks_decides_nothing(db: Engine) -> None:
    class Broken(fakes.Gatekeeper):
        def _row(self, text: str) -> list[float]:
            raise RuntimeError(text)

    factories.submit(db, factories.new_filing(CLAIMS))
    screened(db, canary=Trial(ROW, Broken(revision="model-2"), 100))
    assert {row[0] for row in rows(db, "SELECT model FROM evaluations")} == {"model-1"}


@pytest.mark.parametrize("share", [0.0, 1.0, 10.0, 100.0])
def test_a_share_is_one_of_filings(share: float) -> None:
    filings = [UUID(int=at * 2**70) for at in range(20_000)]
    taken = [in_share(ROW, each, share) for each in filings]
    assert sum(taken) / len(taken) == pytest.approx(share / 100, abs=0.01)
    more = [in_share(ROW, each, min(100, 2 * share)) for each in filings]
    assert all(b for a, b in zip(taken, more, strict=True) if a)  # who is in stays in as it grows


def test_a_shadow_is_compared_and_changes_nothing(db: Engine) -> None:
    factories.submit(db, *(factories.new_filing(CLAIMS, docket=f"D-{at}") for at in range(10)))
    decided = screened(db)
    before = rows(db, "SELECT to_jsonb(e) FROM evaluations e ORDER BY id")
    stern = Trial(ROW, Stern(), 100)
    assert sum(trials.shadow(db, stern, [each], rules=False) for each in decided) == 30
    assert (
        sum(trials.shadow(db, stern, [each], rules=False) for each in decided) == 30
    )  # and nothing is doubled
    assert rows(db, "SELECT to_jsonb(e) FROM evaluations e ORDER BY id") == before

    found = agreement(transact(db, partial(monitoring.shadow_compared, model=ROW)))
    assert (found.claims, found.agreement) == (30, 0)
    assert found.live_escalated == pytest.approx(1 / 3)
    assert found.escalated == 0
    assert found.changed == {"pass": {"syntax": 10}, "antecedent": {"syntax": 20}}
    assert found.flipped == 10  # those that both decide
    assert agreement([]).agreement is None


def test_a_shadow_scores_its_share_and_no_more(db: Engine) -> None:
    factories.submit(db, *(factories.new_filing(CLAIMS, docket=f"D-{at}") for at in range(30)))
    trial = Trial(ROW, Stern(), 20)
    trials.shadow(db, trial, screened(db), rules=False)
    scored = {row[0] for row in rows(db, "SELECT evaluation_id FROM shadow_scores")}
    filings = rows(db, "SELECT id, filing_id FROM evaluations")
    assert scored == {id_ for id_, filing in filings if trial.takes(filing)}
    assert 0 < len(scored) < 90


def test_an_audit_draws_fast_verdicts_as_a_later_draw_would(db: Engine) -> None:
    factories.submit(db, *(factories.new_filing(CLAIMS, docket=f"D-{at}") for at in range(60)))
    screened(db, audit_share=0.3)
    fast = {row[0] for row in rows(db, "SELECT id FROM evaluations WHERE decided_by = 'gatekeeper'")}
    found = rows(db, "SELECT evaluation_id, probability, actor FROM audit_sample")
    assert {row[0] for row in found} == set(drawn(sorted(fast), 0.3))
    assert {(row[1], row[2]) for row in found} == {(0.3, "audit")}
    assert 0.1 < len(found) / len(fast) < 0.5
    again = partial(reviews.draw, tenant=factories.TENANT, probability=0.3, since=EPOCH, actor="key:a")
    assert transact(db, again) == 0  # the same rule in SQL finds the same


def test_without_a_share_nothing_is_drawn(db: Engine) -> None:
    factories.submit(db)
    screened(db)
    assert rows(db, "SELECT * FROM audit_sample") == []
    assert drawn([first_id(EPOCH.date())], 0.0) == []
