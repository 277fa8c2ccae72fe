"""Filings as files: each format, before and after a verdict, and to whom they are handed out."""

import io
import json
from typing import Any
from xml.etree import ElementTree as ET

import docx
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine, text

from ace.store.scopes import Scope

CLAIMS = "1. A bracket comprising a plate.\n2. The bracket of claim 1, wherein the lever is flat."


def file(api: TestClient, docket: str = "P-1") -> str:
    return (
        f"/v1/filings/{api.post('/v1/filings', json={'docket': docket, 'claims': CLAIMS}).json()['filing']}"
    )


@pytest.mark.parametrize("decided", [False, True])
def test_each_format_tells_of_the_finding(api: TestClient, work: Any, *, decided: bool) -> None:
    path = file(api)
    if decided:
        work.decide()
    got = {
        one: api.get(f"{path}/report?format={one}") for one in ("docx", "html", "csv", "sarif", "json", "svg")
    }
    assert {answer.status_code for answer in got.values()} == {200}
    comments = list(docx.Document(io.BytesIO(got["docx"].content)).comments)
    assert "the lever" in comments[0].text
    assert "“the lever”" in got["html"].text
    assert ",the lever," in got["csv"].text
    (result,) = json.loads(got["sarif"].content)["runs"][0]["results"]
    assert result["ruleId"] == "antecedent.no_basis"
    second = got["json"].json()["claims"][1]
    assert (second["verdict"], second["findings"][0]["quote"]) == ("Pass" if decided else None, "the lever")
    assert "claim 2" in {each.text for each in ET.fromstring(got["svg"].content).iter()}  # noqa: S314 our own
    assert api.get(f"{path}/report").headers["content-type"] == "application/json"


@pytest.mark.parametrize(
    ("docket", "name"),
    [
        ("P-1", "filename=\"P-1.csv\"; filename*=UTF-8''P-1.csv"),
        ('a"b\\c/../;x', "filename=\"a_b_c_.._x.csv\"; filename*=UTF-8''a%22b%5Cc%2F..%2F%3Bx.csv"),
        ("Büro 7", "filename=\"B_ro_7.csv\"; filename*=UTF-8''B%C3%BCro%207.csv"),
        ("局", "filename=\"filing.csv\"; filename*=UTF-8''%E5%B1%80.csv"),
    ],
)
def test_a_file_is_named_after_its_docket(api: TestClient, docket: str, name: str) -> None:
    answer = api.get(f"{file(api, docket)}/report?format=csv")
    assert answer.headers["content-disposition"] == f"attachment; {name}"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in answer.headers["content-security-policy"]


def test_files_quote_claims_and_want_the_scopes_for_that(api: TestClient, new_key: Any) -> None:
    path = file(api)
    for scopes in ([Scope.READ], [Scope.TEXT], [Scope.SUBMIT]):
        header = {"Authorization": f"Bearer {new_key('office', *scopes)}"}
        assert api.get(f"{path}/report", headers=header).status_code == 403


def test_what_was_purged_cannot_be_taken_away(api: TestClient, db: Engine) -> None:
    path = file(api)
    with db.begin() as connection:
        connection.execute(text("UPDATE claims SET text = ''"))
        connection.execute(text("UPDATE filings SET purged_at = now()"))
    answer = api.get(f"{path}/report")
    assert (answer.status_code, answer.json()["type"]) == (410, "/problems/text_purged")


def test_an_unknown_format_is_refused(api: TestClient) -> None:
    assert api.get(f"{file(api)}/report?format=pdf").status_code == 422
