"""Drift: each measure against what is known of it, and alarms only for what is large and no chance."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from ace.claims.taxonomy import LABELS
from ace.routing import drift
from ace.routing.calibration import Calibration, CurvePoint
from ace.routing.drift import Characteristic, Day
from ace.routing.reference import Bins, Reference, counted
from tests.fakes import CALIBRATION

N = 4_000
EXPECTED = (400,) * 10
CLASSES = dict(zip(LABELS, (2_000, 600, 200, 400, 400, 400), strict=True))
RECORD = replace(
    CALIBRATION,
    n=N,
    escalation=0.2,
    reference=Reference(
        score=Bins(tuple(np.arange(1, 10) / 10), EXPECTED),
        length=Bins(tuple(np.arange(1.0, 10) * 20), EXPECTED),
        classes=CLASSES,
    ),
)


def a_day(**given: Any) -> Day:
    """A thousand claims that look exactly like the split."""
    same = [100] * 10
    classes = {label: count // 4 for label, count in CLASSES.items()}
    shown: dict[str, Any] = {
        "claims": 1_000,
        "doubtful": 200,
        "decided": 790,
        "score": same,
        "length": same,
        "classes": classes,
        "effects": {},
    }
    return Day(**(shown | given))


def drifting(record: Calibration, day: Day) -> set[str]:
    return {one.characteristic.value for one in drift.differences(record, day) if one.drifts}


def test_a_day_like_the_split_drifts_in_nothing() -> None:
    found = drift.differences(RECORD, a_day())
    assert [one.characteristic for one in found] == [
        Characteristic.SCORE,
        Characteristic.LENGTH,
        Characteristic.CLASS,
        Characteristic.SHARE,
    ]
    assert not any(one.drifts for one in found)
    assert all(one.psi == pytest.approx(0, abs=1e-3) for one in found[:3])


@pytest.mark.parametrize(
    ("given", "drifts"),
    [
        ({"score": [50] * 5 + [150] * 5}, {"score"}),
        ({"length": [50] * 5 + [150] * 5}, {"length"}),
        ({"classes": {**dict.fromkeys(LABELS, 100), "pass": 500}}, set()),  # no two differ by much
        ({"classes": {**dict.fromkeys(LABELS, 100), "logical": 500}}, {"class"}),
        ({"doubtful": 300}, {"share"}),
        ({"doubtful": 120}, {"share"}),
        ({"doubtful": 225}, set()),  # as likely as not
    ],
)
def test_what_differs_much_and_surely_drifts(given: dict[str, Any], drifts: set[str]) -> None:
    assert drifting(RECORD, a_day(**given)) == drifts


def test_claims_of_one_filing_say_less() -> None:
    shifted = {"score": [65] * 5 + [135] * 5, "doubtful": 280}
    assert drifting(RECORD, a_day(**shifted)) == {"score", "share"}
    assert drifting(RECORD, a_day(**shifted, effects={"score": 9.0, "share": 9.0})) == set()
    few = drift.differences(RECORD, a_day(**shifted, effects=dict.fromkeys(Characteristic, 11.0)))
    assert few == []  # fewer than a hundred in effect


def test_a_difference_may_be_sure_and_small() -> None:
    many = a_day(claims=10**6, doubtful=200_000, score=[99_000] * 5 + [101_000] * 5, length=[100_000] * 10)
    score = drift.differences(replace(RECORD, n=10**6), many)[0]
    assert score.psi is not None
    assert score.psi < drift.LARGE
    assert not score.drifts


def test_an_earlier_record_knows_the_quantiles_of_its_curve() -> None:
    curve = tuple(CurvePoint(share, tau, 0.9, None) for share, tau in ((0.0, 0.7), (0.2, 0.5), (0.6, 0.1)))
    record = replace(CALIBRATION, n=1_000, curve=(*curve, curve[1]))
    bins = drift.score_bins(record)
    assert bins is not None
    assert bins.counts == (400, 400, 200)
    assert counted([0.1, np.nextafter(0.1, 1), 0.5, 0.51], bins.edges) == [1, 2, 1]  # tau does not escalate
    found = drift.differences(record, a_day(score=[400, 400, 200], length=[], classes={}))
    assert [one.characteristic for one in found] == [Characteristic.SCORE, Characteristic.SHARE]
    assert drift.score_bins(CALIBRATION) is None


@pytest.mark.parametrize(
    ("value", "freedom"), [(33.7, 9), (7.0, 5), (0.3, 1), (3.0, 2), (40.0, 12), (0.0, 4)]
)
def test_the_tail_of_chi_squared(value: float, freedom: int) -> None:
    assert drift.chi_squared(value, freedom) == pytest.approx(stats.chi2.sf(value, freedom))


@pytest.mark.parametrize("distance", [0.001, 0.02, 0.05, 0.1])
def test_the_tail_of_kolmogorov(distance: float) -> None:
    exact = stats.kstwo.sf(distance, 1_000 * N // (1_000 + N))
    assert drift.kolmogorov(distance, 1_000, N) == pytest.approx(exact, rel=0.1, abs=1e-6)


@pytest.mark.parametrize("claims", [1, 100, 5_000])
def test_the_share_is_a_binomial_over_what_the_split_leaves_open(claims: int) -> None:
    exact = stats.betabinom(claims, 801, 3_200)
    found = drift.share_probabilities(RECORD, claims)
    assert found == pytest.approx(exact.pmf(np.arange(claims + 1)), abs=1e-9)
    low, high = drift.band(RECORD, claims, 0.01)
    inside = exact.cdf(high * claims) - exact.cdf(low * claims - 1)
    assert inside >= 0.99


def test_without_drift_the_tests_are_quiet() -> None:
    draw = np.random.default_rng(3)
    chances = []
    for _ in range(400):
        expected, seen = (draw.multinomial(n, [0.1] * 10).tolist() for n in (N, 1_000))
        found = drift.psi(expected, seen)
        chances.append(drift.chi_squared(found / (1 / N + 1 / 1_000), 9))
    assert 0.02 < np.mean(np.array(chances) < 0.05) < 0.09


def test_a_design_effect_is_that_of_a_variance() -> None:
    draw = np.random.default_rng(4)
    alike = np.repeat(draw.random(500) < 0.3, 10)  # each filing is of one kind
    k, n = alike.reshape(500, 10).sum(axis=1), 10
    squares = float(((k - alike.mean() * n) ** 2).sum())
    assert drift.design_effect(5_000, int(alike.sum()), squares) == pytest.approx(10)
    assert drift.design_effect(5_000, 0, 0.0) == 1.0
    assert drift.design_effect(0, 0, 0.0) == 1.0


@pytest.mark.parametrize(
    ("edges", "counts"), [((1.0,), (1,)), ((2.0, 1.0), (1, 1, 1)), ((1.0, 1.0), (1, 1, 1))]
)
def test_bins_that_do_not_fit_are_refused(edges: tuple[float, ...], counts: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"edges"):
        Bins(edges, counts)


def test_bins_of_many_equal_values_are_fewer() -> None:
    assert Bins.of(np.arange(1_000)).counts == (100,) * 10
    tied = Bins.of([0.0] * 500 + [1.0] * 300 + [2.0] * 200)
    assert tied == Bins((1.0, 2.0), (500, 300, 200))
    assert Bins.of([3.0, 3.0]) == Bins((), (2,))
