"""Further Pass rows: as many as asked for, of every kind; granted claims that are failed, but not surely."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ace.claims.model import ClaimInput
from ace_lab.data import sound_rows
from ace_lab.data.duplicates import NearDuplicates
from ace_lab.data.pools import Pool, pools
from ace_lab.data.single_rows import Distinct
from ace_lab.injectors.edits import with_text
from tests.unit.lab.families import source_sets


@pytest.fixture(scope="module")
def pool() -> Pool:
    return pools(source_sets(40)).by_split["train"]


def distinct(*elsewhere: str) -> Distinct:
    return Distinct(NearDuplicates(elsewhere))


def test_there_are_as_many_as_asked_for_and_of_many_kinds(pool: Pool) -> None:
    found = list(sound_rows.sound_rows(pool, 300, distinct(), Random(1)))
    kinds = Counter(row.edit for row in found)
    assert len(found) == 300
    assert len(kinds) > 20
    assert max(kinds.values()) < 30
    assert {(row.split, row.label, row.generator, row.spans) for row in found} == {
        ("train", "pass", "rules", ())
    }
    assert found == list(sound_rows.sound_rows(pool, 300, distinct(), Random(1)))


def test_none_are_made_if_none_are_asked_for(pool: Pool) -> None:
    assert not list(sound_rows.sound_rows(pool, 0, distinct(), Random(1)))


class Failing:
    """A gatekeeper that fails claims with a certain word."""

    def __init__(self, word: str) -> None:
        self.word = word
        self.calibration: Any = SimpleNamespace(temperature=1.0, fusion=None)

    def logits(self, claims: Sequence[ClaimInput]) -> NDArray[np.float32]:
        found = np.zeros((len(claims), 6), dtype=np.float32)
        for at, claim in enumerate(claims):
            found[at, 1 if self.word in claim.text else 0] = 9.0
        return found


def hard(pool: Pool, word: str, *elsewhere: str) -> list[str]:
    gatekeeper: Any = Failing(word)
    return [row.text for row in sound_rows.hard_rows(pool, gatekeeper, distinct(*elsewhere))]


def test_granted_claims_that_are_failed_become_pass_rows(pool: Pool) -> None:
    one, other = pool.members[0], pool.members[1]
    given = replace(pool, members=(replace(one, granted=True), other))
    assert hard(given, "sunlight") == [one.claims[5].text]
    assert hard(given, "sunlight", one.claims[5].text) == []
    assert hard(given, "no such word") == []
    assert hard(pool, "sunlight") == []


def test_claims_that_the_rules_are_sure_of_do_not(pool: Pool) -> None:
    one = pool.members[0]
    broken = with_text(one.claims, 5, one.claims[5].text.replace("claim 4", "claim 94"))
    given = replace(pool, members=(replace(one, claims=broken, granted=True),))
    assert hard(given, "sunlight") == []
