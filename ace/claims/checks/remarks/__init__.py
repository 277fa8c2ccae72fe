"""Remarks: what practitioners expect to hear about a claim although nothing is wrong with it.

They have no class, no confidence and no place among the findings, so that nothing that judges a claim can
read them. Elements described by their function (functions.py), forms that are read in a way of their own
(forms.py), and elements that only the preamble introduces (preamble.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Final, NamedTuple

from ace.claims.checks.remarks.forms import forms
from ace.claims.checks.remarks.functions import functions
from ace.claims.checks.remarks.preamble import relied_on
from ace.claims.checks.remarks.rules import RULE, RULES
from ace.claims.checks.remarks.sightings import Sighting
from ace.claims.findings import Remark
from ace.claims.model import Claim
from ace.claims.reading import Reading
from ace.claims.rules import Jurisdiction

__all__ = ["MAX_REMARKS", "RULES", "RemarkPlace", "remark_at", "remarks_in"]

MAX_REMARKS: Final = 100
"""The maximum number of remarks on one claim."""

_BY_KIND: Final = {rule.kind: rule for rule in RULES}


class RemarkPlace(NamedTuple):
    """All that is stored of a remark: its kind, and text[start:end] of its claim, in code points."""

    kind: str
    start: int
    end: int


def remarks_in(reading: Reading, claim: Claim, jurisdiction: Jurisdiction) -> list[Remark]:
    """The remarks on one claim of a reading, in order of position, the same words once; none if the claim has
    no text of its own."""
    places = (RemarkPlace(each.rule.kind, each.start, each.end) for each in _seen(reading, claim))
    text = reading.filed[claim.number].text
    made = (remark_at(place, claim.number, text, jurisdiction) for place in places)
    firsts: dict[tuple[str, str], Remark] = {}
    for each in made:
        if each is not None and len(firsts) < MAX_REMARKS:
            firsts.setdefault((each.kind, each.quote.casefold()), each)
    return sorted(firsts.values(), key=lambda each: (each.start, each.end))


def remark_at(place: RemarkPlace, number: int, text: str, jurisdiction: Jurisdiction) -> Remark | None:
    """The remark at this place of claim `number`, which reads `text`; None if this version has no such
    kind, or knows no law of it in this jurisdiction."""
    rule = _BY_KIND.get(place.kind)
    law = None if rule is None else rule.law(jurisdiction)
    if rule is None or law is None:
        return None
    return Remark(number, rule.kind, law, place.start, place.end, text[place.start : place.end], rule.what)


def _seen(reading: Reading, claim: Claim) -> Iterator[Sighting]:
    if not claim.pending:
        return
    formal = tuple(forms(reading, claim))
    yield from chain(functions(reading, claim), formal)
    if all(each.rule is not RULE["jepson"] for each in formal):
        yield from relied_on(reading, claim)
