"""The term list in a real browser: a false finding is ignored where it stands; see test_browser.py."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.integration.desk.conftest import Open
from tests.integration.desk.test_browser import THEMES, file, refuse_serious

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_ignore_a_false_finding(opened: Open, work: Any, script: bool) -> None:
    page = opened(java_script_enabled=script)
    address = file(page)
    work.decide(fail=True)
    page.goto(address)
    second = page.locator("#claim-2 .finding")
    expect(second).to_have_count(1)

    second.locator("summary").click()
    second.locator("[name=term]").fill("the lever")
    second.locator("[name=reason]").fill("every bracket has one")
    second.locator("text=Ignore it from now on").click()

    expect(page.locator("#live [role=status]")).to_contain_text("has changed since")
    expect(page.locator("#claim-2 .finding")).to_have_count(0)
    expect(page.locator("#claim-2 .verdict")).to_contain_text("Fail")  # which was given
    page.click("nav >> text=Terms")
    expect(page.locator("tbody tr")).to_contain_text("every bracket has one")
    page.click("button:has-text('Remove')")
    expect(page.locator(".empty")).to_be_visible()
    page.goto("/operations")
    expect(page.locator("#live")).to_contain_text("add term: ignore")


@pytest.mark.parametrize("theme", THEMES)
def test_the_pages_with_terms_are_accessible_and_narrow(
    opened: Open,
    work: Any,
    theme: str,
) -> None:
    page = opened(color_scheme=theme)
    address = file(page)
    work.decide(fail=True)
    page.goto("/terms")
    refuse_serious(page, "no terms")
    page.fill("#term", "lever")
    page.select_option("#kind", "keep_together")
    page.click("text=Add >> nth=-1")
    expect(page.locator("[role=alert]")).to_contain_text("two words or more")
    refuse_serious(page, "a term that is refused")
    page.fill("#term", "a-term-with-a-very-long-name that-nobody-would-break-anywhere-because-it-is-one")
    page.select_option("#kind", "keep_together")
    page.click("text=Add >> nth=-1")
    for path in ("/terms", address, f"{address}/claims/2"):
        page.set_viewport_size({"width": 1280, "height": 900})
        page.goto(path)
        if page.locator("summary:has-text('Ignore')").count():
            page.locator("summary:has-text('Ignore')").first.click()
        refuse_serious(page, path)
        page.set_viewport_size({"width": 320, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, path
