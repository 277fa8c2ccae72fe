"""Two versions of a filing compared, as work for processes that can be stopped (`ace.bounded`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ace.claim_work import refuse_long, tolerant
from ace.claims.analysis import ClaimAnalysis, from_json
from ace.claims.chains import kept_claim
from ace.claims.model import ClaimSet, Status
from ace.claims.reading import Reading
from ace.claims.reports.comparison import ComparedClaim, compared
from ace.claims.terms import Terms


@dataclass(frozen=True, slots=True)
class Version:
    """The claims of a filing, (number, kept text, status that an amendment gave it), the analysis of them
    by number as text if one is stored, and the term list that it obeys."""

    claims: Sequence[tuple[int, str, str | None]]
    analysis: Mapping[str, Any] | None
    terms: Terms


def versions_compared(versions: tuple[Version, Version]) -> list[ComparedClaim]:
    """What became of the claims of the first version in the second. Raises Refused if claims without an
    analysis are too long to make one."""
    before, after = map(_set, versions)
    return compared(before, after, _analyses(versions[0], before), _analyses(versions[1], after))


def _set(version: Version) -> ClaimSet:
    kept = ((kept_claim(number, text), status) for number, text, status in version.claims)
    return ClaimSet(
        tuple(claim if status is None else replace(claim, status=Status(status)) for claim, status in kept)
    )


def _analyses(version: Version, claims: ClaimSet) -> dict[int, ClaimAnalysis]:
    if version.analysis is not None:
        return {
            claim.number: from_json(version.analysis.get(str(claim.number), {}), claim.number, claim.text)
            for claim in claims
        }
    refuse_long(sum(len(text) for _, text, _ in version.claims))
    reading = Reading(claims, version.terms)
    return {claim.number: tolerant(reading, claim) for claim in reading.claims}
