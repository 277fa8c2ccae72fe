"""Elements that only the preamble of a claim introduces, and on which its body relies (MPEP 2111.02)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ace.claims.checks.remarks.rules import RULE
from ace.claims.checks.remarks.sightings import Sighting, preamble_end
from ace.claims.language.subject_matter import subject_of
from ace.claims.model import Claim
from ace.claims.reading import Reading

_GERUND: Final = re.compile(r"[a-z]{2,30}ing\s(?=\w)")


def relied_on(reading: Reading, claim: Claim) -> Iterator[Sighting]:
    """Each element of the preamble of an independent claim on which a definite phrase of its body rests."""
    if claim.parents:
        return
    text = claim.text
    body, subject = preamble_end(text), subject_of(text)
    named = subject.end if subject is not None else 0
    seen: set[int] = set()
    for proof in reading.graph.proofs.get(claim.number, ()):
        source = proof.source
        if source is None or source.definite or source.claim != claim.number or proof.mention.start < body:
            continue
        if named < source.end <= body and source.start not in seen:
            seen.add(source.start)
            gerund = _GERUND.match(text, source.start, source.end)
            yield Sighting(RULE["preamble_basis"], gerund.end() if gerund else source.start, source.end)
