"""Definite noun phrases without antecedent basis (35 U.S.C. 112(b); MPEP 2173.05(e)).

A phrase is found wanting only where nothing before it in the claim and nothing in the claims it
depends on could have introduced it: its head never occurs, it counts ("the second lens") what was
never counted, or it is qualified by a word that never occurs. What is doubtful passes: "the length
of the rod", "the largest value", "the detected motion" after "detecting a motion".
"""

from __future__ import annotations

from ace.claims.basis import Basis, stem
from ace.claims.findings import Finding, finding
from ace.claims.model import Claim, ClaimSet
from ace.claims.phrases import DefinitePhrase, definite_phrases, words_of
from ace.claims.taxonomy import ErrorClass
from ace.claims.vocabulary import ACTS, COMPLEMENT, INHERENT, ORDINALS, PREDICATE, UNIQUE

EXPLANATIONS = {
    "no_basis": "Nothing earlier in the claim or in the claims it depends on introduces this.",
    "uncounted": "No element has been introduced by this ordinal number.",
    "unknown_modifier": "The element is known, but was not introduced with this qualification.",
}

_ADJECTIVE_ENDINGS = ("al", "ous", "ic", "ary", "ive", "able", "ible", "ant", "ent")


def check(claim_set: ClaimSet, claim: Claim) -> list[Finding]:
    """One finding per unsupported head, where it first occurs."""
    ancestors = (claim_set.get(number) for number in claim_set.ancestors(claim.number))
    words = words_of(claim.text)
    basis = Basis([each.text for each in ancestors if each is not None], words, claim.text)
    found: list[Finding] = []
    reported: set[str] = set()
    for phrase in definite_phrases(words):
        basis.read_to(phrase.start)
        subtype = _want(phrase, basis)
        key = stem(phrase.words[-1])
        if subtype is None or key in reported:
            continue
        reported.add(key)
        found.append(
            finding(
                ErrorClass.ANTECEDENT,
                subtype,
                text=claim.text,
                start=phrase.start,
                end=phrase.end,
                explanation=EXPLANATIONS[subtype],
            )
        )
    return found


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
