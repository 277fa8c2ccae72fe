"""Forms of claims that are read in a way of their own: product-by-process, Markush, Jepson, claims or sets of
more than one statutory category, and sets that are not numbered consecutively.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from ace.claims.chains import ChainReading
from ace.claims.checks.remarks.rules import RULE
from ace.claims.checks.remarks.sightings import Sighting
from ace.claims.language.subject_matter import ClaimCategory, category_of, subject_of
from ace.claims.language.words import Triggered
from ace.claims.model import Claim
from ace.claims.reading import Reading

_MADE: Final = (
    r"\b(?:obtain(?:ed|able)|produc(?:ed|ible)|prepar(?:ed|able)|made|manufactured|fabricated|formed)\s"
)
_BY_PROCESS: Final = Triggered(
    rf"{_MADE}(?:by|through|via|using|with|from|according\sto|in\saccordance\swith)\s"
    r"(?:(?:[\w-]+\s){0,4}(?:process|method)(?:es|s)?\b|(?!having|being|using)[a-z]{3,30}ing\s(?:an?|the|said|with|of|from)\b)",
    triggers=(
        *("obtained", "obtainable", "produced", "producible", "prepared", "preparable", "made"),
        *("manufactured", "fabricated", "formed"),
    ),
)
_GROUP: Final = Triggered(
    r"\b(?:selected|chosen|taken)\sfrom\s(?:among\s)?(?:the|an?)\s(?:Markush\s)?group\s(?:consisting\s)?of\b",
    triggers=("group",),
)
_IMPROVEMENT: Final = Triggered(
    r"\b(?:the|an)\simprovements?(?:\s(?:therein|thereto|thereof|which))?\s?,?\s"
    r"(?:compris|consist|includ|resid|characteri[sz]|wherein|being\b|is\b)\w*",
    triggers=("improvement", "improvements"),
)
_TWO: Final = re.compile(
    r"\W{0,3}(?:(?:an?|the)\s)?(?P<first>(?:[\w-]+\s){1,4})(?:and|or|and/or)\s(?:(?:an?|the)\s)?"
    r"(?P<second>[\w-]+(?:\s[\w-]+){0,3}?)(?=\s(?:for|of|to|that|which|in|by|with|compris|includ|having|wherein|using)|[,:])",
    re.IGNORECASE,
)
_KNOWN: Final = frozenset({ClaimCategory.APPARATUS, ClaimCategory.MEDIUM, ClaimCategory.COMPOSITION})


def forms(reading: Reading, claim: Claim) -> Iterator[Sighting]:
    """The forms in the claim's own text, each at its first words."""
    text = claim.text
    subject = subject_of(text)
    if subject is not None and subject.category.thing and (made := _BY_PROCESS.search(text)):
        yield Sighting(RULE["product_by_process"], made.start(), made.end())
    if group := _GROUP.search(text):
        yield Sighting(RULE["markush"], group.start(), group.end())
    if not claim.parents:
        yield from _of_independent(reading, claim)
    in_set = not isinstance(reading, ChainReading)
    if in_set and claim.number in reading.kept(_out_of_sequence) and (opening := _OPENING.match(text)):
        yield Sighting(RULE["numbering"], opening.start(), opening.end())


_OPENING: Final = re.compile(r"\S+(?:\s\S+){0,2}")
_RENUMBERED: Final = frozenset({"duplicate_number", "number_out_of_range"})


def _out_of_sequence(reading: Reading) -> frozenset[int]:
    """Numbers that do not follow the one before, unless the reader of the filing gave them."""
    given = {note.claim for note in reading.claims.notes if note.code in _RENUMBERED}
    numbers = [0, *(claim.number for claim in reading.claims)]
    return frozenset(number for before, number in pairwise(numbers) if number != before + 1) - given


def _of_independent(reading: Reading, claim: Claim) -> Iterator[Sighting]:
    text = claim.text
    if improvement := _IMPROVEMENT.search(text):
        yield Sighting(RULE["jepson"], improvement.start(), improvement.end())
    two = _TWO.match(text)
    if two is not None and _is_mixed(two["first"], two["second"]):
        yield Sighting(RULE["mixed_preamble"], two.start("first"), two.end("second"))
    if reading.kept(_second_category) == claim.number and (subject := subject_of(text)):
        yield Sighting(RULE["mixed_set"], subject.start, subject.end)


def _is_mixed(first: str, second: str) -> bool:
    """Whether one phrase names a method and the other a thing."""
    categories = {category_of(tuple(each.lower().split())) for each in (first, second)}
    return ClaimCategory.METHOD in categories and not _KNOWN.isdisjoint(categories)


def _second_category(reading: Reading) -> int | None:
    """The first independent claim to an activity after one to a thing, or the reverse."""
    first: bool | None = None
    for claim in reading.claims:
        subject = subject_of(claim.text) if claim.pending and not claim.parents else None
        if subject is None or subject.category is ClaimCategory.UNKNOWN:
            continue
        if first is not None and subject.category.activity is not first:
            return claim.number
        first = subject.category.activity
    return None
