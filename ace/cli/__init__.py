"""The command `ace`: tables for people, `--json` for programs, logs on stderr.

Another installed package adds commands through an entry point in the group `ace.commands`: importing the
module that the entry point names adds them to the app.
"""

import sys
from importlib.metadata import entry_points
from typing import NoReturn

from ace.cli import (
    admin,
    audit,
    backup,
    check,
    export,
    filings,
    models,
    ops,
    plan,
    probe_expert,
    processes,
    purge,
    reviews,
    score,
    submit,
    watch,
)
from ace.cli.app import app

__all__ = [
    "admin",
    "app",
    "audit",
    "backup",
    "check",
    "export",
    "filings",
    "main",
    "models",
    "ops",
    "plan",
    "probe_expert",
    "processes",
    "purge",
    "reviews",
    "score",
    "submit",
    "watch",
]

for added in entry_points(group="ace.commands"):
    added.load()


def main() -> NoReturn:
    """The entry point."""
    sys.exit(app())
