"""A complete data set from one seed: rows of three splits, held-out rows, and claim sets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from random import Random

from ace.gatekeeper.engine import LoadedEngine
from ace_lab.data import held_out_rows
from ace_lab.data.duplicates import NearDuplicates
from ace_lab.data.llm_rows import LlmRows
from ace_lab.data.mistake_rows import mistake_rows
from ace_lab.data.pools import SHARES, SPLITS, Pools
from ace_lab.data.rows import Row, SetRow
from ace_lab.data.set_rows import set_rows
from ace_lab.data.single_rows import Distinct, single_rows
from ace_lab.data.sound_rows import hard_rows, sound_rows
from ace_lab.injectors import INJECTORS

TRAIN = SPLITS[0]
SET_SPLITS = ("calibration", "test")
"""The splits that also have claim sets."""


@dataclass(frozen=True, slots=True)
class DatasetPlan:
    """The rows requested over all splits; `class_rows` for each of the five classes.

    For training only: `sound_rows` are further harmless edits, `mistakes` the families of studied mistakes
    that are tried on each set.
    """

    pass_rows: int = 20_000
    class_rows: int = 4_000
    seed: int = 1
    sound_rows: int = 0
    mistakes: int = 6

    def asked(self, split: str) -> dict[str, int]:
        """The number of single rows of each label requested for a split or for the held-out rows."""
        share = SHARES["test" if split == held_out_rows.SPLIT else split]
        classes = dict.fromkeys(INJECTORS, round(self.class_rows * share))
        pass_rows = sum(classes.values()) if split == held_out_rows.SPLIT else round(self.pass_rows * share)
        return {"pass": pass_rows, **classes}


def build(
    pools: Pools,
    plan: DatasetPlan,
    injected: LlmRows | None = None,
    gatekeeper: LoadedEngine | None = None,
) -> Iterator[Row | SetRow]:
    """The rows of each split, the held-out rows, and the claim sets of calibration and test.

    Test is built first and train last, so that train repeats no row of another split. Rows `injected` by
    language models replace rows that rules would make; rows of studied mistakes come on top of the plan, and
    so do granted claims that a `gatekeeper` fails.
    """
    injected = injected or LlmRows()
    built = NearDuplicates()
    for split in reversed(SPLITS):
        pool, rng, asked = pools.by_split[split], Random(f"{plan.seed}/{split}"), plan.asked(split)
        distinct = Distinct(built)
        texts = []
        rows = single_rows(pool, asked, distinct, rng, injected.rows_for(pool, asked, distinct))
        if split == TRAIN:
            rows = chain(
                rows,
                mistake_rows(pool, plan.mistakes, distinct, Random(f"{plan.seed}/mistakes")),
                sound_rows(pool, plan.sound_rows, distinct, Random(f"{plan.seed}/sound")),
                hard_rows(pool, gatekeeper, distinct) if gatekeeper else (),
            )
        for row in rows:
            texts.append(row.text)
            yield row
        for text in texts:
            built.add(text)
    asked = plan.asked(held_out_rows.SPLIT)
    yield from held_out_rows.held_out_rows(pools.by_split["test"], asked, Random(f"{plan.seed}/unseen"))
    for split in SET_SPLITS:
        yield from set_rows(pools.by_split[split], Random(f"{plan.seed}/{split}/sets"), injected)
