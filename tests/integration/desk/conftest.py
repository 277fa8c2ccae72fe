"""The desk in the process of the API of the integration tests, and a browser's way to ask for its pages."""

from collections.abc import Callable

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
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
