"""What rules, gatekeeper and verdict say of labelled claims and of edited ones.

Every claim is judged with the analysis of its whole set, as the queues do. `verdict` is what a fresh
installation decides: routing by the record that is made for the structural examiner, and that examiner's
answer for the claims that go up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ace.claims.analysis import AnalysedClaim, ClaimAnalysis, analyse
from ace.claims.findings import Finding
from ace.claims.model import ClaimSet
from ace.claims.taxonomy import LABELS
from ace.gatekeeper.engine import LoadedEngine
from ace.gatekeeper.facts import claim_facts
from ace.gatekeeper.loading import FOR_EXAMINER, SHIPPED_MODEL, load_engine
from ace.gatekeeper.probabilities import probabilities
from ace.routing.calibration import Calibration, record_file
from ace.routing.policy import doubt, route
from ace.routing.score import binary_entropy, p_inv
from ace_lab.evaluation.judges import class_of_opinion
from ace_lab.experts.opinions import StructuralExpert
from ace_lab.readings.corpus import Corpus, edited_set
from ace_lab.readings.labels import Label, Place
from ace_lab.readings.records import Edit

Progress = Callable[[int], None]
Floats = NDArray[np.float64]
_CHUNK = 256


@dataclass(frozen=True, slots=True)
class Gatekeeper:
    """A model with its two records: for any expert, and for the structural examiner."""

    engine: LoadedEngine
    for_examiner: Calibration

    @classmethod
    def load(cls, folder: Path = SHIPPED_MODEL) -> Gatekeeper:
        """The gatekeeper in a folder. Raises ModelError."""
        return cls(load_engine(folder), Calibration.load(record_file(folder, FOR_EXAMINER)))


@dataclass(frozen=True, slots=True)
class Calls:
    """What models say of N claims; every array has shape (N,).

    `gatekeeper` and `verdict` are classes (indices into LABELS, 0 is Pass), `invalid` is P_inv, and `doubts`
    has the scores that may route, by name, for any expert.
    """

    gatekeeper: NDArray[np.intp]
    verdict: NDArray[np.intp]
    invalid: Floats
    doubts: Mapping[str, Floats]


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """A labelled claim as filed: what the rules report there, and where it stands."""

    place: Place
    granted: bool
    dependent: bool
    characters: int
    art: str
    label: Label
    findings: tuple[Finding, ...]

    @property
    def rules_fail(self) -> bool:
        """Whether a reported finding fails the claim."""
        return bool(self.findings)


@dataclass(frozen=True, slots=True)
class JudgedEdit:
    """An edit, and how many findings its whole set gained, by rule."""

    edit: Edit
    gained: Counter[str]


def failing(analysis: ClaimAnalysis) -> tuple[Finding, ...]:
    """The reported findings that fail a claim."""
    return tuple(finding for finding in analysis.reported() if finding.fails)


def judge_claims(
    corpus: Corpus, labels: Mapping[Place, Label], patents: Iterable[str], progress: Progress
) -> tuple[list[JudgedClaim], list[AnalysedClaim]]:
    """The rules' findings on every labelled claim of these sets, and the claims as models read them."""
    judged: list[JudgedClaim] = []
    inputs: list[AnalysedClaim] = []
    for patent in patents:
        member = corpus.sets[patent]
        analyses = analyse(member.claims)
        kind = art_of(member.claims)
        for claim in member.claims:
            label = labels.get((patent, claim.number))
            if label is not None:
                found = failing(analyses[claim.number])
                place = (patent, claim.number)
                dependent, length = bool(claim.parents), len(claim.text)
                judged.append(JudgedClaim(place, member.granted, dependent, length, kind, label, found))
                inputs.append(AnalysedClaim.of(member.claims.input_of(claim.number), analyses[claim.number]))
        progress(1)
    return judged, inputs


def judge_edits(
    corpus: Corpus, edits: Sequence[Edit], progress: Progress
) -> tuple[list[JudgedEdit], list[AnalysedClaim], list[AnalysedClaim]]:
    """What the rules gain by each edit, and the claim as models read it, before and after."""
    judged: list[JudgedEdit] = []
    before: list[AnalysedClaim] = []
    after: list[AnalysedClaim] = []
    for edit in edits:
        member = corpus.sets[edit.patent]
        seen = []
        for claims, inputs in ((member.claims, before), (edited_set(member, edit), after)):
            analyses = analyse(claims)
            seen.append(
                Counter(
                    (number, finding.rule_id) for number, one in analyses.items() for finding in failing(one)
                )
            )
            inputs.append(AnalysedClaim.of(claims.input_of(edit.claim), analyses[edit.claim]))
        gained: Counter[str] = Counter()
        for (_, rule), count in (seen[1] - seen[0]).items():
            gained[rule] += count
        judged.append(JudgedEdit(edit, gained))
        progress(1)
    return judged, before, after


def calls_on(gatekeeper: Gatekeeper, claims: Sequence[AnalysedClaim], progress: Progress) -> Calls:
    """What gatekeeper and verdict say of claims."""
    engine, record = gatekeeper.engine, gatekeeper.engine.calibration
    logits = []
    for at in range(0, len(claims), _CHUNK):
        chunk = claims[at : at + _CHUNK]
        logits.append(engine.logits(chunk))
        progress(len(chunk))
    raw, facts = np.concatenate(logits), claim_facts(claims)
    sure = [claim.analysis.sure for claim in claims]
    p = probabilities(raw, claims, record)
    alone = route(p, record, sure, facts)
    fresh = route(probabilities(raw, claims, gatekeeper.for_examiner), gatekeeper.for_examiner, sure, facts)
    opinions = StructuralExpert().examine(claims, [0] * len(claims))
    asked = np.array([class_of_opinion(opinion, 0) for opinion in opinions])
    own = np.where(fresh.fail, fresh.error_class, 0)
    return Calls(
        np.where(alone.fail, alone.error_class, 0),
        np.where(fresh.escalate, asked, own),
        p_inv(p),
        {"U": binary_entropy(p), record.score: doubt(p, record, facts)},
    )


_ARTS: Mapping[str, str] = {
    "chemistry and biology": "acid acids amino antibody cell cells composition compound concentration dna"
    " formulation gene nucleic peptide pharmaceutical polymer polypeptide protein rna sequence solution"
    " subject treating virus",
    "software and electronics": "circuit code computer computing data device digital electrode executing"
    " image information instructions interface memory network processor program sensor server signal storage"
    " user voltage wireless",
    "mechanics": "arm assembly bearing body bracket chamber coupled cylinder frame handle housing member"
    " mounted outer plate portion rotating shaft side spring surface valve wall",
}
"""Words that are frequent in claims of one kind of art, chosen by us: a rough split for a table."""


def art_of(claims: ClaimSet) -> str:
    """The kind of art whose words are the most frequent in a set."""
    words = Counter(word.strip(",;:.()") for claim in claims for word in claim.text.lower().split())
    return max(_ARTS, key=lambda art: sum(words[word] for word in _ARTS[art].split()))


def true_classes(judged: Sequence[JudgedClaim]) -> NDArray[np.intp]:
    """The labels as indices into LABELS, 0 is Pass; shape (N,)."""
    defects = [claim.label.defect for claim in judged]
    return np.array([0 if d is None else LABELS.index(d.error_class) for d in defects], dtype=np.intp)
