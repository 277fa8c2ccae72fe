"""`ace calibrate` over a tiny model: what it writes, prints and refuses."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from ace.claims.taxonomy import LABELS
from ace.cli import app
from ace.gatekeeper.loading import load_engine
from ace.routing.calibration import Calibration
from ace_lab.data.rows import Row, write
from tests.unit.gatekeeper.models import checkpoint

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # torch's own


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return checkpoint(tmp_path_factory.mktemp("model"))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    things = ("pump", "valve", "lid", "spring", "rotor")
    texts = [
        "A {} comprising a housing and a rotor.",
        "A {} comprising a housing, wherein the lid is closed",
        "The {} of claim 12, wherein the spring is first.",
        "A {} and the second {}; said spring , or a valve.",
    ]
    rows = []
    for number in range(160):
        text = texts[number % 4].replace("{}", things[number % 5])
        label = LABELS[(0, 5, 2, 1)[number % 4]]
        family = f"US{number // 4}"
        rows.append(
            Row("calibration", family, "ours", 1, text, (), label, "none", "none", (), f"{family}/{number}")
        )
    write(folder / "calibration.jsonl", rows)
    return folder


def calibrate(model: Path, data: Path, *words: str) -> Result:
    return CliRunner().invoke(app, ["calibrate", "--model", str(model), "--data", str(data), *words])


def answered(model: Path, data: Path, *words: str) -> Any:
    result = calibrate(model, data, "--json", *words)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_the_record_goes_where_workers_load_it(model: Path, data: Path) -> None:
    before = Calibration.load(model / "calibration.json")
    found = answered(model, data, "--escalation", "0.25")
    # A worker that loads the model has the record that was told,
    record = load_engine(model).calibration
    assert record.id == found["id"] != before.id
    assert (record.tau, record.policy, record.parameters) == (found["tau"], "quantile", {"escalation": 0.25})
    # which names what it was made of, and how good it is there.
    content = (data / "calibration.jsonl").read_bytes()
    assert record.data_hash == hashlib.sha256(content).hexdigest()
    assert record.n == 160
    assert record.escalation <= 0.25
    assert set(record.measured) == {"aurc", "e_aurc", "augrc", "ece", "equal_mass_ece", "brier", "nll"}
    # The ablation says what U is: plain confidence.
    assert found["scores"]["u"]["spearman"] == pytest.approx(1.0)
    assert list(found["scores"]) == ["u", "h6", "margin", "error", "learned"]
    # And once more gives the same.
    assert answered(model, data, "--escalation", "0.25") == found


def test_an_expert_figures_and_a_record_elsewhere(model: Path, data: Path, tmp_path: Path) -> None:
    before = (model / "calibration.json").read_bytes()
    out, folder = tmp_path / "gain.json", tmp_path / "figures"
    words = ("--policy", "gain", "--value", "0.02", "--expert", "structural", "--out", str(out))
    found = answered(model, data, *words, "--figures", str(folder))
    record = Calibration.load(out)
    assert (record.score, record.tau) == ("gain", pytest.approx(0.005733 / 0.02))
    assert record.learned is not None
    assert record.learned.expert_wrong is not None
    assert found["scores"]["gain"]["deferral_less_reference"]["low"] <= 0
    names = {"risk-coverage", "reliability", "escalation-f1", "cost-f1"}
    assert {path.name for path in folder.iterdir()} == {f"{name}.svg" for name in names}
    assert (model / "calibration.json").read_bytes() == before


def test_an_expert_is_asked_only_where_it_pays(model: Path, data: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "pays.json")
    found = answered(model, data, "--expert", "structural", "--out", out)
    record = Calibration.load(Path(out))
    assert (record.policy, record.score) == ("pays", "gain")
    assert record.expert is not None
    assert record.expert.name == found["expert"]["name"] == "structural"
    helps = record.parameters["saved_at_least"] > 0
    assert record.tau == (0.0 if helps else 1.0)
    told = calibrate(model, data, "--expert", "structural", "--out", out)
    assert "structural: right on " in told.stdout
    first, *rows = told.stdout.splitlines()[:10]
    assert " ".join(first.split()) == "to the expert precision recall F1 dollars per million claims"
    assert [row.split()[-1] for row in rows if row.startswith("0.0 %")] == ["0"]
    assert "\n  dependency: " in told.stdout


def test_agreement_with_an_expert_is_promised_of_a_sample(model: Path, data: Path, tmp_path: Path) -> None:
    out = tmp_path / "agreement.json"
    words = ("--policy", "agreement", "--target", "accuracy", "0.6", "--expert", "structural", "--ask", "100")
    found = answered(model, data, *words, "--out", str(out))
    assert (found["n"], found["parameters"]["asked"]) == (100, 100)
    assert found["parameters"]["bound"] >= 0.6
    assert "at least 60.0 % of the verdicts of gatekeeper and expert together" in found["promise"]
    assert Calibration.load(out).id == found["id"]


def test_people_are_told_what_is_promised(model: Path, data: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "record.json")
    result = calibrate(model, data, "--policy", "risk", "--alpha", "0.95", "--score", "learned", "--out", out)
    assert result.exit_code == 0, result.stderr
    assert "at most 95.0 % of the claims that the fast path decides" in result.stdout
    assert "Spearman" in result.stdout
    assert out in result.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--policy", "risk", "--alpha", "0.001"), "the lowest alpha that could be promised"),
        (("--policy", "risk", "--alpha", "2"), "alpha must lie between 0 and 1"),
        (("--policy", "risk", "--escalation", "0.2"), "policy risk does not accept --escalation"),
        (("--policy", "budget"), "needs --usd-per-million"),
        (("--policy", "budget", "--calls-per-hour", "9"), "needs --claims-per-hour"),
        (("--policy", "budget", "--usd-per-million", "1", "--calls-per-hour", "9"), "not both"),
        (("--policy", "budget", "--usd-per-million", "99999"), "pays for examining every claim"),
        (("--policy", "f-lambda"), "needs --lambda"),
        (("--policy", "gain", "--value", "1"), "needs --expert"),
        (
            ("--policy", "gain", "--score", "u", "--value", "1", "--expert", "structural"),
            "needs --score gain",
        ),
        (("--score", "gain"), "needs --expert"),
        (("--policy", "agreement", "--target", "recall", "0.9"), "needs --expert"),
        (("--policy", "agreement", "--expert", "structural"), "needs --target"),
        (("--policy", "agreement", "--target", "f1", "0.9", "--expert", "structural"), "not f1"),
        (("--expert", "recorded"), "has read no claim"),
        (("--escalation", "1.5"), "escalation must be in"),
        (("--expert", "nobody"), "URL"),
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_written(
    words: tuple[str, ...], message: str, model: Path, data: Path, tmp_path: Path
) -> None:
    out = tmp_path / "record.json"
    result = calibrate(model, data, *words, "--out", str(out))
    assert result.exit_code == 2
    assert message in result.stderr
    assert not out.exists()


def test_a_folder_without_a_split_is_named(model: Path, tmp_path: Path) -> None:
    result = calibrate(model, tmp_path)
    assert result.exit_code == 2
    assert "calibration.jsonl cannot be read" in result.stderr
    (tmp_path / "calibration.jsonl").write_text('{"secret": 1}\n')
    result = calibrate(model, tmp_path)
    assert (result.exit_code, "line 1" in result.stderr) == (2, True)
    assert "secret" not in result.stderr
    (tmp_path / "calibration.jsonl").write_text("")
    assert "has no rows" in calibrate(model, tmp_path).stderr
