"""A pytest plugin that tells coverage which test is running, and writes how long each test function took.

Parameters are left out of a test's name: the cases of one test function count as one test.
"""

import json
import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from coverage import Coverage

SECONDS_FILE: Final = "MUTATION_SECONDS_FILE"
_seconds: Final[defaultdict[str, float]] = defaultdict(float)


def _name(nodeid: str) -> str:
    return nodeid.partition("[")[0]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Names the test in what coverage records of it and of the fixtures that it is the first to need."""
    coverage = Coverage.current()
    assert coverage is not None, "the plugin runs under coverage"
    coverage.switch_context(_name(item.nodeid))
    try:
        return (yield)
    finally:
        coverage.switch_context("")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Adds up set-up, call and tear-down."""
    _seconds[_name(report.nodeid)] += report.duration


def pytest_sessionfinish() -> None:
    """Writes the seconds."""
    Path(os.environ[SECONDS_FILE]).write_text(json.dumps(_seconds), encoding="utf-8")
