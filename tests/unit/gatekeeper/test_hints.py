"""What the encoder is told of the rules' opinion."""

import re
from itertools import permutations
from pathlib import Path

from ace.claims import chains
from ace.claims.analysis import ClaimAnalysis, analyse
from ace.claims.chains import kept_set
from ace.claims.language.words import words_of
from ace.claims.model import CHAIN_CUT, ClaimInput
from ace.claims.references import graph_builder as resolution
from ace.gatekeeper.hints import HINT_WORDS, MAX_HINTS, NOTHING
from ace.gatekeeper.hints import hints as hints_of
from ace.gatekeeper.inputs import as_shown
from ace.gatekeeper.tokens import PairTokenizer
from tests.unit.gatekeeper.models import tokenizer_file

LAMP = "1. A lamp comprising a bulb."


def hints(claim: ClaimInput) -> str:
    return as_shown(claim, with_hints=True).hints


def test_a_sound_claim_has_none() -> None:
    assert hints(ClaimInput(2, "The lamp of claim 1, wherein the bulb is red.", (LAMP,))) == NOTHING


def test_rule_level_and_words_are_told() -> None:
    assert hints(ClaimInput(2, "The lamp of claim 5.", (LAMP,))) == "dependency nonexistent certain: claim 5."
    told = hints(ClaimInput(2, "The lamp of claim 1, wherein the lever is red.", (LAMP,)))
    assert told.startswith("antecedent no basis ")
    assert told.endswith(": the lever.")


def test_nothing_is_said_that_rests_on_what_was_cut_off() -> None:
    claim = ClaimInput(3, "The lamp of claim 2, wherein the lever is preferably red.", (CHAIN_CUT,))
    assert hints(claim) == "ambiguity preference certain: preferably."


def test_what_only_the_whole_set_shows_is_told_in_the_words_for_a_chain() -> None:
    # Given a lever that a claim beside the chain introduces, and a twin
    texts = ["A lamp comprising a bulb.", "The lamp of claim 1, wherein a lever is red."]
    texts += ["The lamp of claim 1, wherein the lever is red."] * 2
    claims = kept_set(enumerate(texts, 1))
    of_set = analyse(claims)
    assert {each.subtype for each in of_set[4].findings} >= {"sibling_only", "duplicate_claim"}
    told = hints_of(of_set[4])
    assert re.fullmatch(r"antecedent no basis \w+: the lever\.", told)


def test_a_claim_that_could_not_be_analysed_has_none() -> None:
    assert hints_of(ClaimAnalysis(failure="KeyError at here")) == ""


def test_a_broken_chain_says_nothing() -> None:
    assert hints(ClaimInput(2, "The lamp of claim 1.", ("no number",))) == ""


def test_hints_are_bounded() -> None:
    text = "A lamp comprising " + ", ".join(f"the {word} lever" for word in "abcdefghijkl") + "."
    told = hints(ClaimInput(1, text))
    assert told.count(":") <= MAX_HINTS
    assert all(len(hint.split(": ")[1].split()) <= HINT_WORDS for hint in told.split(". ") if ": " in hint)


def test_hints_come_before_the_ancestors_and_keep_their_room(tmp_path: Path) -> None:
    tokenizer_file(tmp_path / "tokenizer.json")
    plain = PairTokenizer(tmp_path / "tokenizer.json", max_tokens=48)
    told = PairTokenizer(tmp_path / "tokenizer.json", max_tokens=48, hints=True)
    for text in ("The pump of claim 1.", "The pump" + " and a lid" * 60 + " or a rotor."):
        claim = ClaimInput(2, text, ("1. A pump.",))
        [(without, _)], [(ids, head)] = plain.encode([claim]), told.encode([claim])
        assert ids != without
        assert len(ids) > head + 1
        assert len(ids) <= 48
        at = text.rindex(text.split()[-1][:-1])
        marked = told.marked(claim, at, len(text) - 1)
        assert [ids[place] for place in marked] == [
            without[place] for place in plain.marked(claim, at, len(text) - 1)
        ]


def test_what_was_read_before_changes_nothing() -> None:
    # Given claims that share ancestors, and texts that stand under other numbers
    root, arm = "1. A lamp comprising a bulb and an arm.", "2. The lamp of claim 1, wherein the arm bends."
    inputs = [
        ClaimInput(3, "The lamp of claim 2, wherein the lever of the arm is red.", (arm, root)),
        ClaimInput(2, "The lamp of claim 1, wherein the arm bends.", (root,)),
        ClaimInput(4, "The lamp of claim 2, wherein the lever of the arm is red.", (arm, LAMP)),
        ClaimInput(1, "The lamp of claim 1, wherein the arm bends.", ()),
        ClaimInput(5, "The lamp of claim 3, wherein the lever of the arm is red.", (CHAIN_CUT,)),
    ]
    fresh = []
    for claim in inputs:
        for kept in (words_of, resolution._index_of, chains._graph_of, chains._settled_in):
            kept.cache_clear()
        fresh.append(hints(claim))
    # When they are read in any order, then each is told what it is told alone
    for order in permutations(range(len(inputs))):
        assert [hints(inputs[at]) for at in order] == [fresh[at] for at in order]
