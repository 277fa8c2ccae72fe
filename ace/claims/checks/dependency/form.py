"""References with a wrong form: "the shoe claim 1", "according claim 1", "of claims 1", "any of claim 1"."""

from __future__ import annotations

import re
from typing import Final

from ace.claims.checks.dependency.rules import RULE
from ace.claims.findings import Fix, Flaw
from ace.claims.language.subject_matter import Subject
from ace.claims.model import Claim
from ace.claims.references.claim_references import Reference

_NO_LINK: Final = re.compile(r"\s\Z")
_HALF: Final = re.compile(
    r"\s(?:(?P<to>according)|(?P<in_>as\s(?:claimed|defined|recited|described|set\sforth)))\s\Z",
    re.IGNORECASE,
)
_ANY: Final = re.compile(
    r"\bany\s(?:one\s)?(?:or\smore\s)?(?:of\s)?(?:the\s)?(?:(?:preceding|previous)\s)?\Z", re.IGNORECASE
)
_ONE: Final = re.compile(r"(?P<claims>claims)\s[0-9]+", re.IGNORECASE)
_GOES_ON: Final = re.compile(
    r"\s?(?:[,.]\s?(?:\Z|wherein|where|in\swhich|further|compris\w+|charac\w+|having|and\sfurther|which|that|includ\w+)"
    r"|(?:wherein|further|comprising|characteri[sz]ed|including|having)\b)",
    re.IGNORECASE,
)
_LOOK_BACK_CHARACTERS: Final = 40


def malformed(claim: Claim, own: Subject | None, reference: Reference) -> Flaw | None:
    """The flaw of a reference without its preposition, or with a choice or a plural of one claim; or None."""
    if reference.several or reference.preceding or not reference.numbers:
        return None
    text, start, end = claim.text, reference.start, reference.end
    if _GOES_ON.match(text, end) is None:
        return None
    written = text[start:end]
    joined = own is not None and text[own.start : own.end].endswith(("-of", "-in", "-to"))
    if own is not None and not joined and own.end < start and _NO_LINK.fullmatch(text, own.end, start):
        return _flaw(reference, "The reference is not connected to the words before it.", f"of {written}")
    half = _HALF.search(text, max(0, start - _LOOK_BACK_CHARACTERS), start)
    if half is not None:
        link = "to" if half["to"] else "in"
        return _flaw(reference, f"“{link}” is missing before the reference.", f"{link} {written}")
    choice = _ANY.search(text, max(0, start - _LOOK_BACK_CHARACTERS), start)
    if choice is not None:
        why = "The reference offers a choice among claims, but names only one."
        return Flaw(RULE["malformed"], choice.start(), end, why, Fix(choice.start(), end, written))
    one = _ONE.fullmatch(text, start, end)
    if one is not None:
        singular = written[: one.end("claims") - start - 1] + written[one.end("claims") - start :]
        return _flaw(reference, "The reference names one claim in the plural.", singular)
    return None


def _flaw(reference: Reference, explanation: str, replacement: str) -> Flaw:
    fix = Fix(reference.start, reference.end, replacement)
    return Flaw(RULE["malformed"], reference.start, reference.end, explanation, fix)
