"""One spelling for every text the gatekeeper reads."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace.claims.analysis import AnalysedClaim, analyse
from ace.claims.chains import kept_set
from ace.gatekeeper.canonical import canonical
from ace.gatekeeper.inputs import ClaimInput, as_shown
from tests.pumping import Attack, given_up_when_stuck, slow_growth


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a  pump\n\tcomprising:", "a pump comprising:"),
        ("the user\u2019s \u201chome\u201d", 'the user\'s "home"'),
        ("two\u2010part \u2212 3", "two-part - 3"),
        ("a pump , a valve ; and", "a pump, a valve; and"),
        ("e\u0301tape", "\u00e9tape"),
        ("zero\u200bwidth", "zerowidth"),
        (" .5 mm", ".5 mm"),
    ],
)
def test_table(text: str, expected: str) -> None:
    assert canonical(text) == expected


@given(st.text(max_size=60))
def test_is_idempotent(text: str) -> None:
    assert canonical(canonical(text)) == canonical(text)


def test_a_pair_is_the_numbered_claim_and_its_chain_nearest_first() -> None:
    claim = ClaimInput(3, "The  pump of claim 2.", ("2. The pump of claim 1.", "1. A pump ."))
    assert as_shown(claim, with_hints=False) == (
        "3. The pump of claim 2.",
        "",
        "2. The pump of claim 1. 1. A pump.",
    )
    assert as_shown(ClaimInput(1, "A pump."), with_hints=False).chain == ""


def test_an_analysis_made_elsewhere_is_shown_to_models_with_hints_only() -> None:
    analysis = analyse(kept_set([(2, "A lid."), (3, "The lid of claim 7.")]))[3]
    claim = AnalysedClaim(3, "A pump.", ("2. A lid.",), analysis=analysis)
    hints = "dependency nonexistent certain: claim 7."
    assert as_shown(claim, with_hints=True) == ("3. A pump.", hints, "2. A lid.")
    assert as_shown(claim, with_hints=False) == ("3. A pump.", "", "2. A lid.")


MARKS = "\u0301\u0323"


@pytest.mark.parametrize("pump", [MARKS, " ,", " . ", "\u2018", "\u00ad", "  ", "a" + MARKS, "\u3000,"])
def test_its_time_grows_with_the_text_also_of_claims_stored_before_marks_were_cut(pump: str) -> None:
    with given_up_when_stuck():
        assert slow_growth(canonical, Attack("A bracket", pump)) is None
