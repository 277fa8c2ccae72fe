"""Files from the page of a filing: who gets them, and that a report is a page which can do nothing."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from ace.desk.exports import FORMATS
from ace.store.scopes import Scope
from tests.integration.desk.conftest import SignIn
from tests.integration.desk.outline import CLAIMS, EVIL, Outline, file, outline


def test_a_filing_offers_its_files(desk: TestClient, work: Any) -> None:
    path = file(desk, CLAIMS)
    work.decide(fail=True)
    links = [href for href in outline(desk.get(path)).all("href") if "/report." in href]
    assert links == [f"{path}/report.{each}" for each in FORMATS]
    for link in links:
        answer = desk.get(link)
        assert answer.status_code == 200, link
        assert answer.headers["content-disposition"].startswith("inline" if "html" in link else "attachment")
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert "sandbox" in answer.headers["content-security-policy"]


def test_nothing_that_was_sent_becomes_markup_in_a_report(desk: TestClient) -> None:
    path = file(desk, f"1. A plate {EVIL}.\n2. The plate of claim 1, wherein the {EVIL}.", EVIL)
    page = Outline(desk.get(f"{path}/report.html").text)
    assert {"script", "img", "textarea"}.isdisjoint(tag for tag, _ in page.tags)
    assert "<script>alert(1)</script>" in page.text
    graph = Outline(desk.get(f"{path}/report.svg").text)
    assert {"script", "img", "textarea", "image", "foreignobject"}.isdisjoint(tag for tag, _ in graph.tags)


@pytest.mark.parametrize("format_", FORMATS)
def test_files_are_for_their_tenant_and_for_who_may_read_claims(
    desk: TestClient, signed_in: SignIn, format_: str
) -> None:
    path = file(desk, CLAIMS)
    assert signed_in(tenant="stranger").get(f"{path}/report.{format_}").status_code == 404
    operator = signed_in(Scope.READ)
    assert operator.get(f"{path}/report.{format_}").status_code == 403
    assert f"{path}/report.{format_}" not in outline(operator.get(path)).all("href")
    assert desk.get(f"{path}/report.pdf").status_code == 422
