"""The reference graph of a claim set as data: what refers to what, and what every definite phrase rests on.

A mapping for JSON, which graph_svg.py draws. Offsets count code points of the claim's text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ace.claims.findings import Finding
from ace.claims.model import Claim, ClaimSet
from ace.claims.reading import Reading
from ace.claims.references.graph import Dependency, Mention, Proof


def graph_as_json(reading: Reading, findings: Iterable[Finding] = ()) -> dict[str, Any]:
    """Claims with their levels and paths, dependencies, mentions, proofs, and the spans of findings.

    A claim of level 0 refers to no existing claim; any other is one level above the highest it refers to.
    `numbers` of a dependency are the claims that it means, `parents` those of them that exist.
    """
    graph, claims = reading.graph, reading.filed
    levels = levels_of(claims)
    return {
        "claims": [
            {
                "number": claim.number,
                "status": None if claim.status is None else claim.status.value,
                "text": claim.text,
                "level": levels[claim.number],
                "paths": [list(path) for path in graph.paths(claim.number)],
            }
            for claim in claims
        ],
        "dependencies": [_dependency(claims[each.claim], each) for each in graph.dependencies],
        "mentions": [
            _mention(claims, mention) for claim in claims for mention in graph.mentions(claim.number)
        ],
        "proofs": [_proof(claims, proof) for claim in claims for proof in graph.proofs.get(claim.number, ())],
        "findings": [
            {
                "claim": finding.claim,
                "start": finding.start,
                "end": finding.end,
                "quote": finding.quote,
                "class": finding.error_class.value,
                "subtype": finding.subtype,
                "ground": finding.ground.value,
            }
            for finding in findings
        ],
    }


def levels_of(claims: ClaimSet) -> Mapping[int, int]:
    """The level of each claim. References in a circle, to itself and to nothing do not count."""
    levels: dict[int, int] = {}
    for claim in claims:
        waiting = [claim.number]
        entered: set[int] = set()
        while waiting:
            number = waiting[-1]
            parents = [p for p in claims[number].parents if p != number and claims.get(p) is not None]
            above = [] if number in entered else [p for p in parents if p not in levels and p not in entered]
            entered.add(number)
            if above and number not in levels:
                waiting.extend(above)
                continue
            waiting.pop()
            levels.setdefault(number, 1 + max((levels[p] for p in parents if p in levels), default=-1))
    return levels


def _dependency(claim: Claim, dependency: Dependency) -> dict[str, Any]:
    reference = dependency.reference
    return {
        "claim": dependency.claim,
        "numbers": list(reference.numbers),
        "parents": list(dependency.parents),
        "manner": reference.manner.value,
        "other_category": reference.other_category,
        "start": reference.start,
        "end": reference.end,
        "quote": claim.text[reference.start : reference.end],
    }


def _mention(claims: ClaimSet, mention: Mention) -> dict[str, Any]:
    return {
        **_words_of(claims, mention),
        "head": mention.head,
        "plural": mention.plural,
        "definite": mention.definite,
    }


def _proof(claims: ClaimSet, proof: Proof) -> dict[str, Any]:
    return {
        **_words_of(claims, proof.mention),
        "basis": proof.basis.value,
        "confidence": round(proof.confidence, 4),
        "source": None if proof.source is None else _words_of(claims, proof.source),
        "path": list(proof.path),
        "candidates": [_words_of(claims, candidate) for candidate in proof.candidates],
        "missing": [list(path) for path in proof.missing],
    }


def _words_of(claims: ClaimSet, mention: Mention) -> dict[str, Any]:
    text = claims[mention.claim].text
    return {
        "claim": mention.claim,
        "start": mention.start,
        "end": mention.end,
        "quote": text[mention.start : mention.end],
    }
