"""Injectors of informalities and of mixed claims: each finds a place, marks it, and changes one claim."""

import re
from random import Random

import pytest

from ace.claims.model import Claim, ClaimSet
from ace.claims.references.claim_references import parents_of
from ace_lab.injectors import INJECTORS
from ace_lab.injectors.edits import Injection, Injector
from ace_lab.injectors.informalities import INFORMALITIES
from ace_lab.injectors.mixed_claims import MIXED_CLAIMS
from tests.unit.lab.samples import LEXICON

TEXTS = {
    1: "A loom comprising: a frame; a shuttle mounted to the frame in a groove; a spool on the shuttle; and a"
    " motor that is connected to the shuttle, wherein the shuttle is configured to carry the spool.",
    2: "The loom of claim 1, wherein the shuttle has a hook and the spool is of a metal selected from the"
    " group consisting of brass, steel, and zinc, and wherein the frame is attached to the motor.",
    3: "A method of weaving, comprising: (a) winding a thread; (b) passing the thread through a shuttle; (c)"
    " moving the shuttle; and (d) cutting the thread, wherein the shuttle is moved along the thread.",
    4: "A method of dyeing, comprising: heating a bath; dipping a cloth in the bath; and drying the cloth,"
    " wherein the cloth is stirred and the bath is heated.",
    5: "A spindle comprising a whorl, two hooks, and a frame in the whorl, wherein the frame is round.",
}
LOOM = ClaimSet(tuple(Claim(number, text, parents_of(text, number)) for number, text in TEXTS.items()))
EVERY = [("syntax", each) for each in INFORMALITIES] + [("ambiguity", each) for each in MIXED_CLAIMS]

LEFT = {
    "conjunction_dropped": r"; a motor that|; \(d\) cutting|; drying",
    "group_unjoined": r"steel, zinc",
    "limb_broken": r"(?:of|to|with|in|on) (?:the|an?);",
    "preposition_lost": r"(?:mounted|connected|attached|consisting) (?:the|brass)",
    "infinitive_lost": r"configured carry",
    "verb_doubled": r"is (?:has|comprises)",
    "transition_doubled": r"comprising (?:including|having)",
    "disagreement": r"(?:shuttle|cloth|frame) (?:are|have)",
    "deed_in_thing": r"user|operator|person|patients",
    "step_in_thing": r"further comprising",
    "step_unknown": r"steps? \(?[c-h]",
    "points_elsewhere": r"FIG|specification|Example|Table|herein",
}
"""What stands at the place of the defect, where one pattern can say so."""


def found_by(injector: Injector) -> list[Injection]:
    tried = (injector(LOOM, claim, Random(seed), LEXICON) for seed in range(12) for claim in LOOM)
    return [each for each in tried if each is not None]


@pytest.mark.parametrize(("label", "injector"), EVERY, ids=lambda value: getattr(value, "__name__", value))
def test_an_informality_changes_one_claim_and_marks_its_place(label: str, injector: Injector) -> None:
    found = found_by(injector)

    assert found, "the loom offers this injector no place"
    for each in found:
        text = each.claims[each.number].text
        assert (each.label, each.subtype) == (label, injector.__name__)
        assert [claim.number for claim in each.claims if LOOM[claim.number] != claim] == [each.number]
        assert 0 <= each.start < each.end <= len(text)
        assert re.search(LEFT.get(each.subtype, ""), text[max(0, each.start - 12) : each.end + 12])


@pytest.mark.parametrize("injector", [injector for _, injector in EVERY], ids=lambda value: value.__name__)
def test_a_claim_without_a_place_is_left_alone(injector: Injector) -> None:
    bare = Claim(1, "lemon", ())
    assert injector(ClaimSet((bare,)), bare, Random(1), LEXICON) is None


def test_a_step_is_unknown_only_in_a_method_without_labels_and_a_deed_is_one_in_a_thing() -> None:
    by_name = {injector.__name__: {each.number for each in found_by(injector)} for injector in MIXED_CLAIMS}
    assert by_name["step_unknown"] == {4}
    assert by_name["deed_in_thing"] == by_name["step_in_thing"] == {1, 2, 5}


def test_no_data_set_is_built_with_them() -> None:
    built_with = {injector for choices in INJECTORS.values() for injector, _ in choices}
    assert not built_with & {injector for _, injector in EVERY}
