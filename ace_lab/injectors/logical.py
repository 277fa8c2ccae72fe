"""Logic: opposed attributes, impossible or widened ranges, an element denied after it is required.

The claim contradicts itself or an ancestor (112(b)), or fails to narrow it (112(d)).
"""

import re
from dataclasses import dataclass
from random import Random

from ace.claims.model import Claim, ClaimSet
from ace_lab.injectors.edit_sites import OPENING, appended, single_reference, spliced
from ace_lab.injectors.edits import Injection, Lexicon, splice, with_text
from ace_lab.injectors.phrases import Phrase, definite, indefinite, occurs
from ace_lab.injectors.terms import OPPOSITES

LABEL = "logical"
_RANGE = re.compile(
    r"\b(?P<open>from|between)\s+(?P<about>about\s+)?(?P<low>\d+(?:\.\d+)?)\s*(?P<unit>[^\s\d,;.]{0,4})"
    r"\s*(?P<join>to|and)\s+(?P<about2>about\s+)?(?P<high>\d+(?:\.\d+)?)"
)
_UNIT_AFTER = re.compile(
    r"\s?(?P<unit>%|\u00b0\s?[CF]\b|(?:degrees|percent|[kmcn\u00b5\u03bc]?[mgsVAW]|[kMG]?Hz)\b)"
)
_BOUND = re.compile(
    r"\b(?P<word>at least|greater than|more than|less than|at most|no more than)\s+"
    r"(?P<about>about\s+)?(?P<value>\d+(?:\.\d+)?)(?P<unit>\s?(?:%|mm|cm|nm|\u03bcm|\u00b0\s?C|"
    r"mg|kg|g|ml|mL|Hz|seconds|minutes|hours|days|V|percent|amino acids|nucleotides)?)(?![\w.])"
)
_UPPER = ("less than", "at most", "no more than")
_OPEN = re.compile(r"\bcompris(?:ing|es)\b")
_STEP = re.compile(
    r"(?<=[:;] )(?P<step>[a-z]+ing an? [^:;.]{5,}); (?P<next>(?!and )[a-z]+ing [^:;.]{5,})(?=[;.])"
)
_FURTHER = re.compile(
    r",?\s(?:wherein (?:the|said) (?P<subject>[^,;:]{1,60}?) )?"
    r"(?P<adds>further (?:comprising|comprises|including|includes))\b"
)
_PART = re.compile(r"[;:]|\b(?:wherein|whereby|further)\b")


@dataclass(frozen=True, slots=True)
class RangeSpot:
    """A range of values that an ancestor states for a subject."""

    subject: str
    about: str
    low: float
    high: float
    unit: str

    def clause(self, low: float, high: float) -> str:
        """A wherein clause that gives the subject another range in the same words."""
        unit = f" {self.unit}" if self.unit else ""
        ends = (f"{self.about}{_number(value)}{unit}" for value in (low, high))
        return f"wherein the {self.subject} is from {' to '.join(ends)}"


def opposed_attributes(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "a rigid arm" and, at the end, "wherein the arm is flexible"."""
    places: list[tuple[Phrase, str]] = []
    for holder in _with_ancestors(claims, claim):
        for phrase in indefinite(holder.text) + definite(holder.text):
            places.extend(
                (phrase, opposite)
                for word, opposite in OPPOSITES
                if word in [w.lower() for w in phrase.words[:-1]]
            )
    if not places:
        return None
    phrase, opposite = rng.choice(places)
    clause = rng.choice(
        (
            f"wherein the {phrase.text} is {opposite}",
            f"the {phrase.text} being {opposite}",
            f"wherein said {phrase.text} is entirely {opposite}",
        )
    )
    return appended(claims, claim, clause, LABEL, "opposed_attributes")


def range_reversed(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "from 5 to 10" becomes "from 10 to 5"."""
    places = [m for m in _RANGE.finditer(claim.text) if float(m["low"]) < float(m["high"])]
    if not places:
        return None
    place = rng.choice(places)
    text = splice(claim.text, place.start("high"), place.end("high"), place["low"])
    text = splice(text, place.start("low"), place.end("low"), place["high"])
    return _injection(claims, claim, text, "range_reversed", place.start(), place.end())


def impossible_bounds(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "at least 5 mm" becomes "at least 5 mm and less than 3 mm"."""
    places = list(_BOUND.finditer(claim.text))
    if not places:
        return None
    place = rng.choice(places)
    value = float(place["value"])
    factor = rng.choice((0.3, 0.5, 0.7))
    if place["word"] in _UPPER:
        other = f" and more than {_number(value / factor)}{place['unit']}"
    else:
        other = f" and less than {_number(value * factor)}{place['unit']}"
    text = splice(claim.text, place.end(), place.end(), other)
    end = place.end() + len(other)
    return _injection(claims, claim, text, "impossible_bounds", place.start(), end)


def range_widened(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """A dependent claim takes up its ancestor's range and makes it wider."""
    spots = range_spots(claims, claim)
    if not spots:
        return None
    spot = rng.choice(spots)
    low, high = spot.low * rng.choice((0.2, 0.5, 0.8)), spot.high * rng.choice((1.2, 1.5, 3))
    return appended(claims, claim, spot.clause(low, high), LABEL, "range_widened")


def element_denied(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "a spring" is required, and the claim ends with "wherein no spring is present"."""
    places = [
        phrase
        for holder in _with_ancestors(claims, claim)
        for phrase in indefinite(holder.text)
        if phrase.start > 0 and not holder.text.startswith(" of", phrase.end)
    ]
    if not places:
        return None
    name = rng.choice(places).text
    clause = rng.choice(
        (
            f"wherein no {name} is present",
            f"wherein the {name} is absent",
            f"without any {name}",
            f"wherein the {name} is omitted",
        )
    )
    return appended(claims, claim, clause, LABEL, "element_denied")


def closed_then_opened(claims: ClaimSet, claim: Claim, _: Random, __: Lexicon) -> Injection | None:
    """The parent "consists of" its elements, and the claim adds one (MPEP 2111.03)."""
    parent = claims.get(claim.parents[0]) if len(claim.parents) == 1 else None
    opening, reference = OPENING.match(claim.text), single_reference(claim)
    if parent is None or parent.parents or opening is None or reference is None:
        return None
    added, opened = _FURTHER.match(claim.text, reference.end()), _OPEN.search(parent.text)
    if added is None or opened is None or occurs("consisting", parent.text):
        return None
    # Both must be of the thing claimed, not of one of its parts.
    if added["subject"] not in (None, opening["subject"]) or _PART.search(parent.text[: opened.start()]):
        return None
    closed = "consisting of" if opened.group().endswith("ing") else "consists of"
    text = splice(parent.text, opened.start(), opened.end(), closed)
    edited = with_text(claims, parent.number, text)
    return Injection(edited, claim.number, LABEL, "closed_then_opened", *added.span("adds"))


def range_spots(claims: ClaimSet, claim: Claim) -> list[RangeSpot]:
    """The ranges that the ancestors of a claim state for a nameable subject."""
    return [
        RangeSpot(
            subject,
            place["about"] or "",
            float(place["low"]),
            float(place["high"]),
            place["unit"] or _unit_after(holder.text, place.end()),
        )
        for holder in _with_ancestors(claims, claim)[1:]
        for place in _RANGE.finditer(holder.text)
        if (subject := _subject_before(holder.text, place.start())) is not None
        and float(place["low"]) < float(place["high"])
    ]


def steps_exchanged(claims: ClaimSet, claim: Claim, _: Random, __: Lexicon) -> Injection | None:
    """ "casting a plate; drilling the plate" becomes "drilling the plate; casting a plate"."""
    for found in _STEP.finditer(claim.text):
        made = indefinite(found["step"])[:1]
        if made and occurs(made[0].head, found["next"]):
            piece = f"{found['next']}; {found['step']}"
            return spliced(claims, claim, *found.span(), piece, LABEL, "steps_exchanged")
    return None


def _unit_after(text: str, at: int) -> str:
    """The unit of a range that names it only at its end, or ""."""
    found = _UNIT_AFTER.match(text, at)
    return "" if found is None else found["unit"]


def _subject_before(text: str, at: int) -> str | None:
    """The noun whose value the range is: the last phrase within sixty characters before it."""
    window = max(0, at - 60)
    near = [p for p in (*indefinite(text), *definite(text)) if window <= p.start and p.end <= at]
    return max(near, key=lambda phrase: phrase.start).text if near else None


def _with_ancestors(claims: ClaimSet, claim: Claim) -> list[Claim]:
    found = (claims.get(number) for number in claims.ancestors(claim.number))
    return [claim, *(holder for holder in found if holder is not None)]


def _number(value: float) -> str:
    return f"{value:.3g}" if value < 1000 else str(round(value))


def _injection(claims: ClaimSet, claim: Claim, text: str, subtype: str, start: int, end: int) -> Injection:
    edited = with_text(claims, claim.number, text)
    return Injection(edited, claim.number, LABEL, subtype, start, end)
