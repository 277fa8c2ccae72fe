"""Rows of what readers labelled: real claims as filed, written mistakes and sound edits.

`train.labelled` teaches an encoder, and has no near-duplicate of a claim of another split;
`calibration.labelled`, with the analysis of each claim in its whole set, calibrates.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ace.claims.analysis import analyse, as_json
from ace.claims.model import ClaimSet
from ace.claims.taxonomy import PASS
from ace.gatekeeper.inputs import CHAIN_CHARACTERS
from ace_lab.data.duplicates import NearDuplicates
from ace_lab.data.rows import LABELLED, WRITTEN, Row, Span
from ace_lab.readings.asking import Stored
from ace_lab.readings.corpus import Corpus, RealSet, edited_set
from ace_lab.readings.labels import SURE, Label, Place, claim_labels, edits_that_count
from ace_lab.readings.records import SOUND, Edit

UNSURE_WEIGHT: Final = 0.86
"""What a Fail counts of which its only reader was less than SURE: a second reader confirms so many
(docs/reference/labels.md)."""


def labelled_rows(corpus: Corpus, stored: Stored) -> Iterator[Row]:
    """The rows of both splits: every labelled claim as filed, then every edit that counts."""
    labels = claim_labels(corpus, stored, sure=0)
    edits, _ = edits_that_count(stored)
    others = NearDuplicates(
        claim.text for member in corpus.sets.values() if member.split != "train" for claim in member.claims
    )
    for row in _rows(corpus, labels, edits, "train"):
        if not others.has_near(row.text):
            yield row
    yield from _rows(corpus, labels, edits, "calibration")


def _rows(corpus: Corpus, labels: dict[Place, Label], edits: list[Edit], split: str) -> Iterator[Row]:
    for member in corpus.of(split):
        labelled = [claim.number for claim in member.claims if (member.patent, claim.number) in labels]
        if labelled:
            yield from _of_set(member, member.claims, {n: labels[member.patent, n] for n in labelled})
    for edit in edits:
        edited = corpus.sets.get(edit.patent)
        if edited is not None and edited.split == split:
            yield from _of_set(edited, edited_set(edited, edit), {edit.claim: edit})


def _of_set(member: RealSet, claims: ClaimSet, labels: dict[int, Label] | dict[int, Edit]) -> Iterator[Row]:
    analyses = analyse(claims) if member.split == "calibration" else {}
    for number, label in labels.items():
        shown = claims.input_of(number, max_chain_characters=CHAIN_CHARACTERS)
        error_class, spans, weight = _said(label, len(shown.text))
        yield Row(
            split=f"{member.split}.{LABELLED}",
            family=member.family,
            source=member.source,
            number=number,
            text=shown.text,
            ancestors=shown.ancestors,
            label=error_class,
            edit=WRITTEN if isinstance(label, Edit) else "none",
            generator="none",
            spans=spans,
            origin=f"{member.patent}/{number}",
            analysis=as_json(analyses[number]) if analyses else None,
            weight=weight,
        )


def _said(label: Label | Edit, length: int) -> tuple[str, tuple[Span, ...], float]:
    """The class, the words of a claim of this length that show the defect, and what the row counts."""
    if isinstance(label, Edit):
        if label.error_class == SOUND:
            return PASS, (), 1.0
        start = min(label.start, length - 1)
        return label.error_class, ((start, max(label.start + len(label.new), start + 1)),), 1.0
    if label.defect is None:
        return PASS, (), 1.0
    unsure = label.by == "whole set once" and label.defect.sure < SURE
    span = (label.defect.start, label.defect.start + len(label.defect.quote))
    return label.defect.error_class, (span,), UNSURE_WEIGHT if unsure else 1.0
