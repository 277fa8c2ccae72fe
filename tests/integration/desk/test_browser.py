"""The desk in a real browser: what a person does there, with and without scripts, and what axe says of it.

Needs Debian's Chromium (`apt-get install chromium`): without it these tests are skipped, and fail in CI.
"""

from datetime import datetime, timedelta
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import (
    Page,
    expect,
)
from sqlalchemy import Engine, text

from tests.integration.desk.conftest import Open

pytestmark = pytest.mark.slow

CLAIMS = (
    "1. A bracket comprising a plate and a hook fixed to the plate.\n"
    "2. The bracket of claim 1, wherein the lever is made of steel.\n"
    "3. The bracket of claim 2, wherein the hook is flat"
)
SERIOUS = {"serious", "critical"}
THEMES = ("light", "dark")


def file(page: Page, docket: str = "P-1") -> str:
    page.goto("/submit")
    page.fill("#claims", CLAIMS)
    page.fill("#docket", docket)
    page.click("text=File >> nth=-1")
    page.wait_for_url("**/filings/*")
    return page.url


def test_submit_and_watch(opened: Open, work: Any) -> None:
    page = opened("/submit")
    page.locator("#claims").press_sequentially(CLAIMS[:70])
    # Nothing was pressed.
    expect(page.locator("#understood h2").first).to_contain_text("Understood: 2 claims")

    file(page)
    expect(page.locator("#claim-1 .verdict")).to_contain_text("waiting")
    work.decide()
    expect(page.locator("#claim-1 .verdict")).to_contain_text("Pass")  # nothing was reloaded by hand
    expect(page.locator("[data-live]")).to_have_count(0)


def test_live_pages_rest_while_something_is_selected(opened: Open, work: Any) -> None:
    page = opened()
    file(page)
    page.keyboard.press("r")
    work.decide()
    page.wait_for_timeout(3_000)  # longer than the page waits before it asks again
    expect(page.locator("#claim-1 .verdict")).to_contain_text("waiting")
    page.keyboard.press("r")
    expect(page.locator("#claim-1 .verdict")).to_contain_text("Pass")


def test_find_why_a_claim_failed_and_jump_to_the_words_and_the_introduction(
    opened: Open, work: Any, db: Engine
) -> None:
    page = opened()
    address = file(page)
    work.decide(fail=True)
    with db.begin() as connection:  # without the stored analysis, the page asks the rules
        connection.execute(text("DELETE FROM analyses"))
    page.goto(address)

    page.click("a.mark >> nth=0")
    assert page.url == f"{address}#finding-2-0"
    expect(page.locator(":target")).to_contain_text("antecedent basis")
    page.click(".finding a >> nth=0")
    expect(page.locator(":target")).to_have_text("the lever")
    page.click("#claim-3 .body >> text=the hook")
    expect(page.locator(":target")).to_contain_text("a hook")
    page.keyboard.press("n")
    expect(page.locator("#claim-2")).to_be_focused()
    page.click("#number-2 a")
    expect(page.locator("h1")).to_have_text("Claim 2")


def test_keys_are_listed_and_times_are_told_where_one_is(opened: Open) -> None:
    page = opened(timezone_id="Asia/Tokyo", locale="en-GB")
    file(page)
    filed = page.locator(".facts time").first
    there = datetime.fromisoformat(str(filed.text_content())) + timedelta(hours=9)
    assert filed.get_attribute("title") == there.strftime("%d/%m/%Y, %H:%M:%S")

    keys = page.locator("#keys")
    expect(keys).to_be_hidden()
    page.keyboard.press("?")
    expect(keys).to_be_visible()
    expect(keys).to_contain_text("the next, the previous claim with findings")
    page.keyboard.press("Escape")
    expect(keys).to_be_hidden()


def test_a_phrase_lights_its_introduction_and_every_use(opened: Open, work: Any) -> None:
    page = opened()
    address = file(page)
    work.decide()
    page.goto(address)
    use = page.locator("#claim-3 .body >> text=the hook")
    use.hover()
    expect(page.locator(".intro.lit")).to_have_text("a hook")
    expect(page.locator(".tree .lit")).to_have_count(3)  # from claim 3 by claim 2 to claim 1
    expect(page.locator("#uses")).to_contain_text("a hook: used in claim 3 (claims 3 → 2 → 1)")
    page.keyboard.press("Escape")
    expect(page.locator("#uses")).to_be_hidden()
    page.locator("#claim-2 .body >> text=The bracket").focus()
    expect(page.locator("#uses")).to_contain_text("A bracket: used in claim 2, claim 3")
    page.locator("#uses >> text=claim 3").click()
    expect(page.locator(":target")).to_have_text("The bracket")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#words-2-0")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#words-2-0")).to_be_focused()  # there is none before it


def test_everything_can_be_done_without_a_script(opened: Open, work: Any) -> None:
    page = opened(java_script_enabled=False)
    page.click("text=File the samples")
    expect(page.locator("tbody tr")).to_have_count(8)
    page.goto("/submit")
    page.fill("#claims", CLAIMS)
    page.click("text=Check only")
    expect(page.locator("#understood h2").first).to_contain_text("Understood: 3 claims, 2 findings")
    page.click("text=Dark")
    assert page.locator("html").get_attribute("data-theme") == "dark"
    address = file(page)
    work.decide()
    page.goto(address)
    expect(page.locator("#claim-1 .verdict")).to_contain_text("Pass")
    page.click("text=Sign out")
    expect(page.locator("h1")).to_have_text("Sign in")


@pytest.mark.parametrize("theme", THEMES)
def test_every_page_is_accessible(opened: Open, work: Any, theme: str) -> None:
    page = opened(color_scheme=theme)
    pages = ["/", "/sign-in", "/submit", "/operations", "/?q=colour:red", "/?q=nothing"]
    refuse_serious(page, "/")  # empty
    address = file(page)
    refuse_serious(page, address)  # waiting
    work.escalate()
    work.examine(verdict="Fail", reasoning="Step 1: elements. Step 2: the lever is not introduced.")
    for path in (*pages, address, f"{address}/claims/2"):
        page.goto(path)
        refuse_serious(page, path)
    page.goto("/submit")
    page.fill("#claims", CLAIMS)
    expect(page.locator("#understood h2").first).to_be_visible()
    refuse_serious(page, "checked")


@pytest.mark.parametrize("width", [320, 640, 1280])  # 640 is 1,280 at 200 %
def test_no_page_scrolls_sideways(opened: Open, work: Any, width: int) -> None:
    page = opened(viewport={"width": width, "height": 800})
    address = file(page, "a-docket-with-a-very-long-name-that-nobody-would-break-anywhere")
    work.escalate()
    work.examine(verdict="Fail", reasoning="Step 1: elements. Step 2: the lever is not introduced.")
    for path in ("/", "/?q=colour:red", "/submit", "/operations", address, f"{address}/claims/2"):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path


def refuse_serious(page: Page, path: str) -> None:
    found = Axe().run(page).response["violations"]
    told = [
        (one["id"], node["html"][:200], node["failureSummary"][:300])
        for one in found
        if one["impact"] in SERIOUS
        for node in one["nodes"]
    ]
    assert told == [], path
