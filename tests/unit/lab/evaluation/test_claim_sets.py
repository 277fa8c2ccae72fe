"""What a set's verdict is read off, and who is asked about it."""

from pathlib import Path

import numpy as np
import pytest

from ace.claims.taxonomy import LABELS
from ace_lab.data.rows import SetRow, read_sets
from ace_lab.evaluation import claim_sets
from ace_lab.evaluation.claim_sets import Sets
from ace_lab.experts.opinions import Opinion, StructuralExpert
from tests.unit.lab.evaluation.made import Knowing, data_directory, run


def a_set(size: int, label: str = "pass") -> SetRow:
    claims = tuple((number, f"A pump comprising rotor {number}.") for number in range(1, size + 1))
    return SetRow("test", f"f{size}", "ours", claims, label, "none", "none", (), f"f{size}")


def test_claims_are_pooled_set_by_set() -> None:
    found = Sets.of([a_set(2), a_set(6)])
    assert found.totals == [2, 2, 6, 6, 6, 6, 6, 6]
    p = np.array([0.1, 0.7, 0.9, 0.8, 0.6, 0.4, 0.2, 0.0])[:, None]
    mean, most, fifth, share, size = found.pooled(p).T
    assert mean == pytest.approx([0.4, 2.9 / 6])
    assert most == pytest.approx([0.7, 0.9])
    assert fifth == pytest.approx([0.1, 0.2])  # a set of fewer than five has its least
    assert share == pytest.approx([1 / 2, 3 / 6])
    assert size == pytest.approx(np.log([2, 6]))


def test_the_order_of_claims_does_not_matter() -> None:
    found = Sets.of([a_set(6)])
    p = np.random.default_rng(1).random((6, 6))
    assert found.pooled(p) == pytest.approx(found.pooled(p[::-1]))


def test_what_the_expert_says_becomes_numbers() -> None:
    p = np.tile([0.5, 0.3, 0.0, 0.2, 0.0, 0.0], (4, 1))
    said = [
        None,
        Opinion(False, None, (), 0.1, 0),
        Opinion(True, "syntax", (), 0.1, 0, (("syntax", "x"), ("logical", "y"))),
        Opinion(True, None, (), 0.1, 0),
    ]
    found = claim_sets._heard(p, said)
    assert found[0].tolist() == [0.0] * 6
    assert found[1].tolist() == [1, 0, 0, 0, 0, 0]
    assert found[2].tolist() == [0, 0, 0, 1, 0, 1]
    assert found[3] == pytest.approx([0, 0.6, 0, 0.4, 0, 0])


@pytest.fixture(scope="module")
def dense(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return data_directory(tmp_path_factory.mktemp("data"))


def test_no_more_than_a_fifth_of_the_claims_goes_up(dense: Path, tmp_path: Path) -> None:
    table = run(tmp_path, Knowing({}), StructuralExpert())
    known = read_sets(dense / "calibration.sets.jsonl")
    # An engine that is equally unsure of every claim: the record's tau would let all of them up.
    table.engine = Knowing({}, sure=0.5)  # type: ignore[assignment]
    said, tau = claim_sets.set_verdicts(table, "calibration", known, None)
    assert said.up.mean() <= claim_sets.ESCALATED_AT_MOST
    asked = [opinion is not None for opinion in said.opinions]
    assert asked == said.up.tolist()
    _, same = claim_sets.set_verdicts(table, "test", read_sets(dense / "test.sets.jsonl"), tau)
    assert same == tau


def test_judges_that_know_the_claims_know_the_sets(dense: Path, tmp_path: Path) -> None:
    known, asked = (read_sets(dense / f"{name}.sets.jsonl") for name in ("calibration", "test"))
    called = {dict(row.claims)[defect.claim]: row.label for row in (*known, *asked) for defect in row.defects}
    table = run(tmp_path, Knowing(called), StructuralExpert())
    calibration, tau = claim_sets.set_verdicts(table, "calibration", known, None)
    test, _ = claim_sets.set_verdicts(table, "test", asked, tau)
    judges = claim_sets.judged(table, calibration, test)
    assert [one.name for one in judges] == ["structural only", "gatekeeper", "hybrid", "expert only"]
    found = claim_sets.table(table, test, judges, tau)
    by_name = {one["name"]: one for one in found["rows"]}
    assert by_name["gatekeeper"]["macro_f1"] == 1.0
    assert by_name["hybrid"]["escalated"] == 0.0
    by_label = claim_sets.classes(table, test, judges)["rows"]
    assert [one["label"] for one in by_label] == list(LABELS)
    assert all(one["gatekeeper"]["recall"] == 1.0 for one in by_label)
