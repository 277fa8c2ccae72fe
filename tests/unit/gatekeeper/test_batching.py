"""Batches: every claim once, within the budget, short with short."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace.gatekeeper.batching import batches


@pytest.mark.parametrize(
    ("lengths", "budget", "items", "expected"),
    [
        ([], 100, 4, []),
        ([10], 100, 4, [[0]]),
        ([30, 10, 20], 60, 9, [[1, 2], [0]]),
        ([500], 100, 4, [[0]]),
        ([5, 500, 5], 100, 4, [[0, 2], [1]]),
        ([7, 7, 7, 7], 1000, 3, [[0, 1, 2], [3]]),
        ([50, 50], 100, 9, [[0, 1]]),
        ([50, 51], 100, 9, [[0], [1]]),
    ],
)
def test_table(lengths: list[int], budget: int, items: int, expected: list[list[int]]) -> None:
    assert batches(lengths, budget_tokens=budget, max_items=items) == expected


@given(st.lists(st.integers(1, 400), max_size=80), st.integers(1, 2000), st.integers(1, 16))
def test_every_index_once_and_no_batch_over_its_limits(lengths: list[int], budget: int, items: int) -> None:
    found = batches(lengths, budget_tokens=budget, max_items=items)
    assert sorted(index for batch in found for index in batch) == list(range(len(lengths)))
    for batch in found:
        assert len(batch) <= items
        assert len(batch) == 1 or max(lengths[index] for index in batch) * len(batch) <= budget


@pytest.mark.parametrize(("budget", "items"), [(0, 1), (1, 0), (-5, 3)])
def test_refuses_limits_under_one(budget: int, items: int) -> None:
    with pytest.raises(ValueError, match="must be positive"):
        batches([1], budget_tokens=budget, max_items=items)
