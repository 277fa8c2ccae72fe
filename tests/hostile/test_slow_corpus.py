"""No set of claims that was slow to check once, and none of some random ones, takes seconds again."""

import random

import pytest

from tests.hostile.slow_claims import LIMIT_SECONDS, Set, corpus, drawn, seconds

pytestmark = pytest.mark.slow

RANDOM_SETS = 4
MARGIN = 5
"""How much slower than the machine on which the limit was set another may be: quadratic rules took 10 s.

Only processor time counts, the lesser of two measurements, so that a busy machine fails no set.
"""


def _quick(claims: Set) -> bool:
    return any(seconds(claims) < MARGIN * LIMIT_SECONDS for _ in range(2))


def test_the_corpus_is_quick() -> None:
    assert [claims for claims in corpus() if not _quick(claims)] == []


def test_random_sets_are_quick() -> None:
    draw = random.Random(112)
    assert [claims for claims in (drawn(draw) for _ in range(RANDOM_SETS)) if not _quick(claims)] == []
