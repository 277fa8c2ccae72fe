"""References to other claims, as people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace.claims.references import MAX_REFERENCES, parents_of, references


@pytest.mark.parametrize(
    ("text", "number", "expected"),
    [
        ("A lamp comprising a base.", 1, ()),
        ("The lamp of claim 1, wherein", 2, (1,)),
        ("The lamp of Claim 12.", 13, (12,)),
        ("The lamp as claimed in any one of claims 1 to 4, wherein", 5, (1, 2, 3, 4)),
        ("The lamp of claims 1, 3 or 5-7, wherein", 9, (1, 3, 5, 6, 7)),
        ("The lamp of claim 1, 2 or 3 wherein", 9, (1, 2, 3)),
        ("The lamp of claim 5, claim 6, or claim 7", 8, (5, 6, 7)),
        ("The lamp of claim 1 or any one of claims 3 and 4", 8, (1, 3, 4)),
        ("The lamp of any preceding claim", 4, (1, 2, 3)),
        ("The lamp of any one of the preceding claims", 3, (1, 2)),
        ("The lamp of the preceding claim", 4, (3,)),
        ("The lamp of any preceding claim", 1, ()),
        ("the alloy of claim 1, 50% of which is tin", 2, (1,)),
        ("the alloy of claim 1 and 5 mg of tin", 2, (1,)),
        ("as claimed in claims 1 and 2 to 3 and 90-0% of rubber", 4, (1, 2, 3)),
        ("the lamp of claim 1 of U.S. Pat. No. 5,000,000", 2, ()),
        ("the claimed lamp proclaims 5", 2, ()),
        ("The lamp of claim 7 to 5", 8, (7, 5, 6)),
        ("The lamp of claim 3 using the method of claim 2", 4, (3, 2)),
        ("The lamp of claim 99999999999999999999", 2, ()),
    ],
)
def test_parents(text: str, number: int, expected: tuple[int, ...]) -> None:
    assert parents_of(text, number) == expected


@pytest.mark.parametrize(
    ("text", "several", "cumulative"),
    [("of claim 1,", False, False), ("of claim 1 or 2,", True, False), ("of claims 1 and 2,", True, True)],
)
def test_a_choice_and_a_sum_are_told_apart(text: str, several: bool, cumulative: bool) -> None:
    (reference,) = references(text, 5)
    assert (reference.several, reference.cumulative) == (several, cumulative)
    assert text[reference.start : reference.end] == text[3:-1]


def test_a_huge_range_is_capped() -> None:
    assert len(parents_of("of claims 1 to 999999999", 5)) <= MAX_REFERENCES
    (reference,) = references("of claims 1 to 999999999", 5)
    assert reference.numbers[-1] == 999_999_999
    assert len(parents_of("of any preceding claim", 1000)) <= MAX_REFERENCES


@given(st.text(alphabet="claims 0123456789,-ortand.\n") | st.text(), st.integers(1, 1000))
def test_any_text_is_read(text: str, number: int) -> None:
    for reference in references(text, number):
        assert 0 <= reference.start < reference.end <= len(text)
    assert len(parents_of(text, number)) <= MAX_REFERENCES
