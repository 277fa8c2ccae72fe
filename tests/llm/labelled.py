"""Claims of which the true class is known: sound ones of our own, and the same with one defect put in."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from ace.claims.model import ClaimSet
from ace.claims.readers import read_text
from ace.claims.taxonomy import PASS
from ace.local import samples
from ace_lab.data.duplicates import NearDuplicates
from ace_lab.data.manifest import MANIFEST
from ace_lab.data.quotas import Quotas
from ace_lab.data.rows import Row, write
from ace_lab.data.single_rows import Distinct, row_of
from ace_lab.data.sources import SourceSet, sound_claims
from ace_lab.injectors import INJECTORS
from ace_lab.injectors.edits import Injection
from tests.unit.lab.families import source_sets
from tests.unit.lab.samples import LEXICON

EACH: Final = 5
"""Defects of each of the five classes among the claims that an expert is measured on."""
TRAIN_EACH: Final = 6
SEED: Final = 112


@dataclass(frozen=True, slots=True)
class Labelled:
    """A claim of a set, and its row in a data set."""

    claims: ClaimSet
    row: Row

    @property
    def defective(self) -> bool:
        """Whether a defect was put in."""
        return self.row.label != PASS


def measured() -> list[Labelled]:
    """Twenty-five claims of the samples with one defect each, and the sound ones that they were made from."""
    return _labelled("calibration", [_sound_part(sample) for sample in samples.load()], EACH)


def write_data(directory: Path) -> Path:
    """The measured claims as calibration split, and rows of other claim sets to train on."""
    directory.mkdir(parents=True, exist_ok=True)
    splits = {"train": _labelled("train", source_sets(20), TRAIN_EACH), "calibration": measured()}
    files = {}
    for split, found in splits.items():
        rows = [each.row for each in found]
        write(directory / f"{split}.jsonl", rows)
        counts = {name: dict(Counter(getattr(row, name) for row in rows)) for name in ("source", "generator")}
        files[f"{split}.jsonl"] = {
            "rows": len(rows), "sources": counts["source"], "generators": counts["generator"],
        }  # fmt: skip
    (directory / MANIFEST).write_text(json.dumps({"options": {"seed": SEED}, "files": files}))
    return directory


def _labelled(split: str, members: Sequence[SourceSet], each: int) -> list[Labelled]:
    rng, distinct = Random(SEED), Distinct(NearDuplicates())
    quotas = Quotas(INJECTORS, dict.fromkeys(INJECTORS, each), distinct)
    origins = [(member, claim) for member in members for claim in sound_claims(member.claims)]
    rng.shuffle(origins)
    found = []
    for member, claim in origins:
        injection = quotas.take(member.claims, claim, rng, LEXICON, strict=False)
        if injection is None:
            continue
        for made in (injection, Injection(member.claims, claim.number, PASS, "none")):
            spans = ((made.start, made.end),) if made is injection else ()
            row = row_of(split, (member, claim), made, made.claims, spans)
            found.append(Labelled(made.claims, row))
    assert quotas.filled == each * len(INJECTORS)
    return found


def _sound_part(sample: samples.Sample) -> SourceSet:
    """A sample without the claims that are defective as written, and without what depends on them."""
    claims = read_text(sample.text)
    kept = tuple(
        claim for claim in claims if not sample.known.keys() & {claim.number, *claims.ancestors(claim.number)}
    )
    return SourceSet(sample.docket, "ace", ClaimSet(kept), sample.docket)
