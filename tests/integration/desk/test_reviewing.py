"""Reviews at the desk: blind first, the next claim after each, findings at their claim, and for whom."""

from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine, text

from ace.store.scopes import Scope
from tests.integration.desk.conftest import SignIn
from tests.integration.desk.outline import CLAIMS, EVIL, Outline, file, outline


def reviews(db: Engine) -> list[Any]:
    with db.connect() as connection:
        return list(connection.execute(text("SELECT * FROM reviews ORDER BY id")).mappings())


def evaluations(db: Engine) -> list[str]:
    with db.connect() as connection:
        return [
            str(id_) for id_ in connection.execute(text("SELECT id FROM evaluations ORDER BY id")).scalars()
        ]


@pytest.fixture
def disputed(desk: TestClient, db: Engine, work: Any) -> list[str]:
    """Two disputed Fails, for antecedent basis."""
    file(desk, CLAIMS)
    work.decide(fail=True, span=(0, 1))
    with db.begin() as connection:
        connection.execute(text("DELETE FROM analyses"))
    return evaluations(db)


def answered(desk: TestClient, evaluation: str, **fields: str) -> str:
    answer = desk.post(f"/review/{evaluation}", data={"queue": "disputed", **fields})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def test_a_claim_is_judged_before_its_verdict_is_shown(
    desk: TestClient, disputed: list[str], db: Engine
) -> None:
    first, second = disputed
    listed = outline(desk.get("/review"))
    assert f"/review/{first}?queue=disputed" in listed.all("href")
    assert "/review" in outline(desk.get("/")).all("href")
    start = desk.get("/review/next?queue=disputed").headers["location"]
    assert start == f"/review/{first}?queue=disputed"
    page = outline(desk.get(f"/review/{second}?queue=disputed"))
    for told in ("Fail", "disputed: ", "rejection", "Nothing introduces it"):
        assert told not in page.text
    assert "the lever is made of steel" in page.text
    assert "A bracket comprising a plate" in page.text  # claim 1, on which it depends

    onward = answered(desk, first, label="pass", blind="yes", reason="all there")
    following = desk.get(onward).headers["location"]
    assert following.startswith(f"/review/{second}?")
    told = outline(desk.get(following)).text
    assert "You said no defect; the verdict was antecedent basis." in told
    end = desk.get(answered(desk, second, label="antecedent", blind="yes", words="the lever"))
    assert end.headers["location"] == "/review?queue=disputed"
    assert "Nothing waits here" in outline(desk.get("/review")).text

    one, two = reviews(db)
    assert (one["answer"], one["label"], one["blind"], one["reason"]) == (
        "disagree",
        "pass",
        True,
        "all there",
    )
    assert (two["answer"], two["label"]) == ("agree", "antecedent")
    words = CLAIMS.splitlines()[1].removeprefix("2. ")
    assert words[slice(*two["span"])] == "the lever"
    assert one["reviewer"].startswith("key:")


def test_claims_can_be_skipped(desk: TestClient, disputed: list[str]) -> None:
    first, second = disputed
    page = outline(desk.get(f"/review/{first}?queue=disputed"))
    (skip,) = [href for href in page.all("href") if "skipped=" in href]
    there = desk.get(skip).headers["location"]
    assert there.startswith(f"/review/{second}?")
    (skip,) = [href for href in outline(desk.get(there)).all("href") if "skipped=" in href]
    assert desk.get(skip).headers["location"] == "/review?queue=disputed"


def test_the_verdict_can_be_shown_first_which_is_recorded(
    desk: TestClient, disputed: list[str], db: Engine
) -> None:
    page = outline(desk.get(f"/review/{disputed[1]}?queue=disputed&open=yes"))
    assert "Fail: rejection" in page.text
    (blind,) = [attrs["value"] for tag, attrs in page.tags if attrs.get("name") == "blind"]
    answered(desk, disputed[1], label="unsure", blind=str(blind))
    assert (reviews(db)[0]["blind"], reviews(db)[0]["answer"]) == (False, "unsure")


def test_where_reviewers_differ_one_adjudicates(
    desk: TestClient, signed_in: SignIn, disputed: list[str], db: Engine
) -> None:
    answered(desk, disputed[0], label="pass")
    answered(signed_in(), disputed[0], label="antecedent")
    page = outline(desk.get(f"/review/{disputed[0]}?queue=differing"))
    assert "Which answer stands?" in page.text
    assert page.text.count("key:") == 2
    answered(desk, disputed[0], label="syntax", status="adjudicated")
    assert reviews(db)[-1]["status"] == "adjudicated"
    assert "Nothing waits here" in desk.get("/review?queue=differing").text


def test_an_audit_sample_is_drawn(desk: TestClient, disputed: list[str]) -> None:
    assert "Nothing waits here" in desk.get("/review?queue=audit").text
    answer = desk.post("/review/sample", data={"probability": "1.0", "since": "2026-01-01"})
    assert answer.headers["location"] == "/review?queue=audit&drawn=2"
    page = outline(desk.get(answer.headers["location"]))
    assert "2 claims drawn" in page.text
    assert "100" in page.text
    for wrong in (
        {"probability": "2", "since": "2026-01-01"},
        {"probability": "1", "since": "x"},
        {"since": "x"},
    ):
        assert desk.post("/review/sample", data=wrong).status_code == 422


def test_findings_are_reviewed_at_their_claim(desk: TestClient, disputed: list[str], db: Engine) -> None:
    filing = next(href for href in outline(desk.get("/")).all("href") if href.startswith("/filings/"))
    page = outline(desk.get(f"{filing}/claims/2"))
    given = {
        str(attrs["name"]): str(attrs["value"])
        for tag, attrs in page.tags
        if tag == "input"
        and attrs.get("type") == "hidden"
        and attrs.get("name") in {"rule", "start", "end", "back"}
    }
    assert given["rule"] == "antecedent.no_basis"
    answer = desk.post(f"/review/{disputed[1]}", data={**given, "answer": "agree", "reason": EVIL})
    assert answer.headers["location"] == f"{filing}/claims/2#reviews"
    (one,) = reviews(db)
    assert (one["rule"], one["answer"], one["label"]) == ("antecedent.no_basis", "agree", None)
    shown = outline(desk.get(f"{filing}/claims/2"))
    assert "<script>alert(1)</script>" in shown.text  # the reason, as words
    assert "agree with the finding “the lever” (antecedent basis)" in shown.text


def test_reviews_are_for_keys_with_their_scopes_and_for_their_tenant(
    desk: TestClient, signed_in: SignIn, disputed: list[str], db: Engine
) -> None:
    stranger = signed_in(tenant="stranger")
    assert stranger.get(f"/review/{disputed[0]}").status_code == 404
    assert stranger.get(f"/review/{disputed[0]}?said={disputed[1]}").status_code == 404
    assert stranger.post(f"/review/{disputed[0]}", data={"label": "pass"}).status_code == 404
    assert "Nothing waits here" in stranger.get("/review").text
    drawn = stranger.post("/review/sample", data={"probability": "1", "since": "2026-01-01"})
    assert drawn.headers["location"].endswith("drawn=0")
    for scopes in ([Scope.READ, Scope.TEXT], [Scope.READ, Scope.REVIEW], [Scope.TEXT, Scope.REVIEW]):
        other = signed_in(*scopes)
        for method, path in (
            ("GET", "/review"),
            ("GET", "/review/next"),
            ("GET", f"/review/{disputed[0]}"),
            ("POST", f"/review/{disputed[0]}"),
            ("POST", "/review/sample"),
        ):
            assert other.request(method, path).status_code == 403, (scopes, path)
    assert reviews(db) == []
    reader = signed_in(Scope.READ, Scope.TEXT)
    assert "/review" not in outline(reader.get("/")).all("href")


def test_a_said_claim_of_somebody_else_tells_nothing(
    desk: TestClient, signed_in: SignIn, disputed: list[str]
) -> None:
    answered(desk, disputed[0], label="pass")
    page = Outline(signed_in().get(f"/review/{disputed[1]}?said={disputed[0]}").text)
    assert "You said" not in page.text


@pytest.mark.parametrize(
    "fields",
    [
        {"queue": "audit"},
        {"label": "nonsense"},
        {"label": "pass", "reason": "x" * 2_001},
        {"rule": "no.rule"},
    ],
)
def test_an_answer_that_does_not_fit_is_refused(
    desk: TestClient, disputed: list[str], db: Engine, fields: dict[str, str]
) -> None:
    assert desk.post(f"/review/{disputed[0]}", data=fields).status_code == 422
    assert reviews(db) == []


# Saved views


@pytest.mark.parametrize("number", ["1e400", "-1e400", "nan", "1" + "0" * 400, "1e300", "-1", "x", "1_0"])
def test_numbers_of_forms_are_read_or_refused(desk: TestClient, disputed: list[str], number: str) -> None:
    finding = {"rule": "antecedent.no_basis", "start": number, "end": number, "answer": "agree"}
    of_finding = desk.post(f"/review/{disputed[0]}", data={**finding, "began": number})
    sample = desk.post("/review/sample", data={"probability": number, "since": "2026-01-01"})
    assert of_finding.status_code in {303, 404, 409, 422}
    assert sample.status_code == 422


def test_a_view_is_saved_for_its_key_and_forgotten(desk: TestClient, signed_in: SignIn) -> None:
    answer = desk.post("/views", data={"name": f"Mine {EVIL[:40]}", "q": "verdict:Fail model:m-1"})
    assert answer.headers["location"] == "/?q=verdict%3AFail+model%3Am-1"
    page = outline(desk.get("/"))
    assert "★ Mine " in page.text
    assert "/?q=verdict%3AFail%20model%3Am-1" in page.all("href")
    assert "★" not in outline(signed_in().get("/")).text  # another key of the tenant
    desk.post("/views", data={"name": f"Mine {EVIL[:40]}", "q": "reviewed:no"})
    assert outline(desk.get("/")).text.count("★") == 1
    desk.post("/views", data={"name": f"Mine {EVIL[:40]}", "do": "forget"})
    assert "★" not in outline(desk.get("/")).text


def test_views_are_few_and_understood(desk: TestClient) -> None:
    assert desk.post("/views", data={"name": "x", "q": "colour:red"}).status_code == 422
    assert desk.post("/views", data={"name": " ", "q": ""}).status_code == 422
    for number in range(20):
        assert desk.post("/views", data={"name": f"v{number}", "q": "verdict:Fail"}).status_code == 303
    assert desk.post("/views", data={"name": "one more", "q": "verdict:Fail"}).status_code == 409
    assert desk.post("/views", data={"name": "v1", "q": "verdict:Pass"}).status_code == 303
