"""What the rules and the reference graph believe about a claim, shown to the expert so that it can check it.

It is made from the stored analysis of the claim, with the confidence of each finding, and names what no rule
looked at. It has a block of its own in the message (copt.py), whose fixed text says that it may be wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ace.claims.analysis import AnalysedClaim, ClaimAnalysis, analysis_of, is_on_set
from ace.claims.chains import BrokenChain, chain_set
from ace.claims.checks.confidence import DEFAULT_THRESHOLD
from ace.claims.findings import Finding
from ace.claims.model import CHAIN_CUT, ClaimInput
from ace.claims.taxonomy import ErrorClass
from ace.expert.prompt.compliance import cut, numbers, proof_sentences
from ace.expert.prompt.tokens import count_tokens

MAX_EVIDENCE_TOKENS: Final = 400
"""Little compared with the claim and its chain, and enough for everything about most claims."""

UNREADABLE: Final = "- not looked at: anything, because the chain could not be read"
BROKEN: Final = "- not looked at: anything, because a rule broke on this claim"

_LEAST: Final = 0.05
"""Below this confidence a suspicion is noise."""
_QUOTED_CHARACTERS: Final = 80
_EXPLANATION_CHARACTERS: Final = 200
_BLIND: Final = {
    ErrorClass.ANTECEDENT: "whether another word means the same element",
    ErrorClass.DEPENDENCY: "whether the claim adds something that limits it",
    ErrorClass.LOGICAL: "whether the limitations can hold together, beyond numbers and opposite words",
    ErrorClass.AMBIGUITY: "whether its meaning is clear, beyond listed words",
    ErrorClass.SYNTAX: "whether the sentence makes sense, beyond its marks and common slips",
}
"""What the rules for a class cannot judge; the expert is told so where they found nothing of that class."""


def evidence(claim: ClaimInput) -> str:
    """One belief on each line: what the client's term list says, what looks wrong, the likeliest first, then
    what phrases rest on in other claims, as much as MAX_EVIDENCE_TOKENS allows; and at the end what was not
    looked at."""
    try:
        claims, analysis = chain_set(claim), analysis_of(claim)
    except BrokenChain:
        return UNREADABLE
    if analysis.failure is not None:
        return BROKEN
    found = [each for each in analysis.reported(_LEAST) if not is_on_set(each)]
    found.sort(key=lambda each: (not _counts(each), -each.confidence))
    proofs = proof_sentences(claims, claim.number, analysis, _QUOTED_CHARACTERS, at_home=False)
    lines = [*_listed(claim), *map(_suspicion, found), *(f"- {' '.join(each.split())}" for each in proofs)]
    blind = f"- not looked at: {'; '.join(_not_looked_at(claim, analysis))}"
    return "\n".join([*_fitting(list(dict.fromkeys(lines)), count_tokens(blind)), blind])


def _fitting(lines: list[str], taken: int) -> Iterator[str]:
    """The lines for which there is room beside the tokens that are taken, and how many there were more."""
    room = MAX_EVIDENCE_TOKENS - taken
    for shown, line in enumerate(lines):
        room -= count_tokens(line) + 1
        if room < 0:
            yield f"- {len(lines) - shown} more beliefs were left out"
            return
        yield line


def _counts(found: Finding) -> bool:
    """Whether the rules themselves would fail the claim for it."""
    return found.fails and found.confidence >= DEFAULT_THRESHOLD


def _suspicion(found: Finding) -> str:
    """ "- antecedent 0.59: 'the mirror': Nothing earlier introduces it." """
    note = "" if found.fails else " (a note, no reason to fail)"
    quote = _line(found.quote, _QUOTED_CHARACTERS)
    return f"- {found.error_class.value} {found.confidence:.2f}{note}: {quote}: {_why(found)}"


def _listed(claim: ClaimInput) -> Iterator[str]:
    """What the term list of the client says about words of the claim."""
    if isinstance(claim, AnalysedClaim):
        named = claim.terms.named_in(claim.text)
        for words, said in ((named.ignore, "is no defect"), (named.keep_together, "is one name")):
            yield from (f"- {_line(each, _QUOTED_CHARACTERS)} {said}, by the client's list" for each in words)


def _not_looked_at(claim: ClaimInput, analysis: ClaimAnalysis) -> Iterator[str]:
    """What hid from the rules here, then what they cannot see in the classes in which nothing was found."""
    if CHAIN_CUT in claim.ancestors and not isinstance(claim, AnalysedClaim):
        yield "what the claims that were left out introduce"
    if analysis.missing:
        yield f"what rests on {numbers(analysis.missing)}, not found"
    seen = {each.error_class for each in analysis.findings if _counts(each)}
    yield from (blind for error_class, blind in _BLIND.items() if error_class not in seen)
    yield "the description"


def _line(text: str, most: int) -> str:
    return f"'{cut(' '.join(text.split()), most)}'"


def _why(found: Finding) -> str:
    """The explanation without the quotation that the line begins with."""
    said = " ".join(found.explanation.replace(f"“{found.quote}”", "it").split())
    return cut(said[:1].upper() + said[1:], _EXPLANATION_CHARACTERS)
