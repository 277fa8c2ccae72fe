"""How far readers agree on the same claims: the share of equal verdicts and Cohen's kappa (Cohen 1960)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

from ace_lab.readings.asking import Stored
from ace_lab.readings.corpus import Corpus
from ace_lab.readings.labels import SURE, opinion_of
from ace_lab.readings.records import CLASSES, PERSON, Defect

CLAIM_BY_CLAIM: Final = "claim by claim"
WHOLE_SET: Final = "whole set"
BOTH: Final = "whole set and claim by claim"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two readings of one claim: what each saw, the less certain of the two verdicts, and how they read."""

    patent: str
    claim: int
    granted: bool
    how: str
    roles: tuple[str, str]
    defects: tuple[Defect | None, Defect | None]
    sure: float

    @property
    def agree(self) -> bool:
        """Whether both pass or both fail the claim."""
        return (self.defects[0] is None) == (self.defects[1] is None)


@dataclass(frozen=True, slots=True)
class Agreement:
    """Claims read twice, those on which the verdicts agree, and kappa; NaN if all verdicts are the same."""

    claims: int
    agreed: int
    kappa: float


def agreement(pairs: Sequence[Pair], error_class: str | None = None) -> Agreement:
    """The agreement of pairs of readings on Pass and Fail, or on whether a claim fails for one class."""

    def calls(at: int) -> list[bool]:
        defects = (pair.defects[at] for pair in pairs)
        return [d is not None and error_class in (None, d.error_class) for d in defects]

    number, first, second = len(pairs), calls(0), calls(1)
    if not number:
        return Agreement(0, 0, math.nan)
    agreed = sum(one == other for one, other in zip(first, second, strict=True))
    low, high = sum(first) / number, sum(second) / number
    by_chance = low * high + (1 - low) * (1 - high)
    kappa = (agreed / number - by_chance) / (1 - by_chance) if by_chance < 1 else math.nan
    return Agreement(number, agreed, kappa)


def pairs_of(corpus: Corpus, stored: Stored) -> list[Pair]:
    """Every pair of readings of the same claim as filed by readers in different roles, persons left out."""
    by_claim: dict[tuple[str, int], list[tuple[str, str, Defect | None, float]]] = {}
    for reading in stored.claims:
        if reading.edit is None and reading.source.reader != PERSON:
            entry = (CLAIM_BY_CLAIM, reading.source.role, reading.defect, reading.sure)
            by_claim.setdefault((reading.patent, reading.claim), []).append(entry)
    for whole in stored.sets:
        for claim in corpus.sets[whole.patent].claims:
            defect, _ = opinion_of(whole, claim.number)
            sure = 1.0 if defect is None else defect.sure
            by_claim.setdefault((whole.patent, claim.number), []).append(
                (WHOLE_SET, whole.source.role, defect, sure)
            )
    return [
        Pair(
            patent,
            claim,
            corpus.sets[patent].granted,
            first[0] if first[0] == second[0] else BOTH,
            (first[1], second[1]),
            (first[2], second[2]),
            min(first[3], second[3]),
        )
        for (patent, claim), entries in by_claim.items()
        for first, second in combinations(entries, 2)
    ]


def tables(pairs: Sequence[Pair]) -> dict[str, list[dict[str, Any]]]:
    """Agreement by how the claims were read, and within each by certainty, class and kind of text."""
    found = {}
    for how in (CLAIM_BY_CLAIM, WHOLE_SET, BOTH):
        members = [pair for pair in pairs if pair.how == how]
        if not members:
            continue
        parts = {name: agreement(list(filter(holds, members))) for name, holds in _PARTS.items()}
        parts |= {f"fails for {name}": agreement(members, name) for name in CLASSES}
        found[how] = [{"claims": name, **_row(part)} for name, part in parts.items()]
    return found


def disagreements(pairs: Iterable[Pair]) -> list[dict[str, Any]]:
    """The claims on which readers disagree, with their most certain Fail, for a third reading. A disagreement
    in which both are certain comes first."""
    apart = sorted(
        (pair for pair in pairs if not pair.agree), key=lambda pair: (-pair.sure, pair.patent, pair.claim)
    )
    claims: dict[tuple[str, int], list[Pair]] = {}
    for pair in apart:
        claims.setdefault((pair.patent, pair.claim), []).append(pair)
    return [_disagreement(members) for members in claims.values()]


def _disagreement(pairs: Sequence[Pair]) -> dict[str, Any]:
    seen = [
        (pair.roles[at], pair.roles[1 - at], defect)
        for pair in pairs
        for at in (0, 1)
        if (defect := pair.defects[at]) is not None
    ]
    defect = max((each for _, _, each in seen), key=lambda each: each.sure)
    return {
        "patent": pairs[0].patent,
        "claim": pairs[0].claim,
        "read": ", ".join(sorted({pair.how for pair in pairs})),
        "failed_by": sorted({failed for failed, _, _ in seen}),
        "passed_by": sorted({passed for _, passed, _ in seen}),
        "class": defect.error_class,
        "quote": defect.quote,
        "sure": defect.sure,
        "why": defect.why,
    }


_PARTS: Final[dict[str, Callable[[Pair], bool]]] = {
    "all": lambda _pair: True,
    "granted": lambda pair: pair.granted,
    "applications": lambda pair: not pair.granted,
    f"both certain from {SURE}": lambda pair: pair.sure >= SURE,
}


def _row(found: Agreement) -> dict[str, Any]:
    return {
        "read": found.claims,
        "agreed": found.agreed,
        "share": round(found.agreed / found.claims, 4) if found.claims else None,
        "kappa": None if math.isnan(found.kappa) else round(found.kappa, 3),
    }
