"""The simulated months: a shift is noticed on its first day, and months without one are quiet."""

from benchmarks.drift import SHIFTED, Shift, month, noticed, tried


def test_a_whole_new_art_is_noticed_at_once_in_everything() -> None:
    found = month(1, 4_000, Shift(new=1.0))
    first = {which: min(days) for which, days in found.alarms.items() if which != "audit"}
    assert first == dict.fromkeys(("score", "length", "class", "share"), SHIFTED)
    figures = noticed("new", [found])
    assert (figures["new_any_days"], figures["new_any_found"], figures["new_any_early"]) == (1, 1, 0)


def test_a_month_without_a_shift_is_quiet() -> None:
    alarms = month(2, 4_000).alarms
    assert alarms == {"score": [], "length": [], "class": [], "share": [], "audit": []}


def test_only_an_audit_notices_errors_that_cannot_be_seen() -> None:
    found = month(3, 10_000, Shift(worse=4.0))
    assert found.wrong > 2 * found.tolerated
    assert {which for which, days in found.alarms.items() if days} == {"audit"}
    assert found.alarms["audit"][0] >= SHIFTED


def test_a_sample_tells_of_all() -> None:
    found = tried(2_000, seed=1)
    assert abs(found["shadow_error"]) < 0.02
    assert abs(found["canary_share"] - 0.1) < 0.02
