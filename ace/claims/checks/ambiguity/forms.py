"""Claims that do not say what they claim: omnibus claims and claims to a use (MPEP 2173.05(r) and (q))."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ace.claims.checks.ambiguity.rules import RULE
from ace.claims.findings import Flaw
from ace.claims.model import Claim

_SHOWN = r"(?:shown|described|illustrated|disclosed|depicted|set\sforth)"
_OMNIBUS = re.compile(
    rf"""\b(?:substantially\s|essentially\s)?as\s(?:herein(?:before|above|after)?\s)?{_SHOWN}
        (?:\s(?:and|or|and/or)\s(?:herein(?:before|above)?\s)?{_SHOWN})?
        (?:\sherein(?:before|above)?)?
        (?P<where>\s(?:in|by|with\sreference\sto|and\swith\sreference\sto)\s(?:any\s(?:one\s)?of\s)?(?:the\s)?
          (?:present\s|accompanying\s|attached\s)?(?:specification|description|drawings?|figures?|figs?\b\.?)(?:\s?[0-9]+[a-z]?)?)?
        (?=\s?(?:\.|\Z))""",
    re.VERBOSE | re.IGNORECASE,
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


def unclaimed(claim: Claim) -> Iterator[Flaw]:
    """The pointer of an omnibus claim; the opening of a claim to a use without steps."""
    text = claim.text
    if claim.parents == () and (pointer := _OMNIBUS.search(text)) is not None and not _SAYS_MORE.search(text):
        why = f"“{pointer.group()}” refers elsewhere for what the claim includes."
        yield Flaw(RULE["omnibus"], pointer.start(), pointer.end(), why)
    use = _USE.match(text)
    if use is not None and not _STEPS.search(text):
        why = "A claim to a use without any step does not say what is done."
        yield Flaw(RULE["use_claim"], use.start(), use.end(), why)
