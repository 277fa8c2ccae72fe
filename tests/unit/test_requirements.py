"""The files of hashes against pyproject.toml and constraints.txt: nothing unpinned, unhashed or missing."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
OURS = {"ace-client"}  # installed from the checkout
PINNED = re.compile(r"^([\w.-]+)==(\S+)", re.MULTILINE)


def locked(name: str) -> dict[str, str]:
    """Packages and versions of one file of hashes."""
    return dict(PINNED.findall((ROOT / "requirements" / f"{name}.txt").read_text()))


def names(requirements: list[str]) -> set[str]:
    return {canonicalize_name(Requirement(one).name) for one in requirements}


def test_every_dependency_of_the_product_has_hashes() -> None:
    assert names(PROJECT["dependencies"]) - OURS <= locked("product").keys(), "run: make lock"
    embedded = names(PROJECT["optional-dependencies"]["embedded"])
    assert embedded <= locked("embedded").keys(), "run: make lock"
    assert not locked("product").keys() & locked("embedded").keys()


@pytest.mark.parametrize("name", ["product", "embedded"])
def test_versions_are_those_that_the_project_is_tested_with(name: str) -> None:
    tested = {
        canonicalize_name(package): version
        for package, version in PINNED.findall((ROOT / "constraints.txt").read_text())
    }
    assert locked(name).items() <= tested.items(), "run: make lock"


@pytest.mark.parametrize("name", ["product", "embedded", "sbom"])
def test_every_package_has_hashes_and_no_file_names_an_index(name: str) -> None:
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    entries = [entry for entry in re.split(r"^(?=[a-z])", text, flags=re.MULTILINE) if "==" in entry]
    assert len(entries) == len(locked(name)) > 0
    assert all(re.search(r"--hash=sha256:[0-9a-f]{64}", entry) for entry in entries)
    assert "://" not in text
    assert not re.search(r"^-", text, re.MULTILINE)
