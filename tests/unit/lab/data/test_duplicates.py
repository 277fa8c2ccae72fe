"""Near-identical texts: what counts as near, and that signatures miss nothing that counts."""

from random import Random

import pytest

from ace_lab.data.duplicates import NEAR, NearDuplicates, jaccard, shingles

LONG = (
    "A kettle comprising a body, a lid hinged to the body, a spout that leads out of the body, a handle "
    "of cork, a heating coil under a floor of the body, a sensor for the temperature of the water, and a "
    "switch that parts the coil from a supply when the sensor reports that the water boils."
)


@pytest.mark.parametrize(
    ("other", "near"),
    [
        (LONG, True),
        (LONG.upper().replace(",", " ;"), True),
        (LONG.replace("of cork", "of oak"), True),
        (LONG.replace("boils.", "boils, wherein the lid is of tin."), True),
        (
            LONG.replace("a lid hinged", "a cap screwed").replace("of cork", "of oak").replace("coil", "rod"),
            False,
        ),
        ("A kettle comprising a body.", False),
    ],
)
def test_what_is_near(other: str, near: bool) -> None:
    assert NearDuplicates([LONG]).has_near(other) is near


@pytest.mark.parametrize(
    ("one", "other", "near"),
    [
        (
            "The kettle of claim 3, wherein the lid is of tin.",
            "The kettle of claim 11, wherein the lid is of tin.",
            True,
        ),
        (
            "The kettle of claim 3, wherein the lid is of tin.",
            "The kettle of claim 3, wherein the lid is of oak.",
            False,
        ),
        ("A lid from 2 to 9 mm thick of tin.", "A lid from 3 to 7 mm thick of tin.", False),
        ("A lid.", "A lid", True),
        ("A lid.", "A cap.", False),
    ],
)
def test_numbers_of_claims_do_not_count_and_others_do(one: str, other: str, near: bool) -> None:
    assert NearDuplicates([one]).has_near(other) is near


def test_jaccard_counts_shared_words_in_a_row() -> None:
    one, other = shingles("a b c d e f g"), shingles("b c d e f g h")
    assert len(one) == 3
    assert jaccard(one, other) == pytest.approx(2 / 4)
    assert jaccard(one, one) == 1


def test_signatures_find_what_counting_every_pair_finds() -> None:
    rng = Random(3)
    words = [f"word{number}" for number in range(40)]
    texts = [" ".join(rng.choice(words) for _ in range(60)) for _ in range(12)]
    known = NearDuplicates(texts)
    changed = []
    for text in texts:
        for count in (1, 2, 3, 6):
            edited = text.split()
            for at in rng.sample(range(60), count):
                edited[at] = "other"
            changed.append(" ".join(edited))
    counted = [max(jaccard(shingles(text), shingles(one)) for one in texts) >= NEAR for text in changed]
    assert 8 < sum(counted) < 40
    assert [known.has_near(text) for text in changed] == counted
