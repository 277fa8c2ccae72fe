"""ScoringThreads: every claim once and in its own row, whatever the threads; what fails is told."""

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from threading import Barrier, get_ident

import numpy as np
import pytest

from ace.claims.model import ClaimInput
from ace.gatekeeper import scoring_threads as module
from ace.gatekeeper.scoring_threads import ScoringThreads, cores
from ace.gatekeeper.tokens import Arrays, PairTokenizer
from tests.unit.gatekeeper.models import tokenizer_file


@pytest.fixture
def tokenizer(tmp_path: Path) -> PairTokenizer:
    tokenizer_file(tmp_path / "tokenizer.json")
    return PairTokenizer(tmp_path / "tokenizer.json", max_tokens=48)


def claims(count: int) -> list[ClaimInput]:
    """Claims that their length tells apart: number n has n words "lid"."""
    return [ClaimInput(1, "lid " * (1 + number * 7 % 30)) for number in range(count)]


def lengths(arrays: Arrays) -> np.ndarray:
    """An answer that is a function of each claim alone."""
    return np.repeat(arrays["attention_mask"].sum(axis=1, keepdims=True), 6, axis=1)


def expected(inputs: Sequence[ClaimInput]) -> list[int]:
    return [len(claim.text.split()) + 4 for claim in inputs]  # [CLS] 1 . … [SEP]


def test_every_claim_gets_its_own_row(subtests: pytest.Subtests, tokenizer: PairTokenizer) -> None:
    for count, window, most, size in product([1, 2, 5], [1, 8, 1_000], [1, 7], [0, 1, 3, 100]):
        with subtests.test(count=count, window=window, max_items=most, size=size):
            threads = ScoringThreads(
                tokenizer, count=count, window=window, budget_tokens=90, max_items=most, multiple=4
            )
            inputs = claims(size)
            found = threads.run(inputs, lengths, np.int64)
            assert found.shape == (size, 6)
            assert found[:, 0].tolist() == expected(inputs)


def test_threads_run_side_by_side(tokenizer: PairTokenizer) -> None:
    # Given a forward pass that ends only when another one runs at the same time
    together, threads = Barrier(2, timeout=30), set()

    def forward(arrays: Arrays) -> np.ndarray:
        threads.add(get_ident())
        together.wait()
        return lengths(arrays)

    ScoringThreads(tokenizer, count=2, window=8, budget_tokens=90, max_items=1).run(
        claims(4), forward, np.int64
    )
    assert len(threads) == 2


def test_an_error_in_a_thread_is_raised_and_the_threads_go_on(tokenizer: PairTokenizer) -> None:
    threads = ScoringThreads(tokenizer, count=2, window=1, budget_tokens=90, max_items=1)

    def broken(arrays: Arrays) -> np.ndarray:
        if arrays["input_ids"].shape[1] > 20:
            raise RuntimeError("broken")
        return lengths(arrays)

    with pytest.raises(RuntimeError, match="broken"):
        threads.run(claims(40), broken, np.int64)
    assert threads.run(claims(40), lengths, np.int64)[:, 0].tolist() == expected(claims(40))


@pytest.mark.parametrize(
    ("quota", "most"),
    [("max 100000", 64), ("100000 100000", 1), ("150000 100000", 2), ("nonsense", 64), (None, 64)],
)
def test_a_container_bounds_the_cores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quota: str | None, most: int
) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(64)), raising=False)
    monkeypatch.setattr(module, "_QUOTA", tmp_path / "cpu.max")
    if quota is not None:
        (tmp_path / "cpu.max").write_text(f"{quota}\n")
    assert cores() == most
