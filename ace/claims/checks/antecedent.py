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
from ace.claims.phrases import ORDINALS, DefinitePhrase, definite_phrases, words_of
from ace.claims.taxonomy import ErrorClass

EXPLANATIONS = {
    "no_basis": "Nothing earlier in the claim or in the claims it depends on introduces this.",
    "uncounted": "No element has been introduced by this ordinal number.",
    "unknown_modifier": "The element is known, but was not introduced with this qualification.",
}

# After these the phrase explains itself: "the pressure in the chamber", "the port that leads out".
_COMPLEMENT = frozenset(
    [
        "of",
        "for",
        "in",
        "between",
        "that",
        "which",
        "where",
        "when",
        "to",
        "at",
        "on",
        "from",
        "among",
        "with",
        "within",
        "whose",
        "by",
        "during",
        "per",
        "as",
        "than",
        "if",
        "required",
        "needed",
        "necessary",
        "obtained",
        "resulting",
        "defined",
        "represented",
        "described",
        "shown",
        "given",
        "used",
        "caused",
        "produced",
    ]
)
# Every thing has these (inherent components, MPEP 2173.05(e)), or everyone knows them.
_INHERENT = frozenset(
    [
        "group",
        "following",
        "latter",
        "former",
        "same",
        "art",
        "formula",
        "formulae",
        "range",
        "number",
        "ratio",
        "internet",
        "ground",
        "sea",
        "earth",
        "atmosphere",
        "environment",
        "sun",
        "sky",
        "world",
        "public",
        "user",
        "case",
        "order",
        "way",
        "manner",
        "time",
        "event",
        "side",
        "end",
        "top",
        "bottom",
        "surface",
        "interior",
        "exterior",
        "outside",
        "inside",
        "edge",
        "center",
        "centre",
        "middle",
        "rear",
        "front",
        "left",
        "right",
        "length",
        "width",
        "height",
        "depth",
        "thickness",
        "diameter",
        "radius",
        "size",
        "shape",
        "weight",
        "direction",
        "vertical",
        "horizontal",
        "vicinity",
        "periphery",
        "circumference",
        "volume",
        "rest",
        "remainder",
        "balance",
        "majority",
        "entirety",
        "whole",
        "foregoing",
        "invention",
        "like",
        "presence",
        "absence",
        "use",
        "sum",
        "difference",
        "product",
        "average",
        "mean",
        "maximum",
        "minimum",
        "total",
        "equation",
        "expression",
        "list",
        "set",
        "body",
        "skin",
        "hand",
        "person",
        "human",
        "opposite",
        "contrary",
        "fact",
        "extent",
        "degree",
        "form",
        "type",
        "kind",
        "name",
        "beginning",
        "start",
        "finish",
        "outset",
        "meantime",
        "course",
        "sake",
        "purpose",
        "plurality",
        "last",
        "next",
        "previous",
        "subsequent",
        "initial",
        "final",
        "condition",
        "state",
    ]
)
_UNIQUE = frozenset(
    [
        "following",
        "same",
        "largest",
        "smallest",
        "highest",
        "lowest",
        "longest",
        "shortest",
        "greatest",
        "least",
        "maximum",
        "minimum",
        "entire",
        "whole",
        "only",
        "very",
        "respective",
        "corresponding",
        "remaining",
        "other",
        "present",
        "said",
        "above",
        "foregoing",
        "overall",
        "total",
        "actual",
        "ordinary",
        "usual",
        "conventional",
        "vertical",
        "horizontal",
        "longitudinal",
        "transverse",
        "lateral",
        "axial",
        "radial",
        "circumferential",
        "inner",
        "outer",
        "upper",
        "lower",
        "respectively",
        "associated",
        "available",
        "individual",
        "various",
        "different",
        "particular",
        "specific",
        "last",
        "next",
    ]
)
_ACTS = frozenset(["step", "process", "operation", "procedure", "method", "act", "stage", "action"])
# What follows a noun as its predicate; anything else makes an unknown last word a likely verb.
_PREDICATE = frozenset(
    [
        "is",
        "are",
        "was",
        "were",
        "be",
        "has",
        "have",
        "can",
        "may",
        "will",
        "shall",
        "must",
        "comprises",
        "comprise",
        "includes",
        "include",
        ",",
        ".",
        ";",
        ":",
        "and",
        "or",
        "further",
        "being",
        "having",
        "comprising",
        "including",
        "wherein",
    ]
)
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
    if phrase.after in _COMPLEMENT or stem(head) in _INHERENT or head in _INHERENT:
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
    if any(word in _UNIQUE for word in modifiers) or head.endswith("est"):
        return True
    if after in {"and", "or", "/"} and head.endswith(_ADJECTIVE_ENDINGS):
        return True
    if not modifiers or not (basis.knows(modifiers[-1]) or modifiers[-1] in _INHERENT):
        return False
    # "the forming step" after "forming"; "the shaft rotates", "the lever once": a verb or adverb.
    return head in _ACTS or head.endswith("s") or after not in _PREDICATE


def _qualifies(word: str) -> bool:
    """Whether a modifier tells one element from another, rather than describing its past."""
    if len(word) < 4 or word in _UNIQUE or word in ORDINALS:
        return False
    return not word.endswith(("ed", "ly", "ing", "able", "ible"))
