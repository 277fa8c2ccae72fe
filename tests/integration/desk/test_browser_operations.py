"""Operations, the calibration and the stream of hints in a real browser.

Needs Debian's Chromium, as test_browser.py does.
"""

from dataclasses import replace
from functools import partial
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, Route, expect
from sqlalchemy import Engine

from ace import flow
from ace.desk import calibration
from ace.gatekeeper.loading import SHIPPED_MODEL
from ace.routing.calibration import Calibration, ReliabilityBin
from ace.store import jobs, keys, moves
from ace.store.database import transact
from ace.store.operating_tables import Part
from ace.workers.heartbeat import Heartbeat
from tests import fakes
from tests.integration.desk.conftest import Open
from tests.integration.desk.test_browser import CLAIMS, THEMES, file, refuse_serious
from tests.integration.flow.test_dispatching import LIMITS

pytestmark = pytest.mark.slow


def submit(live: str, key: str, docket: str) -> None:
    body = {"docket": docket, "claims": CLAIMS}
    httpx.post(f"{live}/v1/filings", json=body, headers={"Authorization": f"Bearer {key}"}).raise_for_status()


def hinted(page: Page) -> None:
    """Waits until the page has its stream and has looked once since."""
    with page.expect_response(
        lambda answer: answer.url.endswith("/") and answer.request.resource_type == "fetch"
    ):
        pass


def test_the_list_hears_of_filings_without_asking(opened: Open, live: str, key: str) -> None:
    page = opened()
    hinted(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.wait_for_timeout(3_000)  # longer than the page waits before it would ask
    assert asked == []
    submit(live, key, "heard-of")
    expect(page.locator("tbody tr")).to_contain_text("heard-of")


def test_a_page_whose_stream_is_broken_asks_instead(opened: Open, live: str, work: Any) -> None:
    page = opened()
    page.route("**/hints*", partial(_refused))
    file(page)
    work.decide()
    expect(page.locator("#claim-1 .verdict")).to_contain_text("Pass")


def _refused(route: Route) -> None:
    route.fulfill(status=404)


def test_pause_and_resume(opened: Open, db: Engine) -> None:
    page = opened()
    file(page)
    page.goto("/operations")
    waiting = page.locator("tr:has-text('wait for the gatekeeper')")
    expect(waiting).to_contain_text("no dispatcher is running")
    page.click("text=Pause… stage fast")
    expect(page.locator("h1")).to_have_text("Pause stage fast, the gatekeepers")
    page.fill("#reason", "wrong claims were filed")
    page.click("button:has-text('Pause')")
    expect(page.locator(".paused")).to_contain_text("wrong claims were filed")
    expect(waiting).to_contain_text("paused")
    page.click("text=Resume…")
    page.fill("#reason", "sorted out")
    page.keyboard.press("Enter")
    expect(page.locator(".paused")).to_have_count(0)
    expect(waiting).to_contain_text("no dispatcher is running")
    expect(page.locator("#live")).to_contain_text("resume: stage fast")


def test_whether_all_is_well_and_who_did_what(opened: Open, db: Engine, work: Any) -> None:
    for part in Part:
        Heartbeat(db, part, f"{part}@machine:1").begin()
    page = opened("/operations")
    expect(page.locator("#live")).to_contain_text("Nothing needs attention")
    file(page)
    work.fail("timeout")
    page.goto("/operations")
    expect(page.get_by_label("What needs attention")).to_contain_text(
        "Claims failed without a verdict in the last hour: timeout"
    )
    expect(page.locator("tr:has-text('the expert did not answer in time')")).to_contain_text("Replay all…")
    page.click("text=Pause… tenant office >> nth=0")
    page.fill("#reason", "until the expert is back")
    page.click("button:has-text('Pause')")
    (label,) = {row["label"] for row in transact(db, partial(keys.of_tenant, tenant="office"))}
    ordered = page.get_by_label("What was done").locator("tbody tr").first
    expect(ordered).to_contain_text(label)
    expect(ordered).to_contain_text("pause: tenant office")


def test_replay_all_that_failed_with_one_error(opened: Open, db: Engine, work: Any) -> None:
    page = opened()
    file(page)
    work.fail("timeout")
    page.goto("/operations")
    page.click("text=Replay all…")
    expect(page.locator("main")).to_contain_text("3 claims failed without a verdict")
    page.fill("#reason", "the expert is back")
    page.click("button:has-text('Replay 3 claims')")
    expect(page.locator("#live")).to_contain_text("running: 0 of 3")
    transact(db, partial(jobs.work_off, batch=2))
    expect(page.locator("#live")).to_contain_text("running: 2 of 3")  # nothing was reloaded by hand
    flow.dispatch(db, fakes.Broker(), LIMITS, actor="d")
    expect(page.locator("#live")).to_contain_text("done: 3 of 3")


def test_another_tau_is_tried_by_moving_a_slider(opened: Open) -> None:
    record = Calibration.load(SHIPPED_MODEL / "calibration.json")
    curve = record.curve
    page = opened("/calibration")
    expect(page.locator("#what tr:has-text('go to the expert')")).to_contain_text(
        str(round(1_000 * record.escalation))
    )
    page.focus("#escalation")
    page.keyboard.press("End")
    expect(page.locator("#what tr:has-text('go to the expert')")).to_contain_text(
        str(round(1_000 * curve[-1].escalation))
    )

    plain = opened("/calibration", java_script_enabled=False)
    plain.focus("#escalation")
    plain.keyboard.press("Home")
    plain.click("text=Show")
    expect(plain.locator("#what tr:has-text('keep a wrong verdict')")).to_contain_text(
        str(round(1_000 * (1 - (curve[0].accuracy or 0))))
    )


@pytest.mark.parametrize("theme", THEMES)
def test_every_page_is_accessible_and_scrolls_one_way(
    opened: Open,
    db: Engine,
    work: Any,
    theme: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bins = (ReliabilityBin(0.0, 0.066667, 900, 0.02, 0.01), ReliabilityBin(0.933333, 1.0, 100, 0.97, 0.88))
    record = replace(Calibration.load(SHIPPED_MODEL / "calibration.json"), reliability=bins)
    monkeypatch.setattr(calibration, "calibration_of", lambda settings: record)
    flow.dispatch(db, fakes.Broker(), LIMITS, actor="d")  # declares the endpoint
    page = opened(color_scheme=theme)
    refuse_serious(page, "/operations")  # with nothing to show
    file(page, "a-docket-with-a-very-long-name-that-nobody-would-break-anywhere")
    work.decide()
    file(page)
    work.fail("timeout")
    transact(db, moves.compact_tallies)
    page.goto("/operations/pause?kind=tenant&name=office")
    refuse_serious(page, "the form of a pause")
    page.fill("#reason", "wrong claims were filed")
    page.click("button:has-text('Pause')")
    page.goto("/operations/replay?error=timeout")
    refuse_serious(page, "the form of a replay")
    page.fill("#reason", "the expert is back")
    page.click("button:has-text('Replay 3 claims')")
    job = page.url
    page.set_viewport_size({"width": 320, "height": 800})
    for path in (job, "/operations", "/calibration?escalation=40", "/nowhere", "/operations/replay"):
        page.goto(path)
        refuse_serious(page, path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, path
