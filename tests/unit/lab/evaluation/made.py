"""A tiny data directory and a judge of known opinions, from claim sets of our own."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from ace.claims.model import ClaimInput, ClaimSet
from ace.claims.taxonomy import LABELS
from ace.routing.calibration import Calibration
from ace_lab.calibration.fitting import Scored, fit
from ace_lab.calibration.thresholds import Quantile
from ace_lab.data.rows import Defect, Row, SetRow, write
from ace_lab.evaluation.cache import AnswerCache
from ace_lab.evaluation.run import EvaluationRun, SampleSizes
from ace_lab.experts.opinions import Expert
from ace_lab.injectors import INJECTORS
from tests.unit.lab.samples import LEXICON, SET

SMALL = SampleSizes(train=200, claims=200, sets=40, resamples=50)


def row(
    label: str,
    origin: str,
    *,
    edit: str = "none",
    text: str = "A pump comprising a rotor.",
    spans: tuple[tuple[int, int], ...] = (),
    number: int = 1,
    ancestors: tuple[str, ...] = (),
    split: str = "test",
) -> Row:
    """One row of the family that its origin names before the slash."""
    family = origin.partition("/")[0]
    generator = "none" if edit == "none" else "rules"
    return Row(split, family, "ours", number, text, ancestors, label, edit, generator, spans, origin)


class Knowing:
    """An engine that is sure of what it is told to call: for measurements, where a real model's calls
    could not be told beforehand. `sure` is the logit of the class called."""

    revision = "knowing"

    def __init__(self, called: dict[str, str], *, sure: float = 4.0) -> None:
        self._called = called
        self._sure = sure
        self.asked = 0
        labels = np.array([1, 0, 1, 0])
        flat = Scored(np.zeros((4, 6)), labels, np.arange(4))
        record = fit(flat, policy=Quantile(0.0), score="u", model_revision="knowing", data_hash="")
        self.calibration: Calibration = replace(record, temperature=1.0).sealed()

    def logits(self, inputs: Sequence[ClaimInput]) -> NDArray[np.float32]:
        self.asked += len(inputs)
        out = np.zeros((len(inputs), len(LABELS)), np.float32)
        for at, claim in enumerate(inputs):
            out[at, LABELS.index(self._called.get(claim.text, "pass"))] = self._sure
        return out

    def score(self, inputs: Sequence[ClaimInput]) -> NDArray[np.float32]:
        raise NotImplementedError("an evaluation takes logits")

    def locate(
        self, inputs: Sequence[ClaimInput], classes: Sequence[int] | NDArray[np.int64]
    ) -> list[tuple[int, int] | None]:
        return [(0, 2) for _ in inputs]


def run(
    folder: Path, engine: object, expert: Expert | None = None, sizes: SampleSizes = SMALL
) -> EvaluationRun:
    """A run on a scratch folder."""
    asked = "none" if expert is None else expert.key
    return EvaluationRun(engine, expert, asked, AnswerCache(folder), 3.0, 3.0, sizes)  # type: ignore[arg-type]


def data_directory(folder: Path, *, families: int = 12) -> Path:
    """Rows of every class in every split, twins among them, dense sets, and rows of other injectors."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = Random(3)
    for split in ("train", "calibration", "test"):
        rows = [found for at in range(families) for found in _singles(split, f"{split}{at}", rng)]
        write(folder / f"{split}.jsonl", rows)
        if split != "train":
            sets = [_dense(split, f"{split}{at}", at, rng) for at in range(3 * families)]
            write(folder / f"{split}.sets.jsonl", sets)
    held = [found for at in range(families) for found in _singles("test", f"other{at}", rng)]
    write(folder / "held_out.jsonl", held)
    return folder


def _singles(split: str, family: str, rng: Random) -> list[Row]:
    found = []
    for label, injectors in INJECTORS.items():
        for claim in rng.sample(list(SET), len(SET)):
            injection = rng.choice(injectors)[0](SET, claim, rng, LEXICON)
            if injection is not None:
                found += _pair(split, family, label, injection.claims, injection.number, injection.subtype)
                break
    return found


def _pair(split: str, family: str, label: str, edited: ClaimSet, number: int, edit: str) -> list[Row]:
    origin = f"{family}/{label}/{number}"
    bad, good = edited.input_of(number), SET.input_of(number)
    placebo = "wording_swapped" if label == "syntax" else "none"
    return [
        row(
            label,
            origin,
            edit=edit,
            text=bad.text,
            spans=((0, len(bad.text)),),
            number=number,
            ancestors=bad.ancestors,
            split=split,
        ),
        row(
            "pass", origin, edit=placebo, text=good.text, number=number, ancestors=good.ancestors, split=split
        ),
    ]


def _dense(split: str, family: str, at: int, rng: Random) -> SetRow:
    label = LABELS[at % 6]
    claims, defects = SET, []
    for claim in SET if label != "pass" else ():
        for injector, _ in INJECTORS[label]:
            injection = injector(claims, claims[claim.number], rng, LEXICON)
            if injection is not None and len(injection.claims) == len(SET):
                claims = injection.claims
                place = (injection.number, injection.start, injection.end, injection.subtype)
                defects.append(Defect(*place))
                break
    texts = tuple((claim.number, claim.text) for claim in claims)
    edit = "injected" if defects else "none"
    generator = "rules" if defects else "none"
    return SetRow(split, family, "ours", texts, label, edit, generator, tuple(defects), family)
