"""Rows of a data directory in the form and order in which a model is trained on them.

Rows are JSON lines with number, text, ancestors, label and spans.
"""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ace import claim_work
from ace.bounded import Bounded
from ace.claims.analysis import with_analysis
from ace.claims.taxonomy import LABELS
from ace.errors import Refused
from ace.gatekeeper.batching import batches
from ace.gatekeeper.inputs import ClaimInput
from ace.gatekeeper.scoring_threads import cores
from ace.gatekeeper.tokens import PairTokenizer
from ace_lab.training.gatekeeper.recipe import GatekeeperRecipe

Encoded = tuple[list[int], int]

WIDTH = 16
"""Batches are padded to a multiple of this, because CPU kernels are compiled for each shape."""

ENCODED_AT_ONCE = 256
PART_SECONDS = 600.0
"""Processor time that the rows encoded at once may take. They take a second."""


@dataclass(frozen=True, slots=True)
class Example:
    """One row: its ids, the length of its own segment, its class, and its defects' positions."""

    encoded: Encoded
    label: int
    marked: tuple[int, ...]


def read_examples(
    path: Path,
    tokenizer: PairTokenizer,
    *,
    sample: int | None = None,
    hint_dropout: float = 0.0,
    seed: int = 0,
    processes: int | None = None,
    on_progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> list[Example]:
    """The rows of a file in order, or a seeded sample, without defects that truncation would hide.

    `hint_dropout` is the share of rows that are encoded without hints. `processes` share the work (None: as
    many as there are cores). `on_progress` is called with the number of rows encoded and the total. Raises
    Refused on a line that is not a row.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror}", code="data") from error
    if sample is not None and sample < len(lines):
        lines = random.Random(seed).sample(lines, sample)
    rng, bare = random.Random(seed), tokenizer.without_hints()
    rows = [(line, bare if rng.random() < hint_dropout else tokenizer) for line in lines]
    starts = range(0, len(rows), ENCODED_AT_ONCE)
    parts = [_Part(path, rows[start : start + ENCODED_AT_ONCE]) for start in starts]
    found: list[Example] = []
    for start, examples in zip(starts, _encoded(parts, processes or cores()), strict=True):
        found += examples
        on_progress(min(start + ENCODED_AT_ONCE, len(lines)), len(lines))
    return found


class _Part(NamedTuple):
    """Lines of a file, each with what encodes it."""

    path: Path
    rows: list[tuple[str, PairTokenizer]]


def _encoded(parts: Sequence[_Part], processes: int) -> Iterator[list[Example]]:
    """What `_examples` makes of each part: the analysis of a row takes milliseconds."""
    processes = min(processes, len(parts))
    if processes < 2:
        yield from map(_examples, parts)
        return
    with closing(Bounded(processes=processes, cpu_seconds=PART_SECONDS, warm=claim_work.warm)) as pool:
        for made in [pool.submit(_examples, part) for part in parts]:
            yield made.result()


def _examples(part: _Part) -> list[Example]:
    found = []
    for line, reader in part.rows:
        claim, label, spans = _row(part.path, line)
        if reader.hints:
            claim = with_analysis(claim)
        marked = {at for low, high in spans for at in reader.marked(claim, low, high)}
        if marked or not label:
            found.append(Example(reader.encode([claim])[0], label, tuple(sorted(marked))))
    return found


def _row(path: Path, line: str) -> tuple[ClaimInput, int, list[tuple[int, int]]]:
    try:
        row = json.loads(line)
        claim = ClaimInput(row["number"], row["text"], tuple(row["ancestors"]))
        return claim, LABELS.index(row["label"]), [(low, high) for low, high in row["spans"]]
    except (KeyError, TypeError, ValueError):
        raise Refused(f"{path} has a line that is not a row of a data set", code="data") from None


def planned(examples: Sequence[Example], recipe: GatekeeperRecipe) -> list[list[list[int]]]:
    """The batches of indices of each epoch: each row once, rows of similar length together, in random
    order."""
    return [
        _shuffled([len(example.encoded[0]) for example in examples], recipe, epoch)
        for epoch in range(recipe.epochs)
    ]


def _shuffled(lengths: Sequence[int], recipe: GatekeeperRecipe, epoch: int) -> list[list[int]]:
    rng = random.Random(f"{recipe.seed}/{epoch}")
    # Random order within a width, so that epochs have different batches.
    order = rng.sample(range(len(lengths)), len(lengths))
    widths = [-(-lengths[index] // WIDTH) * WIDTH for index in order]
    budget = recipe.batch_tokens or recipe.batch_rows * (max(widths, default=0) + 1)
    found = batches(widths, budget_tokens=budget, max_items=recipe.batch_rows)
    rng.shuffle(found)
    return [[order[index] for index in batch] for batch in found]
