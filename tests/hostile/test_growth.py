"""No rule does work that grows with the square of a claim, whichever of its own words fill the claim."""

import random
from collections.abc import Sequence
from functools import partial

import pytest

from ace.claims.language.words import one_slip
from benchmarks.linear import LAYOUTS, laid_out, reading_of
from tests.growth import MOST_LINES, Shape, check, examples, frames, growths, listed_words

SHARE = 4
"""Of the words of the tables, every such one is tried, in one frame each: all in all frames take an hour."""


def grown(shapes: Sequence[Shape]) -> dict[Shape, object]:
    return {shape: found for shape in shapes if (found := growths(check, shape.texts))}


@pytest.mark.slow
def test_the_examples_of_the_rules_as_limbs_are_linear() -> None:
    assert grown(list(examples())) == {}


@pytest.mark.slow
def test_the_words_of_the_tables_are_linear() -> None:
    draw = random.Random(112)
    words = draw.sample(listed_words(), len(listed_words()) // SHARE)
    assert grown([draw.choice(frames(word)) for word in words]) == {}


@pytest.mark.parametrize("limb", ["a plate of steel, ", "a {noun} of steel, ", "a {noun} that turns, "])
def test_things_with_what_is_said_of_them_are_linear(limb: str) -> None:
    assert growths(check, Shape("A bracket comprising ", limb).texts, size=1_000) == []


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
def test_reading_is_linear(layout: str) -> None:
    assert growths(reading_of, partial(laid_out, layout), largest=2_000_000, most=40 * MOST_LINES) == []


def _each_with_each(text: str) -> list[bool]:
    words = text.split()
    return [one_slip(word, other) for word in words for other in words]


def _each_once(text: str) -> list[bool]:
    return [one_slip(word, "plate") for word in text.split()]


def test_the_measure_finds_a_square_and_no_line() -> None:
    square, line = (growths(run, "plates ".__mul__, size=40) for run in (_each_with_each, _each_once))
    assert [growth.function.split()[1] for growth in square] == ["one_slip"]
    assert line == []
