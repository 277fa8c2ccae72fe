"""Logical defects: clauses that contradict themselves, or a measure that the parent states.

Each clause is written by a function that can also write a consistent version; `placebo_twins` does so in the
same words, so that only the meaning separates the two.
"""

from random import Random

from ace.claims.model import Claim, ClaimSet
from ace_lab.injectors.edit_sites import appended, known
from ace_lab.injectors.edits import Injection, Lexicon, with_text
from ace_lab.injectors.terms import COMPATIBLE, MEASURES, OPPOSITES, RELATIONS, SUBSTANCES

LABEL = "logical"


def relation_turned(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "the lever is longer than the rod and the rod is longer than the lever"."""
    return _appended(claims, claim, relation_clause(claims, claim, rng, agrees=False), "relation_turned")


def opposed_at_once(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "the lever is both rigid and flexible"."""
    return _appended(claims, claim, attributes_clause(claims, claim, rng, agrees=False), "opposed_at_once")


def substance_denied(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "the lever is made entirely of steel and contains no metal"."""
    return _appended(claims, claim, substance_clause(claims, claim, rng, agrees=False), "substance_denied")


def range_missed(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """The parent states a measure of its element, and the claim one beside or beyond it."""
    found = measured_twice(claims, claim, rng, agrees=False)
    return found and Injection(found.claims, claim.number, LABEL, "range_missed", found.start, found.end)


def relation_clause(claims: ClaimSet, claim: Claim, rng: Random, *, agrees: bool) -> str | None:
    """What two known elements are to each other, said from both sides."""
    names = known(claims, claim)
    if len(names) < 2:
        return None
    (one, other), (more, less) = rng.sample(names, 2), rng.choice(RELATIONS)
    if rng.random() < 0.5:
        more, less = less, more
    if rng.random() < 0.5:
        second = f"the {one} is {more if agrees else less} the {other}"
        first = f"the {other} is {less} the {one}"
    else:
        second = f"the {other} is {less if agrees else more} the {one}"
        first = f"the {one} is {more} the {other}"
    return f"wherein {first} and {second}"


def attributes_clause(claims: ClaimSet, claim: Claim, rng: Random, *, agrees: bool) -> str | None:
    """Two attributes of a known element at once."""
    names = known(claims, claim)
    if not names:
        return None
    pair = list(rng.choice(COMPATIBLE if agrees else OPPOSITES))
    rng.shuffle(pair)
    says = rng.choice(("is both {} and {}", "is {} and at the same time {}", "is entirely {} and {}"))
    return f"wherein the {rng.choice(names)} {says.format(*pair)}"


def substance_clause(claims: ClaimSet, claim: Claim, rng: Random, *, agrees: bool) -> str | None:
    """What a known element is made of, and what it is free of."""
    names = known(claims, claim)
    if not names:
        return None
    substance, kind = rng.choice(SUBSTANCES)
    kinds = sorted({each for _, each in SUBSTANCES} - {kind})
    says = rng.choice(
        (
            "is made entirely of {} and contains no {}",
            "consists of {} and is free of {}",
            "is {} without any {}",
        )
    )
    return f"wherein the {rng.choice(names)} {says.format(substance, rng.choice(kinds) if agrees else kind)}"


def measured_twice(claims: ClaimSet, claim: Claim, rng: Random, *, agrees: bool) -> Injection | None:
    """The parent and the claim with a range each for the same measure; the span is the claim's clause."""
    parent = claims.get(claim.parents[0]) if len(claim.parents) == 1 else None
    names = known(claims, parent) if parent else []
    if parent is None or not names or parent.number >= claim.number:
        return None
    name, (measure, unit), low = rng.choice(names), rng.choice(MEASURES), rng.randint(3, 60)
    high = low * rng.choice((2, 3))
    if agrees:
        first, last = low + (high - low) // 3, high - (high - low) // 3
    elif rng.random() < 0.5:
        first, last = high + low // 2 + 1, high * 2
    else:
        first, last = max(1, low // 2), high + low
    stated = appended(
        claims, parent, f"wherein the {name} has a {measure} of from {low} to {high} {unit}", LABEL, ""
    )
    says = rng.choice(("the {0} of the {1} is", "the {1} has a {0} of", "the {0} of the {1} lies in a range"))
    clause = f"wherein {says.format(measure, name)} from {first} to {last} {unit}"
    found = appended(claims, claim, clause, LABEL, "")
    if stated is None or found is None:
        return None
    both = with_text(found.claims, parent.number, stated.claims[parent.number].text)
    return Injection(both, claim.number, LABEL, "", found.start, found.end)


def _appended(claims: ClaimSet, claim: Claim, clause: str | None, subtype: str) -> Injection | None:
    return appended(claims, claim, clause, LABEL, subtype) if clause else None
