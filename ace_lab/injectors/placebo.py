"""Label-preserving edits through the same machinery, so that an edit as such means nothing.

Each mirrors an injector: the same words are put in, but with basis, consistently, or harmlessly.
"""

import re
from collections.abc import Callable
from random import Random

from ace.claims.model import Claim, ClaimSet
from ace.claims.references.claim_references import parents_of
from ace_lab.injectors.edits import Injection, Lexicon, borrowed_noun, chain_text, splice, with_text
from ace_lab.injectors.logical import range_spots
from ace_lab.injectors.phrases import article_for, definite, indefinite, occurs
from ace_lab.injectors.terms import HARMLESS_ADJECTIVES, OPPOSITES

LABEL = "pass"
_MEASURE = re.compile(r"(?<=\s)(?=\d+(?:\.\d+)?\s*(?:%|mm|cm|nm|\u00b0|mg|kg|g|ml|mL|minutes|hours)\b)")
_SWAPS = (
    ("the ", "said "),
    ("said ", "the "),
    ("; and ", ", and "),
    ("comprising", "including"),
    ("wherein", "in which"),
    (" which ", " that "),
    ("comprising:", "comprising"),
    ("comprising ", "comprising: "),
)
_REFERENCE = re.compile(r"\b(?:of|according to|as claimed in|as recited in|as in|in|by) (claim \d+)\b")
_WORDINGS = ("of", "according to", "as claimed in", "as recited in", "in accordance with", "as in")


def noun_renamed(claims: ClaimSet, claim: Claim, rng: Random, lexicon: Lexicon) -> Injection | None:
    """One element gets the name of another technology, everywhere in the set."""
    phrases = [p for p in definite(claim.text) if len(p.words) == 1]
    noun = borrowed_noun(lexicon, rng, claim.text, chain_text(claims, claim.number))
    if not phrases or noun is None:
        return None
    head = rng.choice(phrases).head
    stem = re.escape(head.removesuffix("s"))
    if head.endswith("s") or occurs(f"{head}-", claim.text):
        return None
    singular = re.compile(rf"\b(?:(an?) )?{stem}(s?)(?![\w-])")

    def rename(match: re.Match[str]) -> str:
        article = f"{article_for(noun)} " if match.group(1) else ""
        return f"{article}{noun}{match.group(2)}"

    return _everywhere(claims, claim, singular, rename, "noun_renamed")


def modifier_everywhere(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "a lever" and "the lever" both become "auxiliary", everywhere in the set."""
    phrases = definite(claim.text)
    around = claim.text + " " + chain_text(claims, claim.number)
    adjectives = [word for word in HARMLESS_ADJECTIVES if not occurs(word, around)]
    if not phrases or not adjectives:
        return None
    name, adjective = rng.choice(phrases).text, rng.choice(adjectives)
    pattern = re.compile(rf"\b(?:(an?) )?{re.escape(name)}(?![\w-])")

    def modify(match: re.Match[str]) -> str:
        article = f"{article_for(adjective)} " if match.group(1) else ""
        return f"{article}{adjective} {name}"

    return _everywhere(claims, claim, pattern, modify, "modifier_everywhere")


def wording_swapped(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """One harmless word for another: "said" for "the", "including" for "comprising"."""
    swaps = [(old, new) for old, new in _SWAPS if claim.text.find(old, 1) > 0]
    if not swaps:
        return None
    old, new = rng.choice(swaps)
    places = [m.start() for m in re.finditer(re.escape(old), claim.text) if m.start() > 0]
    at = rng.choice(places)
    text = splice(claim.text, at, at + len(old), new)
    return _placebo(claims, claim, text.replace("::", ":"), "wording_swapped")


def reference_reworded(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "of claim 3" becomes "according to claim 3"."""
    found = _REFERENCE.search(claim.text)
    if found is None:
        return None
    text = splice(claim.text, found.start(), found.end(), f"{rng.choice(_WORDINGS)} {found[1]}")
    return _placebo(claims, claim, text, "reference_reworded")


def renumbered(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """All claims of the set and all references move up by the same number."""
    shift = rng.randint(1, 40)
    pattern = re.compile(r"\b(claims? )(\d+)\b(?!\s*(?:,|or|and|to|through|-)\s*\d)")
    if any(len(other.parents) > 1 for other in claims):
        return None
    moved = []
    for other in claims:
        text = pattern.sub(lambda m: f"{m[1]}{int(m[2]) + shift}", other.text)
        number = other.number + shift
        moved.append(Claim(number, text, parents_of(text, number)))
    return Injection(ClaimSet(tuple(moved)), claim.number + shift, LABEL, "renumbered")


def element_added(claims: ClaimSet, claim: Claim, rng: Random, lexicon: Lexicon) -> Injection | None:
    """A closing clause adds, or leaves out, an element that the chain does not have."""
    noun = borrowed_noun(lexicon, rng, claim.text, chain_text(claims, claim.number))
    if noun is None or not claim.text.endswith("."):
        return None
    article = article_for(noun)
    clause = rng.choice(
        (
            f"wherein no {noun} is present",
            f"without any {noun}",
            f"wherein {article} {noun} is absent",
            f"and {article} {noun}",
            f"further comprising {article} {noun}",
            f"wherein {article} {noun} is omitted",
        )
    )
    return _placebo(claims, claim, f"{claim.text[:-1]}, {clause}.", "element_added")


def attribute_repeated(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """A closing clause says of a known element what agrees with the chain."""
    around = claim.text + " " + chain_text(claims, claim.number)
    phrases = definite(claim.text)
    free = [(one, other) for one, other in OPPOSITES if not occurs(other, around) and not occurs(one, around)]
    if not phrases or not free or not claim.text.endswith("."):
        return None
    name, words = rng.choice(phrases).text, rng.choice(free)
    word = rng.choice(words)
    clause = rng.choice(
        (
            f"wherein the {name} is {word}",
            f"the {name} being {word}",
            f"wherein said {name} is entirely {word}",
        )
    )
    return _placebo(claims, claim, f"{claim.text[:-1]}, {clause}.", "attribute_repeated")


def range_narrowed(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """A dependent claim takes up its ancestor's range and makes it narrower."""
    spots = range_spots(claims, claim)
    if not spots or not claim.text.endswith("."):
        return None
    spot = rng.choice(spots)
    width = spot.high - spot.low
    low, high = spot.low + width * rng.choice((0.1, 0.2, 0.3)), spot.high - width * 0.2
    return _placebo(claims, claim, f"{claim.text[:-1]}, {spot.clause(low, high)}.", "range_narrowed")


def measure_softened(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "5 mm" becomes "about 5 mm": a term of degree that the law accepts."""
    places = [m.start() for m in _MEASURE.finditer(claim.text)]
    if not places:
        return None
    at = rng.choice(places)
    if re.search(r"(?:about|approximately) $", claim.text[:at]):
        return None
    text = splice(claim.text, at, at, rng.choice(("about ", "approximately ")))
    return _placebo(claims, claim, text, "measure_softened")


def numeral_added(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """An element gets a reference numeral in balanced brackets."""
    phrases = [p for p in (*indefinite(claim.text), *definite(claim.text)) if p.start > 0]
    if not phrases:
        return None
    phrase = rng.choice(phrases)
    text = splice(claim.text, phrase.end, phrase.end, f" ({rng.randint(1, 240)})")
    return _placebo(claims, claim, text, "numeral_added")


def parent_widened(claims: ClaimSet, claim: Claim, _: Random, __: Lexicon) -> Injection | None:
    """The parent's "comprising" becomes "including": still open to what the claim adds."""
    parent = claims.get(claim.parents[0]) if len(claim.parents) == 1 else None
    if parent is None or "comprising" not in parent.text:
        return None
    edited = with_text(claims, parent.number, parent.text.replace("comprising", "including", 1))
    return Injection(edited, claim.number, LABEL, "parent_widened")


def _everywhere(
    claims: ClaimSet,
    claim: Claim,
    pattern: re.Pattern[str],
    change: Callable[[re.Match[str]], str],
    subtype: str,
) -> Injection:
    moved = []
    for other in claims:
        text = pattern.sub(change, other.text)
        moved.append(Claim(other.number, text, parents_of(text, other.number)))
    return Injection(ClaimSet(tuple(moved)), claim.number, LABEL, subtype)


def _placebo(claims: ClaimSet, claim: Claim, text: str, subtype: str) -> Injection:
    return Injection(with_text(claims, claim.number, text), claim.number, LABEL, subtype)
