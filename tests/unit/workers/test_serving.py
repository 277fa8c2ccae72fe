"""One worker process: what it gives Celery, and the exit code it ends with."""

from types import SimpleNamespace
from typing import Any

import pytest

from ace.store.tables import Stage
from workers.serving import Service


class Celery:
    """An app whose worker ends at once, with this exit code."""

    def __init__(self, exitcode: int | None) -> None:
        self.exitcode = exitcode
        self.given: dict[str, Any] = {}
        self.started = 0

    def task(self, name: str) -> Any:
        del name
        return lambda function: function

    def Worker(self, **given: Any) -> Any:  # noqa: N802  # Celery's name
        self.given = given
        return SimpleNamespace(start=self.start, exitcode=self.exitcode)

    def start(self) -> None:
        self.started += 1


class Keeper:
    """Keeps nothing, and remembers that it began and ended."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def begin(self, hung: Any) -> None:
        del hung
        self.calls.append("begin")

    def end(self) -> None:
        self.calls.append("end")


@pytest.mark.parametrize(("exitcode", "status"), [(None, 0), (0, 0), (70, 70)])
def test_the_worker_ends_with_the_exit_code_of_celery(exitcode: int | None, status: int) -> None:
    app, keeper = Celery(exitcode), Keeper()
    nothing: Any = None
    service = Service(
        app,  # type: ignore[arg-type]
        nothing,
        keeper,  # type: ignore[arg-type]
        nothing,
        stage=Stage.SLOW,
        concurrency=3,
        grace_seconds=1,
    )

    assert service.run() == status
    assert app.started == 1
    assert (app.given["queues"], app.given["concurrency"]) == (["slow"], 3)
    assert keeper.calls == ["begin", "end"]
