"""Counts and shares as people read them."""

import pytest

from ace.desk import words
from ace.wording import percent


@pytest.mark.parametrize(
    ("share", "shown"),
    [
        (0, "0 %"),
        (0.00001, "<0.01 %"),
        (0.0001, "0.01 %"),
        (0.001, "0.1 %"),
        (0.0049999999, "0.5 %"),  # as PostgreSQL keeps 0.005 in four bytes
        (0.005, "0.5 %"),
        (0.01, "1 %"),
        (0.2, "20 %"),
        (0.99, "99 %"),
        (0.995, "99.5 %"),
        (0.9999, ">99.9 %"),
        (1, "100 %"),
    ],
)
def test_a_share_is_never_rounded_to_nothing_or_all(share: float, shown: str) -> None:
    assert percent(share) == shown
    assert words.percent(share) == shown.replace(" ", "\N{NO-BREAK SPACE}")


@pytest.mark.parametrize(
    ("share", "shown"),
    [
        (None, "–"),
        (0, "0 %"),
        (0.0001, "0.01 % (1 in 10,000)"),
        (0.005, "0.5 % (1 in 200)"),
        (0.2, "20 %"),
        (1, "100 %"),
    ],
)
def test_a_small_share_is_shown_as_odds_too(share: float | None, shown: str) -> None:
    assert words.with_odds(share).replace("\N{NO-BREAK SPACE}", " ") == shown
