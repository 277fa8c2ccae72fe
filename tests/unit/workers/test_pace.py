"""How large messages are made: what one round after the other teaches."""

import pytest

from ace.flow import Round
from ace.workers.dispatcher import SMALLEST_BUDGET_TOKENS, Pace

MOST = 16 * SMALLEST_BUDGET_TOKENS


def taught(*rounds: tuple[float, float, bool]) -> int:
    """The budget, in smallest ones, after rounds of (time, longest wait, whether it was full)."""
    pace = Pace(target_seconds=0.4, max_tokens=MOST)
    for now, waited, full in rounds:
        pace.learn(Round(1, waited, full, more=False), now)
    return pace.budget_tokens // SMALLEST_BUDGET_TOKENS


@pytest.mark.parametrize(
    ("rounds", "budget"),
    [
        ([], 1),
        ([(0, 0.0, True)], 2),
        ([(0, 0.0, False)], 1),  # nobody asks for more
        ([(0, 0.0, True), (0.05, 0.0, True)], 2),  # too soon to know what the first change did
        ([(0, 0.0, True), (0.25, 0.0, True), (0.5, 0.05, True)], 8),
        ([(0, 0.0, True), (0.2, 0.0, True)], 2),
        ([(0, 0.0, True), (0.5, 0.15, True)], 4),
        ([(0, 0.0, True), (0.5, 0.2, True)], 2),  # taken up in time, not at once
        ([(0, 0.0, True), (0.5, 0.4, True)], 2),
        ([(0, 0.0, True), (0.4, 0.5, True)], 2),  # too soon to know again
        ([(0, 0.0, True), (0.5, 0.5, True)], 1),
        ([(0, 0.5, False)], 1),  # no smaller than the smallest
        ([(second, 0.0, True) for second in range(9)], 16),  # no larger than the limit
        ([*[(second, 0.0, True) for second in range(9)], (9, 0.5, True), (9.3, 0.5, True)], 8),
    ],
)
def test_messages_grow_while_they_are_taken_up_at_once_and_shrink_when_they_wait(
    rounds: list[tuple[float, float, bool]], budget: int
) -> None:
    assert taught(*rounds) == budget
