"""Temperature, tau and the record: fitted right, told apart, refused when tampered with."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ace.routing.calibration import Calibration
from ace.routing.score import binary_entropy, softmax
from ace_lab.calibration import routing_curve as curves
from ace_lab.calibration.fitting import calibrate, fit_temperature
from ace_lab.calibration.routing_curve import routing_curve, tau_for


def some_scores(n: int = 200, seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 6, n)
    logits = rng.normal(0, 1, (n, 6))
    logits[np.arange(n), labels] += 2
    return logits, labels


def a_record(escalation: float = 0.2) -> Calibration:
    logits, labels = some_scores()
    return calibrate(
        softmax(logits),
        labels > 0,
        escalation=escalation,
        temperature=1.0,
        model_revision="abc",
        data_hash="f00d",
    )


@pytest.mark.parametrize("factor", [0.25, 1.0, 4.0])
def test_temperature_undoes_a_known_overconfidence(factor: float) -> None:
    # Given labels drawn from the softmax of the logits themselves, the best temperature is 1.
    rng = np.random.default_rng(5)
    logits = rng.normal(0, 2, (20_000, 6))
    p = softmax(logits).astype(np.float64)
    labels = (p.cumsum(axis=1) < rng.random((len(p), 1))).sum(axis=1).clip(0, 5)
    assert fit_temperature(logits * factor, labels) == pytest.approx(factor, rel=0.05)


@pytest.mark.parametrize(
    ("u", "escalation", "tau"),
    [
        ([0.1, 0.2, 0.3, 0.4, 0.5], 0.2, 0.4),
        ([0.5, 0.4, 0.3, 0.2, 0.1], 0.4, 0.3),
        ([0.1, 0.2, 0.3], 0.0, 0.3),
        ([0.1, 0.2, 0.3], 0.2, 0.3),  # one of three would be more than a fifth
        ([0.3, 0.3, 0.3, 0.3], 0.5, 0.3),  # ties never exceed the share
    ],
)
def test_tau_of_known_scores(u: list[float], escalation: float, tau: float) -> None:
    assert tau_for(np.array(u), escalation) == tau


@given(arrays(np.float64, st.integers(1, 60), elements=st.floats(0, 0.69)), st.floats(0, 0.99))
def test_never_more_than_the_share_escalates(u: np.ndarray, escalation: float) -> None:
    tau = tau_for(u, escalation)
    assert (u > tau).mean() <= escalation + 1e-9
    assert tau in u


@pytest.mark.parametrize("escalation", [-0.1, 1.0, math.nan])
def test_refuses_an_impossible_share(escalation: float) -> None:
    with pytest.raises(ValueError, match="escalation"):
        tau_for(np.array([0.1]), escalation)


def test_curve_falls_in_tau_and_starts_with_everything_kept() -> None:
    logits, labels = some_scores()
    curve = routing_curve(softmax(logits), labels > 0)
    assert len(curve) == curves.CURVE_POINTS
    assert curve[0].escalation == 0.0
    assert [point.tau for point in curve] == sorted((point.tau for point in curve), reverse=True)
    # Better than chance and sharper where surer: that is what routing lives on.
    assert curve[15].accuracy is not None
    assert curve[0].accuracy is not None
    assert curve[15].accuracy > curve[0].accuracy


def test_record_escalates_the_share_it_says() -> None:
    logits, _ = some_scores()
    record = a_record()
    assert (binary_entropy(softmax(logits)) > record.tau).mean() == pytest.approx(record.escalation)
    assert record.escalation == pytest.approx(0.2, abs=0.005)


def test_save_and_load_give_the_same_record(tmp_path: Path) -> None:
    record = a_record()
    record.save(tmp_path / "calibration.json")
    assert Calibration.load(tmp_path / "calibration.json") == record


def test_id_is_stable_and_follows_the_content() -> None:
    assert a_record().id == a_record().id
    assert a_record().id != a_record(escalation=0.3).id


def test_scores_that_are_no_numbers_are_not_calibrated() -> None:
    with pytest.raises(ValueError, match="no probabilities"):
        calibrate(
            np.full((3, 6), np.nan),
            np.zeros(3, bool),
            escalation=0.2,
            temperature=1,
            model_revision="",
            data_hash="",
        )


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"tau": 0.01}, "its id does not match"),
        ({"score": "h6"}, "its id does not match"),
        ({"promise": "No error, ever."}, "its id does not match"),
        ({"temperature": 0}, "temperature"),
        ({"curve": 5}, "curve"),
        ({"curve": [{"escalation": 0}]}, r"curve\.0\.tau"),
        ({"extra": 1}, "extra"),
        ({"tau": None}, "tau"),
        ({"tau": "NaN"}, "tau"),
        ({"n": -1}, "n"),
        ({"score": "mood"}, "score"),
        ({"score": "learned"}, "learned"),
        ({"learned": {"gatekeeper_wrong": {"intercept": 0, "weights": {"u": 1}}}}, "features"),
    ],
)
def test_a_changed_record_is_refused(tmp_path: Path, change: dict[str, object], named: str) -> None:
    path = tmp_path / "calibration.json"
    a_record().save(path)
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(ValueError, match=rf"calibration\.json.*{named}"):
        Calibration.load(path)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("", "the record"),
        ("[]", "the record"),
        ("{", "the record"),
        ("null", "the record"),
        ("\xff", "the record"),
        ('{"id": "x"}', "method"),
    ],
)
def test_what_is_no_record_is_refused(tmp_path: Path, text: str, where: str) -> None:
    path = tmp_path / "calibration.json"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(ValueError, match=rf"calibration\.json is no calibration record: {where}: "):
        Calibration.load(path)


def test_a_record_made_before_policies_were_told_still_loads(tmp_path: Path) -> None:
    path = tmp_path / "calibration.json"
    old = {
        "id": "cal-7564309f38cb",
        "method": "temperature scaling, then the 0.8 quantile of U",
        "score": "u",
        "tau": 0.5,
        "escalation": 0.2,
        "temperature": 1.25,
        "model_revision": "abc",
        "data_hash": "f00d",
        "n": 10,
        "curve": [{"escalation": 0.0, "tau": 0.6, "accuracy": 0.9, "f1": None}],
    }
    path.write_text(json.dumps(old))
    record = Calibration.load(path)
    assert (record.id, record.policy, record.learned, record.promise) == (old["id"], "quantile", None, "")


def test_a_kill_while_writing_leaves_the_old_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "calibration.json"
    a_record().save(path)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", killed)
    with pytest.raises(KeyboardInterrupt):
        a_record(escalation=0.4).save(path)
    assert Calibration.load(path) == a_record()
