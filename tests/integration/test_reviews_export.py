"""`ace reviews export`: reviews become rows of a data set, and only those that people agree on."""

import json
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import Engine
from typer.testing import CliRunner

from ace import flow
from ace.claims.taxonomy import ErrorClass
from ace.cli import app
from ace.store.database import transact
from ace.store.review_tables import Answer, ReviewStatus
from ace.store.reviews import FindingPlace, NewReview, draw
from ace_lab.data.rows import read_rows
from tests import factories
from tests.integration.api.conftest import Work

TEXTS = (
    "A bracket comprising a plate.",
    "The bracket of claim 1, wherein the lever is flat.",
    "The bracket of claim 2, wherein the plate is red.",
    "The bracket of claim 1, wherein the plate is blue.",
)


@pytest.fixture
def evaluations(db: Engine, monkeypatch: pytest.MonkeyPatch) -> list[UUID]:
    (accepted,) = factories.submit(db, factories.new_filing(TEXTS, docket="P-1"))
    Work(db).decide()
    url = db.url.set(drivername="postgresql").render_as_string(hide_password=False)
    monkeypatch.setenv("ACE_DATABASE_URL", url)
    return [id_ for _, id_ in accepted.evaluations]


def say(db: Engine, evaluation: UUID, answer: Answer, *, by: str = "key:a", **given: Any) -> None:
    flow.review(db, factories.TENANT, NewReview(evaluation, answer, **given), reviewer=by)


def exported(*options: str) -> tuple[str, str]:
    result = CliRunner().invoke(app, ["reviews", "export", *options])
    assert result.exit_code == 0, result.output
    return result.stdout, result.stderr


def test_reviews_become_rows_that_the_lab_reads(db: Engine, evaluations: list[UUID], tmp_path: Path) -> None:
    first, second, third, fourth = evaluations
    say(db, first, Answer.AGREE)
    start = TEXTS[1].index("the lever")
    say(db, second, Answer.DISAGREE, label="antecedent", span=(start, start + 9))
    finding = FindingPlace("antecedent.no_basis", start, start + 12)
    say(db, second, Answer.AGREE, finding=finding, by="key:b")
    say(db, third, Answer.AGREE)
    say(db, third, Answer.DISAGREE, label="logical", by="key:b")
    say(db, fourth, Answer.UNSURE)

    file = tmp_path / "calibration.jsonl"
    _, told = exported("--out", str(file))

    assert told == "2 claims; left out: 1 on which reviewers differ, 1 unsure\n"
    one, two = read_rows(file)
    assert (one.label, one.spans, one.ancestors) == ("pass", (), ())
    assert (two.label, two.number, two.text) == (ErrorClass.ANTECEDENT, 2, TEXTS[1])
    assert two.spans == ((start, start + 9), (start, start + 12))
    assert two.ancestors == (f"1. {TEXTS[0]}",)
    assert (two.family, two.split, two.source) == ("office/P-1", "calibration", "reviews")


def test_who_adjudicates_and_who_thinks_again_has_the_last_word(db: Engine, evaluations: list[UUID]) -> None:
    first, second, *_ = evaluations
    say(db, first, Answer.AGREE)
    say(db, first, Answer.DISAGREE, label="logical", by="key:b")
    say(db, first, Answer.DISAGREE, label="syntax", by="key:c", status=ReviewStatus.ADJUDICATED)
    say(db, second, Answer.DISAGREE, label="logical")
    say(db, second, Answer.AGREE)
    rows = [json.loads(line) for line in exported("--split", "test")[0].splitlines()]
    assert [(row["label"], row["split"]) for row in rows] == [("syntax", "test"), ("pass", "test")]


def test_the_full_export_has_predictions_and_the_probability_beside(
    db: Engine, evaluations: list[UUID]
) -> None:
    from datetime import UTC, datetime

    since = datetime(2026, 1, 1, tzinfo=UTC)
    transact(db, lambda connection: draw(connection, factories.TENANT, 1.0, since=since, actor="a"))
    say(db, evaluations[0], Answer.DISAGREE, label="syntax", blind=True)
    (row,) = [json.loads(line) for line in exported("--full", "--tenant", "office")[0].splitlines()]
    assert (row["label"], row["predicted"]["verdict"], row["probability"]) == ("syntax", "Pass", 1.0)
    assert row["reviews"][0]["blind"] is True
    assert exported("--tenant", "stranger")[0] == ""
