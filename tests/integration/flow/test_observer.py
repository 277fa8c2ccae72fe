"""What the flow tells of its work: as much as the database says, and nothing of work that came too late."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from sqlalchemy import Engine, text

from ace import flow
from ace.errors import ExpertPermanent, ExpertTransient
from ace.expert.client.control import ControlledExpert
from ace.store.tables import Stage
from ace.types.endpoints import ONLY
from ace.types.faults import UNSCORED
from ace.types.tenants import for_tests
from tests import factories, fakes
from tests.integration.flow.test_flow import FAIL, dispatched

CLAIMS = (
    "A bracket comprising a plate.",
    "A bracket comprising a plate on said hook.",
    "A bracket that is about long.",
    "A bracket that will crash.",
)


@dataclass
class Kept:
    """Keeps what it is told."""

    waits: dict[Stage, list[float]] = field(default_factory=dict)
    batches: list[tuple[int, int, int, float]] = field(default_factory=list)
    decisions: Counter[tuple[str, str | None, str]] = field(default_factory=Counter)
    ages: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def took_up(self, stage: Stage, waited_seconds: Any) -> None:
        self.waits.setdefault(stage, []).extend(waited_seconds)

    def judged(self, claims: int, escalated: int, decided: int, seconds: float) -> None:
        self.batches.append((claims, escalated, decided, seconds))

    def decided(
        self, decided_by: str, verdicts: Mapping[tuple[str, str | None], int], ages_seconds: Sequence[float]
    ) -> None:
        assert sum(verdicts.values()) == len(ages_seconds)
        self.decisions.update({(*named, decided_by): claims for named, claims in verdicts.items()})
        self.ages.extend(ages_seconds)

    def failed(self, error: str) -> None:
        self.failures.append(error)


def screen(db: Engine, token: UUID, observer: Kept, stops: str = "nothing does") -> int:
    return factories.screen(db, token, checks=fakes.Checks(stops), observer=observer)


def examine(db: Engine, token: UUID, observer: Kept, outcome: Any) -> bool:
    return flow.examine(
        db,
        token,
        {ONLY: ControlledExpert(fakes.Expert([outcome]))},
        fakes.holding,
        checks=fakes.Checks("nothing does"),
        lease_seconds=10,
        worker="w",
        rng=random.Random(1),
        observer=observer,
    )


def in_database(db: Engine) -> Counter[tuple[str, str | None, str]]:
    with db.connect() as connection:
        rows = connection.execute(
            text("SELECT verdict, error_class, decided_by FROM evaluations WHERE state = 'decided'")
        )
        return Counter((row.verdict, row.error_class, row.decided_by) for row in rows)


def test_what_is_told_is_what_the_database_says(db: Engine) -> None:
    factories.submit(db, factories.new_filing(CLAIMS))
    with db.begin() as connection:
        connection.execute(
            text(
                "UPDATE evaluations"
                " SET created_at = now() - interval '100 s', due_at = now() - interval '20 s'"
            )
        )
    broker, told = fakes.Broker(), Kept()
    [fast] = dispatched(db, broker)

    assert screen(db, fast, told) == 4

    assert [batch[:3] for batch in told.batches] == [(4, 2, 2)]
    assert all(20 <= seconds < 80 for seconds in told.waits[Stage.FAST])
    assert len(told.waits[Stage.FAST]) == 4
    assert all(100 <= age < 160 for age in told.ages)

    first, second = dispatched(db, broker)
    assert examine(db, first, told, FAIL)
    assert examine(db, second, told, ExpertPermanent("check_too_slow", "no", own=True))

    assert told.decisions == in_database(db)
    assert told.failures == ["check_too_slow"]
    assert len(told.waits[Stage.SLOW]) == 2


def test_an_examination_that_is_deferred_is_neither_decided_nor_failed(db: Engine) -> None:
    factories.submit(db, factories.new_filing([CLAIMS[2]]))
    broker, told = fakes.Broker(), Kept()
    [fast] = dispatched(db, broker)
    screen(db, fast, told)
    [slow] = dispatched(db, broker)
    assert examine(db, slow, told, ExpertTransient("timeout", "late"))
    assert (told.decisions, told.failures) == ({}, [])


def test_claims_on_which_the_rules_are_stopped_have_failed(db: Engine) -> None:
    factories.submit(db, factories.new_filing(["An endless bracket."]))
    told = Kept()
    [fast] = dispatched(db, fakes.Broker())
    screen(db, fast, told, stops="endless")
    assert told.failures == ["check_too_slow"]
    assert told.decisions == {}


def test_claims_of_tests_are_no_decisions(db: Engine) -> None:
    factories.submit(db, factories.new_filing(CLAIMS, tenant=for_tests("office")))
    told = Kept()
    [fast] = dispatched(db, fakes.Broker())
    assert screen(db, fast, told) == 4
    assert [batch[:3] for batch in told.batches] == [(3, 0, 0)]
    assert (told.decisions, told.failures) == ({}, [UNSCORED])


def test_work_that_came_too_late_is_not_told(db: Engine) -> None:
    factories.submit(db, factories.new_filing([CLAIMS[0]]))
    told = Kept()
    [fast] = dispatched(db, fakes.Broker())

    class Cancels(fakes.Gatekeeper):
        """Scores while the filing is cancelled."""

        def score(self, inputs: Any) -> Any:
            with db.begin() as connection:
                connection.execute(text("UPDATE evaluations SET state = 'cancelled', lease = NULL"))
            return super().score(inputs)

    moved = factories.screen(db, fast, Cancels(), checks=None, observer=told)
    assert moved == 0
    assert (told.batches, told.decisions, told.waits) == ([], {}, {})
