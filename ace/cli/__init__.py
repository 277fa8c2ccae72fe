"""The command `ace`: people get tables, programs get `--json`, logs go to stderr.

Packages that are installed beside ACE add commands of their own by an entry point of the group
`ace.commands`: importing what it names puts them into the app.
"""

import sys
from importlib.metadata import entry_points
from typing import NoReturn

from ace.cli import admin, check, filings, probe_expert, processes, purge
from ace.cli.app import app

__all__ = ["admin", "app", "check", "filings", "main", "probe_expert", "processes", "purge"]

for added in entry_points(group="ace.commands"):
    added.load()


def main() -> NoReturn:
    """The entry point."""
    sys.exit(app())
