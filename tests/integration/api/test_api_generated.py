"""Clients that two generators make of the OpenAPI document, used against a real API: they file, wait, and
get a problem with its fields.

tests/openapi_python/requirements.txt was written by `uv pip compile --universal --python-version 3.11
--generate-hashes`; the generator needs an older typer than ACE, so it has an environment of its own.
"""

import json
import os
import subprocess
import sys
import threading
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from shutil import copy, copytree, which
from typing import Any, Final, NoReturn

import pytest
from fastapi import FastAPI

from tests.files import docx

pytestmark = pytest.mark.slow

TESTS: Final = Path(__file__).parents[2]
SECONDS: Final = 300
MAX_MODEL_FILES: Final = 160
EXPECTED: Final[dict[str, Any]] = {
    "settled": ["P-1", True, "Pass"],
    "refused": ["/problems/duplicate_number", 422, "/claims", "duplicate_number"],
    "unknown": ["/problems/not_found", "Not found", 404, None],
    "document": [1],
    "lines": [202, 400],
}


def run(folder: Path, *command: object) -> subprocess.CompletedProcess[str]:
    given = [str(part) for part in command]
    return subprocess.run(given, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False)


def give_up(reason: str) -> NoReturn:
    """The generators are not part of the project: without an index, only CI insists on them."""
    (pytest.fail if "CI" in os.environ else pytest.skip)(reason)


@pytest.fixture
def filed(tmp_path: Path) -> Path:
    """A document to file."""
    path = tmp_path / "claims.docx"
    path.write_bytes(docx("A bracket comprising a plate."))
    return path


@pytest.fixture
def working(work: Any) -> Iterator[None]:
    """Workers that decide whatever is filed, meanwhile."""
    ended = threading.Event()

    def decide() -> None:
        while not ended.wait(0.1):
            work.decide()

    thread = threading.Thread(target=decide)
    thread.start()
    yield
    ended.set()
    thread.join()


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment with the generator, its packages by their hashes."""
    folder = tmp_path_factory.mktemp("openapi_python")
    run(folder, sys.executable, "-m", "venv", folder / "venv")
    interpreter = folder / "venv" / "bin" / "python"
    wanted = TESTS / "openapi_python" / "requirements.txt"
    installed = run(folder, interpreter, "-m", "pip", "install", "-q", "--require-hashes", "-r", wanted)
    if installed.returncode:
        give_up(f"pip cannot install the generator: {installed.stderr[-500:]}")
    return interpreter


@pytest.mark.usefixtures("working")
def test_a_generated_client_in_python(
    python: Path, tmp_path: Path, app: FastAPI, live: str, key: str, filed: Path
) -> None:
    (tmp_path / "openapi.json").write_text(json.dumps(app.openapi()), encoding="utf-8")
    given = ["--path", "openapi.json", "--config", TESTS / "openapi_python" / "config.yaml", "--meta", "none"]
    made = run(tmp_path, python.with_name("openapi-python-client"), "generate", *given)
    assert made.returncode == 0, made.stdout + made.stderr
    models = [*(tmp_path / "ace_generated" / "models").glob("[a-z]*.py")]
    assert {"problem.py", "problem_error.py", "bulk_line.py"} <= {path.name for path in models}
    assert len(models) <= MAX_MODEL_FILES  # a model for each problem of each operation was six times that

    copy(TESTS / "openapi_python" / "example.py", tmp_path)
    used = run(tmp_path, python, "example.py", live, key, filed)
    assert used.returncode == 0, used.stderr
    assert json.loads(used.stdout) == {**EXPECTED, "stranger": ["/problems/unauthorised", 401]}


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the programs and the packages that package-lock.json names, by their hashes."""
    if which("npm") is None:
        give_up("no npm")
    folder = tmp_path_factory.mktemp("typescript") / "typescript"
    copytree(TESTS / "typescript", folder, ignore=lambda *_: ["node_modules"])
    installed = run(folder, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent")
    if installed.returncode:
        give_up(f"npm cannot install the packages: {installed.stderr[-500:]}")
    return folder


@pytest.mark.usefixtures("working")
def test_a_generated_client_in_typescript(
    packages: Path, app: FastAPI, live: str, key: str, filed: Path
) -> None:
    (packages / "openapi.json").write_text(json.dumps(app.openapi()), encoding="utf-8")
    made = run(packages, "node_modules/.bin/openapi-typescript", "openapi.json", "--output", "api.d.ts")
    assert made.returncode == 0, made.stdout + made.stderr
    compiled = run(packages, "node_modules/.bin/tsc", "--project", "tsconfig.use.json")
    assert (compiled.returncode, compiled.stdout) == (0, "")
    used = run(packages, "node", "use.mjs", live, key, b64encode(filed.read_bytes()).decode())
    assert used.returncode == 0, used.stderr
    assert json.loads(used.stdout) == EXPECTED
