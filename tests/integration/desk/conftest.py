"""The desk in the process of the API of the integration tests, and browsers that ask for its pages: imitated
ones and Chromium."""

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    expect,
    sync_playwright,
)
from sqlalchemy import Engine

from ace.api.app import create_app
from ace.bounded import Bounded
from ace.desk.routes import install
from ace.settings import Settings
from ace.store.scopes import Scope
from tests.integration.api.conftest import (  # noqa: F401  # fixtures
    api_db,
    key,
    live,
    login,
    new_key,
    server,
    settings,
    watch_db,
    work,
)

OURS = {"Sec-Fetch-Site": "same-origin"}
TENANT = "office"
PATIENCE_MS = 120_000  # the machine may have other things to do

Open = Callable[..., Page]


@pytest.fixture
def app(settings: Settings, db: Engine, api_db: Engine, watch_db: Engine, rules: Bounded) -> FastAPI:  # noqa: F811
    made = create_app(settings, api_db, watch_db, rules)
    install(made)
    return made


@pytest.fixture
def visitor(app: FastAPI) -> TestClient:
    """A browser that has not signed in, and follows no redirect by itself."""
    return TestClient(app, base_url="http://127.0.0.1", headers=OURS, follow_redirects=False)


SignIn = Callable[..., TestClient]


@pytest.fixture
def signed_in(app: FastAPI, new_key: Callable[..., str]) -> SignIn:  # noqa: F811
    """Makes browsers that have signed in, with a key of these scopes and this tenant."""

    def make(*scopes: Scope, tenant: str = TENANT) -> TestClient:
        browser = TestClient(app, base_url="http://127.0.0.1", headers=OURS, follow_redirects=False)
        answer = browser.post("/sign-in", data={"key": new_key(tenant, *scopes)})
        assert answer.status_code == 303
        return browser

    return make


@pytest.fixture
def desk(signed_in: SignIn) -> TestClient:
    """A browser with a session of a key of the usual scopes."""
    return signed_in()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        reason = "no Chromium: apt-get install chromium"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])


@pytest.fixture
def opened(chromium: Browser, live: str, key: str) -> Iterator[Open]:  # noqa: F811
    """Opens pages in browsers that have signed in. After the test, none of them has complained, or asked
    anybody but the desk."""
    complaints: list[str] = []
    contexts: list[BrowserContext] = []

    def listen(page: Page) -> None:
        def hear(message: ConsoleMessage) -> None:
            if message.type == "error" and "the server responded with a status of 4" not in message.text:
                complaints.append(message.text)

        def see(request: Request) -> None:
            if not request.url.startswith(live):
                complaints.append(f"asked {request.url}")

        page.on("console", hear)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", see)

    def make(path: str = "/", **options: Any) -> Page:
        context = chromium.new_context(base_url=live, **options)
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        context.on("page", listen)
        page = context.new_page()
        page.goto("/sign-in")
        page.fill("#key", key)
        page.click("text=Sign in >> nth=-1")
        page.wait_for_url(f"{live}/")
        page.goto(path)
        return page

    yield make
    for context in contexts:
        context.close()
    assert complaints == []
