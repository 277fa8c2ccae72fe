"""`ace models` and `ace audit` on the command line, against a real database and a folder of models."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import Engine, text
from typer.testing import CliRunner, Result

from ace import flow
from ace.cli import app
from ace.gatekeeper.installed import digest_of
from ace.gatekeeper.loading import SHIPPED_MODEL
from ace.routing.calibration import Calibration
from ace.store import acts
from ace.store.database import transact
from ace.store.operating_tables import ALL_TENANTS
from ace.store.review_tables import Answer
from ace.store.reviews import NewReview
from tests import factories
from tests.integration.api.conftest import Work

Ace = Callable[..., Result]
SHIPPED = digest_of(SHIPPED_MODEL)
WORDS = "A bracket comprising a secret plate."


@pytest.fixture
def ace(db: Engine, tmp_path: Path) -> Ace:
    url = db.url.set(drivername="postgresql").render_as_string(hide_password=False)
    environment = {"ACE_DATABASE_URL": url, "ACE_MODELS_DIR": str(tmp_path / "models")}

    def run(*arguments: str, **more: str) -> Result:
        return CliRunner().invoke(app, [*arguments], env=environment | more)

    return run


def told(result: Result, code: int = 0) -> Any:
    assert result.exit_code == code, result.output
    return json.loads(result.stdout)


@pytest.fixture
def record(tmp_path: Path) -> Calibration:
    """Another calibration of the shipped model, and beside it the report of both."""
    made = replace(Calibration.load(SHIPPED_MODEL / "calibration.json"), tau=0.5).sealed()
    made.save(tmp_path / "record.json")
    report = {"model": {"revision": made.model_revision, "calibration": made.id}}
    (tmp_path / "report.json").write_text(json.dumps(report))
    return made


def test_from_proposal_to_rollback(ace: Ace, db: Engine, tmp_path: Path, record: Calibration) -> None:
    assert told(ace("models", "list", "--json")) == {"models": []}
    given = ("--calibration", str(tmp_path / "record.json"), "--reason", "a higher tau", "--json")
    row = told(ace("models", "propose", *given))
    assert (row["state"], row["calibration"], row["reason"]) == ("proposed", record.id, "a higher tau")
    assert {each.name for each in (tmp_path / "models").iterdir()} == {SHIPPED, row["digest"]}
    first = told(ace("models", "list", "--json"))["models"][-1]
    assert (first["digest"], first["state"], first["share"]) == (SHIPPED, "active", 100)

    named = row["digest"][:8]
    refused = ace("models", "promote", named, "--reason", "now")
    assert refused.exit_code == 2
    assert "needs the model's evaluation report" in refused.output
    assert (
        told(ace("models", "shadow", named, "--share", "20", "--reason", "a look", "--json"))["share"] == 20
    )
    assert "has scored no claim" in ace("models", "compare", named).stdout
    report = ("--report", str(tmp_path / "report.json"))
    canary = told(ace("models", "promote", named, "--share", "10", *report, "--reason", "a try", "--json"))
    assert (canary["state"], canary["share"]) == ("active", 10)
    assert told(ace("models", "promote", named, "--reason", "it is better", "--json"))["share"] == 100
    assert "10 %" not in ace("models", "list").stdout
    undone = told(ace("models", "rollback", "--reason", "it is not", "--json"))
    assert (undone["retired"]["digest"], undone["active"]["digest"]) == (row["digest"], SHIPPED)
    done = transact(db, partial(acts.latest, tenant=ALL_TENANTS, limit=20))
    assert [each["act"] for each in done] == ["roll back", "promote", "promote", "shadow", "propose", "adopt"]
    assert all(each["actor"].startswith("cli:") for each in done)
    assert "proposed" in ace("models", "propose", *given[:-1]).stdout
    assert "retired" in ace("models", "retire", named, "--reason", "enough").stdout
    assert "the model of the settings decides" in ace("models", "rollback", "--reason", "all").stdout
    assert ace("models", "rollback", "--reason", "more").exit_code == 2


def test_the_calibration_of_the_settings_stays_in_force(
    ace: Ace, tmp_path: Path, record: Calibration
) -> None:
    named = {"ACE_CALIBRATION": "structural"}
    structural = Calibration.load(SHIPPED_MODEL / "calibration-structural.json").id
    assert told(ace("models", "drift", "--days", "1", "--json", **named))["calibration"] == structural
    given = ("--calibration", str(tmp_path / "record.json"), "--reason", "a higher tau", "--json")
    assert told(ace("models", "propose", *given, **named))["calibration"] == record.id
    rows = told(ace("models", "list", "--json"))["models"]
    assert {each["state"]: each["calibration"] for each in rows} == {
        "proposed": record.id,
        "active": structural,
    }


@pytest.mark.parametrize(
    ("written", "why"),
    [
        (None, "cannot be read"),
        ("no json", "is not a report"),
        ("{}", "is not a report"),
        ('{"model": {"revision": "another", "calibration": "cal"}}', "is about model another"),
    ],
)
def test_a_report_of_something_else_is_refused(
    ace: Ace, tmp_path: Path, written: str | None, why: str
) -> None:
    if written is not None:
        (tmp_path / "report.json").write_text(written)
    refused = ace("models", "propose", "--report", str(tmp_path / "report.json"), "--reason", "r")
    assert refused.exit_code == 2
    assert why in refused.output
    assert told(ace("models", "list", "--json")) == {"models": []}


def test_a_blank_reason_is_no_reason(ace: Ace) -> None:
    assert "a reason is needed" in ace("models", "rollback", "--reason", "  ").output


def test_drift_of_an_empty_database_is_none(ace: Ace) -> None:
    found = told(ace("models", "drift", "--days", "3", "--json"))
    assert found["calibration"] == Calibration.load(SHIPPED_MODEL / "calibration.json").id
    assert [(each["claims"], each["differences"]) for each in found["days"]] == [(0, {})] * 3
    assert [each["open"] for each in found["days"]] == [False, False, True]
    assert "PSI" in ace("models", "drift").stdout


def test_drift_is_shown_and_ends_with_1(ace: Ace, db: Engine) -> None:
    factories.submit(db, *(factories.new_filing(docket=f"D-{at}") for at in range(100)))
    Work(db).decide()
    shipped = Calibration.load(SHIPPED_MODEL / "calibration.json")
    with db.begin() as connection:
        sql = "UPDATE evaluations SET model = :model, calibration = :calibration, tau = :tau"
        given = {"model": shipped.model_revision, "calibration": shipped.id, "tau": shipped.tau}
        connection.execute(text(sql), given)
    found = told(ace("models", "drift", "--days", "1", "--json"), code=1)
    (day,) = found["days"]
    assert day["claims"] == 300
    assert set(day["drifts"]) == {"class", "length", "score", "share"}  # one claim over and over
    shown = ace("models", "drift", "--days", "1")
    assert shown.exit_code == 1
    assert "100.0 % (" in shown.stdout
    assert "!" in shown.stdout
    assert f"{day['day']}*" in shown.stdout


def test_the_audit_says_what_is_reviewed(ace: Ace, db: Engine) -> None:
    assert "0 verdicts were drawn" in ace("audit", "status").stdout
    found = told(ace("audit", "status", "--json"))
    assert (found["drawn"], found["labels"], found["alarm"]) == (0, 0, None)


def test_an_evaluation_is_explained_with_and_without_its_words(ace: Ace, db: Engine) -> None:
    (accepted,) = factories.submit(db, factories.new_filing((WORDS,)))
    Work(db).decide()
    evaluation = accepted.evaluations[0][1]
    said = NewReview(evaluation, Answer.AGREE, reason="the secret plate is there", blind=True, seconds=3)
    flow.review(db, factories.TENANT, said, reviewer="key:a")

    found = told(ace("audit", "export", str(evaluation)))
    assert "secret" not in json.dumps(found)
    assert len(found["claim"]["text_sha256"]) == 64
    assert [each["move"] for each in found["events"]] == ["submit", "dispatch", "decide"]
    assert found["evaluation"]["model"]
    assert [(each["reviewer"], each["blind"]) for each in found["reviews"]] == [("key:a", True)]
    with_words = told(ace("audit", "export", str(evaluation), "--text"))
    assert with_words["claim"]["text"] == WORDS
    assert with_words["reviews"][0]["reason"] == "the secret plate is there"


@pytest.mark.parametrize("named", ["nothing", str(UUID(int=0))])
def test_what_is_no_evaluation_is_refused(ace: Ace, named: str) -> None:
    assert ace("audit", "export", named).exit_code == 2
