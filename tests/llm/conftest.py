"""The real engine of `make test-llm`. `make test` passes it by: building one takes minutes."""

from pathlib import Path

import pytest


def pytest_ignore_collect(config: pytest.Config) -> bool | None:
    """Only who names this folder, or a file in it, gets its tests."""
    here = Path(__file__).parent
    named = (Path(argument.partition("::")[0]).resolve() for argument in config.args)
    return None if any(one == here or here in one.parents for one in named) else True
