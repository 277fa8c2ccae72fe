"""The command `ace`: people get tables, programs get `--json`, logs go to stderr."""

import sys
from typing import NoReturn

from ace.cli import (
    admin,
    calibrate,
    check,
    data,
    evaluate,
    filings,
    inject,
    probe,
    probe_expert,
    processes,
    purge,
    rejections,
    simulate,
    train,
)
from ace.cli.app import app

__all__ = [
    "admin",
    "app",
    "calibrate",
    "check",
    "data",
    "evaluate",
    "filings",
    "inject",
    "main",
    "probe",
    "probe_expert",
    "processes",
    "purge",
    "rejections",
    "simulate",
    "train",
]


def main() -> NoReturn:
    """The entry point."""
    sys.exit(app())
