"""The command `ace`: people get tables, programs get `--json`, logs go to stderr."""

import sys
from typing import NoReturn

from ace.cli import admin, check, filings, processes, purge
from ace.cli.app import app

__all__ = ["admin", "app", "check", "filings", "main", "processes", "purge"]


def main() -> NoReturn:
    """The entry point."""
    sys.exit(app())
