"""Quotations found in claims whose spelling differs, and told apart where they mean two things."""

import pytest

from ace_lab.rejections.quotes import overlap, place_of

TEXT = (
    "A pump comprising a valve seat, a “first” lever, and a second lever, wherein the valve closes the"
    " valve seat."
)


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("a valve seat", "a valve seat"),
        ("A  VALVE\nSEAT", "a valve seat"),
        ("a val ve seat", "a valve seat"),
        ('a "first" lever', "a “first” lever"),
        ("the second lever", "second lever"),
        ("wherein the valve ... seat", "wherein the valve"),
        ("the lev", None),
        ("the gasket", None),
        ("", None),
        ("...", None),
    ],
)
def test_where_a_quotation_stands(quote: str, found: str | None) -> None:
    place = place_of(quote, TEXT)
    assert (None if place is None else TEXT[place[0] : place[1]]) == found


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("the second lever", "said second lever", True),
        ("the second lever", "lever", True),
        ("the valve", "the valve seat", False),
        ("first lever", "second lever", False),
        ("the valve closes the valve seat", "the valve", True),
        ("the gasket", "said gasket", True),
        ("the rubber gasket", "the gasket", True),
        ("the gasket", "the washer", False),
        ("the", "the valve", False),
        ("", "", False),
    ],
)
def test_whether_two_quotations_mean_the_same(one: str, other: str, same: bool) -> None:
    assert overlap(one, other, TEXT) is same
    assert overlap(other, one, TEXT) is same
