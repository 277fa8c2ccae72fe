"""Types for TypeScript, made from the OpenAPI document by a generator that is not ours: they compile, and so
does a program that uses them. That shows that the document says what other languages need."""

import json
import os
import subprocess
from pathlib import Path
from shutil import copy, which
from typing import Final, NoReturn

import pytest

from ace.bounded import Bounded
from tests.openapi import document

pytestmark = pytest.mark.slow

FOLDER: Final = Path(__file__).parents[2] / "typescript"
SECONDS: Final = 300


def give_up(reason: str) -> NoReturn:
    """Node.js and its packages are not part of the project: without them, only CI insists."""
    (pytest.fail if "CI" in os.environ else pytest.skip)(reason)


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the program and the packages that package-lock.json names, by their hashes."""
    if which("npm") is None:
        give_up("no npm")
    folder = tmp_path_factory.mktemp("typescript")
    for name in ("package.json", "package-lock.json", "tsconfig.json", "example.ts"):
        copy(FOLDER / name, folder / name)
    installed = run(folder, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent")
    if installed.returncode:
        give_up(f"npm cannot install the packages: {installed.stderr[-500:]}")
    return folder


def test_a_program_in_typescript_compiles_against_the_document(folder: Path, rules: Bounded) -> None:
    (folder / "openapi.json").write_text(json.dumps(document(rules)), encoding="utf-8")
    made = run(folder, "node_modules/.bin/openapi-typescript", "openapi.json", "--output", "api.d.ts")
    assert made.returncode == 0, made.stdout + made.stderr

    compiled = run(folder, "node_modules/.bin/tsc", "--project", "tsconfig.json")
    assert (compiled.returncode, compiled.stdout) == (0, "")

    # And the compiler would notice an upload of which the document says nothing
    types = (folder / "api.d.ts").read_text(encoding="utf-8")
    (folder / "api.d.ts").write_text(types.replace('"text/plain": string', '"text/plain": unknown'))
    refused = run(folder, "node_modules/.bin/tsc", "--project", "tsconfig.json")
    assert refused.returncode != 0
    assert "TS2322" in refused.stdout
