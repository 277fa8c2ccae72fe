"""Step 1: preamble, transition and limbs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace.expert.prompt.elements import Elements, elements


@pytest.mark.parametrize(
    ("text", "dependent", "expected"),
    [
        (
            "A lamp comprising: a base; a bulb; and a shade.",
            False,
            Elements("A lamp", "comprising", ("a base", "a bulb", "a shade")),
        ),
        (
            "An alloy consisting essentially of iron; and carbon.",
            False,
            Elements("An alloy", "consisting essentially of", ("iron", "carbon")),
        ),
        (
            "A mast having a foot, the mast comprising\na tube\nand a cap.",
            False,
            Elements("A mast having a foot, the mast", "comprising", ("a tube", "a cap")),
        ),
        ("A mast having a foot.", False, Elements("A mast", "having", ("a foot",))),
        (
            "The mast of claim 1, wherein the cap comprises a lug.",
            True,
            Elements("The mast of claim 1", "wherein", ("the cap comprises a lug",)),
        ),
        (
            "The mast of claim 1, further comprising a lug.",
            True,
            Elements("The mast of claim 1", "further comprising", ("a lug",)),
        ),
        ("A new and useful mast.", False, Elements("A new and useful mast", None, ())),
        ("", False, Elements("", None, ())),
    ],
)
def test_a_claim_is_split_where_it_says_so(text: str, dependent: bool, expected: Elements) -> None:
    assert elements(text, dependent=dependent) == expected


@given(st.text(), st.booleans())
def test_any_text_has_elements_that_stand_in_it(text: str, dependent: bool) -> None:
    parts = elements(text, dependent=dependent)
    assert all(part in text for part in (parts.preamble, parts.transition or "", *parts.limbs))
