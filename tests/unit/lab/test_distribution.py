"""The lab's distribution: what pyproject.toml lists is what lies on disk, and versions agree."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

import ace
import ace_lab

FOLDER = Path(ace_lab.__path__[0])
IGNORED = {"__pycache__"}


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads((FOLDER / "pyproject.toml").read_text(encoding="utf-8"))
    return found


def files() -> list[Path]:
    return [path for path in FOLDER.rglob("*") if path.is_file() and not IGNORED & set(path.parts)]


def test_every_package_is_listed(project: dict[str, Any]) -> None:
    on_disk = {
        ".".join(("ace_lab", *path.parent.relative_to(FOLDER).parts)) for path in FOLDER.rglob("__init__.py")
    }
    assert set(project["tool"]["setuptools"]["packages"]) == on_disk


def test_every_module_lies_in_a_package() -> None:
    assert {path.parent for path in files() if path.suffix == ".py"} == {
        path.parent for path in FOLDER.rglob("__init__.py")
    }


def test_every_other_file_is_package_data(project: dict[str, Any]) -> None:
    patterns = project["tool"]["setuptools"]["package-data"]["ace_lab"]
    listed = {path for pattern in patterns for path in FOLDER.glob(pattern)}
    outside = {"pyproject.toml", "README.md", "LICENSE", "NOTICE"}
    others = {path for path in files() if path.suffix != ".py" and path.name not in outside}
    built = {path for path in others if any(part.endswith(".egg-info") for part in path.parts)}
    assert listed == others - built
    assert FOLDER / "py.typed" in listed


def test_versions_agree(project: dict[str, Any]) -> None:
    assert project["project"]["version"] == ace.__version__
