"""Charts: where the columns and lines of numbers stand."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from ace.desk.charts import HEIGHT, LARGEST_DOT, MINUTES, WIDTH, columns, line, reliability
from ace.routing.calibration import ReliabilityBin

NOW = datetime(2026, 11, 20, 9, 30, 42, tzinfo=UTC)
MINUTE = NOW.replace(second=0)


def decided(minutes_ago: int, by: str, count: int) -> Any:
    return {"minute": MINUTE - timedelta(minutes=minutes_ago), "decided_by": by, "count": count}


def test_columns_stand_at_their_minute_on_top_of_one_another() -> None:
    drawn = columns([decided(0, "gatekeeper", 30), decided(0, "expert", 10), decided(59, "expert", 20)], NOW)
    assert drawn.most == 40
    newest = WIDTH - WIDTH / MINUTES
    assert [(box.x, box.y, box.height, box.series) for box in drawn.boxes] == [
        (newest, HEIGHT / 4, HEIGHT * 3 / 4, "gatekeeper"),
        (newest, 0, HEIGHT / 4, "expert"),
        (0, HEIGHT / 2, HEIGHT / 2, "expert"),
    ]
    assert [minute for minute, _ in drawn.rows] == [MINUTE - timedelta(minutes=59), MINUTE]


def test_an_hour_without_verdicts_has_no_column() -> None:
    assert columns([], NOW).boxes == []


def test_a_line_spans_its_points_and_marks_some() -> None:
    drawn = line([(1.0, 0.1), (0.5, 0.0)], [(0.75, 0.05), (0.5, 0.0)])
    assert drawn.path == f"M{WIDTH / 2} {HEIGHT}.0 L{WIDTH}.0 0.0"
    assert drawn.marks == [(WIDTH * 3 / 4, HEIGHT / 2), (WIDTH / 2, HEIGHT)]


@pytest.mark.parametrize(
    ("highest", "top"),
    [(0.0, 1.0), (0.1055, 0.11), (0.12, 0.12), (0.2, 0.2), (0.21, 0.3), (0.95, 1.0), (0.0083, 0.009)],
)
def test_a_scale_ends_at_a_round_number_that_no_point_exceeds(highest: float, top: float) -> None:
    assert line([(0.2, 0.0), (0.4, highest)], []).top == pytest.approx(top)


def test_reliability_has_a_dot_for_each_bin_whose_area_says_how_many_claims_it_stands_for() -> None:
    many, few = ReliabilityBin(0.0, 0.5, 100, 0.25, 0.5), ReliabilityBin(0.5, 1.0, 25, 0.75, 1.0)
    drawn = reliability([many, few])
    assert drawn is not None
    assert drawn.dots == [
        (WIDTH / 4, HEIGHT / 2, LARGEST_DOT),
        (WIDTH * 3 / 4, 0.0, LARGEST_DOT / 2),
    ]
    assert drawn.line.top == 1.0
    assert reliability([]) is None
