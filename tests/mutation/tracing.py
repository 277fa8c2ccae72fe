"""A pytest plugin that tells coverage which test is running, and writes how long each test function took.

Parameters are left out of a test's name: the cases of one test function count as one test. What a fixture
of a whole module or session runs is no single test's, just as what an import runs.
"""

import json
import os
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest
from coverage import Coverage

SECONDS_FILE: Final = "MUTATION_SECONDS_FILE"
_seconds: Final[defaultdict[str, float]] = defaultdict(float)
_contexts: Final = [""]


def _name(nodeid: str) -> str:
    return nodeid.partition("[")[0]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Names the test in what coverage records of it and of its own fixtures."""
    with _running(_name(item.nodeid)):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[object]) -> Iterator[object]:
    """Names no test while a fixture is set up that other tests share."""
    with _running(_contexts[-1] if fixturedef.scope == "function" else ""):
        return (yield)


@contextmanager
def _running(context: str) -> Iterator[None]:
    coverage = Coverage.current()
    assert coverage is not None, "the plugin runs under coverage"
    _contexts.append(context)
    coverage.switch_context(context)
    try:
        yield
    finally:
        _contexts.pop()
        coverage.switch_context(_contexts[-1])


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Adds up set-up, call and tear-down."""
    _seconds[_name(report.nodeid)] += report.duration


def pytest_sessionfinish() -> None:
    """Writes the seconds."""
    Path(os.environ[SECONDS_FILE]).write_text(json.dumps(_seconds), encoding="utf-8")
