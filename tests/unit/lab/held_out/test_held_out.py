"""The benchmark's injectors really inject: one defect, where they say, and the set else as it was."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from ace.claims.model import Claim, ClaimSet, Status
from ace.claims.references.claim_references import parents_of
from ace.claims.taxonomy import ErrorClass
from ace_lab import held_out as injections
from ace_lab.held_out import INJECTORS, Defect, DefectPlace, Injector, antecedent, dependency, logical, syntax
from ace_lab.held_out.elements import Elements, is_single, unheard
from benchmarks.claims import figures, hits, measure, wilson


def claim_set(*texts: str) -> ClaimSet:
    return ClaimSet(tuple(Claim(n, text, parents_of(text, n)) for n, text in enumerate(texts, start=1)))


DEVICE = claim_set(
    "A watering can comprising: a hollow vessel; a spout that is fixed to the hollow vessel; a first handle "
    "mounted on the spout; a second handle mounted on the spout; and a rigid cover, wherein the rigid cover "
    "is above the hollow vessel and the first handle is below the rigid cover.",
    "The watering can of claim 1, further comprising a sieve, wherein the sieve (4) has a width of 2 mm to "
    "9 mm and the second handle is above the sieve.",
    "The watering can of claim 2, wherein the sieve is held by the second handle.",
    "The watering can of claim 1, wherein the spout is bent.",
    "The watering can of claim 4, wherein the spout ends above the hollow vessel.",
)
METHOD = claim_set(
    "A method of coating a plate, comprising: forming a polymer on the plate; heating the polymer with a "
    "burner; and cutting the polymer with a blade, wherein the burner heats the blade.",
    "The method of claim 1, wherein the burner is a torch; and the torch heats the polymer.",
)
SETS = (DEVICE, METHOD)
ALL = [(error_class, injector) for error_class, some in INJECTORS.items() for injector in some]


def injected(injector: Injector, seeds: int = 15) -> Iterator[tuple[ClaimSet, Defect]]:
    for claims in SETS:
        for seed in range(seeds):
            defect = injector(claims, Random(seed))
            if defect is not None:
                yield claims, defect


def quotes(defect: Defect) -> list[str]:
    return [defect.claims[each.claim].text[each.start : each.end] for each in defect.places]


@pytest.mark.parametrize("injector", [each for _, each in ALL], ids=lambda each: each.__name__)
def test_an_injector_finds_a_place_changes_the_set_and_says_where(injector: Injector) -> None:
    tried = list(injected(injector))
    assert tried, "the sample sets offer this injector no place"
    for claims, defect in tried:
        assert defect.claims != claims
        assert defect.places
        for place in defect.places:
            assert 0 <= place.start < place.end <= len(defect.claims[place.claim].text)
        changed = [claim for claim in defect.claims if claims.get(claim.number) != claim]
        assert 1 <= len(changed) <= 2


def test_the_same_seed_makes_the_same_defect() -> None:
    for _, injector in ALL:
        for claims in SETS:
            assert injector(claims, Random(5)) == injector(claims, Random(5)), injector.__name__


def test_a_set_that_offers_no_place_is_left_alone() -> None:
    bare = claim_set("lemon")
    assert [each.__name__ for _, each in ALL if each(bare, Random(1)) is not None] == []


def test_every_class_has_at_least_six_injectors_and_no_name_twice() -> None:
    assert set(INJECTORS) == set(ErrorClass)
    assert all(len(some) >= 6 for some in INJECTORS.values())
    assert len({each.__name__ for _, each in ALL}) == len(ALL)


def test_the_injectors_know_neither_the_checks_nor_the_injectors_of_the_fit() -> None:
    allowed = (
        "ace.claims.model",
        "ace.claims.references.claim_references",
        "ace.claims.taxonomy",
        "ace_lab.held_out",
    )
    for path in Path(injections.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(("ace", "benchmarks")):
                assert (node.module or "").startswith(allowed), path.name


def test_what_lost_its_basis_has_none_left() -> None:
    for injector in (antecedent.introduction_renamed, antecedent.introduction_deleted):
        for _, defect in injected(injector):
            for place in defect.places:
                claim = defect.claims[place.claim]
                head = claim.text[place.start : place.end].split()[-1]
                above = [defect.claims[each].text for each in defect.claims.ancestors(place.claim)]
                assert head not in " ".join((*above, claim.text[: place.start]))


def test_a_definite_introduction_is_the_first_word_of_its_kind() -> None:
    for _, defect in injected(antecedent.introduction_made_definite):
        (place,), (quote,) = defect.places, quotes(defect)
        assert quote.startswith(("the ", "said "))
        assert quote.split()[-1] not in defect.claims[place.claim].text[: place.start]


def test_a_circle_leads_back_and_every_claim_of_it_shows() -> None:
    for _, defect in injected(dependency.in_a_circle):
        for place in defect.places:
            parents = [defect.claims[place.claim].parents[0]]
            while place.claim not in parents:
                parents.append(defect.claims[parents[-1]].parents[0])
                assert len(parents) <= len(defect.claims)


def test_a_canceled_claim_is_gone_and_the_references_to_it_show() -> None:
    for _, defect in injected(dependency.to_a_canceled_claim):
        gone = [claim.number for claim in defect.claims if claim.status is Status.CANCELED]
        assert [quote.split()[-1] for quote in quotes(defect)] == [str(gone[0])] * len(defect.places)


def test_the_parent_of_a_claim_that_refers_to_itself_is_not_canceled() -> None:
    claims = claim_set("A pump comprising a rotor.", "The pump of claim 2, wherein the rotor is round.")
    assert all(dependency.to_a_canceled_claim(claims, Random(seed)) is None for seed in range(5))


def test_several_on_several_are_both_several() -> None:
    for _, defect in injected(dependency.multiple_on_multiple):
        claim = defect.claims[defect.places[0].claim]
        assert len(claim.parents) == 2
        assert any(len(defect.claims[parent].parents) == 2 for parent in claim.parents)


def test_a_range_of_a_new_dependent_claim_is_outside_its_parents() -> None:
    assert {quotes(defect)[0] for _, defect in injected(logical.range_widened)} == {
        "wherein the width is from 1 mm to 18 mm"
    }
    assert {quotes(defect)[0] for _, defect in injected(logical.range_shifted_out)} == {
        "wherein the width is from 27 mm to 45 mm"
    }


def test_opposed_attributes_are_said_of_the_one_element_that_has_the_other() -> None:
    assert {quotes(defect)[0] for _, defect in injected(logical.opposed_attributes)} == {
        "wherein the rigid cover is flexible",
        "wherein the hollow vessel is solid",
    }


def test_steps_change_places_so_that_the_thing_is_used_before_it_is_made() -> None:
    assert {quotes(defect)[0] for _, defect in injected(logical.used_before_made)} == {
        "heating the polymer with a burner; forming a polymer on the plate"
    }
    assert {quotes(defect)[0] for _, defect in injected(logical.used_before_made_with_articles)} == {
        "heating a polymer with a burner; forming the polymer on the plate"
    }


def test_a_dropped_bracket_leaves_one_without_a_partner() -> None:
    for _, defect in injected(syntax.bracket_dropped):
        text = defect.claims[defect.places[0].claim].text
        assert text.count("(") + text.count("[") != text.count(")") + text.count("]")


def test_elements_are_those_introduced_and_taken_up_by_the_same_words() -> None:
    elements = Elements(DEVICE)
    assert {each.name for each in elements.known_to(1)} == {
        "hollow vessel",
        "spout",
        "first handle",
        "second handle",
        "rigid cover",
    }


@pytest.mark.parametrize(
    ("word", "text", "expected"),
    [
        ("rotation", "rotating the shaft", False),
        ("rotation", "a shaft", True),
        ("rod", "a grounded plate", True),
        ("rod", "two rods", False),
    ],
)
def test_a_word_is_heard_in_what_begins_as_it_does(word: str, text: str, expected: bool) -> None:
    assert unheard(word, text) is expected


@pytest.mark.parametrize(
    ("head", "text", "expected"),
    [
        ("lever", "a lever on a base", True),
        ("lever", "one or more of a lever", False),
        ("lever", "a lever and further levers", False),
        ("lever", "a first lever and a second lever", False),
    ],
)
def test_a_thing_is_single_where_nothing_speaks_of_many(head: str, text: str, expected: bool) -> None:
    assert is_single(head, text) is expected


@pytest.mark.parametrize(
    ("found", "tried", "low", "high"),
    [(0, 0, 0.0, 1.0), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (81, 263, 0.2553, 0.3662)],
)
def test_the_interval_of_a_share_is_wilsons(found: int, tried: int, low: float, high: float) -> None:
    # The last row: Newcombe, Statistics in Medicine 17 (1998), table I.
    assert wilson(found, tried) == (pytest.approx(low, abs=1e-4), pytest.approx(high, abs=1e-4))


def test_a_finding_counts_where_it_overlaps_is_of_the_class_and_is_new() -> None:
    from ace.claims.analysis import check_set

    # Given a claim that refers to nothing, which the checks find
    claims = claim_set("A pump comprising a rotor.", "The pump of claim 9, wherein the rotor is round.")
    found = check_set(claims)
    at = claims[2].text.index("claim 9")
    defect = Defect(claims, (DefectPlace(2, at, at + 7),))

    # Then it counts as a hit only there, only in its class and only if it was not there before
    assert hits(defect, ErrorClass.DEPENDENCY, found, [])
    assert not hits(defect, ErrorClass.SYNTAX, found, [])
    assert not hits(defect, ErrorClass.DEPENDENCY, found, found)
    assert not hits(Defect(claims, (DefectPlace(2, 0, 3),)), ErrorClass.DEPENDENCY, found, [])
    assert not hits(Defect(claims, (DefectPlace(1, at, at + 7),)), ErrorClass.DEPENDENCY, found, [])


def test_the_benchmark_tells_all_its_figures(tmp_path: Path) -> None:
    # Given a file with our sets, granted, under enough names for every split
    data = tmp_path / "sets.jsonl"
    rows = [
        {
            "patent": f"p{at}",
            "kind": "granted",
            "claims": [{"num": c.number, "text": c.text} for c in SETS[at % 2]],
        }
        for at in range(12)
    ]
    data.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")

    # When it is measured
    shown = figures(measure(data, 1))

    # Then nothing crashed, and every class has its findings and its recall
    assert (shown["sets"], shown["granted_sets"], shown["crashes"]) == (12, 12, 0)
    assert shown["sets_read_otherwise"] == 0
    assert shown["ms_per_set_p50"] <= shown["ms_per_set_p99"]
    assert shown["doubled_ratio"] > 0
    assert set(shown["findings_per_granted_set"]) == {each.value for each in ErrorClass}
    assert set(shown["recall"]) == {each.value for each in ErrorClass}
    assert shown["recall"]["dependency"]["by_injector"]["to_no_claim"]["recall"] == 1.0
    assert sum(shown["split"].values()) == 12
