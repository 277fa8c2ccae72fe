"""The calibration record: saved, loaded, told apart, and refused when tampered with."""

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ace.routing.calibration import Calibration, ReliabilityBin
from ace.routing.score import binary_entropy, softmax
from ace_lab.calibration.fitting import Scored, fit
from ace_lab.calibration.thresholds import Quantile


def some_scores(n: int = 200, seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 6, n)
    logits = rng.normal(0, 1, (n, 6))
    logits[np.arange(n), labels] += 2
    return logits, labels


def a_record(escalation: float = 0.2) -> Calibration:
    logits, labels = some_scores()
    scored = Scored(logits, labels, labels)
    return fit(scored, policy=Quantile(escalation), score="u", model_revision="abc", data_hash="f00d")


def test_record_escalates_the_share_it_says() -> None:
    logits, _ = some_scores()
    record = a_record()
    assert (binary_entropy(softmax(logits, record.temperature)) > record.tau).mean() == pytest.approx(
        record.escalation
    )
    assert record.escalation == pytest.approx(0.2, abs=0.005)


def test_save_and_load_give_the_same_record(tmp_path: Path) -> None:
    record = a_record()
    record.save(tmp_path / "calibration.json")
    assert Calibration.load(tmp_path / "calibration.json") == record


def test_reliability_is_kept_and_a_record_without_it_keeps_its_id(tmp_path: Path) -> None:
    plain = a_record()
    full = replace(plain, reliability=(ReliabilityBin(0.0, 0.5, 9, 0.2, 0.1),)).sealed()
    full.save(tmp_path / "calibration.json")
    assert Calibration.load(tmp_path / "calibration.json") == full
    assert full.id != plain.id
    assert replace(full, reliability=()).sealed().id == plain.id


def test_id_is_stable_and_follows_the_content() -> None:
    assert a_record().id == a_record().id
    assert a_record().id != a_record(escalation=0.3).id


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
        ({"tau": math.inf}, "tau"),
        ({"curve": [{"escalation": 0, "tau": math.inf, "accuracy": None, "f1": None}]}, r"curve\.0\.tau"),
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
