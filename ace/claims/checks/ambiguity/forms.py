"""Claims that do not say what they claim: omnibus claims and claims to a use (MPEP 2173.05(r) and (q))."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ace.claims.checks.ambiguity.rules import RULE
from ace.claims.findings import Flaw
from ace.claims.language.words import Triggered
from ace.claims.model import Claim

_SHOWN = r"(?:shown|described|illustrated|disclosed|depicted|set\sforth)"
_OMNIBUS = Triggered(
    rf"""\b(?:substantially\s|essentially\s)?as\s(?:herein(?:before|above|after)?\s)?{_SHOWN}
        (?:\s(?:and|or|and/or)\s(?:herein(?:before|above)?\s)?{_SHOWN})?
        (?:\sherein(?:before|above)?)?
        (?P<where>\s(?:in|by|with\sreference\sto|and\swith\sreference\sto)\s(?:any\s(?:one\s)?of\s)?(?:the\s)?
          (?:present\s|accompanying\s|attached\s)?(?:specification|description|drawings?|figures?|figs?\b\.?)(?:\s?[0-9]+[a-z]?)?)?
        (?=\s?(?:\.|\Z))""",
    re.VERBOSE | re.IGNORECASE,
    triggers=("shown", "described", "illustrated", "disclosed", "depicted", "forth"),
)
# With these a claim says more than a pointer does; a design claim must be formal (37 CFR 1.153).
_SAYS_MORE = re.compile(
    r"\b(?:compris|consist|includ|contain|having\b|has\b|wherein|whereby|characteri[sz]ed|ornamental|pattern|spectr|formula"
    r"|diffract|trace|thermogram|sequence|claims?\s[0-9])",
    re.IGNORECASE,
)
_USE = re.compile(r"(?:The\s)?[Uu]se\s(?:of|as)\b(?!\s(?:any\s(?:one\s)?of\s)?claims?\b)")
_STEPS = re.compile(
    r"\b(?:compris\w+|includ\w+|consist\w+)[^.;]{0,60}?\b(?:step|[a-z]{2,}ing)\b|\bsteps?\sof\b",
    re.IGNORECASE,
)


_ELSEWHERE = Triggered(
    rf"""\b(?:(?:(?:as|is|are)\s)?(?:(?:substantially|essentially|generally|herein(?:before|above)?)\s){{0,2}}(?:{_SHOWN}|listed|given|defined|reported|provided|recited)
         \s(?:in|by|with\sreference\sto)|according\sto|in\saccordance\swith|with\sreference\sto|(?:see|refer\sto|of|in|as\sin))\s
        (?:any\s(?:one\s)?of\s)?(?:the\s|an?\s|this\s)?(?:present\s|accompanying\s|attached\s|appended\s|following\s)?
        (?P<what>(?i:fig(?:ure)?s?\b\.?\s?[0-9]+[a-z]?|tables?\s(?:[0-9]+|[IVX]+)\b|examples?\s[0-9]+\b|drawings?\b(?!\s(?:of|board|tool|process|step|die|machine))
          |specification\b(?=\s?[,;.])|description\b(?=[\s]?[,;.])))
       |\bas\s(?:substantially\s)?(?:herein(?:before|above|after)?\s{_SHOWN}|{_SHOWN}\sherein(?:before|above)?)(?=\s?[,;.])""",
    re.VERBOSE,
    triggers=(
        *(
            "fig",
            "figs",
            "figure",
            "figures",
            "table",
            "tables",
            "example",
            "examples",
            "drawing",
            "drawings",
        ),
        *("specification", "description", "herein", "hereinbefore", "hereinabove"),
    ),
)
# What only a figure or a table can show (MPEP 2173.05(s)), and a table that the claim itself holds.
_ONLY_SHOWN = re.compile(
    r"\b(?:pattern|spectr\w+|diffract\w+|trace|thermogram|sequence|formula|chromatogram|curve|profile|isotherm|diffractogram|XRPD|PXRD|DSC|NMR)",
    re.IGNORECASE,
)
_OWN_TABLE = re.compile(r"\b(?:TABLE|Table)\s[0-9IVX]+\b")
_LOOK_BACK_CHARACTERS = 120


def points_elsewhere(claim: Claim) -> Iterator[Flaw]:
    """The first reference to a figure, a table, an example or the description. Signal: "table"."""
    text = claim.text
    for pointer in _ELSEWHERE.finditer(text):
        what = (pointer["what"] or "").lower()
        if _ONLY_SHOWN.search(text, max(0, pointer.start() - _LOOK_BACK_CHARACTERS), pointer.start()):
            continue
        if what.startswith("table") and len(_OWN_TABLE.findall(text)) > 1:
            continue
        signals = ("table",) if what.startswith("table") else ()
        why = f"“{' '.join(pointer.group().split())}” refers elsewhere for what the claim includes."
        yield Flaw(RULE["points_elsewhere"], pointer.start(), pointer.end(), why, None, signals)
        return


def _pointers(claim: Claim) -> Iterator[Flaw]:
    text = claim.text
    if claim.parents == () and (pointer := _OMNIBUS.search(text)) is not None and not _SAYS_MORE.search(text):
        why = f"“{pointer.group()}” refers elsewhere for what the claim includes."
        yield Flaw(RULE["omnibus"], pointer.start(), pointer.end(), why)
    elif "ornamental" not in text:
        yield from points_elsewhere(claim)


def unclaimed(claim: Claim) -> Iterator[Flaw]:
    """The pointer of an omnibus claim; the opening of a claim to a use without steps."""
    text = claim.text
    yield from _pointers(claim)
    use = _USE.match(text)
    if use is not None and not _STEPS.search(text):
        why = "A claim to a use without any step does not say what is done."
        yield Flaw(RULE["use_claim"], use.start(), use.end(), why)
