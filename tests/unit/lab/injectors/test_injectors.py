"""Injectors really inject: the label is true, the span is right, the rest is untouched.

Every injector is tried on every claim of two sets of our own, under many seeds.
"""

import re
from collections.abc import Iterator
from random import Random

import pytest

from ace.claims.model import Claim, ClaimSet, Status
from ace.claims.references.claim_references import parents_of
from ace_lab.data.sources import is_sound
from ace_lab.injectors import (
    INJECTORS,
    PLACEBO,
    ambiguity,
    antecedent,
    contradictions,
    dependency,
    logical,
    placebo,
    placebo_twins,
    syntax,
)
from ace_lab.injectors.edits import Injection, Injector
from ace_lab.injectors.phrases import occurs
from ace_lab.injectors.terms import EXEMPLARY, SUBJECTIVE
from tests.unit.lab.samples import LEXICON, SET

KITE_TEXTS = {
    1: "A kite comprising: a frame; a first cord fixed to the frame; a second cord fixed to the frame; and a "
    "handle, wherein the first cord is fixed to the handle and the second cord is longer than the handle.",
    2: "The kite of claim 1, further comprising a ribbon and a swivel, wherein the ribbon is in the frame.",
    3: "The kite of claim 2, wherein the ribbon is selected from the group consisting of silk and cotton.",
    4: "The kite of claim 3, wherein the swivel is made of brass.",
    5: "A method of making a kite, comprising: casting a frame in a mold; drilling the frame; sanding the "
    "frame; and painting the kite.",
    6: "The method of claim 5, wherein the frame is sanded.",
    7: "The kite of claim 1, wherein the frame is light.",
    8: "The kite of claim 7, wherein the handle is round.",
    9: "The kite of claim 1, further comprising a plurality of bells, wherein the bells are made of brass.",
    10: "A toy comprising: a wheel; a whistle; and a string that is fixed to the wheel.",
}
KITE = ClaimSet(tuple(Claim(n, text, parents_of(text, n)) for n, text in KITE_TEXTS.items()))
DEFECTS = [(label, injector) for label, choices in INJECTORS.items() for injector, _ in choices]
PLACEBOS = [injector for injector, _ in PLACEBO]
EVERY = [injector for _, injector in DEFECTS] + PLACEBOS


def injections(
    injector: Injector, seeds: int = 12, claims: ClaimSet = SET
) -> Iterator[tuple[Claim, Injection]]:
    for seed in range(seeds):
        for claim in claims:
            found = injector(claims, claim, Random(seed), LEXICON)
            if found is not None:
                yield claim, found


def tried_on_both(injector: Injector) -> Iterator[tuple[ClaimSet, Injection]]:
    for claims in (SET, KITE):
        yield from ((claims, found) for _, found in injections(injector, 8, claims))


def quoted(injector: Injector) -> set[str]:
    return {edited(found).text[found.start : found.end] for _, found in injections(injector, claims=KITE)}


def edited(found: Injection) -> Claim:
    claim = found.claims.get(found.number)
    assert claim is not None
    return claim


@pytest.mark.parametrize(("label", "injector"), DEFECTS, ids=lambda value: getattr(value, "__name__", value))
def test_an_injector_finds_a_place_changes_few_claims_and_marks_a_span(
    label: str, injector: Injector
) -> None:
    tried = list(tried_on_both(injector))
    assert tried, "the sample sets offer this injector no place"
    for claims, found in tried:
        claim = edited(found)
        assert found.label == label
        assert found.subtype == injector.__name__
        assert 0 <= found.start < found.end <= len(claim.text)
        changed = {other.number for other in claims if found.claims.get(other.number) != other}
        assert 1 <= len(changed) <= 2
        assert changed <= {found.number, *claims.ancestors(found.number)}


def test_every_class_has_ten_kinds_and_no_name_twice() -> None:
    assert all(len(choices) >= 10 for choices in INJECTORS.values())
    names = [injector.__name__ for _, injector in DEFECTS]
    assert len({*names, *(each.__name__ for each in PLACEBOS)}) == len(names) + len(PLACEBOS)


def test_the_same_seed_makes_the_same_edit() -> None:
    for injector in EVERY:
        for claim in SET:
            twice = [injector(SET, claim, Random(9), LEXICON) for _ in range(2)]
            assert twice[0] == twice[1], injector.__name__


def test_a_claim_that_offers_no_place_is_left_alone() -> None:
    text = "Everything"
    bare = ClaimSet((Claim(1, text, parents_of(text, 1)),))
    found = [injector(bare, bare.claims[0], Random(1), LEXICON) for injector in EVERY]
    assert {one.subtype for one in found if one is not None} <= {
        "no_final_period",
        "renumbered",
        "element_added",
        "small_letter",
    }


@pytest.mark.parametrize("injector", PLACEBOS, ids=lambda i: i.__name__)
def test_a_placebo_changes_something_and_keeps_the_claim_sound(injector: Injector) -> None:
    tried = list(tried_on_both(injector))
    assert any(found.claims != claims for claims, found in tried), "no place for it in the sample sets"
    for _, found in tried:
        assert (found.label, found.subtype) == ("pass", injector.__name__)
        assert is_sound(found.claims, edited(found)), edited(found).text


def test_the_sample_set_itself_is_sound() -> None:
    assert all(is_sound(claims, claim) for claims in (SET, KITE) for claim in claims)


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


@pytest.mark.parametrize(
    ("injector", "pattern"),
    [
        (
            antecedent.number_shifted,
            r"the (first |second )?(cords|frames|handles|kites|ribbons|swivels|wheels)",
        ),
        (antecedent.one_of_several, r"the bell"),
        (antecedent.ordinal_dropped, r"the cord"),
        (antecedent.choice_of_parents, r"the (ribbon|swivel)"),
        (dependency.parent_canceled, r"claim \d"),
        (dependency.both_parents, r"claims (1 and 2|2 and 3|1 and 7)"),
        (dependency.multiple_on_multiple, r"claim 1 or [37]"),
        (dependency.category_changed, r"The (?!kite)\w+ of claim \d.*"),
        (dependency.emptied, r"The (kite|method) of claim \d\."),
        (logical.steps_exchanged, r"drilling the frame; casting a frame in a mold"),
        (ambiguity.and_or, r"and/or"),
        (ambiguity.group_opened, r"selected from the group (comprising|including|containing)"),
        (syntax.small_letter, r"a|the"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_an_injector_makes_the_defect_it_is_named_for(injector: Injector, pattern: str) -> None:
    assert quoted(injector)
    assert not [quote for quote in quoted(injector) if not re.fullmatch(pattern, quote)]


def test_a_canceled_parent_is_gone() -> None:
    for _, found in injections(dependency.parent_canceled):
        parent = found.claims[found.claims[found.number].parents[0]]
        assert parent.status is Status.CANCELED
        assert parent.text == ""


def measures(found: Injection) -> tuple[tuple[int, int], tuple[int, int]]:
    """The ranges that the parent and the claim end with."""
    claim = edited(found)
    texts = (found.claims[claim.parents[0]].text, claim.text)
    low, high = (re.findall(r"from (\d+) to (\d+) [a-zA-Z ]+\.$", text)[0] for text in texts)
    return (int(low[0]), int(low[1])), (int(high[0]), int(high[1]))


def test_a_range_that_misses_leaves_its_parents_and_one_that_is_kept_does_not() -> None:
    for _, found in injections(contradictions.range_missed):
        (low, high), (first, last) = measures(found)
        assert first < last
        assert first < low or last > high
    for _, found in injections(placebo_twins.range_kept):
        (low, high), (first, last) = measures(found)
        assert low <= first < last <= high


def test_a_turned_relation_is_said_of_both_and_a_kept_one_is_its_converse() -> None:
    said = re.compile(r"the (.+) is (.+) the (.+) and the (.+) is (.+) the (.+)\.")
    for injector in (contradictions.relation_turned, placebo_twins.relation_kept):
        for _, found in injections(injector, 6):
            parts = said.fullmatch(edited(found).text.rsplit(", wherein ", 1)[1])
            assert parts is not None
            one, first, other, again, second, last = parts.groups()
            assert (one, other) == (last, again)
            assert (first == second) is (injector is contradictions.relation_turned)


def test_a_substance_is_denied_its_own_kind_only() -> None:
    metals = {"steel", "brass", "copper", "aluminum", "titanium", "silver"}
    for injector, wrong in ((contradictions.substance_denied, True), (placebo_twins.substance_free, False)):
        for _, found in injections(injector):
            clause = edited(found).text.rsplit(", wherein", 1)[1]
            if metals & set(re.findall(r"\w+", clause)):
                assert ("metal" in clause) is wrong


def test_exchanged_limbs_take_up_nothing() -> None:
    texts = {edited(found).text for _, found in injections(placebo_twins.limbs_exchanged, claims=KITE)}
    assert texts == {"A toy comprising: a whistle; a wheel; and a string that is fixed to the wheel."}


def test_a_choice_is_offered_only_where_either_parent_gives_the_basis() -> None:
    offered = {found.number for _, found in injections(placebo_twins.choice_offered, claims=KITE)}
    lost = {found.number for _, found in injections(antecedent.choice_of_parents, claims=KITE)}
    assert offered == {4, 8} - lost
    assert lost == {3, 4} - offered


def test_a_degree_that_granted_claims_have_is_not_put_in() -> None:
    quotes = quoted(ambiguity.degree)
    assert quotes
    assert not [quote for quote in quotes if re.search(r"substantially|approximately|generally", quote)]


@pytest.mark.parametrize(
    ("injector", "parent", "text", "fits"),
    [
        (
            logical.closed_then_opened,
            "A cup comprising a lid.",
            "The cup of claim 1, further comprising a rim.",
            1,
        ),
        (
            logical.closed_then_opened,
            "A cup comprising a lid.",
            "The cup of claim 1, wherein the cup further comprises a rim.",
            1,
        ),
        (
            logical.closed_then_opened,
            "A cup comprising a lid.",
            "The cup of claim 1, wherein the lid further comprises a rim.",
            0,
        ),
        (
            logical.closed_then_opened,
            "A cup, wherein a lid comprises a rim.",
            "The cup of claim 1, further comprising a foot.",
            0,
        ),
        (dependency.emptied, "A cup comprising a lid.", "The cup of claim 1, wherein the lid is round.", 1),
        (dependency.emptied, "A cup comprising a lid.", "A set comprising the cup of claim 1.", 0),
        (dependency.emptied, "A cup comprising a lid.", "The cup of claim 1.", 0),
    ],
)
def test_only_the_thing_claimed_is_closed_or_emptied(
    injector: Injector, parent: str, text: str, fits: int
) -> None:
    claims = ClaimSet((Claim(1, parent), Claim(2, text, parents_of(text, 2))))
    assert (injector(claims, claims[2], Random(1), LEXICON) is not None) is bool(fits)


@pytest.mark.parametrize(
    "injector", [dependency.parent_missing, dependency.parent_canceled], ids=lambda each: each.__name__
)
def test_a_claim_that_refers_to_itself_is_not_taken_away(injector: Injector) -> None:
    text = "The cup of claim 2, wherein the lid is round."
    claims = ClaimSet((Claim(1, "A cup comprising a lid."), Claim(2, text, (2,))))
    assert injector(claims, claims[2], Random(1), LEXICON) is None
