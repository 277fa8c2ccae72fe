"""What commands take over from the stack that runs on the data folder."""

import fcntl
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from ace.local.private import read_secret, write_private
from ace.local.running_stack import settings_beside
from ace.settings import Settings

URL = "postgresql://postgres@/postgres?host=%2Fsockets"
RECORD = "/models/calibration-other.json"
SECRET = "ab" * 16


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """The data folder of a stack that runs."""
    state = {"url": "http://127.0.0.1:1", "key": "k", "database_url": URL, "calibration": RECORD}
    write_private(tmp_path / "stack.json", json.dumps(state))
    write_private(tmp_path / "secret", SECRET)
    with (tmp_path / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield tmp_path


def test_commands_work_with_the_database_calibration_and_secret_of_the_stack(folder: Path) -> None:
    found = settings_beside(Settings(data_dir=folder))
    assert found.database_url is not None
    assert found.database_url.get_secret_value() == URL
    assert found.calibration == Path(RECORD)
    assert found.private_secrets() == (SECRET.encode(),)


def test_what_the_settings_name_stays(folder: Path) -> None:
    own = Settings(data_dir=folder, calibration=Path("mine.json"), secret=SecretStr("cd" * 16))
    found = settings_beside(own)
    assert (found.calibration, found.secret) == (own.calibration, own.secret)


def test_a_stack_on_another_database_is_none_of_theirs(folder: Path) -> None:
    elsewhere = Settings(data_dir=folder, database_url=SecretStr("postgresql://db/office"))
    assert settings_beside(elsewhere) == elsewhere


def test_without_a_stack_nothing_changes(tmp_path: Path) -> None:
    alone = Settings(data_dir=tmp_path)
    assert settings_beside(alone) == alone


@pytest.mark.parametrize("content", ["abc\n", '"abc"'])
def test_a_secret_is_plain_text_and_one_in_quotation_marks_is_read(content: str, tmp_path: Path) -> None:
    (tmp_path / "key").write_text(content)
    assert read_secret(tmp_path / "key") == "abc"


def test_the_file_of_a_secret_holds_nothing_else(tmp_path: Path) -> None:
    write_private(tmp_path / "key", "abc")
    assert (tmp_path / "key").read_text() == "abc\n"
