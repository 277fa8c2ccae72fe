"""The audit: an unbiased share of wrong verdicts, and alarms without a reason rarer than promised."""

from dataclasses import replace

import numpy as np
import pytest

from ace.routing.audit import DELTA, AuditedDay, audited, tolerated
from ace.routing.calibration import CurvePoint
from tests.fakes import CALIBRATION

P = 0.02  # with which a verdict is drawn


def days(
    wrong: float, *, count: int = 30, verdicts: int = 4_000, p: float = 0.02, seed: int = 0
) -> list[AuditedDay]:
    """Days of verdicts, of which this share is wrong, and all that are drawn are labelled."""
    draw = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        labels = draw.random(draw.binomial(verdicts, P)) < wrong
        found.append(AuditedDay(verdicts, len(labels), [(P, bool(each)) for each in labels]))
    return found


def test_the_share_lies_between_its_bounds() -> None:
    found = audited(days(0.06), 0.5)
    assert found.labels == found.drawn == pytest.approx(2_400, rel=0.05)
    assert found.estimate == pytest.approx(0.06, abs=0.015)
    assert found.high is not None
    assert 0 < found.low < 0.06 < found.high < 0.12
    assert found.alarm_day is None


def test_an_alarm_comes_when_more_is_wrong_than_tolerated() -> None:
    assert audited(days(0.12), 0.05).alarm_day is not None
    assert audited(days(0.02), 0.05).alarm_day is None


def test_false_alarms_are_rarer_than_promised() -> None:
    alarms = [audited(days(0.05, seed=seed), 0.05).alarm_day is not None for seed in range(200)]
    assert sum(alarms) <= 200 * DELTA


def test_a_shift_is_noticed_although_the_days_before_were_good() -> None:
    alarm = audited([*days(0.03), *days(0.15, seed=1)], 0.05).alarm_day
    assert alarm is not None
    assert 30 <= alarm < 45


def test_a_label_counts_by_how_rarely_its_verdict_is_drawn() -> None:
    rare, common = AuditedDay(10_000, 50, [(0.005, True)] * 50), AuditedDay(1_000, 100, [(0.1, False)] * 100)
    found = audited([rare, common] * 5, 1.0)
    assert found.estimate == pytest.approx(10_000 / 11_000)


def test_what_nobody_has_judged_counts_as_right_and_leaves_the_upper_bound_open() -> None:
    whole = days(0.12)
    some = [replace(day, labels=day.labels[::2]) for day in whole]
    found, all_judged = audited(some, 0.05), audited(whole, 0.05)
    assert found.high is None
    assert found.low < all_judged.low


def test_without_labels_nothing_is_known() -> None:
    found = audited([AuditedDay(1_000, 0, []), AuditedDay(1_000, 3, [])], 0.05)
    assert (found.estimate, found.low, found.high, found.alarm_day) == (None, 0.0, None, None)
    assert audited([], 0.05).drawn == 0


def test_what_is_tolerated() -> None:
    curve = tuple(CurvePoint(share, 1 - share, right, None) for share, right in ((0.0, 0.9), (0.4, 0.96)))
    record = replace(CALIBRATION, n=1_000, escalation=0.2, curve=curve)
    expected = 0.07 + 1.645 * (0.07 * 0.93 / 800) ** 0.5
    assert tolerated(record) == pytest.approx(expected)
    promised = replace(record, policy="risk", parameters={"alpha": 0.03, "error": "any"})
    assert tolerated(promised) == 0.03
    of_passes = replace(promised, parameters={"alpha": 0.03, "error": "false-pass"})
    assert tolerated(of_passes) == pytest.approx(expected)  # its promise is about other errors
    assert tolerated(promised, alpha=0.1) == 0.1
    assert tolerated(CALIBRATION) == 1.0
