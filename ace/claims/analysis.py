"""The analysis of a claim set: what its claims refer to, what their definite phrases rest on, what the rules
find, and what they remark on. It is made once for a set; everything that judges or shows a claim reads it.

Pure. Each claim's text is read once, and what claims share is made once for the set, so that the work grows
with the text. A claim that comes with its chain alone is analysed from that.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple, TypeVar

from ace import __version__
from ace.claims.chains import BrokenChain, ChainReading, chain_set
from ace.claims.checks import RULES, findings_in
from ace.claims.checks.confidence import DEFAULT_THRESHOLD
from ace.claims.checks.remarks import RemarkPlace, remark_at, remarks_in
from ace.claims.findings import Finding, Remark, finding_as_json, finding_from_json
from ace.claims.model import CHAIN_CUT, Claim, ClaimInput, ClaimSet
from ace.claims.reading import Reading
from ace.claims.references.graph import Basis, Proof
from ace.claims.rules import Jurisdiction
from ace.claims.taxonomy import ErrorClass, Ground
from ace.claims.terms import NO_TERMS, Terms

VERSION: Final = f"ace-{__version__}"
"""The version of the rules, which is stored with every analysis."""

JURISDICTION: Final = Jurisdiction.US

_REPORTED_ONCE: Final = frozenset({ErrorClass.ANTECEDENT, ErrorClass.AMBIGUITY})
_DETERMINER: Final = re.compile(r"^(?:the|said|an?)\s", re.IGNORECASE)
_ON_SET: Final = frozenset(rule.id for rule in RULES if rule.whole_set)
_NEEDS_CHAIN: Final = "dependency.nonexistent"
_Shown = TypeVar("_Shown", Finding, Remark)


class Place(NamedTuple):
    """text[start:end] of claim number `claim`, in code points."""

    claim: int
    start: int
    end: int


class ResolvedPhrase(NamedTuple):
    """A definite phrase, text[start:end] of its claim, and the phrase `source` that it rests on, if there is
    one.

    `path` are the claims from its own to that of the source.
    """

    start: int
    end: int
    basis: Basis
    source: Place | None
    path: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ClaimAnalysis:
    """What is known of one claim. Phrases, findings and remarks are in order of position, findings of any
    confidence. Whatever judges a claim reads its findings and never its remarks.

    `missing` are the claims that its text refers to and that do not exist or are not pending. `failure` is
    the type of the error if a rule broke on the claim; there is nothing else then.
    """

    missing: tuple[int, ...] = ()
    phrases: tuple[ResolvedPhrase, ...] = ()
    findings: tuple[Finding, ...] = ()
    failure: str | None = None
    remarks: tuple[Remark, ...] = ()

    def reported(self, threshold: float = DEFAULT_THRESHOLD) -> tuple[Finding, ...]:
        """The findings of at least this confidence."""
        return tuple(each for each in self.findings if each.confidence >= threshold)

    @property
    def sure(self) -> float:
        """The confidence of the likeliest reported finding that fails the claim: 0 without one, NaN if the
        rules could not judge the claim."""
        failing = (each.confidence for each in self.reported() if each.fails)
        return math.nan if self.failure is not None else max(failing, default=0.0)

    def certain(self, threshold: float) -> list[Finding]:
        """The findings that fail the claim and are at least so sure, the likeliest first."""
        sure = (each for each in self.reported(threshold) if each.fails)
        return sorted(sure, key=lambda each: -each.confidence)

    def ground(self, error_class: ErrorClass | None) -> Ground:
        """What the claim draws if it fails for a defect of this class, or of one that nobody named.

        A rejection if any reported finding that fails the claim draws one; else what the findings of the
        class draw; without any, what the class draws. One that fails for no known reason would be rejected.
        """
        reported = self.reported()
        if any(each.fails and each.ground is Ground.REJECTION for each in reported):
            return Ground.REJECTION
        own = {each.ground for each in reported if each.error_class is error_class}
        if own:
            return Ground.REJECTION if Ground.REJECTION in own else Ground.OBJECTION
        return Ground.REJECTION if error_class is None else error_class.ground


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysedClaim(ClaimInput):
    """A claim with its chain, the analysis that was made of its whole set, and the term list that it
    obeys."""

    analysis: ClaimAnalysis
    terms: Terms = NO_TERMS

    @classmethod
    def of(cls, claim: ClaimInput, analysis: ClaimAnalysis, terms: Terms = NO_TERMS) -> AnalysedClaim:
        """The claim with this analysis."""
        return cls(claim.number, claim.text, claim.ancestors, analysis=analysis, terms=terms)


def analyse(
    claims: ClaimSet | Reading, *, jurisdiction: Jurisdiction = JURISDICTION
) -> dict[int, ClaimAnalysis]:
    """The analysis of each claim of a set, by number. Raises whatever a rule raises."""
    reading = claims if isinstance(claims, Reading) else Reading(claims)
    return {claim.number: analyse_claim(reading, claim, jurisdiction) for claim in reading.claims}


def analyse_claim(reading: Reading, claim: Claim, jurisdiction: Jurisdiction = JURISDICTION) -> ClaimAnalysis:
    """The analysis of one claim of a reading, which obeys the term list of the reading."""
    claims = reading.claims
    return ClaimAnalysis(
        tuple(each for each in claim.parents if (parent := claims.get(each)) is None or not parent.pending),
        tuple(map(_resolved, reading.graph.proofs.get(claim.number, ()))),
        tuple(findings_in(reading, claim, jurisdiction)),
        remarks=tuple(remarks_in(reading, claim, jurisdiction)),
    )


def analysis_of(claim: ClaimInput, terms: Terms = NO_TERMS) -> ClaimAnalysis:
    """The analysis that the claim carries, or else one of its chain, without what only the rest of a cut
    chain could show. Raises BrokenChain if an entry of the chain does not read "<number>. <text>"."""
    if isinstance(claim, AnalysedClaim):
        return claim.analysis
    reading = ChainReading(chain_set(claim), terms)
    made = analyse_claim(reading, reading.claims[claim.number])
    sound = [each for each in made.findings if not (is_on_set(each) or _rests_on_cut(claim, each))]
    return replace(made, findings=tuple(sound))


def with_analysis(claim: ClaimInput) -> ClaimInput:
    """The claim with the analysis that it carries or one of its chain, or as it is if that is broken."""
    try:
        return AnalysedClaim.of(claim, analysis_of(claim))
    except BrokenChain:
        return claim


def is_on_set(finding: Finding) -> bool:
    """Whether the finding concerns the set as a whole: gatekeeper and expert, who see a chain, cannot judge
    it."""
    return finding.rule_id in _ON_SET


def check_set(
    claims: ClaimSet | Reading,
    *,
    jurisdiction: Jurisdiction = JURISDICTION,
    threshold: float = DEFAULT_THRESHOLD,
) -> list[Finding]:
    """All findings on a claim set with at least `threshold` confidence, by claim and position.

    A defect that several claims share is reported at the first; `also` names the others.
    """
    return findings_on(analyse(claims, jurisdiction=jurisdiction).values(), threshold)


def findings_on(analyses: Iterable[ClaimAnalysis], threshold: float = DEFAULT_THRESHOLD) -> list[Finding]:
    """The findings of a set's analyses with at least this confidence, each defect once."""
    found = (each for analysis in analyses for each in analysis.reported(threshold))
    return _once(found, lambda each: topic(each.error_class, each.subtype, each.quote))


def remarks_on(analyses: Iterable[ClaimAnalysis]) -> list[Remark]:
    """The remarks of a set's analyses, by claim and position, the same words in several claims once."""
    made = (each for analysis in analyses for each in analysis.remarks)
    return _once(made, lambda each: (each.kind, _DETERMINER.sub("", each.quote).casefold()))


def _once(reported: Iterable[_Shown], key_of: Callable[[_Shown], Hashable]) -> list[_Shown]:
    """The first with each key; its `also` names the other claims."""
    firsts: dict[Hashable, _Shown] = {}
    also: dict[Hashable, dict[int, None]] = {}
    for each in reported:
        key = key_of(each)
        first = firsts.setdefault(key, each)
        if each.claim != first.claim:
            also.setdefault(key, {})[each.claim] = None
    return [replace(first, also=tuple(also[key])) if key in also else first for key, first in firsts.items()]


def topic(error_class: ErrorClass, subtype: str, quote: str) -> Hashable:
    """A key that is equal for findings to report once in a set: the same words that lack a basis, or are
    unclear, in several claims are one defect to correct, reported at the first of them."""
    if error_class in _REPORTED_ONCE:
        return subtype, _DETERMINER.sub("", quote).casefold()
    return object()


def as_json(analysis: ClaimAnalysis) -> dict[str, Any]:
    """The analysis as it is stored, without words of the claim that its places can give; empty parts are left
    out."""
    parts = {
        "missing": list(analysis.missing),
        "phrases": [list(_flat(phrase)) for phrase in analysis.phrases],
        "findings": [finding_as_json(each) for each in analysis.findings],
        "remarks": [[each.kind, each.start, each.end] for each in analysis.remarks],
        "failure": analysis.failure,
    }
    return {name: part for name, part in parts.items() if part}


def from_json(stored: dict[str, Any], number: int, text: str) -> ClaimAnalysis:
    """The analysis of claim `number`, which reads `text`, that `as_json` made."""
    return ClaimAnalysis(
        tuple(stored.get("missing", ())),
        tuple(map(_phrase, stored.get("phrases", ()))),
        tuple(finding_from_json(each, number, text) for each in stored.get("findings", ())),
        stored.get("failure"),
        remarks_from_json(stored.get("remarks", ()), number, text),
    )


def remarks_from_json(
    stored: Iterable[Sequence[Any]], number: int, text: str, jurisdiction: Jurisdiction = JURISDICTION
) -> tuple[Remark, ...]:
    """The remarks on claim `number`, which reads `text`, that `as_json` made, without kinds of which this
    version knows nothing."""
    made = (remark_at(RemarkPlace(*each), number, text, jurisdiction) for each in stored)
    return tuple(each for each in made if each is not None)


def _resolved(proof: Proof) -> ResolvedPhrase:
    mention, source = proof.mention, proof.source
    place = None if source is None else Place(source.claim, source.start, source.end)
    return ResolvedPhrase(mention.start, mention.end, proof.basis, place, proof.path)


def _flat(phrase: ResolvedPhrase) -> Iterator[Any]:
    yield from (phrase.start, phrase.end, phrase.basis.value)
    if phrase.source is not None:
        yield from (list(phrase.source), list(phrase.path))


def _phrase(flat: list[Any]) -> ResolvedPhrase:
    start, end, basis, *rest = flat
    source, path = rest or (None, ())
    return ResolvedPhrase(start, end, Basis(basis), Place(*source) if source else None, tuple(path))


def _rests_on_cut(claim: ClaimInput, finding: Finding) -> bool:
    """Whether a claim that is missing from a cut chain could show that there is no defect."""
    return CHAIN_CUT in claim.ancestors and (
        finding.error_class is ErrorClass.ANTECEDENT or finding.rule_id == _NEEDS_CHAIN
    )
