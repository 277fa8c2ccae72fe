"""Definite noun phrases without antecedent basis (35 U.S.C. 112(b); MPEP 2173.05(e)).

A phrase is found wanting only where nothing before it in the claim and nothing in the claims it
depends on could have introduced it: its head never occurs, it counts ("the second lens") what was
never counted, or it is qualified by a word that never occurs. What is doubtful passes: "the length
of the rod", "the largest value", "the detected motion" after "detecting a motion".
"""

from __future__ import annotations

from collections.abc import Iterator

from ace.claims.basis import Basis, stem
from ace.claims.findings import Flaw
from ace.claims.model import Claim
from ace.claims.phrases import DefinitePhrase, definite_phrases, words_of
from ace.claims.reading import Reading
from ace.claims.rules import Provision, Rule
from ace.claims.taxonomy import ErrorClass
from ace.claims.vocabulary import ACTS, COMPLEMENT, INHERENT, ORDINALS, PREDICATE, UNIQUE

EXPLANATIONS = {
    "no_basis": "Nothing earlier in the claim or in the claims it depends on introduces this.",
    "uncounted": "No element has been introduced by this ordinal number.",
    "unknown_modifier": "The element is known, but was not introduced with this qualification.",
}

_RULE = {
    subtype: Rule(ErrorClass.ANTECEDENT, subtype, subtype, "", "", Provision(ErrorClass.ANTECEDENT.law), None)
    for subtype in ("no_basis", "uncounted", "unknown_modifier")
}
RULES: tuple[Rule, ...] = tuple(_RULE.values())

_ADJECTIVE_ENDINGS = ("al", "ous", "ic", "ary", "ive", "able", "ible", "ant", "ent")


def check(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """One finding per unsupported head, where it first occurs."""
    if claim.number not in reading.whole:
        return
    ancestors = (reading.claims.get(number) for number in reading.claims.ancestors(claim.number))
    words = words_of(claim.text)
    basis = Basis([each.text for each in ancestors if each is not None], words, claim.text)
    reported: set[str] = set()
    for phrase in definite_phrases(words):
        basis.read_to(phrase.start)
        subtype = _want(phrase, basis)
        key = stem(phrase.words[-1])
        if subtype is None or key in reported:
            continue
        reported.add(key)
        yield Flaw(_RULE[subtype], phrase.start, phrase.end, EXPLANATIONS[subtype])


def _want(phrase: DefinitePhrase, basis: Basis) -> str | None:
    """What the phrase lacks (a key of EXPLANATIONS), or None."""
    *modifiers, head = phrase.words
    if phrase.after in COMPLEMENT or stem(head) in INHERENT or head in INHERENT:
        return None
    if not basis.knows(head):
        return None if _excused(modifiers, head, phrase.after, basis) else "no_basis"
    ordinal = next((word for word in modifiers if word in ORDINALS), None)
    if ordinal is not None:
        nouns = phrase.words[phrase.words.index(ordinal) + 1 :]
        if not any(basis.counts(ordinal, noun) for noun in nouns):
            return "uncounted"
    if any(_qualifies(word) and not basis.knows(word) for word in modifiers):
        return "unknown_modifier"
    return None


def _excused(modifiers: list[str], head: str, after: str, basis: Basis) -> bool:
    """Whether an unknown head may be something else than a noun in want of basis."""
    if any(word in UNIQUE for word in modifiers) or head.endswith("est"):
        return True
    if after in {"and", "or", "/"} and head.endswith(_ADJECTIVE_ENDINGS):
        return True
    if not modifiers or not (basis.knows(modifiers[-1]) or modifiers[-1] in INHERENT):
        return False
    # "the forming step" after "forming"; "the shaft rotates", "the lever once": a verb or adverb.
    return head in ACTS or head.endswith("s") or after not in PREDICATE


def _qualifies(word: str) -> bool:
    """Whether a modifier tells one element from another, rather than describing its past."""
    if len(word) < 4 or word in UNIQUE or word in ORDINALS:
        return False
    return not word.endswith(("ed", "ly", "ing", "able", "ible"))
