"""The term list at the desk: added beside a finding, obeyed at once, removed; for whom; what is refused."""

import html
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine, text

from ace.flow.analysing import RULES
from ace.store.scopes import Scope
from tests.integration.desk.conftest import SignIn
from tests.integration.desk.outline import CLAIMS, EVIL, file, outline

LEVER = {"kind": "ignore", "term": "the lever", "reason": "in the description"}
CHANGED = "has changed since these claims were judged"


@pytest.fixture
def filing(desk: TestClient, work: Any, db: Engine) -> str:
    """The page of a settled filing whose second claim speaks of a lever that nothing introduces."""
    page = file(desk, CLAIMS)
    work.decide()
    return page


def test_a_false_finding_is_ignored_where_it_stands(desk: TestClient, filing: str, db: Engine) -> None:
    # Given a finding on "the lever", with a form beside it
    page = outline(desk.get(filing))
    assert "Ignore this term" in page.text
    assert "the lever" in page.all("value")

    # When the form is sent
    answer = desk.post("/terms", data={**LEVER, "back": f"{filing}#claim-2"})

    # Then the page shows the finding no more, and says why
    assert answer.headers["location"] == f"{filing}#claim-2"
    with db.begin() as connection:  # as if the filing had been analysed before
        connection.execute(
            text(
                "INSERT INTO analyses (filing_id, rules, jurisdiction, claims)"
                " SELECT id, :rules, 'US', '{}' FROM filings"
            ),
            {"rules": RULES.rules},
        )
    other = file(desk, CLAIMS)
    pages = (filing, f"{filing}/claims/2", f"{other}/compare?with={filing.rpartition('/')[2]}")
    for shown in (desk.get(page).text for page in pages):
        assert "Ignore this term" not in shown
        assert CHANGED in shown

    # And the list has it, with its reason
    listed = outline(desk.get("/terms"))
    for told in ("lever", "in the description", "Ignore"):
        assert told in listed.text
    (remove,) = [each for each in listed.all("action") if each.endswith("/remove")]
    assert desk.post(remove).headers["location"] == "/terms"
    assert "No terms yet" in desk.get("/terms").text
    assert CHANGED not in desk.get(filing).text


def test_a_fail_whose_findings_are_all_ignored_now_says_so(desk: TestClient, work: Any) -> None:
    filing = file(desk, CLAIMS)
    work.decide(fail=True)  # with an analysis of the tests
    assert "No finding is left" not in desk.get(filing).text
    desk.post("/terms", data=LEVER)
    assert outline(desk.get(filing)).text.count("No finding is left under the term list") == 2


def test_claims_are_checked_before_filing_under_the_list(desk: TestClient) -> None:
    def findings() -> str:
        answer = desk.post("/submit", data={"claims": CLAIMS, "do": "check"}, files={"file": ("", b"")})
        return outline(answer).text

    assert "1 finding" in findings()
    desk.post("/terms", data=LEVER)
    assert "0 findings" in findings()


def test_who_may_not_review_sees_the_list_and_no_button(
    signed_in: SignIn, desk: TestClient, filing: str
) -> None:
    desk.post("/terms", data=LEVER)
    reader, kinds = signed_in(Scope.READ, Scope.TEXT), signed_in(Scope.READ, Scope.REVIEW)

    shown = reader.get("/terms").text
    assert "lever" in shown
    assert "/remove" not in shown
    assert 'action="/terms"' not in shown + reader.get(filing).text + kinds.get(filing).text
    assert reader.post("/terms", data=LEVER).status_code == 403
    assert kinds.get("/terms").status_code == kinds.post("/terms", data=LEVER).status_code == 403
    assert "/terms" not in outline(kinds.get("/")).all("href")
    assert signed_in(tenant="stranger").get("/terms").text.count("lever") == 0


def test_another_tenants_list_changes_nothing_here(signed_in: SignIn, desk: TestClient, filing: str) -> None:
    before = desk.get(filing).text
    signed_in(tenant="stranger").post("/terms", data=LEVER)
    assert desk.get(filing).text == before


@pytest.mark.parametrize(
    ("given", "status", "told"),
    [
        ({"term": "lever", "kind": "keep_together"}, 422, "two words or more"),
        ({"term": "(12)", "kind": "ignore"}, 422, "a letter in it"),
        ({"term": "l" * 101, "kind": "ignore"}, 422, "100"),
        ({"term": "lever", "kind": EVIL}, 422, "kind"),
        ({"kind": "ignore"}, 422, "term"),
    ],
)
def test_what_is_no_term_is_refused_beside_the_form(
    desk: TestClient, given: dict[str, str], status: int, told: str
) -> None:
    answer = desk.post("/terms", data=given)

    assert answer.status_code == status
    assert told in html.unescape(answer.text)
    assert EVIL not in answer.text
    assert "Add a term" in answer.text


def test_nothing_leads_off_the_desk_or_runs(desk: TestClient) -> None:
    for back in ("https://example.org/", "//example.org/", "/\\example.org"):
        assert desk.post("/terms", data={**LEVER, "back": back}).headers["location"] == "/"
    desk.post("/terms", data={"kind": "ignore", "term": EVIL[:100], "reason": EVIL[:200]})
    assert EVIL[:30] not in desk.get("/terms").text
    sent = desk.post("/terms", data=LEVER, headers={"Sec-Fetch-Site": "cross-site"})
    assert sent.status_code == 403
