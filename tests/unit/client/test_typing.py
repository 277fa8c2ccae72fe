"""mypy, strict, on a program that uses the client."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parent / "typed_example.py"


@pytest.mark.slow
def test_the_client_is_typed_for_those_who_use_it(tmp_path: Path) -> None:
    ran = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--strict",
            "--config-file=",
            "--cache-dir",
            str(tmp_path),
            str(EXAMPLE),
        ],
        cwd=EXAMPLE.parents[3],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "no issues found in 1 source file" in ran.stdout
