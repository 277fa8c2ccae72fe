"""Sound edits are sound: they introduce what they name, and the rules report nothing of weight."""

from random import Random

import pytest

from ace.claims.analysis import analyse
from ace_lab.data.sources import is_sound
from ace_lab.injectors import PLACEBO
from ace_lab.injectors.edits import Injector
from ace_lab.injectors.sound_edits import SOUND_EDITS
from tests.unit.lab.samples import LEXICON, SET

EDITS = [injector for injector, _ in SOUND_EDITS]


def test_no_two_have_one_name_nor_that_of_a_placebo() -> None:
    names = [injector.__name__ for injector in (*EDITS, *(each for each, _ in PLACEBO))]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_is_sound(edit: Injector) -> None:
    known = {finding.rule_id for each in analyse(SET).values() for finding in each.findings}
    texts = set()
    for seed in range(30):
        for claim in SET:
            made = edit(SET, claim, Random(seed), LEXICON)
            if made is None:
                continue
            edited = made.claims[made.number]
            assert (made.label, made.start, made.end) == ("pass", 0, 0)
            assert made.subtype == edit.__name__
            assert edited.text != claim.text
            assert is_sound(made.claims, edited)
            found = analyse(made.claims)[made.number].findings
            assert not [each for each in found if each.confidence > 0.5 and each.rule_id not in known]
            texts.add(edited.text)
    assert len(texts) >= 5


def test_the_seed_decides_the_wording() -> None:
    for edit in EDITS:
        one, again = (edit(SET, SET[3], Random(4), LEXICON) for _ in range(2))
        assert one == again
