"""Real runs that the quickstart shows: the demo, and a file submitted to a stack. What differs from run to
run, such as times and ids, is replaced."""

import os
import re
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import Final

from ace.local.stack import Stack
from ace.settings import Settings

ACE: Final = [sys.executable, "-m", "ace"]
COLUMNS: Final = 110
_ID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_SHOWN_ID: Final = "019a…"
_SECONDS: Final = re.compile(r"\bin \d+\.\d s\b")


def demo() -> str:
    """What `ace demo` prints, shortened to the first filings, the rationale and the summary."""
    with tempfile.TemporaryDirectory(prefix="ace-docs-") as folder:
        return shortened(settled(_printed([*ACE, "demo"], Path(folder))))


def submitted(claims: str) -> str:
    """What a terminal shows after the claims, in claims.txt, are submitted to a fresh stack."""
    with tempfile.TemporaryDirectory(prefix="ace-docs-") as name:
        folder = Path(name)
        (folder / "claims.txt").write_text(claims, encoding="utf-8")
        settings = Settings(_env_file=None, data_dir=folder / "stack", port=0)
        with Stack(settings, quiet=True) as stack:
            command = [*ACE, "submit", "claims.txt", "--wait"]
            return settled(_printed(command, folder, url=stack.url, key=stack.key))


def _printed(command: list[str], folder: Path, *, url: str = "", key: str = "") -> str:
    named = {"ACE_API_URL": url, "ACE_API_KEY": key} if url else {}
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ACE_")}
    run = subprocess.run(  # noqa: S603  # our own commands
        command, capture_output=True, text=True, cwd=folder, env={**environment, **named}, check=True
    )
    return run.stdout


def settled(output: str) -> str:
    """The output without what differs from run to run: ids, in columns too, and times."""
    short = _ID.sub(_SHOWN_ID, _SECONDS.sub("in … s", output))
    # A column of ids is as wide as an id, also under its heading.
    narrow = re.sub(r"\b(filing) {32}", r"\1  ", short)
    lines = (re.sub(rf"{_SHOWN_ID}  (?=\S)", f"{_SHOWN_ID}   ", line) for line in narrow.strip().splitlines())
    return "\n".join(_wrapped(line.rstrip()) for line in lines)


def _wrapped(line: str) -> str:
    """A sentence that is longer than a terminal is wide, in several lines; rows of tables have wide gaps."""
    if len(line) <= COLUMNS or "  " in line:
        return line
    return textwrap.fill(
        line, COLUMNS, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )


def shortened(output: str, *, filings: int = 2) -> str:
    """The output of `ace demo` with the first filings, who the expert is, a rationale and the summary."""
    blocks = output.split("\n\n")
    ending = next((at for at, block in enumerate(blocks) if block.startswith("The expert")), -1)
    return "\n\n".join([*blocks[:filings], "…", *blocks[ending:]])
