"""The command `ace`: tables for people, `--json` for programs, logs on stderr.

Another installed package adds commands through an entry point in the group `ace.commands`: importing the
module that the entry point names adds them to the app.
"""

import sys
from importlib.metadata import entry_points
from typing import NoReturn

from ace.cli import admin, check, filings, ops, probe_expert, processes, purge
from ace.cli.app import app

__all__ = ["admin", "app", "check", "filings", "main", "ops", "probe_expert", "processes", "purge"]

for added in entry_points(group="ace.commands"):
    added.load()


def main() -> NoReturn:
    """The entry point."""
    sys.exit(app())
