"""docs/verified.md keeps its shape: every row has a date or "never", and a command that exists."""

import re
from datetime import date
from pathlib import Path

from tests.unit.test_docs import TYPED

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "verified.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in TEXT.splitlines()
    if line.startswith("| ") and not line.startswith(("| feature", "| ---"))
]


def test_every_row_has_a_feature_a_date_or_never_and_one_command() -> None:
    assert len(ROWS) >= 30
    for row in ROWS:
        feature, verified, how = row
        assert feature
        assert verified == "never" or date.fromisoformat(verified), feature
        assert re.fullmatch(r"`[^`]+`", how), feature


def test_the_commands_are_ours_and_name_files_that_exist() -> None:
    programs = {
        "ace",
        "docker",
        "helm",
        "make",
        ".venv/bin/python",
        "python",
        "python3.13",
        "ACE_GATEKEEPER_DEVICE=cuda",
    }
    for _, _, how in ROWS:
        words = how.strip("`").split()
        assert words[0] in programs
        assert all((ROOT / word).exists() for word in words if word.startswith(("tests/", "requirements/")))
    assert ["make", "chaos"] in [words for page, words in TYPED if page == "docs/verified.md"]


def test_what_is_known_never_to_have_run_is_said() -> None:
    never = " ".join(feature for feature, verified, _ in ROWS if verified == "never")
    for word in (
        "CUDA",
        "TGI",
        "vLLM",
        "SGLang",
        "NF4",
        "70B",
        "images",
        "containers",
        "3.14",
        "macOS",
        "arm64",
    ):
        assert word in never, word


def test_the_front_pages_link_to_it() -> None:
    assert "(docs/verified.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert "(verified.md)" in (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
