"""How a gatekeeper worker loads its model."""

from types import SimpleNamespace
from typing import Any

import pytest

from ace.settings import Settings
from ace.store.models import Serving
from ace.workers import gatekeeper
from tests import fakes


@pytest.mark.parametrize(("setting", "threads"), [(0, None), (3, 3)])
def test_the_threads_are_the_settings_or_the_engine_s_own(
    monkeypatch: pytest.MonkeyPatch, setting: int, threads: int | None
) -> None:
    given: list[int | None] = []

    def load_engine(_: Any, *, threads: int | None, **__: Any) -> Any:
        given.append(threads)
        return SimpleNamespace(score=lambda _: None, revision="r", calibration=fakes.CALIBRATION)

    monkeypatch.setattr(gatekeeper, "load_engine", load_engine)
    monkeypatch.setattr(gatekeeper, "connect_engine", lambda *_, **__: None)
    monkeypatch.setattr("ace.workers.models.transact", lambda *_: Serving())
    monkeypatch.setattr(gatekeeper, "run", lambda *_, **__: 0)

    settings = Settings.model_validate({"gatekeeper_threads": setting, "database_url": "postgresql://db/ace"})
    assert gatekeeper.main(settings) == 0
    assert given == [threads]
