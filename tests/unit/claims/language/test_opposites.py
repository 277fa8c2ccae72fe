"""The lexicon of opposed properties is sound."""

import pytest

from ace.claims.language.opposites import (
    DIMENSIONS,
    POLES,
    STATES,
    changeable,
    opposed,
    opposites,
    unnegated,
)

PAIRS = [
    ("transparent", "opaque"),
    ("rigid", "flexible"),
    ("open", "closed"),
    ("parallel", "perpendicular"),
    ("conductive", "insulating"),
    ("hydrophilic", "hydrophobic"),
    ("wired", "wireless"),
    ("solid", "liquid"),
    ("liquid", "gaseous"),
    ("analog", "digital"),
    ("upper", "lower"),
    ("monoclonal", "polyclonal"),
    ("porous", "non-porous"),
    ("frobbed", "non-frobbed"),
    ("nonlinear", "linear"),
]


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_opposites_exclude_each_other_both_ways(one: str, other: str) -> None:
    assert opposed(one, other)
    assert opposed(other, one) == opposed(one, other)
    assert other in opposites(one)
    assert one in opposites(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("rigid", "rigid"),
        ("rigid", "stiff"),
        ("transparent", "clear"),
        ("flat", "planar"),
        ("rigid", "opaque"),
        ("blue", "red"),
        ("none", "e"),
    ],
)
def test_what_goes_together_is_not_opposed(one: str, other: str) -> None:
    assert opposed(one, other) is None


def test_a_dimension_has_poles_without_a_common_word(subtests: pytest.Subtests) -> None:
    for dimension, poles in DIMENSIONS.items():
        words = [word for pole in poles for word in pole]
        with subtests.test(dimension):
            assert len(poles) >= 2
            assert all(poles)
            assert len(words) == len(set(words))
            assert all(word == word.lower() for word in words)


def test_every_word_knows_its_places() -> None:
    for word, places in POLES.items():
        assert all(word in DIMENSIONS[dimension][pole] for dimension, pole in places.items())
        assert word not in opposites(word)


def test_states_may_follow_each_other() -> None:
    assert changeable("opening")
    assert not changeable("light")
    assert set(STATES) <= set(DIMENSIONS)


def test_a_negation_is_undone() -> None:
    assert unnegated("non-porous") == unnegated("nonporous") == "porous"
    assert unnegated("porous") is None
    assert unnegated("nonwet") == "wet"  # six letters are enough
    assert unnegated("none") is unnegated("nonet") is None
