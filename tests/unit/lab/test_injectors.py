"""Injectors really inject: the label is true, the span is right, the rest is untouched.

Every injector is tried on every claim of a set of our own, under many seeds.
"""

import re
from collections.abc import Iterator
from random import Random

import pytest

from ace.claims.model import Claim, ClaimSet
from ace.claims.references import parents_of
from ace.lab.edits import Injection, Injector
from ace.lab.injectors import INJECTORS, PLACEBO, ambiguity, antecedent, dependency, logical, placebo, syntax
from ace.lab.phrases import occurs
from ace.lab.sources import is_sound
from ace.lab.terms import EXEMPLARY, SUBJECTIVE
from tests.unit.lab.samples import LEXICON, SET

DEFECTS = [(label, injector) for label, choices in INJECTORS.items() for injector, _ in choices]
PLACEBOS = [injector for injector, _ in PLACEBO]


def injections(injector: Injector, seeds: int = 12) -> Iterator[tuple[Claim, Injection]]:
    for seed in range(seeds):
        for claim in SET:
            found = injector(SET, claim, Random(seed), LEXICON)
            if found is not None:
                yield claim, found


def edited(found: Injection) -> Claim:
    claim = found.claims.get(found.number)
    assert claim is not None
    return claim


@pytest.mark.parametrize(("label", "injector"), DEFECTS, ids=lambda value: getattr(value, "__name__", value))
def test_an_injector_finds_a_place_changes_one_claim_and_marks_a_span(label: str, injector: Injector) -> None:
    tried = list(injections(injector))
    assert tried, "the sample set offers this injector no place"
    for _, found in tried:
        claim = edited(found)
        assert found.label == label
        assert found.subtype == injector.__name__
        assert 0 <= found.start < found.end <= len(claim.text)
        changed = [other.number for other in SET if found.claims.get(other.number) != other]
        assert len(changed) == 1


@pytest.mark.parametrize("injector", [i for _, i in DEFECTS] + PLACEBOS, ids=lambda i: i.__name__)
def test_the_same_seed_makes_the_same_edit(injector: Injector) -> None:
    for claim in SET:
        twice = [injector(SET, claim, Random(9), LEXICON) for _ in range(2)]
        assert twice[0] == twice[1]


@pytest.mark.parametrize("injector", [i for _, i in DEFECTS] + PLACEBOS, ids=lambda i: i.__name__)
def test_a_claim_that_offers_no_place_is_left_alone(injector: Injector) -> None:
    text = "Everything"
    bare = ClaimSet((Claim(1, text, parents_of(text, 1)),))
    found = injector(bare, bare.claims[0], Random(1), LEXICON)
    assert found is None or found.subtype in {"no_final_period", "renumbered", "element_added"}


@pytest.mark.parametrize("injector", PLACEBOS, ids=lambda i: i.__name__)
def test_a_placebo_changes_something_and_keeps_the_claim_sound(injector: Injector) -> None:
    tried = list(injections(injector))
    assert any(found.claims != SET for _, found in tried), "no place for it in the sample set"
    for _, found in tried:
        assert (found.label, found.subtype) == ("pass", injector.__name__)
        assert is_sound(found.claims, edited(found)), edited(found).text


def test_the_sample_set_itself_is_sound() -> None:
    assert all(is_sound(SET, claim) for claim in SET)


def introductions(words: list[str], text: str) -> list[str]:
    """Mentions of the phrase's last word that are not themselves behind "the" or "said"."""
    before = rf"(?:(?:the|said)(?: \S+){{0,{len(words) - 1}}} )?"
    mentions = re.finditer(rf"{before}\b{re.escape(words[-1])}s?\b", text, re.IGNORECASE)
    return [m.group() for m in mentions if not re.match("the |said ", m.group(), re.IGNORECASE)]


@pytest.mark.parametrize(
    "injector",
    [
        antecedent.article_swapped,
        antecedent.noun_replaced,
        antecedent.introduction_renamed,
        antecedent.reparented,
    ],
    ids=lambda i: i.__name__,
)
def test_the_marked_phrase_has_no_basis(injector: Injector) -> None:
    for _, found in injections(injector):
        claim = edited(found)
        article, *words = claim.text[found.start : found.end].split()
        assert article in {"the", "said", "The"}
        chain = " ".join(found.claims.input_of(claim.number).ancestors)
        assert introductions(words, f"{claim.text[: found.start]} {chain}") == []


def test_an_added_modifier_is_new() -> None:
    for claim, found in injections(antecedent.modifier_added):
        adjective = edited(found).text[found.start : found.end].split()[1]
        chain = " ".join(SET.input_of(claim.number).ancestors)
        assert not occurs(adjective, claim.text + " " + chain)


@pytest.mark.parametrize(
    ("injector", "wrong"),
    [
        (dependency.self_reference, lambda found, parent: parent == found.number),
        (dependency.forward_reference, lambda found, parent: parent > found.number),
        (dependency.nonexistent_reference, lambda found, parent: found.claims.get(parent) is None),
        (dependency.parent_missing, lambda found, parent: found.claims.get(parent) is None),
        (dependency.circular, lambda found, parent: found.number in found.claims.get(parent).parents),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_the_reference_is_wrong_in_the_way_it_says(injector: Injector, wrong: object) -> None:
    assert callable(wrong)
    for _, found in injections(injector):
        claim = edited(found)
        [parent] = claim.parents
        assert wrong(found, parent)
        assert claim.text[found.start : found.end] == f"claim {parent}"


def test_a_reversed_range_runs_downwards() -> None:
    for _, found in injections(logical.range_reversed):
        low, high = map(float, re.findall(r"\d+(?:\.\d+)?", edited(found).text[found.start : found.end]))
        assert low > high


def test_impossible_bounds_exclude_each_other() -> None:
    for _, found in injections(logical.impossible_bounds):
        marked = edited(found).text[found.start : found.end]
        lower = re.search(r"(?:at least|more than|greater than) ([\d.]+)", marked)
        upper = re.search(r"(?:at most|less than) ([\d.]+)", marked)
        assert lower is not None
        assert upper is not None
        assert float(lower[1]) > float(upper[1])


def test_a_widened_range_leaves_its_parents_and_a_narrowed_one_does_not() -> None:
    def ends(text: str) -> tuple[float, float]:
        low, high = re.findall(r"from ([\d.]+)[^.]*? to ([\d.]+?)(?=\D*\.?$)", text)[-1]
        return float(low), float(high)

    def parent_range(claim: Claim) -> tuple[float, float]:
        return (10, 35) if claim.number > 6 else (2, 9)

    for claim, found in injections(logical.range_widened):
        low, high = ends(edited(found).text[found.start : found.end])
        floor, ceiling = parent_range(claim)
        assert low < floor
        assert high > ceiling
    for claim, found in injections(placebo.range_narrowed):
        low, high = ends(edited(found).text)
        floor, ceiling = parent_range(claim)
        assert floor < low < high < ceiling


def test_a_closed_parent_is_closed_and_the_claim_adds() -> None:
    for _, found in injections(logical.closed_then_opened):
        claim = edited(found)
        parent = found.claims.get(claim.parents[0])
        assert parent is not None
        assert "consisting of" in parent.text
        assert claim.text[found.start : found.end] == "further comprising"


def test_a_denied_element_was_required() -> None:
    for claim, found in injections(logical.element_denied):
        clause = edited(found).text[found.start : found.end]
        required = claim.text + " " + " ".join(SET.input_of(claim.number).ancestors)
        name = re.sub(
            r"^(?:wherein no|wherein the|without any) | (?:is present|is absent|is omitted)$", "", clause
        )
        assert name in required


@pytest.mark.parametrize(
    "injector",
    [
        ambiguity.subjective_adjective,
        ambiguity.subjective_adverb,
        ambiguity.vague_quantity,
        ambiguity.exemplary,
        ambiguity.open_list,
        ambiguity.preferred_range,
    ],
    ids=lambda i: i.__name__,
)
def test_the_marked_words_are_vague(injector: Injector) -> None:
    vague = re.compile(f"{EXEMPLARY.pattern}|{SUBJECTIVE.pattern}|suitably|like|type thing", re.IGNORECASE)
    for _, found in injections(injector):
        claim = edited(found)
        assert vague.search(claim.text[found.start : found.end])


@pytest.mark.parametrize(
    ("injector", "broken"),
    [
        (syntax.no_final_period, lambda text: not re.search(r"[^.]\.$", text)),
        (syntax.no_transition, lambda text: True),
        (syntax.two_sentences, lambda text: re.search(r"\. [A-Z]", text)),
        (syntax.doubled_point, lambda text: re.search(r"[,;:][,;:.]", text)),
        (syntax.unbalanced_bracket, lambda text: text.count("(") != text.count(")")),
        (syntax.doubled_word, lambda text: re.search(r"\b(\w+) \1\b", text)),
        (syntax.broken_off, lambda text: re.search(r" (?:the|of|a|to|and|in|with|is|wherein|for)\.$", text)),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_the_syntax_is_broken_in_the_way_it_says(injector: Injector, broken: object) -> None:
    assert callable(broken)
    for claim, found in injections(injector):
        text = edited(found).text
        assert broken(text)
        assert text != claim.text
        assert text[: found.start] == claim.text[: found.start]


def test_a_measure_softened_is_no_defect() -> None:
    assert any(
        "about" in edited(f).text or "approximately" in edited(f).text
        for _, f in injections(placebo.measure_softened)
    )
