"""Two versions of a filing: words that changed, findings that went and came, and whose versions they are."""

from typing import Any
from uuid import uuid4

from fastapi.testclient import TestClient

from ace.store.scopes import Scope
from tests.integration.desk.conftest import SignIn
from tests.integration.desk.outline import CLAIMS, EVIL, file, outline

AMENDED = (
    "1. (Original) A bracket comprising a plate and a hook fixed to the plate.\n"
    "2. (Currently amended) The bracket of claim 1, wherein the hook is made of steel.\n"
    "3. (Original) The bracket of claim 1, wherein the spring is made of steel."
)


def test_an_amendment_is_compared_with_what_it_amends(desk: TestClient, work: Any) -> None:
    before = file(desk, CLAIMS)
    work.decide()
    after = file(desk, AMENDED)
    chosen = outline(desk.get(f"{after}/compare"))
    (link,) = [href for href in chosen.all("href") if "compare?with=" in href]
    assert link == f"{after}/compare?with={before.rpartition('/')[2]}"

    page = outline(desk.get(link))
    for words in (
        "1 unchanged",
        "1 amended",
        "1 new",
        "1 finding went",
        "1 came",
        "It is marked “(Original)”, but it is new",
        "(Currently amended)",
    ):
        assert words in page.text, words
    html = desk.get(link).text
    assert "<del>lever </del><ins>hook </ins>" in html
    assert f"{after}/compare" in outline(desk.get(after)).all("href")
    # whichever of the two it is asked from
    assert desk.get(f"{before}/compare?with={after.rpartition('/')[2]}").text.count("<del>lever </del>") == 1


def test_versions_of_another_docket_are_found_by_it(desk: TestClient) -> None:
    file(desk, CLAIMS, "P-1")
    after = file(desk, AMENDED, "P-2")
    assert "No other filing has the docket P-2" in outline(desk.get(f"{after}/compare")).text
    found = outline(desk.get(f"{after}/compare", params={"docket": "P-1"}))
    assert any("compare?with=" in href for href in found.all("href"))


def test_filings_of_another_tenant_cannot_be_compared(desk: TestClient, signed_in: SignIn) -> None:
    theirs = file(signed_in(tenant="stranger"), CLAIMS).rpartition("/")[2]
    ours = file(desk, CLAIMS).rpartition("/")[2]
    assert desk.get(f"/filings/{theirs}/compare").status_code == 404
    assert desk.get(f"/filings/{ours}/compare?with={theirs}").status_code == 404
    assert desk.get(f"/filings/{theirs}/compare?with={ours}").status_code == 404
    assert desk.get(f"/filings/{ours}/compare?with={uuid4()}").status_code == 404
    assert desk.get(f"/filings/{ours}/compare?with=x").status_code == 422
    operator = signed_in(Scope.READ)
    assert operator.get(f"/filings/{ours}/compare?with={ours}").status_code == 403


def test_nothing_that_was_sent_becomes_markup(desk: TestClient) -> None:
    before = file(desk, f"1. A plate {EVIL}.", EVIL)
    after = file(desk, f"1. A flat plate {EVIL} {EVIL}, wherein the {EVIL}.", EVIL)
    page = outline(desk.get(f"{after}/compare?with={before.rpartition('/')[2]}"))
    assert "<script>alert(1)</script>" in page.text
    outline(desk.get(f"{after}/compare"))
