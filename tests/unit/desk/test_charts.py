"""Charts: where the columns and lines of numbers stand."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from ace.desk.charts import HEIGHT, MINUTES, WIDTH, columns, line

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


def test_a_line_spans_its_points_and_marks_one() -> None:
    drawn = line([(1.0, 0.1), (0.5, 0.0)], (0.75, 0.05))
    assert drawn.path == f"M0.0 {HEIGHT}.0 L{WIDTH}.0 0.0"
    assert drawn.mark == (WIDTH / 2, HEIGHT / 2)
    assert (drawn.left, drawn.right, drawn.top) == (0.5, 1.0, 0.1)


@pytest.mark.parametrize("points", [[(0.2, 0.0)], [(0.2, 0.0), (0.2, 0.0)]])
def test_a_line_without_width_or_height_is_drawn_all_the_same(points: list[tuple[float, float]]) -> None:
    assert line(points, points[0]).mark == (0.0, HEIGHT)
