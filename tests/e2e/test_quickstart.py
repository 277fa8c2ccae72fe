"""The runs that the quickstart shows, against runs made now."""

from pathlib import Path

import pytest

from docs import generate

PAGE = Path(__file__).parents[2] / generate.WITH_RUNS


@pytest.mark.slow
@pytest.mark.parametrize("name", generate.RUNS)
def test_the_quickstart_shows_what_a_real_run_prints(name: str) -> None:
    page = PAGE.read_text(encoding="utf-8")
    shown = generate.put(name, f"```\n{generate.RUNS[name]()}\n```", page)
    assert shown == page, "run: python -m docs.generate --runs"
