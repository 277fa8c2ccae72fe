"""Definite noun phrases without antecedent basis (35 U.S.C. 112(b); MPEP 2173.05(e)).

The reference graph has resolved every one of them; here its proofs become flaws. A phrase that lacks a
basis is reported at its first occurrence, not again later or in claims that depend on this one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ace.claims.checks.antecedent.circumstances import Circumstances
from ace.claims.checks.antecedent.rules import RULE, RULES
from ace.claims.checks.antecedent.twice import introduced_twice
from ace.claims.checks.antecedent.wording import explanation_of, fix_for
from ace.claims.findings import Flaw
from ace.claims.language.lexicon import CONFUSABLE, NOUN_VERBS, THINGS, VERBS
from ace.claims.model import Claim
from ace.claims.reading import Reading
from ace.claims.references.graph import Basis, Proof
from ace.claims.rules import Rule

__all__ = ["RULES", "check"]

_RULE_OF: Final = {
    Basis.SIBLING_ONLY: RULE["sibling_only"],
    Basis.SOME_PATHS: RULE["some_paths"],
    Basis.AMBIGUOUS: RULE["ambiguous"],
    Basis.NUMBER_SHIFT: RULE["number_shift"],
    Basis.TYPO: RULE["typo"],
    Basis.LATER: RULE["introduced_later"],
}
_WORDS: Final = (THINGS, CONFUSABLE, NOUN_VERBS, VERBS)
_EXPLAINED: Final = frozenset(
    {"act", "complement", "elliptical", "glossed", "of", "opening", "pronoun", "shared_head"}
)
_SETTLED: Final = {
    RULE["no_basis"]: _EXPLAINED | {"inherent_part", "listed", "prefix_known", "stated"},
    RULE["unknown_modifier"]: _EXPLAINED,
    RULE["some_paths"]: _EXPLAINED | {"inherent"},
    RULE["number_shift"]: _EXPLAINED
    | {"inherent", "inherent_known", "listed", "said_of", "singular_of_plural", "stated"},
    RULE["uncounted"]: frozenset({"joined"}),
}
"""With one of these traits readers miss no basis."""

_SET_NAMES: Final = frozenset({"improvement", "periodic table"})
_SET_AFTER_PREPOSITION: Final = frozenset({"form", "group", "kind", "type"})
"""What set phrases name without a basis: "the improvement comprising", "of the type", "selected from the
group", "of the form X"."""

_DONE_BEFORE: Final = frozenset({"participle", "qualifier_root"})
"""Traits of what is named by what an earlier step has done to it: "the cooled mass"."""
_ORDINARY: Final = frozenset({"opening", "of", "inherent", "distributive"})
_NAMING: Final = frozenset({"uncounted", "unknown_modifier"})


def check(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """One flaw for each definite phrase without basis, and for each element that is introduced again."""
    if claim.number not in reading.whole:
        return
    graph = reading.graph
    circumstances = Circumstances(reading, claim)
    for proof in graph.proofs[claim.number]:
        rule = _rule_of(proof)
        if rule is not None and _SETTLED.get(rule, frozenset()).isdisjoint(proof.traits):
            yield _flaw(rule, claim, proof, circumstances.of(proof))
    twice = dict(introduced_twice(reading, claim))
    for proof in graph.reintroduced[claim.number]:
        if proof in twice:
            yield _flaw(RULE["introduced_twice"], claim, proof, twice[proof])
        elif _ORDINARY.isdisjoint(proof.traits):
            yield _flaw(RULE["introduced_again"], claim, proof)


def _rule_of(proof: Proof) -> Rule | None:
    """The rule that the phrase of a proof breaks, or None."""
    if proof.repeats is not None or _is_set_phrase(proof):
        return None
    if proof.basis is Basis.ABBREVIATION or (proof.basis is Basis.TYPO and _is_word(proof)):
        return RULE["no_basis"]
    if proof.basis in _RULE_OF:
        return _RULE_OF[proof.basis]
    if "uncounted" in proof.traits:
        return RULE["uncounted"]
    if "unknown_modifier" in proof.traits:
        done = _DONE_BEFORE.issubset(proof.traits)
        return None if done else RULE["unknown_modifier"]
    # A weak support without a source is reported too, with signals that make it unlikely.
    weak = (
        proof.basis in {Basis.NONE, Basis.INHERENT, Basis.DERIVED, Basis.HEAD_MATCH} and proof.source is None
    )
    return RULE["no_basis"] if weak else None


def _is_set_phrase(proof: Proof) -> bool:
    name = " ".join(proof.mention.words)
    return name in _SET_NAMES or (name in _SET_AFTER_PREPOSITION and "governed" in proof.traits)


def _is_word(proof: Proof) -> bool:
    """Whether what looks like a misspelling is a word of its own: "the flame" beside "a frame"."""
    head = proof.mention.head
    return len(proof.mention.words) == 1 and any(head in words for words in _WORDS)


def _flaw(rule: Rule, claim: Claim, proof: Proof, circumstances: tuple[str, ...] = ()) -> Flaw:
    mention = proof.mention
    signals = tuple(trait for trait in proof.traits if trait not in _NAMING)
    return Flaw(
        rule,
        mention.start,
        mention.end,
        explanation_of(rule, claim, proof),
        fix_for(rule, claim, proof),
        tuple(dict.fromkeys((*signals, *circumstances))),
    )
