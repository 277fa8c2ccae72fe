"""The desk of a real stack in Chromium: what people see of verdicts that its own workers give."""

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from ace.expert.client.control import CONTROL
from ace.gatekeeper.loading import FOR_ANY_EXPERT
from ace.local import samples
from ace.local.stack import Stack
from ace.settings import Settings
from ace_lab.simulator.server import Simulator
from patent_ace_client import Client
from tests.integration.desk.conftest import Open, chromium, opened  # noqa: F401  # fixtures
from tests.integration.desk.test_browser import THEMES, refuse_serious
from tests.integration.desk.test_browser_reviewing import AMENDED, TEN, filed

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def refusing() -> Event:
    """While it is set, the expert refuses every question but the control question."""
    return Event()


@pytest.fixture(scope="module")
def expert(refusing: Event) -> Iterator[Simulator]:
    def answer(asked: dict[str, Any]) -> dict[str, str]:
        return {"fault": "validation"} if refusing.is_set() and CONTROL.text not in str(asked) else {}

    with Simulator(answer=answer).run() as running:
        yield running


@pytest.fixture(scope="module")
def stack(data_dir: Path, expert: Simulator) -> Iterator[Stack]:
    """A stack of our own that asks this expert whenever it is in doubt."""
    settings = Settings(
        _env_file=None,
        data_dir=Path(tempfile.mkdtemp(dir=data_dir)),
        port=0,
        calibration=FOR_ANY_EXPERT,
        expert_url=expert.url,
        expert_dialect="tgi",
    )
    with Stack(settings, quiet=True) as running:
        yield running


@pytest.fixture(scope="module")
def live(stack: Stack) -> str:
    return stack.url


@pytest.fixture(scope="module")
def key(stack: Stack) -> str:
    return stack.key


def settled(page: Page) -> None:
    """Nothing was reloaded by hand."""
    expect(page.locator("[data-live]")).to_have_count(0)


def doubted(page: Page, api: Client, docket: str) -> tuple[str, int]:
    """Files samples until a claim goes to the expert; the address of that filing, and the claim's number."""
    for sample in samples.load():
        address = filed(page, sample.text, f"{docket}-{sample.docket}")
        settled(page)
        for one in api.wait(address.rpartition("/")[2]):
            if one.state == "failed" or one.decided_by == "expert":
                return address, one.claim
    raise AssertionError("the gatekeeper doubts no claim of the samples")


def test_submit_and_watch_and_find_why_claim_7_failed(opened: Open) -> None:  # noqa: F811
    page = opened()
    filed(page, TEN, "watched")
    settled(page)
    expect(page.locator("#claim-1 .verdict")).to_contain_text("Pass")
    expect(page.locator("#claim-7 .verdict")).to_contain_text("Fail")
    page.click(".tree a[href='#claim-7']")
    page.click("#claim-7 .finding p a")
    expect(page.locator(":target")).to_have_text("the lever")
    page.click("#claim-6 .body >> text=the hook")
    page.locator("#uses >> text=a hook").click()
    expect(page.locator(":target")).to_have_text("a hook")


def test_replay_all_that_failed_with_one_error(
    opened: Open,  # noqa: F811
    refusing: Event,
    live: str,
    key: str,
) -> None:
    page = opened()
    refusing.set()
    with Client(live, key) as api:
        address, number = doubted(page, api, "refused")
    refusing.clear()
    page.goto("/operations")
    page.click("text=Replay all…")
    page.fill("#reason", "the expert is back")
    page.click("button:has-text('Replay ')")
    expect(page.locator("#live")).to_contain_text("done: ")
    page.goto(address)
    settled(page)
    expect(page.locator(f"#claim-{number} .verdict")).to_contain_text(re.compile("Pass|Fail"))
    page.click(f"#number-{number} a")
    expect(page.locator("main")).to_contain_text("Step 3")  # of the rationale


def test_review_ten_claims_with_the_keyboard_alone(opened: Open, live: str, key: str) -> None:  # noqa: F811
    page = opened()
    filed(page, TEN, "reviewed")
    settled(page)
    page.goto("/review?queue=doubtful")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Start with the first":
            break
    page.keyboard.press("Enter")
    page.wait_for_url("**/review/*-*")
    for _ in range(10):
        claim = page.locator("h1").inner_text()
        page.wait_for_load_state("domcontentloaded")  # the script that reads the keys has run
        page.keyboard.press("0")
        page.keyboard.press("Enter")
        expect(page.locator("h1")).not_to_have_text(claim)
    with Client(live, key) as api:
        assert len(list(api.reviews())) == 10


def test_compare_an_amendment_with_the_original(opened: Open) -> None:  # noqa: F811
    page = opened()
    filed(page, TEN, "amended")
    settled(page)
    filed(page, AMENDED, "amended")
    settled(page)
    page.click("text=Compare with another version")
    page.click(".versions a")
    expect(page.locator("#claim-7 .went")).to_contain_text("“the lever”")
    expect(page.locator("#claim-2 .fault")).to_contain_text("It is marked “(New)”, but it is unchanged")


@pytest.mark.parametrize("theme", THEMES)
def test_every_page_is_accessible(opened: Open, live: str, key: str, theme: str) -> None:  # noqa: F811
    page = opened(color_scheme=theme)
    with Client(live, key) as api:
        address, number = doubted(page, api, f"pages-{theme}")
    paths = [
        "/",
        "/submit",
        "/review",
        "/review/next?queue=doubtful",
        "/terms",
        "/operations",
        "/calibration",
    ]
    paths += ["/operations/pause?kind=stage&name=slow", "/docs", address, f"{address}/claims/{number}"]
    for path in (*paths, f"{address}/compare"):
        page.goto(path)
        refuse_serious(page, path)
