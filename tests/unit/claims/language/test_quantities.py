"""Quantities: what is read, in which unit, between which bounds."""

from itertools import pairwise
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ace.claims.language.quantities import Quantity, quantities
from ace.claims.language.units import NONE, common, unit_of
from benchmarks.linear import FILLERS, filled

INTERVALS: list[tuple[str, str, float, float, str]] = [
    ("a depth from 5 to 10 mm", "from 5 to 10 mm", 0.005, 0.01, "length"),
    ("5-10 wt.% of tin", "5-10 wt.%", 5, 10, "percent by weight"),
    (
        "from about 0.5% to about 10% by weight",
        "from about 0.5% to about 10% by weight",
        0.5,
        10,
        "percent by weight",
    ),
    ("at least 5 times", "at least 5", 5, inf, ""),
    ("less than 10 °C", "less than 10 °C", -inf, 283.15, "temperature"),
    ("between 1 and 2", "between 1 and 2", 1, 2, ""),
    ("between about 1 and about 2 µm", "between about 1 and about 2 µm", 1e-6, 2e-6, "length"),
    ("≥ 3 V", "≥ 3 V", 3, inf, "voltage"),
    ("wherein x≤5 mm", "≤5 mm", -inf, 0.005, "length"),
    ("not more than 7 %", "not more than 7 %", -inf, 7, "percent"),
    ("500 µm to 1 mm", "500 µm to 1 mm", 5e-4, 1e-3, "length"),
    ("1,000 to 10,000 Da", "1,000 to 10,000 Da", 1000, 10000, "molar mass"),
    ("5% or more", "5% or more", 5, inf, "percent"),
    ("5 mm or less", "5 mm or less", -inf, 0.005, "length"),
    ("-40 to -10 °C", "-40 to -10 °C", 233.15, 263.15, "temperature"),
    ("greater than or equal to 5 g", "greater than or equal to 5 g", 5, inf, "mass"),
    ("30 seconds to 2 minutes", "30 seconds to 2 minutes", 30, 120, "time"),
    ("up to 5 hours", "up to 5 hours", -inf, 18000, "time"),
    ("exceeding 5 bar", "exceeding 5 bar", 5e5, inf, "pressure"),
    ("within 100 ms", "within 100 ms", -inf, 0.1, "time"),
    ("a 20 mW laser", "20 mW", 0.02, 0.02, "power"),
    ("a 20 MW plant", "20 MW", 2e7, 2e7, "power"),
    ("5 mM of salt", "5 mM", 0.005, 0.005, "concentration"),
    ("212 °F", "212 °F", 373.15, 373.15, "temperature"),
    ("20 to 30 degrees Celsius", "20 to 30 degrees Celsius", 293.15, 303.15, "temperature"),
    ("a flow of 5 ml/min", "5 ml/min", 5e-6 / 60, 5e-6 / 60, "flow rate"),
    ("a load of 5 mg per tablet", "5 mg per tablet", 5, 5, "mg per tablet"),
    ("from 10^18 to 5×10^18 atoms", "from 10^18 to 5×10^18", 1e18, 5e18, ""),
    ("between 10^−3 and 10^-2 ohm", "between 10^−3 and 10^-2 ohm", 0.001, 0.01, "resistance"),
    ("at least 10^(-3) M", "at least 10^(-3) M", 0.001, inf, "concentration"),
    ("2 x 10^5 cells", "2 x 10^5", 2e5, 2e5, ""),
    ("1.5·10⁻⁴ to 2.5·10⁻⁴ m", "1.5·10⁻⁴ to 2.5·10⁻⁴ m", 1.5e-4, 2.5e-4, "length"),
    ("10⁴ cells", "10⁴", 1e4, 1e4, ""),
    ("2^8 bits", "2^8 bits", 256, 256, "bits"),
    ("at least 1/2 of", "at least 1/2", 0.5, inf, ""),
    ("a 1/2 inch bolt", "1/2 inch", 0.0127, 0.0127, "length"),
    ("1 1/2 to 2-1/2 inches", "1 1/2 to 2-1/2 inches", 0.0381, 0.0635, "length"),
    ("1/4-1/2 inch", "1/4-1/2 inch", 0.00635, 0.0127, "length"),
    ("at most ½", "at most ½", -inf, 0.5, ""),
    ("1½ mm or more", "1½ mm or more", 0.0015, inf, "length"),
    ("5 cm^2 of", "5 cm^2", 5e-4, 5e-4, "area"),
    ("7 kg/m^3", "7 kg/m^3", 7, 7, "density"),
]


@pytest.mark.parametrize(
    ("text", "quote", "low", "high", "dimension"), INTERVALS, ids=[row[0] for row in INTERVALS]
)
def test_an_interval_is_read_in_its_base_unit(
    text: str, quote: str, low: float, high: float, dimension: str
) -> None:
    found = quantities(text)
    assert [text[each.start : each.end] for each in found] == [quote]
    assert (found[0].low, found[0].high) == (pytest.approx(low), pytest.approx(high))
    assert found[0].unit.dimension == dimension
    assert not found[0].reversed


@pytest.mark.parametrize(
    "text",
    [
        "the method of claim 5",
        "SEQ ID NO: 7",
        "10-5 M",
        "1 x 10 6 cells",
        "a time of 1:10 to 10:15",
        "a C1-C6 alkyl",
        "step 3",
        "the 5' end",
        "the 2nd gear",
        "FIG. 4",
        "1000 cm−1.",
        "no number at all",
        "channels 138/146",
        "24/7 operation",
        "a 50/50 mixture",
        "at least 10^(n+1)",
        "at most 10ⁿ",
        "at most √2",
        "at least 10^4.5",
        "at least 10^999",
        "at least 3/0",
        "at least 2 [formula]",
        "at least [image] 5 mm",
    ],
)
def test_what_is_no_quantity_is_passed_over(text: str) -> None:
    assert all(not each.unit.dimension and not each.word and not each.ranged for each in quantities(text))


def test_ends_in_the_wrong_order_are_marked_and_put_right() -> None:
    (found,) = quantities("from 10 to 5 mm")
    assert (found.low, found.high, found.reversed) == (pytest.approx(0.005), pytest.approx(0.01), True)


def test_powers_and_fractions_in_the_wrong_order_are_marked() -> None:
    for text in ("from 10^6 to 10^3 Pa", "from 1/2 to 1/4 inch", "from 1½ to ¾ mm"):
        (found,) = quantities(text)
        assert found.reversed, text


def test_open_and_closed_bounds_differ() -> None:
    more, least, less, most = (
        quantities(f"{word} 5")[0] for word in ("more than", "at least", "less than", "at most")
    )
    assert (more.low_open, least.low_open, less.high_open, most.high_open) == (True, False, True, False)
    assert not more.meets(most)
    assert least.meets(most)
    assert not least.meets(less)


COMPARISONS: list[tuple[str, str, bool, bool]] = [
    # stated, inherited, within, meets
    ("6 to 8 mm", "5 to 10 mm", True, True),
    ("2 to 8 mm", "5 to 10 mm", False, True),
    ("12 mm", "5 to 10 mm", False, False),
    ("at least 6 mm", "5 to 10 mm", True, True),
    ("at least 3 mm", "5 to 10 mm", False, True),
    ("at least 12 mm", "5 to 10 mm", True, False),
    ("more than 5 mm", "at least 5 mm", True, True),
    ("at least 5 mm", "more than 5 mm", False, True),
    ("0.5 cm", "5 mm", True, True),
    ("from 2×10^−3 to 5×10^−3", "10^-3 to 10^-2", True, True),
    ("from 10^3 to 10^5", "10^4 to 10^6", False, True),
    ("3/4", "at least 1/2", True, True),
    ("1/4", "at least 1/2", False, False),
    ("1¾ inches", "1 1/2 to 2 inches", True, True),
]


@pytest.mark.parametrize(("stated", "inherited", "within", "meets"), COMPARISONS)
def test_two_quantities_are_compared(stated: str, inherited: str, within: bool, meets: bool) -> None:
    one, other = quantities(stated)[0], quantities(inherited)[0]
    assert (one.within(other), one.meets(other)) == (within, meets)


def test_a_bare_percentage_takes_the_other_kind() -> None:
    assert common(unit_of("%"), unit_of("wt.%")) is not None
    assert common(unit_of("vol%"), unit_of("wt.%")) is None
    assert common(unit_of("mm"), unit_of("s")) is None
    assert unit_of("furlongs") is NONE


def test_case_tells_units_apart() -> None:
    assert unit_of("mm").dimension == "length"
    assert unit_of("mM").dimension == "concentration"
    assert unit_of("MHz").factor == 1e6
    assert unit_of("Kg").dimension == "mass"


@given(st.text(max_size=400))
@settings(max_examples=200, deadline=None)
def test_any_text_is_read(text: str) -> None:
    for each in quantities(text):
        assert 0 <= each.start < each.end <= len(text)
        assert each.low <= each.high


@given(st.floats(0, 1e6, allow_nan=False), st.floats(0, 1e6, allow_nan=False))
def test_a_quantity_lies_within_itself(one: float, other: float) -> None:
    low, high = sorted((one, other))
    quantity = Quantity(0, 1, low, high, NONE)
    assert quantity.within(quantity)
    assert quantity.meets(quantity)


def test_quantities_of_hostile_texts_are_in_order_and_within_them() -> None:
    for filler in FILLERS:
        text = filled(filler, 20_000)
        read = quantities(text)
        assert all(one.start < one.end <= other.start for one, other in pairwise(read)), filler
        assert all(0 <= one.start < one.end <= len(text) for one in read), filler
    # and each of many is read
    assert len(quantities("from 5 to 10 mm and " * 1_000)) == 1_000
