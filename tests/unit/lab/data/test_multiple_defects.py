"""Many defects in one set: every recorded place is right, and no edit spoils another."""

from itertools import pairwise
from random import Random

import pytest

from ace.claims.model import Claim, ClaimSet
from ace_lab.data import multiple_defects
from ace_lab.data.multiple_defects import MarkedSet, with_defects, with_injection
from ace_lab.data.rows import Defect
from ace_lab.injectors import INJECTORS, PLACEBO
from ace_lab.injectors.edits import Injection, Injector, with_text, without
from tests.unit.lab.families import source_set
from tests.unit.lab.samples import LEXICON, SET


def edit(number: int, old: str, new: str, claims: ClaimSet = SET) -> Injection:
    """`old` becomes `new` in one claim; the defect is `new`."""
    text = claims[number].text
    start = text.index(old)
    edited = with_text(claims, number, text.replace(old, new, 1))
    return Injection(edited, number, "syntax", "made", start, start + len(new))


def told(marked: MarkedSet) -> list[tuple[int, str]]:
    return [(one.claim, marked.claims[one.claim].text[one.start : one.end]) for one in marked.defects]


@pytest.mark.parametrize(
    ("first", "second", "places"),
    [
        ((3, "outer", "oouter"), (3, "above", "abovve"), [(3, "oouter"), (3, "abovve")]),
        ((3, "above", "abovve"), (3, "outer", "o"), [(3, "abovve"), (3, "o")]),
        ((3, "above", "abovve"), (4, "covers", "cove"), [(3, "abovve"), (4, "cove")]),
        ((3, "outer ring", "outer ringg"), (3, "ringg", "rin"), None),
        (
            (3, "above the tank.", "above thetank."),
            (3, ", and the window is arranged above thetank.", "."),
            None,
        ),
    ],
)
def test_places_move_with_later_edits_or_the_edit_is_not_made(
    first: tuple[int, str, str], second: tuple[int, str, str], places: list[tuple[int, str]] | None
) -> None:
    once = with_injection(MarkedSet(SET), edit(*first))
    assert once is not None
    twice = with_injection(once, edit(*second, claims=once.claims))
    assert (twice and told(twice)) == places


def test_an_edit_may_take_a_claim_only_from_the_one_that_it_spoils() -> None:
    gone = Injection(without(SET, 6), 7, "dependency", "parent_missing", 14, 21)
    assert with_injection(MarkedSet(SET), gone) is not None
    more = ClaimSet((*SET, Claim(8, "The method of claim 6, comprising rinsing the vessel.", (6,))))
    assert (
        with_injection(
            MarkedSet(more), Injection(without(more, 6), 7, "dependency", "parent_missing", 14, 21)
        )
        is None
    )
    inside = MarkedSet(SET, (Defect(6, 0, 8, "made"),))
    assert with_injection(inside, gone) is None


@pytest.mark.parametrize("label", INJECTORS)
def test_sets_of_each_class(label: str) -> None:
    claims, made = source_set(5).claims, 0
    for seed in range(12):
        marked = with_defects(claims, INJECTORS[label], Random(seed), LEXICON)
        if marked is None:
            continue
        made += 1
        assert multiple_defects.LEAST <= len(marked.defects) <= multiple_defects.MOST
        for one in marked.defects:
            assert 0 <= one.start < one.end <= len(marked.claims[one.claim].text)
        by_claim = sorted((one.claim, one.start, one.end) for one in marked.defects)
        for (claim, _, end), (other, start, _) in pairwise(by_claim):
            assert claim != other or end <= start
    assert made >= 6


def test_a_place_holds_the_words_that_its_edit_put_there() -> None:
    claims = source_set(9).claims
    put: set[str] = set()

    def noting(injector: Injector) -> Injector:
        def noted(*given: object) -> Injection | None:
            found = injector(*given)  # type: ignore[arg-type]
            if found is not None:
                put.add(found.claims[found.number].text[found.start : found.end])
            return found

        return noted

    injectors = [(noting(injector), weight) for injector, weight in INJECTORS["ambiguity"]]
    marked = with_defects(claims, injectors, Random(4), LEXICON)
    assert marked is not None
    assert {text for _, text in told(marked)} <= put


def test_placebos_leave_no_marks_and_keep_numbers() -> None:
    claims = source_set(5).claims
    marked = with_defects(claims, PLACEBO, Random(2), LEXICON)
    assert marked is not None
    assert marked.defects == ()
    assert [claim.number for claim in marked.claims] == [claim.number for claim in claims]
    assert marked.claims != claims


def test_one_defect_a_claim_where_asked() -> None:
    claims = source_set(5).claims
    marked = with_defects(claims, INJECTORS["dependency"], Random(1), LEXICON, once=True)
    assert marked is not None
    spoiled = [one.claim for one in marked.defects]
    assert len(spoiled) == len(set(spoiled)) >= multiple_defects.LEAST


def test_a_set_that_cannot_take_five() -> None:
    assert with_defects(SET, ((lambda *_: None, 1),), Random(1), LEXICON) is None
