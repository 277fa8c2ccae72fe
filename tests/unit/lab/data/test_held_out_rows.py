"""The held-out injectors in the form of the training ones: same defects, first place, names kept."""

from random import Random

from ace.claims.taxonomy import ErrorClass
from ace_lab import held_out
from ace_lab.data.held_out_rows import REPORTED_APART, held_out_injectors
from ace_lab.injectors import INJECTORS
from ace_lab.injectors.edits import Lexicon
from tests.unit.lab.samples import SET

NOTHING = Lexicon(())


def test_every_class_has_its_injectors_under_their_names() -> None:
    found = held_out_injectors()
    assert set(found) == set(INJECTORS)
    for error_class, injectors in held_out.INJECTORS.items():
        assert [name for name, _ in found[error_class.value]] == [each.__name__ for each in injectors]
    assert {name for some in found.values() for name, _ in some} >= REPORTED_APART


def test_a_defect_is_handed_on_at_its_first_place_whatever_claim_is_asked_about() -> None:
    for label, injectors in held_out_injectors().items():
        originals = held_out.INJECTORS[ErrorClass(label)]
        for (name, injector), original in zip(injectors, originals, strict=True):
            for seed in range(4):
                defect = original(SET, Random(seed))
                made = [injector(SET, claim, Random(seed), NOTHING) for claim in (SET[1], SET[4])]
                assert made[0] == made[1]
                if defect is None:
                    assert made[0] is None
                    continue
                assert made[0] is not None
                place = defect.places[0]
                assert (made[0].claims, made[0].number) == (defect.claims, place.claim)
                assert (made[0].start, made[0].end) == (place.start, place.end)
                assert (made[0].label, made[0].subtype) == (label, name)


def test_a_defect_may_show_in_a_claim_that_was_not_there() -> None:
    [injector] = [each for name, each in held_out_injectors()["logical"] if name == "opposed_wherein_clauses"]
    made = injector(SET, SET[1], Random(1), NOTHING)
    assert made is not None
    assert SET.get(made.number) is None
    assert made.claims[made.number].text.endswith(".")
