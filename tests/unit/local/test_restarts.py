"""How the one-machine stack starts again what died, and what it says of what does not start."""

import logging
from itertools import pairwise
from pathlib import Path

import pytest

from ace.errors import AceError
from ace.local import servers, stack
from ace.local.servers import Postgres
from ace.local.stack import Restarts, Stack
from ace.settings import Settings


def test_what_dies_again_and_again_is_started_ever_later(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    now = [1_000.0]
    monkeypatch.setattr(stack.time, "monotonic", lambda: now[0])
    restarts, starts = Restarts(), []
    for _ in range(3_000):  # five minutes in which it dies at once
        if restarts.due("PostgreSQL", 1):
            starts.append(now[0])
        now[0] += 0.1
    waits = [round(later - sooner, 1) for sooner, later in pairwise(starts)]
    assert waits[0] < 1
    assert waits == sorted(waits)
    assert waits[-1] == pytest.approx(stack.LONGEST_WAIT_SECONDS, abs=0.2)
    assert len(caplog.records) in {len(starts), len(starts) + 1}  # each death is said once


def test_what_ran_for_long_is_started_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1_000.0]
    monkeypatch.setattr(stack.time, "monotonic", lambda: now[0])
    restarts = Restarts(deaths=9, started_at=now[0] - stack.FORGIVEN_SECONDS - 1)
    assert not restarts.due("Redis", -9)
    now[0] += 0.3
    assert restarts.due("Redis", -9)


class Failing(Postgres):
    """A server whose process is dead and cannot be started."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.tried = 0

    def start(self) -> None:
        self.tried += 1
        raise AceError("PostgreSQL did not start: no room (see postgres.log)")


class Dead:
    """A process that ended."""

    returncode = 1

    def poll(self) -> int:
        return 1


def test_a_server_that_cannot_start_is_not_tried_all_the_time_and_the_reason_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    server = Failing(tmp_path / "postgres")
    server.process = Dead()  # type: ignore[assignment]
    one = Stack(Settings(data_dir=tmp_path))
    now = [1_000.0]
    monkeypatch.setattr(stack.time, "monotonic", lambda: now[0])
    one._servers = {server: Restarts()}
    with caplog.at_level(logging.WARNING):
        for _ in range(600):  # a minute
            one._try_to_tend()
            now[0] += 0.1
    assert 5 < server.tried < 15
    reasons = [record for record in caplog.records if "no room" in record.getMessage()]
    assert len(reasons) == server.tried
    assert not any(record.exc_info for record in reasons)


def test_the_reason_is_the_last_error_of_the_log(tmp_path: Path) -> None:
    log = tmp_path / "postgres.log"
    log.write_text(
        '2026-11-28 [7] LOG:  starting\n2026-11-28 [7] FATAL:  could not open directory "pg_wal"\nLOG:  bye\n'
    )
    assert servers._why_not("PostgreSQL", log) == (
        f'PostgreSQL did not start: could not open directory "pg_wal" (see {log})'
    )
    log.write_text("nothing\n")
    assert "it does not say why" in servers._why_not("PostgreSQL", log)
