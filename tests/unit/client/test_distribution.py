"""The client's distribution: what pyproject.toml lists is what lies on disk, and it needs two libraries."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

import ace
import patent_ace_client

FOLDER = Path(patent_ace_client.__path__[0])


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads((FOLDER / "pyproject.toml").read_text(encoding="utf-8"))
    return found


def test_every_package_is_listed(project: dict[str, Any]) -> None:
    on_disk = {
        ".".join(("patent_ace_client", *path.parent.relative_to(FOLDER).parts))
        for path in FOLDER.rglob("__init__.py")
    }
    assert set(project["tool"]["setuptools"]["packages"]) == on_disk


def test_the_product_requires_the_version_that_lies_beside_it(project: dict[str, Any]) -> None:
    assert project["project"]["version"] == ace.__version__
    product = tomllib.loads((FOLDER.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (wanted,) = [one for one in map(Requirement, product["dependencies"]) if one.name == "patent-ace-client"]
    assert wanted.specifier.contains(ace.__version__)


def test_it_needs_two_libraries(project: dict[str, Any]) -> None:
    assert {Requirement(one).name for one in project["project"]["dependencies"]} == {"httpx", "pydantic"}
    assert (FOLDER / "py.typed").exists()
