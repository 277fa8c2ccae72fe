"""The lexicon of opposed properties: big enough, and sound."""

from itertools import combinations

import pytest

from ace.claims.language.opposites import (
    DIMENSIONS,
    PLACES,
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


def test_the_lexicon_is_large() -> None:
    pairs = sum(len(a) * len(b) for poles in DIMENSIONS.values() for a, b in combinations(poles, 2))
    assert len(DIMENSIONS) >= 120
    assert pairs >= 500


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_a_dimension_has_poles_without_a_common_word(dimension: str) -> None:
    poles = DIMENSIONS[dimension]
    words = [word for pole in poles for word in pole]
    assert len(poles) >= 2
    assert all(poles)
    assert len(words) == len(set(words))
    assert all(word == word.lower() for word in words)


def test_every_word_knows_its_places() -> None:
    for word, places in PLACES.items():
        assert all(word in DIMENSIONS[dimension][pole] for dimension, pole in places.items())
        assert word not in opposites(word)


def test_states_may_follow_each_other() -> None:
    assert changeable("opening")
    assert not changeable("light")
    assert set(STATES) <= set(DIMENSIONS)


def test_a_negation_is_undone() -> None:
    assert unnegated("non-porous") == unnegated("nonporous") == "porous"
    assert unnegated("porous") is None
    assert unnegated("none") is None
