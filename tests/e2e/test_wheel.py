"""The wheels as a user gets them: built, installed into an empty environment without the checkout, and run.

The environment gets the wheel itself and links to the packages that the wheel's metadata requires, taken from
the environment of the tests. So the test needs no package index, and a file missing from the wheel or a
dependency missing from its metadata makes it fail.
"""

import os
import re
import subprocess
import sys
import venv
import zipfile
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from shutil import copy, copytree, ignore_patterns

import pytest
from packaging.requirements import Requirement

import ace

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
CLAIMS = "1. A latch comprising a bolt.\n2. The latch of claim 1, wherein the lever is bent.\n"
LAB_ONLY = ("simulate", "calibrate", "evaluate", "ace data", "ace train")


def sources(folder: Path) -> Path:
    """A copy of what the wheels are built from: building in the checkout would leave files there."""
    for name in ("ace", "patent_ace_client", "workers", "migrations", "ace_lab"):
        ignored = ignore_patterns("__pycache__", "*.egg-info", "build")
        copytree(ROOT / name, folder / name, symlinks=True, ignore=ignored)
    (folder / "docs").mkdir()
    for name in ("pyproject.toml", "docs/package-index.md", "LICENSE", "NOTICE"):
        copy(ROOT / name, folder / name)
    return folder


def build(project: Path, into: Path) -> Path:
    """The wheel of a project, made with the setuptools of this environment."""
    command = ["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(into), str(project)]
    subprocess.run([sys.executable, "-m", "pip", *command], check=True, capture_output=True, timeout=300)
    (wheel,) = into.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """The product's wheel, the lab's and the client's."""
    folder = tmp_path_factory.mktemp("wheels")
    copied = sources(folder / "sources")
    return (
        build(copied, folder / "product"),
        build(copied / "ace_lab", folder / "lab"),
        build(copied / "patent_ace_client", folder / "client"),
    )


def required(wheel: Path, *extras: str) -> dict[str, Distribution]:
    """Every installed distribution that the wheel requires, directly or not."""
    found: dict[str, Distribution] = {}

    def add(lines: list[str], wanted: tuple[str, ...]) -> None:
        for requirement in map(Requirement, lines):
            marker = requirement.marker
            if marker and not any(marker.evaluate({"extra": extra}) for extra in ("", *wanted)):
                continue
            if requirement.name.startswith("patent-ace") or requirement.name in found:
                continue
            try:
                found[requirement.name] = distribution(requirement.name)
            except PackageNotFoundError:
                pytest.fail(f"{wheel.name} requires {requirement}, which is not installed here")
            add(found[requirement.name].requires or [], tuple(requirement.extras))

    add(metadata(wheel, "Requires-Dist"), extras)
    return found


def metadata_file(wheel: Path) -> str:
    """What the wheel says of itself: keys and values, and then what an index shows."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [one for one in archive.namelist() if one.endswith(".dist-info/METADATA")]
        return archive.read(name).decode()


def description(wheel: Path) -> str:
    """The page that an index shows."""
    return metadata_file(wheel).partition("\n\n")[2]


def metadata(wheel: Path, key: str) -> list[str]:
    """The values of one key of the wheel's metadata."""
    head = metadata_file(wheel).partition("\n\n")[0]
    return [line.split(": ", 1)[1] for line in head.splitlines() if line.startswith(f"{key}: ")]


def names(wheel: Path) -> list[str]:
    """The files in a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


class Environment:
    """A virtual environment without the checkout, and what runs in it."""

    def __init__(self, folder: Path, wheels: list[Path], distributions: dict[str, Distribution]) -> None:
        venv.create(folder, with_pip=False)
        self.folder = folder
        (site,) = (folder / "lib").glob("python*/site-packages")
        for one in distributions.values():
            for top in {file.parts[0] for file in one.files or []} - {"..", "__pycache__"}:
                if not (site / top).exists():
                    (site / top).symlink_to(Path(str(one.locate_file(top))).resolve())
        # By name and with what they require, as from an index that holds nothing but our wheels.
        command = ["--python", str(folder / "bin" / "python"), "install", "--no-index"]
        for wheel in wheels:
            command += ["--find-links", str(wheel.parent), wheel.name.partition("-")[0]]
        subprocess.run([sys.executable, "-m", "pip", *command], check=True, capture_output=True, timeout=300)

    def run(
        self, *arguments: str, program: str = "ace", seconds: float = 60
    ) -> subprocess.CompletedProcess[str]:
        """One run of a program of the environment, in its folder and without our variables."""
        return subprocess.run(
            [self.folder / "bin" / program, *arguments],
            env={"PATH": os.environ["PATH"], "HOME": str(self.folder), "TMPDIR": str(self.folder.parent)},
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )


@pytest.fixture(scope="module")
def product(wheels: tuple[Path, Path, Path], data_dir: Path) -> Environment:
    """An environment with the product and its client alone."""
    wheel, _, client = wheels
    needed = required(wheel, "embedded") | required(client)
    return Environment(data_dir / "product", [client, wheel], needed)


def test_the_client_s_wheel_works_alone(wheels: tuple[Path, Path, Path], data_dir: Path) -> None:
    *_, client = wheels
    alone = Environment(data_dir / "client", [client], required(client))
    asked = "from patent_ace_client import Client, Unreachable\n"
    asked += "try: Client('http://127.0.0.1:9', 'k', retries=0).alive()\n"
    asked += "except Unreachable: print('unreachable')"
    assert alone.run("-c", asked, program="python").stdout == "unreachable\n"
    assert alone.run("-c", "import ace", program="python").returncode == 1


def test_the_product_s_wheel_has_no_lab_in_it(wheels: tuple[Path, Path, Path]) -> None:
    wheel, *_ = wheels
    lab = ("training", "simulator", "injectors", "calibrating", "evaluation/")
    assert [name for name in names(wheel) if any(word in name for word in lab)] == []
    assert not {"torch", "transformers", "scikit-learn", "trl"} & set(required(wheel, "embedded"))


def test_each_wheel_installs_one_package_of_ours_and_nothing_generic(wheels: tuple[Path, Path, Path]) -> None:
    owned = [{name.split("/")[0] for name in names(wheel)} for wheel in wheels]
    assert owned == [
        {package, f"{distribution_name}-{ace.__version__}.dist-info"}
        for package, distribution_name in (
            ("ace", "patent_ace"),
            ("ace_lab", "patent_ace_lab"),
            ("patent_ace_client", "patent_ace_client"),
        )
    ]


def test_the_folders_at_the_top_are_installed_inside_the_product(wheels: tuple[Path, Path, Path]) -> None:
    installed = set(names(wheels[0]))
    for folder in ("workers", "migrations"):
        tracked = [path for path in (ROOT / folder).rglob("*") if path.suffix in {".py", ".mako"}]
        assert len(tracked) > 5
        assert {f"ace/{path.relative_to(ROOT)}" for path in tracked} <= installed


@pytest.mark.parametrize("old", ["workers", "workers.app", "migrations"])
def test_an_old_name_says_what_to_import(old: str) -> None:
    program = [sys.executable, "-c", f"import {old}"]
    done = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=False)
    top = old.partition(".")[0]
    assert f"since 0.3.0 the package '{top}' of ACE is 'ace.{top}': import it by that name" in done.stderr


def test_the_index_page_stands_by_itself(wheels: tuple[Path, Path, Path]) -> None:
    for wheel in wheels:
        (home,) = [url for url in metadata(wheel, "Project-URL") if url.startswith("Homepage, ")]
        address = home.removeprefix("Homepage, ")
        links = re.findall(r"\]\(([^)]+)\)", description(wheel))
        assert [link for link in links if not link.startswith("https://")] == []
        inside = [link.removeprefix(f"{address}/blob/main/") for link in links if link.startswith(address)]
        assert [path for path in inside if not (ROOT / path).exists()] == []
        assert [one for one in metadata(wheel, "Classifier") if "MacOS" in one or "3.14" in one] == []
    offered = metadata(wheels[0], "Provides-Extra")
    assert "dev" not in offered
    assert [extra for extra in offered if f"`{extra}`" not in description(wheels[0])] == []


def test_all_wheels_carry_version_and_licence(wheels: tuple[Path, Path, Path]) -> None:
    for wheel in wheels:
        assert metadata(wheel, "Version") == [ace.__version__]
        assert metadata(wheel, "License-Expression") == ["Apache-2.0"]
        assert metadata(wheel, "License-File") == ["LICENSE", "NOTICE"]


def test_the_product_runs_from_its_wheel(product: Environment) -> None:
    assert product.run("--version").stdout == f"ace {ace.__version__}\n"
    located = product.run("-c", "import ace; print(ace.__file__)", program="python")
    assert Path(located.stdout.strip()).is_relative_to(product.folder)
    (product.folder / "claims.txt").write_text(CLAIMS)
    checked = product.run("check", "claims.txt")
    assert checked.returncode == 1, checked.stderr
    assert "antecedent.no_basis" in checked.stdout


def test_the_product_s_demo_runs_from_its_wheel(product: Environment) -> None:
    shown = product.run("demo", seconds=300)
    assert shown.returncode == 0, shown.stderr
    assert " decided, 0 failed; " in shown.stdout


def test_the_product_s_help_offers_nothing_of_the_lab(product: Environment) -> None:
    for arguments in (["--help"], ["expert", "--help"]):
        shown = product.run(*arguments).stdout
        assert "Usage: ace" in shown
        assert [word for word in LAB_ONLY if re.search(rf"\b{word}\b", shown)] == []
    absent = product.run("train", "--help")
    assert (absent.returncode, "No such command 'train'" in absent.stderr) == (2, True)


def test_the_lab_adds_its_commands(wheels: tuple[Path, Path, Path], data_dir: Path) -> None:
    product, lab, client = wheels
    needed = required(product, "embedded") | required(lab) | required(client)
    both = Environment(data_dir / "lab", [client, product, lab], needed)
    for arguments in (
        ["train", "gatekeeper"],
        ["train", "expert"],
        ["calibrate"],
        ["evaluate"],
        ["data", "build"],
    ):
        shown = both.run(*arguments, "--help")
        assert shown.returncode == 0, shown.stderr
    assert "simulate" in both.run("expert", "--help").stdout
