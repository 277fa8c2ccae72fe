"""`ace evaluate labels`: the tables of judges on labelled claims and edits."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from ace.cli import app
from ace_lab.evaluation import label_tables
from ace_lab.evaluation.labelled import Calls, JudgedClaim, judge_claims, judge_edits
from ace_lab.readings.asking import Stored
from ace_lab.readings.corpus import Corpus, read_corpus
from ace_lab.readings.labels import Label
from ace_lab.readings.records import MODEL, ClaimReading, Defect, Edit, SetReading, Source, span_of

BY = Source("examiner", MODEL, "2026-11-28", "sets-0123456789ab")
TEXTS = {
    1: "A lantern comprising a base and a lamp on the base.",
    2: "The lantern of claim 1, wherein the mirror is bent.",  # no mirror: rules and readers agree
    3: "The lantern of claim 1, wherein a tube surrounds the lamp.",
    4: "The lantern of claim 3, wherein the tube is a tube of glass, of glass.",  # readers alone
}


@pytest.fixture(scope="module")
def claims_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("claims") / "claims.jsonl.gz"
    with gzip.open(path, "wt") as file:
        for family in range(30):
            claims = [{"num": number, "text": text} for number, text in TEXTS.items()]
            file.write(json.dumps({"patent": f"US{family}", "kind": "granted", "claims": claims}) + "\n")
    return path


@pytest.fixture(scope="module")
def corpus(claims_file: Path) -> Corpus:
    return read_corpus(claims_file)


def seen(claim: int, quote: str, error_class: str) -> Defect:
    return Defect(claim, error_class, span_of(TEXTS[claim], quote)[0], quote, "rejection", 0.9, "So.")


def labels_of(corpus: Corpus, folder: Path) -> Stored:
    """Every set read, and one mistake and one sound edit in each."""
    stored = Stored.load(folder)
    defects = (seen(2, "the mirror", "antecedent"), seen(4, "of glass, of glass", "syntax"))
    for patent in corpus.sets:
        start, end = span_of(TEXTS[3], "the lamp")
        mistake = Edit(
            patent, 3, BY, start, TEXTS[3][start:end], "the wick", "antecedent", "k", True, "W.", "real"
        )
        sound = Edit(patent, 1, BY, 0, "A lantern", "A red lantern", "sound", "k", False, "W.", "real")
        expert = ClaimReading(
            patent, 4, Source("expert", MODEL, "2026-11-28", "c"), 0.9, ("syntax",), defects[1]
        )
        stored.add([SetReading(patent, BY, defects), mistake, sound, expert])
    stored.save()
    return stored


def test_rules_are_measured_on_claims_and_edits(corpus: Corpus, claims_file: Path, tmp_path: Path) -> None:
    labels_of(corpus, tmp_path / "labels")
    command = ["evaluate", "labels", "--claims", str(claims_file), "--labels", str(tmp_path / "labels")]
    result = CliRunner().invoke(app, [*command, "--judges", "rules", "--split", "train", "--json"])
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    sets = len(corpus.of("train"))
    (rules,) = report["judges"]
    assert (rules["claims"], rules["defective"], rules["failed"]) == (4 * sets, 2 * sets, sets)
    assert (rules["precision"], rules["recall"]) == (1.0, 0.5)
    edits = {row["part"]: row for row in report["edits"]}
    assert (edits["mistakes"]["rules"], edits["sound"]["rules"]) == (1.0, 0.0)
    (rule,) = report["by_rule"]
    assert (rule["rule"], rule["same_class"]) == ("antecedent.no_basis", 1.0)
    misses = {row["pattern"]: row["rules"] for row in report["misses"]}
    assert misses["syntax"] == sets
    assert sum(misses.values()) == sets


def test_models_are_measured_and_a_page_is_written(corpus: Corpus, claims_file: Path, tmp_path: Path) -> None:
    labels_of(corpus, tmp_path / "labels")
    command = ["evaluate", "labels", "--claims", str(claims_file), "--labels", str(tmp_path / "labels")]
    result = CliRunner().invoke(app, [*command, "--split", "test", "--final", "--out", str(tmp_path / "out")])
    assert result.exit_code == 0, result.output
    assert "recorded expert" in result.stdout
    page = (tmp_path / "out" / "labels.md").read_text()
    assert "## Openings of the test families" in page
    assert "no attorney has checked them" in page
    assert (tmp_path / "out" / "roc.svg").is_file()
    report = json.loads((tmp_path / "out" / "labels.json").read_text())
    assert [row["judge"] for row in report["judges"]] == ["rules", "gatekeeper", "verdict"]
    assert len(report["openings"]) == 1


def test_test_families_stay_closed_without_final(claims_file: Path, tmp_path: Path) -> None:
    command = ["evaluate", "labels", "--claims", str(claims_file), "--labels", str(tmp_path)]
    for options in (["--split", "test"], ["--split", "train", "--final"]):
        result = CliRunner().invoke(app, [*command, *options])
        assert result.exit_code != 0
        assert "opened on purpose" in result.stderr


def test_without_labels_it_says_how_to_make_them(claims_file: Path, tmp_path: Path) -> None:
    result = CliRunner().invoke(
        app, ["evaluate", "labels", "--claims", str(claims_file), "--labels", str(tmp_path)]
    )
    assert result.exit_code != 0
    assert "ace data ask" in result.stderr


def judged_claims(fails: list[bool]) -> list[JudgedClaim]:
    defect = seen(2, "the mirror", "antecedent")
    return [
        JudgedClaim(
            (f"US{at}", 2), True, True, 50, "mechanics", Label(defect if fail else None, "whole set once"), ()
        )
        for at, fail in enumerate(fails)
    ]


def test_the_cascade_asks_the_most_doubtful_first() -> None:
    truth = [True, True, False, False]
    judged = judged_claims(truth)
    calls = Calls(
        np.array([0, 1, 0, 1]),  # wrong on the first and the last
        np.array([0, 1, 0, 1]),
        np.array([0.4, 0.9, 0.1, 0.6]),
        {"U": np.array([0.9, 0.1, 0.2, 0.8])},
    )
    expert: dict[tuple[str, int, str | None], ClaimReading] = {
        (f"US{at}", 2, None): ClaimReading(
            f"US{at}", 2, BY, 0.9, (), judged[at].label.defect if fail else None
        )
        for at, fail in enumerate(truth)
    }
    rows = label_tables.cascade_table(judged, calls, expert, 10.0)
    f1 = {(row["order"], row["escalated"]): row["f1"] for row in rows}
    assert f1["U", 0.0] == 0.5
    assert f1["U", 0.4] == 1.0  # two of four claims, both of them wrong
    assert f1["oracle", 0.4] == 1.0
    assert f1["random", 0.4] < 1.0
    assert rows[0]["usd_per_million"] == 10


def test_a_mistake_is_found_by_a_finding_in_any_claim_of_the_set(corpus: Corpus) -> None:
    start, end = span_of(TEXTS[1], "a lamp")
    patent = next(iter(corpus.sets))
    edit = Edit(patent, 1, BY, start, TEXTS[1][start:end], "a torch", "antecedent", "k", True, "W.", "real")
    (judged,), before, after = judge_edits(corpus, [edit], lambda _done: None)
    assert judged.gained["antecedent.no_basis"] == 1  # claim 3 now lacks its lamp
    assert (before[0].text, after[0].text) == (TEXTS[1], TEXTS[1].replace("a lamp", "a torch"))


def test_only_labelled_claims_are_judged(corpus: Corpus) -> None:
    patent = next(iter(corpus.sets))
    judged, inputs = judge_claims(corpus, {(patent, 3): Label(None, "person")}, [patent], lambda _done: None)
    assert [claim.place for claim in judged] == [(patent, 3)]
    assert inputs[0].number == 3
