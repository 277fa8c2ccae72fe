"""Ambiguity: words that leave the scope of a claim to opinion (MPEP 2173.05(b), (d), (h), (u)).

The words are data (terms.py), use in one scan of the set (scan.py); how each is used decides whether
its use is clear (uses.py). The same words are reported once in a claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ace.claims.checks.ambiguity.forms import unclaimed
from ace.claims.checks.ambiguity.limits import double_limits
from ace.claims.checks.ambiguity.mixed import mixed
from ace.claims.checks.ambiguity.rules import RULE, RULES
from ace.claims.checks.ambiguity.scan import scan_of, signed_names, stretched
from ace.claims.checks.ambiguity.steps import unknown_steps
from ace.claims.checks.ambiguity.terms import STRETCHED, Term, Use
from ace.claims.checks.ambiguity.uses import UnclearWords, points_back, signals_of, term_uses, unclear_words
from ace.claims.findings import Fix, Flaw
from ace.claims.model import Claim
from ace.claims.reading import Reading

__all__ = ["RULES", "check"]

_OPENS: Final = re.compile(
    r"(?:comprising|comprised\sof|including|containing|having|consisting\sessentially\sof)$"
)
_TRANSITION: Final = re.compile(r"\b(?:compris|includ|consist|having|wherein)|:")
_MAX_ANCESTORS: Final = 20


def check(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """The unclear words of the claim's own text. A definite phrase that repeats an ancestor's ("the very
    thin plate") is left to that ancestor.

    Signals: those of uses.py; "in_preamble"; "signed" for a name with a trademark sign; "like" for a
    "filter-like device".
    """
    yield from unclaimed(reading, claim)
    yield from mixed(reading, claim)
    yield from unknown_steps(reading, claim)
    yield from double_limits(reading, claim)
    lower, matches = reading.kept(scan_of)[claim.number]
    signed = tuple(signed_names(claim.text))
    preamble = _preamble_end(lower) if matches else 0
    reported: set[str] = set()
    done = 0
    for use in term_uses(lower, matches):
        if use.start < done or (unclear := unclear_words(use)) is None:
            continue
        done = unclear.end
        quote = lower[unclear.start : unclear.end]
        if quote in reported or any(start <= unclear.start < end for start, end in signed):
            continue
        reported.add(quote)
        if claim.parents and points_back(lower, unclear.start) and _in_ancestor(reading, claim, quote):
            continue
        signals = signals_of(use, unclear)
        if unclear.start < preamble:
            signals = (*signals, "in_preamble")
        yield _flaw(use.term, claim.text, unclear._replace(signals=signals), _fix(use.term, lower, unclear))
    for start, end in stretched(claim.text):
        quote = lower[start:end]
        if quote not in reported and not (claim.parents and _in_ancestor(reading, claim, quote)):
            reported.add(quote)
            yield _flaw(STRETCHED, claim.text, UnclearWords(start, end, ("like",)), None)
    for start, end in signed:
        why = "is marked as a trademark, which names the source of a product and not the product"
        yield _flaw(Term("trademark", why), claim.text, UnclearWords(start, end, ("signed",)), None)


def _flaw(term: Term, text: str, unclear: UnclearWords, fix: Fix | None) -> Flaw:
    explanation = f"“{' '.join(text[unclear.start : unclear.end].split())}” {term.why}."
    return Flaw(RULE[term.subtype], unclear.start, unclear.end, explanation, fix, unclear.signals)


def _preamble_end(lower: str) -> int:
    match = _TRANSITION.search(lower)
    return match.start() if match else len(lower)


def _in_ancestor(reading: Reading, claim: Claim, quote: str) -> bool:
    """Whether one of the nearest ancestors has the same words; few are searched, which keeps time linear."""
    texts = reading.kept(scan_of)
    return any(quote in texts[number][0] for number in _nearest(reading, claim))


def _nearest(reading: Reading, claim: Claim) -> Iterator[int]:
    """The ancestors by first parents, nearest first, at most _MAX_ANCESTORS."""
    for _ in range(_MAX_ANCESTORS):
        parent = reading.claims.get(claim.parents[0]) if claim.parents else None
        if parent is None:
            return
        yield parent.number
        claim = parent


def _fix(term: Term, lower: str, unclear: UnclearWords) -> Fix | None:
    """ "group comprising" becomes "group consisting of"; nothing else can be corrected safely."""
    verb = _OPENS.search(lower[unclear.start : unclear.end]) if term.use is Use.SELECTED else None
    return Fix(unclear.start + verb.start(), unclear.end, "consisting of") if verb else None
