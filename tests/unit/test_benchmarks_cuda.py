"""`make gpu`: it says that there is no GPU, or runs every piece and puts it on the page."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks import cuda

PAGE = "# On CUDA\n\n<!-- measured -->\n\nbefore\n\n<!-- /measured -->\n"


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "cuda.md"
    path.write_text(PAGE)
    monkeypatch.setattr(cuda, "PAGE", path)
    return path


def options(folder: Path, *more: str) -> list[str]:
    named = {"--claims": "claims.jsonl", "--data": str(folder / "data"), "--out": str(folder / "out")}
    return [*(word for pair in named.items() for word in pair), *more]


def test_without_a_gpu_it_says_so_and_succeeds(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cuda, "_gpu", lambda: None)

    assert cuda.main(options(tmp_path)) == 0
    assert "no GPU" in capsys.readouterr().err
    assert page.read_text() == PAGE


def test_every_piece_is_on_the_page_with_its_outcome(page: Path, tmp_path: Path) -> None:
    asked = []

    def run(words: Sequence[str], seconds: float) -> cuda.Ran:
        asked.append(words)
        assert seconds < 600
        statuses = {"pytest": 1, "train": None}
        status = next((statuses[word] for word in words if word in statuses), 0)
        return cuda.Ran(status, f"line\n{len(asked)} is the last")

    failed = cuda.main(options(tmp_path, "--expert-base", "models/8b"), gpu="a GPU", run=run)

    text = page.read_text()
    assert failed == 1
    assert len(asked) == 6
    assert "Measured on a GPU." in text
    assert "before" not in text
    assert [text.count(word) for word in ("failed (1)", "stopped, continues", "done, ")] == [1, 2, 3]
    assert "6 is the last\n```" in text


def test_data_is_built_once_and_an_expert_needs_a_base(page: Path, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    assert cuda.main(options(tmp_path), gpu="a GPU", run=lambda *_: cuda.Ran(0, "")) == 0
    assert page.read_text().count("## ") == 4


def test_a_piece_that_takes_too_long_is_stopped() -> None:
    stopped = cuda.run(("-u", "-c", "import time; print('begun'); time.sleep(600)"), 1.0)
    failed = cuda.run(("-c", "raise SystemExit(3)"), 600.0)

    assert stopped.status is None
    assert failed == cuda.Ran(3, "")
