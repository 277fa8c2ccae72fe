"""Step 2 of the Chain of Patent Thought in words: class by class, what was checked, found and proved.

Findings and proofs come from the claim's analysis, their words from its chain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final, NamedTuple

from ace.claims.analysis import ClaimAnalysis, Place, ResolvedPhrase
from ace.claims.findings import Finding
from ace.claims.model import Claim, ClaimSet
from ace.claims.references.graph import Basis
from ace.claims.taxonomy import ErrorClass

LIMITS: Final = (
    "Rules see words and not their meaning: whether the description supports a term, and what a skilled"
    " person makes of it, was not examined."
)

_LOOKED_AT: Final = {
    ErrorClass.LOGICAL: "quantities, closed lists and lists of alternatives were compared",
    ErrorClass.AMBIGUITY: "terms of degree and taste, examples, alternatives and marks were looked for",
    ErrorClass.SYNTAX: "sentence, transition, punctuation and brackets were looked at",
}
_RESTS: Final = {
    Basis.NUMBER_SHIFT: "takes up, in another number,",
    Basis.INHERENT: "is inherent in",
    Basis.DERIVED: "follows from",
    Basis.ABBREVIATION: "is short for",
    Basis.HEAD_MATCH: "takes up",
}
_HOLDING: Final = {Basis.EXPLICIT, Basis.INHERITED, *_RESTS}
_EXPLANATION_CHARACTERS: Final = 240
_CURLY: Final = re.compile("“([^”]{0,400})”")


class Detail(NamedTuple):
    """How much to say: limbs, findings of each class, proofs, and characters of a quotation."""

    limbs: int
    findings: int
    proofs: int
    quoted: int


class Examined(NamedTuple):
    """The claim under examination, with its chain, its analysis, and the findings that count."""

    claim: Claim
    claims: ClaimSet
    analysis: ClaimAnalysis
    found: Sequence[Finding]


def compliance(examined: Examined, detail: Detail) -> str:
    """The results of the five classes of checks, in the order of the taxonomy."""
    said = []
    for error_class in ErrorClass:
        own = [finding for finding in examined.found if finding.error_class is error_class]
        said.append(f"{error_class.value}: {_looked_at(examined, error_class, detail)};")
        said.extend(_defects(own, examined.claim.text, detail) if own else ["no defect found."])
    return " ".join(said)


def _looked_at(examined: Examined, error_class: ErrorClass, detail: Detail) -> str:
    if error_class is ErrorClass.ANTECEDENT:
        return _proved(examined, detail)
    if error_class is ErrorClass.DEPENDENCY:
        return _referred(examined)
    return _LOOKED_AT[error_class]


def _defects(found: Sequence[Finding], text: str, detail: Detail) -> Iterator[str]:
    for each in found[: detail.findings]:
        said = _CURLY.sub(partial(_own_words, text), each.explanation)
        why = f" {cut(said, _EXPLANATION_CHARACTERS)}" if detail.proofs else ""
        name = f"{each.error_class.value} ({each.subtype})"
        yield f"{name}: {quoted(each.quote, detail.quoted)}.{why} [{each.law}]"
    if len(found) > detail.findings:
        yield f"And {len(found) - detail.findings} more."


def _own_words(text: str, quotation: re.Match[str]) -> str:
    """Only words of the claim get quotation marks, because a reader may look them up."""
    words = quotation[1]
    return quotation[0] if re.search(rf"\b{re.escape(words)}\b", text) else words


def _referred(examined: Examined) -> str:
    parents, missing = examined.claim.parents, examined.analysis.missing
    if not parents:
        return "it refers to no claim"
    shown = numbers(parents)
    if not missing:
        return f"it refers to {shown}"
    return f"it refers to {shown}, of which {len(parents) - len(missing)} can be examined"


def _proved(examined: Examined, detail: Detail) -> str:
    """The proofs that hold, first those that lead through other claims."""
    phrases = examined.analysis.phrases
    if not phrases:
        return "it has no definite phrase"
    said = proof_sentences(examined.claims, examined.claim.number, examined.analysis, detail.quoted)
    count = "one definite phrase" if len(phrases) == 1 else f"{len(phrases)} definite phrases"
    shown = said[: detail.proofs]
    if len(said) > len(shown):
        shown.append(f"{len(said) - len(shown)} more have one")
    return f"{count} need a basis" + (f": {', '.join(shown)}" if shown else "")


def proof_sentences(
    claims: ClaimSet, number: int, analysis: ClaimAnalysis, most: int, *, at_home: bool = True
) -> list[str]:
    """ "'the valve' rests on 'a valve' of claim 1": each proof of the claim that holds, once, those that lead
    through other claims first; those within the claim only if `at_home`. Quotations have at most `most`
    characters. A source that is not among `claims`, where a chain was cut, is left out."""
    holding = [
        phrase
        for phrase in analysis.phrases
        if phrase.source is not None
        and phrase.basis in _HOLDING
        and (at_home or phrase.source.claim != number)
        and claims.get(phrase.source.claim) is not None
    ]
    holding.sort(key=lambda phrase: -len(phrase.path))
    return list(dict.fromkeys(_proof(claims, number, phrase, most) for phrase in holding))


def _proof(claims: ClaimSet, number: int, phrase: ResolvedPhrase, most: int) -> str:
    source = phrase.source
    if source is None:
        raise ValueError("a proof that holds has a source")
    words = _RESTS.get(phrase.basis, "rests on")
    place = "of this claim" if source.claim == number else f"of claim {source.claim}"
    between = [each for each in phrase.path[1:-1] if each != source.claim]
    way = f" by way of {numbers(between)}" if between else ""
    own = Place(number, phrase.start, phrase.end)
    return f"{_words(claims, own, most)} {words} {_words(claims, source, most)} {place}{way}"


def _words(claims: ClaimSet, place: Place, most: int) -> str:
    return quoted(claims[place.claim].text[place.start : place.end], most)


def quoted(text: str, most: int) -> str:
    """The text between quotation marks, its end left out if it is longer than `most` characters."""
    return f"'{text[:most]}'" + ("…" if len(text) > most else "")


def opening(text: str, most: int) -> str:
    """The first `most` characters of the text or fewer, cut between words if possible."""
    if len(text) <= most:
        return text
    kept = text[:most]
    whole = kept if text[most].isspace() else kept.rpartition(" ")[0].rstrip()
    return whole if len(whole) > most // 2 else kept


def cut(text: str, most: int) -> str:
    """At most `most` characters of the text, and a mark if there were more."""
    return text if len(text) <= most else f"{text[:most]}…"


def numbers(claims: Sequence[int], most: int = 8) -> str:
    """ "claims 1, 2 and more": at most `most` of them by number."""
    shown = ", ".join(map(str, claims[:most]))
    return f"claim{'s' if len(claims) > 1 else ''} {shown}{' and more' if len(claims) > most else ''}"
