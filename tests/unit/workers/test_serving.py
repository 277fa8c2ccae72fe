"""One worker process: what it gives Celery, and the exit code it ends with."""

import threading
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest

from ace.errors import ModelError
from ace.store.tables import Stage
from ace.workers.serving import EXIT_BROKEN, Service


class Celery:
    """An app whose worker ends at once, with this exit code."""

    def __init__(self, exitcode: int | None) -> None:
        self.exitcode = exitcode
        self.given: dict[str, Any] = {}
        self.started = 0

    def task(self, name: str, *, bind: bool) -> Any:
        del name, bind
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

    def give_back(self) -> int:
        self.calls.append("give_back")
        return 0


def service_of(work: Any = None, *, keeper: Keeper | None = None, grace_seconds: float = 1) -> Service:
    """A service that has no database."""
    nothing: Any = None
    return Service(
        Celery(None),  # type: ignore[arg-type]
        nothing,
        keeper or Keeper(),  # type: ignore[arg-type]
        work,
        queue=Stage.SLOW,
        concurrency=3,
        grace_seconds=grace_seconds,
    )


@pytest.mark.parametrize(("exitcode", "status"), [(None, 0), (0, 0), (70, 70)])
def test_the_worker_ends_with_the_exit_code_of_celery(exitcode: int | None, status: int) -> None:
    app, keeper = Celery(exitcode), Keeper()
    nothing: Any = None
    service = Service(
        app,  # type: ignore[arg-type]
        nothing,
        keeper,  # type: ignore[arg-type]
        nothing,
        queue=Stage.SLOW,
        concurrency=3,
        grace_seconds=1,
    )

    assert service.run() == status
    assert app.started == 1
    assert (app.given["queues"], app.given["concurrency"]) == (["slow"], 3)
    # And workers say nothing to each other through the broker
    assert all(app.given[f"without_{each}"] for each in ("gossip", "mingle", "heartbeat"))
    assert keeper.calls == ["begin", "end"]


def test_a_message_is_worked_on_until_the_worker_stops_and_given_back_after(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[tuple[str, UUID]] = []
    service = service_of(lambda token: done.append(("worked on", token)))
    monkeypatch.setattr(service, "_release", lambda token: done.append(("given back", token)))
    before, after = UUID(int=1), UUID(int=2)

    service._take(str(before), ["id"], alone=False)
    service._stopping.set()
    service._take(str(after), ["id"], alone=False)

    assert done == [("worked on", before), ("given back", after)]


def test_messages_are_in_hand_side_by_side_but_no_more_than_there_are_hands() -> None:
    # Given work that ends only when three messages are in hand
    together = threading.Barrier(3, timeout=30)
    free: list[bool] = []

    def work(_: UUID) -> None:
        together.wait()
        free.append(service._hands.acquire(blocking=False))
        together.wait()

    service = service_of(work)
    taking = [
        threading.Thread(target=service._take, args=(str(UUID(int=1)), ["id"]), kwargs={"alone": False})
        for _ in range(3)
    ]
    for each in taking:
        each.start()
    for each in taking:
        each.join()

    assert free == [False] * 3


def test_a_worker_that_is_done_before_its_grace_ends_does_not_wait_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[dict[str, Any]] = []

    def thread(**given: Any) -> Any:
        made.append(given)
        return SimpleNamespace(start=lambda: None)

    service = service_of()
    monkeypatch.setattr("ace.workers.serving.threading.Thread", thread)
    service._begin_stopping()

    assert [each["daemon"] for each in made] == [True]
    assert service._stopping.is_set()


def broken(_: UUID) -> None:
    raise ModelError("broken")


def test_a_worker_whose_grace_ran_out_ends_well_and_one_with_a_broken_model_does_not(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    keeper, codes = Keeper(), list[int]()
    monkeypatch.setattr("os._exit", codes.append)
    service = service_of(broken, keeper=keeper, grace_seconds=0)

    service._leave_after_grace()
    service._take(str(UUID(int=1)), ["id"], alone=False)

    assert codes == [0, EXIT_BROKEN]
    assert keeper.calls == ["give_back"] * 2
    [told] = [record for record in caplog.records if record.levelname == "CRITICAL"]
    assert told.exc_info, "the log says what is broken"
