"""A record keeps how its rows look, as a worker will see later claims."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from ace.claims.taxonomy import LABELS
from ace.routing.calibration import Calibration
from ace_lab.calibration.fitting import Scored, fit, halves
from ace_lab.calibration.reference import with_reference
from ace_lab.calibration.thresholds import Quantile
from ace_lab.data.rows import Row
from tests.unit.lab.calibration.test_calibration_run import row, some


def rows(scored: Scored) -> list[Row]:
    """Rows of growing length; every second one depends on another."""
    return [
        replace(row(at + 1, LABELS[label]), text="word " * (at + 1), ancestors=("1. A bracket.",) * (at % 2))
        for at, label in enumerate(scored.labels)
    ]


def test_the_record_has_the_bins_of_its_rows(tmp_path: Path) -> None:
    scored = some()
    fitted = fit(scored, policy=Quantile(0.2), score="u", model_revision="r", data_hash="h")
    record = with_reference(fitted, scored, rows(scored))
    assert record.id != fitted.id
    record.save(tmp_path / "record.json")
    assert Calibration.load(tmp_path / "record.json") == record  # its bins too

    reference = record.reference
    assert reference is not None
    own = halves(scored.families) if not fitted.fitted_on else ~halves(scored.families)
    counted = len(scored.labels) if not fitted.fitted_on else int(own.sum())
    assert sum(reference.score.counts) == sum(reference.length.counts) == counted == record.n
    assert sum(reference.classes.values()) == record.n
    above = sum(
        count
        for edge, count in zip(reference.score.edges, reference.score.counts[1:], strict=True)
        if edge > record.tau
    )
    assert above <= round(record.escalation * record.n)
    assert np.median(reference.length.edges) > reference.length.edges[0]
