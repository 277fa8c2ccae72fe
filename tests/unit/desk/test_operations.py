"""What people did, as the page of operations lists it."""

from datetime import UTC, datetime, timedelta

from ace.api.overview import ActOut
from ace.desk.operations import Run, runs

NOW = datetime(2026, 11, 20, tzinfo=UTC)


def act(act: str, actor: str = "key:a", reason: str = "", minutes: int = 0) -> ActOut:
    return ActOut(
        at=NOW - timedelta(minutes=minutes), actor=actor, act=act, target=f"{minutes}", reason=reason
    )


def test_many_acts_of_one_kind_in_a_row_are_one_line_and_an_order_with_a_reason_stands_alone() -> None:
    acts = [
        act("review"),
        act("review", minutes=1),
        act("review", "key:b", minutes=2),
        act("pause", reason="r", minutes=3),
        act("pause", reason="r", minutes=4),
        act("review", minutes=5),
    ]

    assert [(each.act, each.actor, each.target, each.times) for each in runs(acts)] == [
        ("review", "key:a", "0", 2),
        ("review", "key:b", "2", 1),
        ("pause", "key:a", "3", 1),
        ("pause", "key:a", "4", 1),
        ("review", "key:a", "5", 1),
    ]
    assert runs(acts)[0] == Run(NOW, "key:a", "review", "0", "", 2)
    assert runs([]) == []
