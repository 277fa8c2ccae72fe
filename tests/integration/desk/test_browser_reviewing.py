"""In a real browser: why a claim failed, reviewing with the keyboard alone, comparing versions, reports."""

# fixtures of another file

from typing import Any

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import Engine, text

from tests.integration.desk.conftest import Open
from tests.integration.desk.test_browser import THEMES, refuse_serious

pytestmark = pytest.mark.slow

TEN = "1. A bracket comprising a plate and a hook fixed to the plate.\n" + "".join(
    f"{number}. The bracket of claim {number - 1}, wherein the {'lever' if number == 7 else 'hook'} is bent"
    f" {number} times.\n"
    for number in range(2, 11)
)
AMENDED = TEN.replace("wherein the lever", "further comprising a lever that").replace(
    "2. The", "2. (New) The"
)


def filed(page: Page, claims: str, docket: str = "P-1") -> str:
    page.goto("/submit")
    page.fill("#claims", claims)
    page.fill("#docket", docket)
    page.click("text=File >> nth=-1")
    page.wait_for_url("**/filings/*")
    return page.url


def disputed(page: Page, work: Any, db: Engine) -> str:
    """Ten disputed Fails; the findings are those of the rules."""
    address = filed(page, TEN)
    work.decide(fail=True, span=(0, 1))
    with db.begin() as connection:
        connection.execute(text("DELETE FROM analyses"))
    return address


def test_find_why_claim_7_failed_and_jump_to_the_words_and_the_introduction(
    opened: Open,
    work: Any,
    db: Engine,
) -> None:
    page = opened()
    page.goto(disputed(page, work, db))
    page.click(".tree a[href='#claim-7']")
    expect(page.locator("#claim-7 .finding h3")).to_contain_text("antecedent basis")
    page.click("#claim-7 .finding p a")
    expect(page.locator(":target")).to_have_text("the lever")
    page.click(":target")
    expect(page.locator(":target")).to_have_class("finding k-antecedent")
    page.click("#claim-6 .body >> text=the hook")
    page.locator("#uses >> text=a hook").click()
    expect(page.locator(":target")).to_have_text("a hook")
    page.click("#number-7 a")
    expect(page.locator("h1")).to_have_text("Claim 7")
    expect(page.get_by_role("heading", name="Why")).to_be_visible()


def test_review_ten_claims_with_the_keyboard_alone(opened: Open, work: Any, db: Engine) -> None:
    page = opened()
    disputed(page, work, db)
    page.goto("/review")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Start with the first":
            break
    page.keyboard.press("Enter")
    page.wait_for_url("**/review/*-*")
    for number in range(1, 11):
        expect(page.locator("h1")).to_have_text(f"P-1, claim {number}")
        page.wait_for_load_state("domcontentloaded")  # the script that reads the keys has run
        page.keyboard.press("u" if number == 3 else "1" if number == 7 else "0")
        page.keyboard.press("Enter")
    expect(page.locator(".empty")).to_have_text("Nothing waits here.")
    with db.connect() as connection:
        said = connection.execute(
            text("SELECT answer, blind, count(*) FROM reviews GROUP BY 1, 2 ORDER BY 1")
        )
        assert [tuple(row) for row in said] == [
            ("agree", True, 1),
            ("disagree", True, 8),
            ("unsure", True, 1),
        ]


def test_the_words_that_are_wrong_are_selected_and_taken_with_a_key(
    opened: Open,
    work: Any,
    db: Engine,
) -> None:
    page = opened()
    disputed(page, work, db)
    page.goto("/review/next?queue=disputed")
    page.locator("#text").dblclick(position={"x": 30, "y": 12})
    page.keyboard.press("1")
    page.keyboard.press("w")
    chosen = page.locator("#words").input_value()
    assert chosen
    page.keyboard.press("Enter")
    page.wait_for_url("**said=*")
    with db.connect() as connection:
        (span,) = connection.execute(text("SELECT span FROM reviews")).scalars()
    assert TEN.removeprefix("1. ")[slice(*span)] == chosen
    page.keyboard.press("s")
    expect(page.locator("h1")).to_have_text("P-1, claim 3")


def test_compare_an_amendment_with_the_original(opened: Open, work: Any) -> None:
    page = opened()
    filed(page, TEN)
    work.decide()
    filed(page, AMENDED)
    page.click("text=Compare with another version")
    page.click(".versions a")
    seventh = page.locator("#claim-7")
    expect(seventh.locator("ins").first).to_have_text("further comprising a ")
    expect(seventh.locator("del").first).to_have_text("wherein the ")
    expect(seventh.locator(".went")).to_contain_text("“the lever”")
    expect(page.locator("#claim-2 .fault")).to_contain_text("It is marked “(New)”, but it is unchanged")


@pytest.mark.parametrize("theme", THEMES)
def test_every_page_of_reviews_and_versions_is_accessible(
    opened: Open,
    work: Any,
    db: Engine,
    theme: str,
) -> None:
    page = opened(color_scheme=theme, viewport={"width": 1280, "height": 900})
    address = disputed(page, work, db)
    newer = filed(page, AMENDED)
    work.decide()
    page.goto("/?q=verdict:Fail by:gatekeeper")
    page.click("text=Save this view")
    page.fill("#view", "My fails")
    page.click("text=Save >> nth=-1")
    expect(page.locator(".views [aria-current]")).to_have_text("★ My fails")
    compare = f"{newer}/compare"
    earlier = f"{compare}?with={address.rpartition('/')[2]}"
    paths = ["/", "/review", "/review?queue=audit", f"{address}/claims/7", compare, earlier]
    paths += ["/review/next?queue=disputed"]
    for path in paths:
        page.goto(path)
        refuse_serious(page, path)
    page.goto("/review/next?queue=disputed")
    page.click("text=Show the verdict first")
    page.wait_for_url("**open=yes")  # a click does not wait for the page that it leads to
    refuse_serious(page, "open")
    report = page.request.get(f"{address}/report.html").text()
    page.goto("about:blank")
    page.set_content(report)  # not at its address, where no script runs, not even that of axe
    refuse_serious(page, "report")
    page.set_viewport_size({"width": 320, "height": 800})
    for path in paths:
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, path


def test_a_review_needs_no_script(opened: Open, work: Any, db: Engine) -> None:
    page = opened(java_script_enabled=False)
    disputed(page, work, db)
    page.goto("/review")
    page.click("text=Start with the first")
    page.check("[value=antecedent]")
    page.fill("#words", "a plate")
    page.click("text=Keep and go on")
    expect(page.locator("[role=status]")).to_contain_text("You said antecedent basis")
    with page.expect_download() as download:
        page.goto(page.url)
        page.goto("/")
        page.click("tbody a")
        page.click("text=Word, with comments")
    assert download.value.suggested_filename == "P-1.docx"
