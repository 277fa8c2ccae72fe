"""Files that are not ours to ship and lie in a folder beside the checkout."""

import os
from pathlib import Path

import pytest

SHARED = Path(__file__).parents[2].parent / "shared"


def needs(path: Path, what: str) -> pytest.MarkDecorator:
    """Skips a test that needs a file where it is missing; in CI the test runs, and fails."""
    missing = not path.exists() and not os.environ.get("CI")
    return pytest.mark.skipif(missing, reason=f"{what} is not ours to ship and not beside the checkout")
