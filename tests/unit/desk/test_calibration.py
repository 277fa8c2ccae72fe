"""What the calibration page makes of a stored curve."""

from dataclasses import replace
from pathlib import Path

import pytest

from ace.desk.calibration import Outlook, band, calibration_of, outlook, together
from ace.routing.calibration import CascadePoint, CurvePoint
from ace.settings import Settings
from tests.fakes import CALIBRATION

CURVE = (
    CurvePoint(escalation=0.0, tau=0.7, accuracy=0.9, f1=None),
    CurvePoint(escalation=0.5, tau=0.3, accuracy=0.98, f1=None),
    CurvePoint(escalation=1.0, tau=0.0, accuracy=None, f1=None),
)
RECORD = replace(CALIBRATION, curve=CURVE, n=4_000)


@pytest.mark.parametrize(
    ("escalation", "expected"),
    [
        (0.0, (0.7, 0, 100, 0.0)),
        (0.5, (0.3, 500, 10, 0.9)),
        (0.25, (0.5, 250, 45, 0.55)),  # halfway between both points, of the 750 that are kept
        (1.0, (0.0, 1000, 0, 1.0)),
        (2.0, (0.0, 1000, 0, 1.0)),
    ],
)
def test_an_outlook_lies_between_the_points_of_the_curve(
    escalation: float, expected: tuple[float, ...]
) -> None:
    found = outlook(RECORD, escalation)
    assert (found.tau, found.escalated, found.missed, found.caught) == pytest.approx(expected)


def test_a_gatekeeper_that_is_never_wrong_misses_nothing() -> None:
    right = tuple(replace(point, accuracy=1.0) for point in CURVE)
    assert outlook(replace(RECORD, curve=right), 0.5) == Outlook(0.3, 500, 0, 1.0)


def test_the_band_narrows_with_the_number_of_verdicts() -> None:
    few, many, most = (band(RECORD, verdicts) for verdicts in (10, 1_000, 10**9))
    assert (few.enough, many.enough) == (False, True)
    assert few.low < many.low < RECORD.escalation < many.high < few.high
    assert many.high - RECORD.escalation == pytest.approx(
        2.5758 * (0.16 * (1 / 1_000 + 1 / 4_000)) ** 0.5, abs=1e-4
    )
    # The split is a sample too, so the band never vanishes.
    assert most.high - RECORD.escalation == pytest.approx(2.5758 * (0.16 / 4_000) ** 0.5, abs=1e-4)


def test_the_record_is_that_of_the_model_in_use(tmp_path: Path) -> None:
    settings = Settings(_env_file=None, gatekeeper_model=tmp_path)
    assert calibration_of(settings) is None
    (tmp_path / "calibration.json").write_text("{}")
    assert calibration_of(settings) is None
    RECORD.sealed().save(tmp_path / "calibration.json")
    assert calibration_of(settings) == RECORD.sealed()
    shipped = calibration_of(Settings(_env_file=None))
    assert shipped is not None
    assert len(shipped.curve) > 2


def test_gatekeeper_and_expert_together_lie_between_the_points_of_the_cascade() -> None:
    cascade = (CascadePoint(0.0, 0.5, 0.6), CascadePoint(0.5, 0.75, 0.8), CascadePoint(0.95, None, None))
    record = replace(RECORD, cascade=cascade, defective=0.3)
    alone, half = together(record, 0.0), together(record, 0.5)
    assert alone is not None
    assert half is not None
    assert (alone.found, alone.missed, alone.false_alarms) == pytest.approx((180, 120, 180))
    assert (half.found, half.missed, half.false_alarms) == pytest.approx((240, 60, 80))
    assert half.f1 == pytest.approx(2 * 0.75 * 0.8 / 1.55)
    between = together(record, 0.25)
    assert between is not None
    assert between.found == pytest.approx(210)
    assert together(RECORD, 0.5) is None
