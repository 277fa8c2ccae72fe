"""The findings of an evaluation: those of its filing's analysis, made when asked for where there is none."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine, text

from ace.claims.checks.confidence import DEFAULT_THRESHOLD
from ace.claims.findings import finding_as_json
from ace.flow.analysing import RULES
from ace.store.database import transact
from ace.store.purge import purge
from ace.store.tables import Stage
from tests import factories

FILING: Final = {
    "docket": "P-1",
    "claims": [
        {"text": "A bracket comprising a plate and a hook."},
        {"text": "The bracket of claim 1, wherein the lever is flat."},
    ],
}


@pytest.fixture
def filed(api: TestClient) -> list[str]:
    """The paths of the findings on both claims."""
    answer = api.post("/v1/filings", json=FILING).json()
    return [f"/v1/evaluations/{one['id']}/findings" for one in answer["evaluations"]]


def grow_old(db: Engine) -> datetime:
    with db.begin() as connection:
        connection.execute(text("UPDATE filings SET created_at = now() - interval '2 days'"))
    return datetime.now(UTC) - timedelta(days=1)


@pytest.mark.parametrize("decided", [False, True])
def test_of_a_filing_without_analysis_they_are_made_when_asked_for(
    api: TestClient, work: Any, filed: list[str], decided: bool
) -> None:
    if decided:
        work.decide()

    clean, flawed = (api.get(path).json() for path in filed)

    assert (clean["origin"], clean["claim"], clean["findings"]) == ("computed", 1, [])
    assert (flawed["origin"], flawed["jurisdiction"], flawed["at"]) == ("computed", "US", None)
    (finding,) = flawed["findings"]
    assert (finding["class"], finding["ground"], finding["quote"]) == ("antecedent", "rejection", "the lever")
    assert finding["examiner"].startswith("Claim 2 recites the limitation “the lever”. There is insufficient")
    assert FILING["claims"][1]["text"][finding["start"] : finding["end"]] == "the lever"  # type: ignore[index]


@pytest.mark.parametrize("move", ["fail", "escalate"])
def test_of_a_filing_with_an_analysis_they_are_kept(
    api: TestClient, work: Any, filed: list[str], move: str
) -> None:
    work.escalate() if move == "escalate" else work.decide(fail=True)

    found = api.get(filed[0]).json()

    assert (found["origin"], found["rules"], found["threshold"]) == ("stored", RULES.rules, DEFAULT_THRESHOLD)
    assert found["at"] is not None
    (finding,) = found["findings"]
    assert finding == {
        "class": "antecedent",
        "subtype": "no_basis",
        "law": "35 U.S.C. 112(b)",
        "severity": "warning",
        "ground": "rejection",
        "examiner": "Claim 1 recites the limitation “bracket”. There is insufficient antecedent basis for"
        " this limitation in the claim.",
        "start": 2,
        "end": 9,
        "quote": "bracket",
        "explanation": "Nothing introduces it.",
        "confidence": 0.9,
        "fix": {"start": 2, "end": 9, "replacement": "part"},
    }


def test_they_stay_what_they_were_when_the_expert_has_decided(
    api: TestClient, work: Any, filed: list[str]
) -> None:
    work.escalate()
    before = api.get(filed[0]).json()
    work.examine()
    assert api.get(filed[0]).json() == before


def test_what_was_purged_has_lost_its_words_and_nothing_else(
    api: TestClient, db: Engine, work: Any, filed: list[str]
) -> None:
    work.decide(fail=True)
    before = api.get(filed[0]).json()

    purge(db, grow_old(db))

    (had,) = before.pop("findings")
    after = api.get(filed[0]).json()
    (has,) = after.pop("findings")
    assert after == before
    assert has == had | dict.fromkeys(("quote", "explanation", "examiner", "fix"))


def test_remarks_stand_beside_them_and_lose_their_words_with_a_purge(
    api: TestClient, db: Engine, work: Any
) -> None:
    claims = [{"text": "A crate comprising a floor and means for locking the floor."}]
    (one,) = api.post("/v1/filings", json={"docket": "P-2", "claims": claims}).json()["evaluations"]
    path = f"/v1/evaluations/{one['id']}/findings"
    (made,) = api.get(path).json()["remarks"]  # computed
    assert (made["kind"], made["quote"]) == ("means_plus_function", "means for locking")
    assert made["law"] == "35 U.S.C. 112(f); MPEP 2181"

    work.decide(fail=True)
    assert api.get(path).json()["remarks"] == []  # stored before there were remarks
    stored = json.dumps({"1": {"remarks": [[made["kind"], made["start"], made["end"]]]}})
    with db.begin() as connection:
        connection.execute(text("UPDATE analyses SET claims = CAST(:stored AS jsonb)"), {"stored": stored})
    shown = api.get(path).json()
    assert (shown["origin"], shown["findings"], shown["remarks"]) == ("stored", [], [made])

    purge(db, grow_old(db))
    assert api.get(path).json()["remarks"] == [made | {"quote": None}]


def test_of_a_purged_filing_without_analysis_nothing_can_be_said(
    api: TestClient, db: Engine, work: Any, filed: list[str]
) -> None:
    work.decide()
    purge(db, grow_old(db))
    found = api.get(filed[1]).json()
    assert (found["origin"], found["findings"]) == ("purged", [])


def test_findings_that_were_kept_before_there_were_analyses_are_still_given(
    api: TestClient, db: Engine, work: Any, filed: list[str]
) -> None:
    work.decide()
    found = json.dumps([finding_as_json(factories.FINDING)])
    with db.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO findings (evaluation_id, jurisdiction, threshold, rules, found)"
                " SELECT id, 'US', 0.7, 'ace-0.1.0', CAST(:found AS jsonb) FROM evaluations"
            ),
            {"found": found},
        )

    shown = api.get(filed[0]).json()

    assert (shown["origin"], shown["rules"], shown["threshold"]) == ("stored", "ace-0.1.0", 0.7)
    assert [one["quote"] for one in shown["findings"]] == ["bracket"]


def test_of_an_analysis_only_what_is_likely_enough_is_given(
    api: TestClient, db: Engine, work: Any, filed: list[str]
) -> None:
    faint = replace(factories.FINDING, confidence=0.2)
    leased = factories.lease(db, Stage.FAST)
    assert leased is not None
    factories.analyse(db, leased, faint, factories.FINDING)

    shown = api.get(filed[0]).json()

    assert [one["confidence"] for one in shown["findings"]] == [0.9]


def test_asking_leaves_no_trace(api: TestClient, db: Engine, filed: list[str]) -> None:
    before = factories.states(db)
    assert api.get(filed[1]).status_code == 200
    assert factories.states(db) == before
    kept = transact(db, lambda connection: connection.execute(text("SELECT count(*) FROM analyses")).scalar())
    assert kept == 0


def test_of_a_very_long_set_none_are_made(
    api: TestClient, filed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ace.claim_work.CHECKED_SET_CHARACTERS", 50)
    answer = api.get(filed[0])
    assert answer.status_code == 413
    assert answer.json()["type"] == "/problems/set_too_long"
