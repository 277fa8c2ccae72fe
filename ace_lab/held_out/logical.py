"""Claims that cannot be fulfilled, or that contradict themselves or their parents: opposed attributes, ranges
outside the parent's, bounds that exclude each other, a denied element, a closed list with additions,
contradicting comparisons, steps that use what is made only later.
"""

from __future__ import annotations

import re
from itertools import pairwise
from random import Random

from ace.claims.model import Claim, ClaimSet
from ace_lab.held_out.edits import (
    Defect,
    DefectPlace,
    Injector,
    appended,
    before,
    dependent,
    limbs,
    shuffled,
    with_text,
)
from ace_lab.held_out.elements import Elements, Named, a, unheard
from ace_lab.held_out.words import ANTONYMS, COMPARISONS, NOUNS

_UNIT = (
    r"(?:%|percent|wt\.?\s?%|mol\s?%|(?:mm|cm|nm|μm|µm|m|kg|mg|g|ml|mL|°\s?C|Hz|kHz|MHz|GHz|V|degrees|minutes"
    r"|hours|seconds|microns|inches|psi|kPa|MPa|bar)\b)"
)
_RANGE = re.compile(
    rf"""\b(?:an?|the|said)\s(?P<name>[a-z]+(?:\s[a-z]+)?)\s
        (?:of|is|ranges|ranging|being|is\sin\sthe\srange\sof|in\sthe\srange\sof|in\sa\srange\sof)\s
        (?:from\s|between\s|in\sthe\srange\sof\s)?(?:about\s)?(?P<low>\d+(?:\.\d+)?)\s?(?:{_UNIT})?
        \s?(?:to|and|-|–)\s?(?:about\s)?(?P<high>\d+(?:\.\d+)?)\s?(?P<unit>{_UNIT})""",
    re.VERBOSE,
)
_VAGUE = frozenset({"range", "value", "amount", "content"})
_COMPRISING = re.compile(r"\bcompris(?:ing|es)\b")
_MADE = re.compile(
    r"(?:forming|producing|preparing|generating|making|creating|fabricating|synthesizing|obtaining)\s"
)
_STEP = re.compile(r"[a-z]+ing\s")


def opposed_attributes(claims: ClaimSet, rng: Random) -> Defect | None:
    """ "a transparent cover" and, at the end, "wherein the cover is opaque"."""
    opposites = {one: other for pair in ANTONYMS for one, other in (pair, pair[::-1])}
    introduced = Elements(claims).introduced
    places = [each for each in introduced if len(each.words) == 2 and each.words[0] in opposites]
    rng.shuffle(places)
    for one in places:
        below = [each for each in _family(claims, one.claim) if _says_once(claims, each, one)]
        if below:
            clause = f"wherein the {one.name} is {opposites[one.words[0]]}"
            return appended(claims, rng.choice(below), clause)
    return None


def opposed_wherein_clauses(claims: ClaimSet, rng: Random) -> Defect | None:
    """ "wherein the cover is rigid", and in a new dependent claim "wherein the cover is flexible"."""
    found = _element(claims, rng)
    if found is None:
        return None
    claim, one = found
    first, second = rng.sample(rng.choice(ANTONYMS), 2)
    stated = appended(claims, claim, f"wherein the {one.name} is {first}")
    return dependent(stated.claims, claim.number, f"wherein the {one.name} is {second}")


def range_widened(claims: ClaimSet, rng: Random) -> Defect | None:
    """A new dependent claim gives the parent's range wider ends."""
    return _range_claim(claims, rng, 0.5, 2.0)


def range_shifted_out(claims: ClaimSet, rng: Random) -> Defect | None:
    """A new dependent claim gives a range that lies beside the parent's."""
    return _range_claim(claims, rng, 0.0, 5.0)


def stated_range_widened(claims: ClaimSet, rng: Random) -> Defect | None:
    """A length of its own for an element, and a new dependent claim that makes it wider."""
    return _stated_range(claims, rng, rng.choice((0.25, 0.5, 1.0)), rng.choice((1.5, 2.0, 4.0)))


def stated_range_shifted_out(claims: ClaimSet, rng: Random) -> Defect | None:
    """A length of its own for an element, and a new dependent claim that gives it another."""
    return _stated_range(claims, rng, 6.0, 5.0)


def impossible_bounds(claims: ClaimSet, rng: Random) -> Defect | None:
    """ "a length of at least 9 mm and at most 4 mm"."""
    found = _element(claims, rng)
    if found is None:
        return None
    claim, one = found
    low, high, unit = rng.randint(2, 40), rng.randint(41, 900), rng.choice(("mm", "cm", "nm", "%", "kg"))
    clause = rng.choice(
        (
            f"of at least {high} {unit} and at most {low} {unit}",
            f"greater than {high} {unit} and less than {low} {unit}",
            f"of not more than {low} {unit} but not less than {high} {unit}",
            f"in a range from {high} {unit} to {low} {unit}",
        )
    )
    size = "content" if unit == "%" else "weight" if unit == "kg" else "length"
    return appended(claims, claim, f"wherein the {one.name} has a {size} {clause}")


def element_denied(claims: ClaimSet, rng: Random) -> Defect | None:
    """ "a spring" is required, and the claim ends with "wherein the device has no spring"."""
    found = _element(claims, rng)
    if found is None:
        return None
    claim, one = found
    clause = rng.choice(
        (
            f"wherein there is no {one.name}",
            f"without {a(one.name)}",
            f"wherein no {one.name} is provided",
            f"wherein the {one.name} is omitted",
            f"there being no {one.name}",
        )
    )
    return appended(claims, claim, clause)


def closed_then_opened(claims: ClaimSet, rng: Random) -> Defect | None:
    """ "consisting of" its parts, and then a part more, in the claim or in a new dependent one."""
    for claim in shuffled(claims, rng):
        opened = _COMPRISING.search(claim.text)
        if claim.parents or opened is None or "consist" in claim.text:
            continue
        closed = "consisting of" if opened.group().endswith("ing") else "consists of"
        text = claim.text[: opened.start()] + closed + claim.text[opened.end() :]
        edited = with_text(claims, claim.number, text)
        noun = next(noun for noun in rng.sample(NOUNS, len(NOUNS)) if unheard(noun, text.lower()))
        clause = f"further comprising {a(noun)}"
        if rng.random() < 0.5:
            return appended(edited, edited[claim.number], clause)
        return dependent(edited, claim.number, clause)
    return None


def comparison_contradicted(claims: ClaimSet, rng: Random) -> Defect | None:
    """ "the lever is longer than the rod", and in a new dependent claim the contrary."""
    elements = Elements(claims)
    for claim in shuffled(claims, rng):
        known = elements.known_to(claim.number)
        if len(known) < 2:
            continue
        one, other = rng.sample(known, 2)
        more, less = rng.choice(COMPARISONS)
        stated = appended(claims, claim, f"wherein the {one.name} is {more} than the {other.name}")
        contrary = rng.choice(
            (
                f"wherein the {one.name} is {less} than the {other.name}",
                f"wherein the {other.name} is {more} than the {one.name}",
            )
        )
        return dependent(stated.claims, claim.number, contrary)
    return None


def used_before_made(claims: ClaimSet, rng: Random) -> Defect | None:
    """ "forming a layer; etching the layer" becomes "etching the layer; forming a layer"."""
    return _swapped(claims, rng, articles=False)


def used_before_made_with_articles(claims: ClaimSet, rng: Random) -> Defect | None:
    """ "forming a layer; etching the layer" becomes "etching a layer; forming the layer"."""
    return _swapped(claims, rng, articles=True)


def _swapped(claims: ClaimSet, rng: Random, *, articles: bool) -> Defect | None:
    introduced = Elements(claims).introduced
    for claim in shuffled(claims, rng):
        steps = [limb for limb in limbs(claim) if _STEP.match(limb["limb"])]
        for making, using in pairwise(steps):
            made = _MADE.match(making["limb"])
            at = making.start("limb") + made.end() if made else -1
            one = next((each for each in introduced if (each.claim, each.start) == (claim.number, at)), None)
            if one is None or not unheard(one.head, before(claims, claim.number, at)):
                continue
            first, second = using["limb"], making["limb"]
            taken_up = re.search(rf"\b(?:the|said) {re.escape(one.name)}\b", first)
            if taken_up is None or re.search(rf"\b{re.escape(one.head)}", first[: taken_up.start()]):
                continue
            if articles:
                first = first[: taken_up.start()] + a(one.name) + first[taken_up.end() :]
                second = second.replace(a(one.name), f"the {one.name}", 1)
            start, end = making.start("limb"), using.end("limb")
            middle = claim.text[making.end("limb") : using.start("limb")]
            text = claim.text[:start] + first + middle + second + claim.text[end:]
            edited = with_text(claims, claim.number, text)
            return Defect(edited, (DefectPlace(claim.number, start, end),))
    return None


def _range_claim(claims: ClaimSet, rng: Random, lower: float, upper: float) -> Defect | None:
    """Low end times `lower` (0: a range above the old one), high end times `upper`."""
    for claim in shuffled(claims, rng):
        for found in _RANGE.finditer(claim.text):
            low, high, name = float(found["low"]), float(found["high"]), found["name"]
            if not 0 < low < high or name in _VAGUE or claim.text.count(f"{name} ") > 2:
                continue
            if re.search("%|percent", found["unit"]) and high * upper > 100:
                continue
            new_low = low * lower if lower else high * 3
            span = f"from {new_low:g} {found['unit']} to {high * upper:g} {found['unit']}"
            return dependent(claims, claim.number, f"wherein the {name} is {span}")
    return None


def _stated_range(claims: ClaimSet, rng: Random, lower: float, upper: float) -> Defect | None:
    found = _element(claims, rng)
    if found is None:
        return None
    claim, one = found
    low, unit = rng.choice((4, 8, 12, 20)), rng.choice(("mm", "cm", "kg"))
    size = "weight" if unit == "kg" else rng.choice(("length", "thickness", "diameter"))
    span = f"from {low} {unit} to {low * 2} {unit}"
    stated = appended(claims, claim, f"wherein the {one.name} has a {size} of {span}")
    span = f"from {low * lower:g} {unit} to {low * 2 * upper:g} {unit}"
    clause = rng.choice((f"wherein the {size} is {span}", f"wherein the {size} of the {one.name} is {span}"))
    return dependent(stated.claims, claim.number, clause)


def _element(claims: ClaimSet, rng: Random) -> tuple[Claim, Named] | None:
    """A claim, and an element that it or one above it introduces alone of its head."""
    elements = Elements(claims)
    for claim in shuffled(claims, rng):
        known = elements.known_to(claim.number)
        heads = [each.head for each in known]
        alone = [each for each in known if heads.count(each.head) == 1]
        if alone:
            return claim, rng.choice(alone)
    return None


def _family(claims: ClaimSet, number: int) -> list[Claim]:
    """The claim and those below it."""
    return [
        claim
        for claim in claims
        if (claim.number == number or number in claims.ancestors(claim.number)) and claim.text.endswith(".")
    ]


def _says_once(claims: ClaimSet, claim: Claim, one: Named) -> bool:
    """Whether the element's qualified name is the only thing of its head in all that the claim says."""
    said = before(claims, claim.number, len(claim.text))
    return len(re.findall(rf"\b{re.escape(one.head)}", said)) == len(re.findall(re.escape(one.name), said))


INJECTORS: tuple[Injector, ...] = (
    opposed_attributes,
    opposed_wherein_clauses,
    range_widened,
    range_shifted_out,
    stated_range_widened,
    stated_range_shifted_out,
    impossible_bounds,
    element_denied,
    closed_then_opened,
    comparison_contradicted,
    used_before_made,
    used_before_made_with_articles,
)
