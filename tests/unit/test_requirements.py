"""The files of hashes against pyproject.toml and constraints.txt: nothing unpinned, unhashed or missing."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
OURS = {"patent-ace-client"}  # installed from the checkout
PINNED = re.compile(r"^([\w.-]+)==(\S+)", re.MULTILINE)


def locked(name: str) -> dict[str, str]:
    """Packages and versions of one file of hashes."""
    return dict(PINNED.findall((ROOT / "requirements" / f"{name}.txt").read_text()))


def names(requirements: list[str]) -> set[str]:
    return {canonicalize_name(Requirement(one).name) for one in requirements}


def test_every_dependency_of_the_product_has_hashes() -> None:
    assert names(PROJECT["dependencies"]) - OURS <= locked("product").keys(), "run: make lock"
    for extra in ("embedded", "otel"):
        assert names(EXTRAS[extra]) <= locked(extra).keys(), "run: make lock"
        assert not locked("product").keys() & locked(extra).keys()


@pytest.mark.parametrize("name", ["product", "embedded", "otel"])
def test_versions_are_those_that_the_project_is_tested_with(name: str) -> None:
    tested = {
        canonicalize_name(package): version
        for package, version in PINNED.findall((ROOT / "constraints.txt").read_text())
    }
    assert locked(name).items() <= tested.items(), "run: make lock"


def test_the_engines_of_make_test_engines_are_pinned_within_their_extras() -> None:
    text = (ROOT / "tests" / "engines" / "requirements.txt").read_text()
    pinned = [Requirement(line) for line in text.splitlines() if not line.startswith("#")]
    versions = {canonicalize_name(one.name): next(iter(one.specifier)) for one in pinned}
    assert all(one.operator == "==" for one in versions.values())
    extras = [Requirement(one) for extra in ("ray", "spark", "batch") for one in EXTRAS[extra]]
    for wanted in extras:
        if wanted.name != PROJECT["name"]:
            assert wanted.specifier.contains(versions[canonicalize_name(wanted.name)].version), wanted
    tested = dict(PINNED.findall((ROOT / "constraints.txt").read_text()))
    assert all(tested.get(name, one.version) == one.version for name, one in versions.items())


@pytest.mark.parametrize("name", ["product", "embedded", "otel", "sbom"])
def test_every_package_has_hashes_and_no_file_names_an_index(name: str) -> None:
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    entries = [entry for entry in re.split(r"^(?=[a-z])", text, flags=re.MULTILINE) if "==" in entry]
    assert len(entries) == len(locked(name)) > 0
    assert all(re.search(r"--hash=sha256:[0-9a-f]{64}", entry) for entry in entries)
    assert "://" not in text
    assert not re.search(r"^-", text, re.MULTILINE)
