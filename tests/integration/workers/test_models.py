"""What a gatekeeper worker loads, when it changes, and what a model that cannot be loaded costs."""

import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import Engine

from ace.errors import ModelError, Unavailable
from ace.flow import trials
from ace.flow.trials import Trial
from ace.gatekeeper.installed import install
from ace.gatekeeper.loading import SHIPPED_MODEL
from ace.routing.calibration import Calibration
from ace.store import models as stored
from ace.store.database import connect_engine, transact
from ace.store.models import NewModel, Report
from ace.store.operating_tables import ALL_TENANTS
from ace.store.pauses import Order
from ace.workers.models import LOOK_SECONDS, Loaded, Models, Shadowing
from tests import fakes
from tests.waiting import wait_for

ORDER = Order(ALL_TENANTS, "cli:ada", "because")
REPORT = Report("report.json", "f" * 64)


@dataclass
class Bench:
    """A folder of models, and how engines are made from them: each has the name of its folder."""

    db: Engine
    folder: Path
    now: float = 0.0
    loaded: list[str] = field(default_factory=list)
    seen: list[Loaded] = field(default_factory=list)

    def load(self, directory: Path | None) -> fakes.Gatekeeper:
        name = "settings" if directory is None else directory.name
        self.loaded.append(name)
        return fakes.Gatekeeper(revision=name)

    def models(self) -> Models:
        return Models(self.db, self.folder, self.load, self.seen.append, lambda: self.now)

    def propose(self, tau: float) -> tuple[UUID, str]:
        """A model in the folder and in a row: the shipped one under another tau."""
        record = replace(Calibration.load(SHIPPED_MODEL / "calibration.json"), tau=tau).sealed()
        record.save(self.folder / "record.json")
        digest, _ = install(SHIPPED_MODEL, self.folder, self.folder / "record.json")
        new = NewModel(digest, "m", record.id, asdict(record))
        return transact(self.db, partial(stored.propose, order=ORDER, new=new, report=REPORT)), digest

    def order(self, verb: Callable[..., Any], **given: Any) -> None:
        transact(self.db, partial(verb, order=ORDER, **given))
        self.now += LOOK_SECONDS


@pytest.fixture
def bench(db: Engine, tmp_path: Path) -> Bench:
    return Bench(db, tmp_path)


def test_without_a_row_the_model_of_the_settings_decides(bench: Bench) -> None:
    models = bench.models()
    held = models.begin()
    assert held.gatekeeper.revision == "settings"
    bench.now += LOOK_SECONDS
    assert models.current() is held
    assert bench.loaded == ["settings"]


def test_a_promotion_and_its_rollback_arrive_between_messages(bench: Bench) -> None:
    models = bench.models()
    before = models.begin()
    row, digest = bench.propose(0.4)
    assert models.current() is before
    transact(bench.db, partial(stored.promote, order=ORDER, model=row))
    assert models.current() is before  # it looks only now and then
    bench.now += LOOK_SECONDS
    assert models.current().gatekeeper.revision == digest
    bench.order(stored.rollback)
    assert models.current().gatekeeper.revision == "settings"
    assert bench.loaded == ["settings", digest, "settings"]
    assert [each.gatekeeper.revision for each in bench.seen] == ["settings", digest, "settings"]


def test_canary_and_shadow_are_loaded_beside_the_standing_model(bench: Bench) -> None:
    (canary, first), (shadow, second) = bench.propose(0.4), bench.propose(0.5)
    bench.order(stored.promote, model=canary, share=10)
    bench.order(stored.shadow, model=shadow, share=5)
    loaded = bench.models().begin()
    assert loaded.gatekeeper.revision == "settings"
    assert loaded.canary is not None
    assert loaded.shadow is not None
    assert (loaded.canary.model, loaded.canary.share, loaded.canary.gatekeeper.revision) == (
        canary,
        10,
        first,
    )
    assert (loaded.shadow.model, loaded.shadow.share, loaded.shadow.gatekeeper.revision) == (
        shadow,
        5,
        second,
    )


def test_a_promoted_model_that_is_not_there_changes_nothing_until_it_is(bench: Bench) -> None:
    models = bench.models()
    models.begin()
    row, digest = bench.propose(0.4)
    away = bench.folder / "away"
    (bench.folder / digest).rename(away)
    bench.order(stored.promote, model=row)
    assert models.current().gatekeeper.revision == "settings"
    away.rename(bench.folder / digest)
    bench.now += LOOK_SECONDS
    assert models.current().gatekeeper.revision == digest


def test_a_worker_does_not_begin_with_another_model_than_the_standing_one(bench: Bench) -> None:
    row, digest = bench.propose(0.4)
    (bench.folder / digest).rename(bench.folder / "away")
    bench.order(stored.promote, model=row)
    with pytest.raises(ModelError, match="ACE_MODELS_DIR"):
        bench.models().begin()
    assert bench.loaded == []


def test_a_missing_canary_does_not_stop_the_standing_model(bench: Bench) -> None:
    row, digest = bench.propose(0.4)
    (bench.folder / digest).rename(bench.folder / "away")
    bench.order(stored.promote, model=row, share=10)
    models = bench.models()
    held = models.begin()
    assert held == Loaded(held.gatekeeper)
    (bench.folder / "away").rename(bench.folder / digest)
    bench.now += LOOK_SECONDS
    assert models.current().canary is not None


def test_without_a_database_the_next_message_looks_again(tmp_path: Path) -> None:
    nowhere = connect_engine("postgresql://nobody@127.0.0.1:1/none", name="tests")
    bench = Bench(nowhere, tmp_path)
    models = bench.models()
    held = models.begin()
    assert held.gatekeeper.revision == "settings"
    assert models.current() is held
    nowhere.dispose()


def test_a_worker_that_began_without_a_database_waits_for_the_standing_model(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreachable(*_: object) -> object:
        raise Unavailable("postgres", "away")

    row, digest = bench.propose(0.4)
    bench.order(stored.promote, model=row)
    models = bench.models()
    with monkeypatch.context() as away:
        away.setattr("ace.workers.models.transact", unreachable)
        assert models.begin().gatekeeper.revision == "settings"
    (bench.folder / digest).rename(bench.folder / "away")
    with pytest.raises(ModelError, match="ACE_MODELS_DIR"):
        models.current()
    (bench.folder / "away").rename(bench.folder / digest)
    bench.now += LOOK_SECONDS
    assert models.current().gatekeeper.revision == digest


def test_a_shadow_scores_beside_the_worker_and_may_fail(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    scored, busy, go = list[object](), threading.Event(), threading.Event()

    def shadow(_: Engine, trial: Trial, decided: object, *, rules: bool) -> int:
        del trial, rules
        scored.append(decided)
        busy.set()
        assert go.wait(10)
        raise ValueError("broken for this one")

    monkeypatch.setattr(trials, "shadow", shadow)
    trial = Trial(UUID(int=1), fakes.Gatekeeper(), 5)
    shadowing = Shadowing(bench.db, rules=False)
    shadowing.start()
    shadowing.offer(None, ["nothing"])  # type: ignore[list-item]  # no shadow: nobody takes it
    shadowing.offer(trial, ["first"])  # type: ignore[list-item]
    assert busy.wait(10)
    shadowing.offer(trial, ["second"])  # type: ignore[list-item]
    shadowing.offer(trial, ["passed by"])  # type: ignore[list-item]  # one waits already
    go.set()
    wait_for(lambda: len(scored) == 2, "the second message")
    assert scored == [["first"], ["second"]]
