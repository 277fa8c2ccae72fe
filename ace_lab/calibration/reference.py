"""How the rows of a calibration split look, kept in the record for later claims to be compared with."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ace.claims.taxonomy import LABELS, PASS
from ace.routing.calibration import Calibration
from ace.routing.reference import Bins, Reference
from ace.routing.score import softmax, top_error
from ace.routing.scores import calls
from ace.store.moves.submission import estimated_tokens
from ace_lab.calibration.fitting import Scored, halves
from ace_lab.data.rows import Row


def with_reference(record: Calibration, scored: Scored, rows: Sequence[Row]) -> Calibration:
    """The record with how the rows that tau comes from look to a worker: their doubt, their size, and what
    they are called."""
    own = ~halves(scored.families) if record.fitted_on else np.ones(len(rows), dtype=np.bool_)
    counted = scored.at(own)
    p = softmax(counted.logits, record.temperature)
    named = [LABELS[at] for at in top_error(p)]
    called = Counter(name if fail else PASS for name, fail in zip(named, calls(p).tolist(), strict=True))
    reference = Reference(
        score=Bins.of(counted.calls(record.temperature, record.score, record.learned).doubt),
        length=Bins.of([_size(row) for row, counts in zip(rows, own.tolist(), strict=True) if counts]),
        classes={label: called[label] for label in LABELS},
    )
    return replace(record, reference=reference).sealed()


def _size(row: Row) -> float:
    """Its estimated tokens, as when it is filed; ancestors are kept as "number. text"."""
    chain = sum(len(ancestor.partition(". ")[2]) for ancestor in row.ancestors)
    return float(estimated_tokens(len(row.text), chain))
