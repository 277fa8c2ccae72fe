"""Files that lie beside the checkout, in `../shared`, and not in the repository."""

import os
from pathlib import Path

import pytest

SHARED = Path(__file__).parents[2] / "shared"


def shared_file(name: str) -> Path:
    """Where the file is. Skips the test if it is missing, and fails it in CI, which must have it."""
    file = SHARED / name
    if not file.exists():
        give_up = pytest.fail if "CI" in os.environ else pytest.skip
        give_up(f"{name} is not in {SHARED.name}/ beside this checkout")
    return file
