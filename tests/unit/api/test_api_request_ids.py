"""The id of a request: taken over, made up, answered and logged."""

import json
import logging

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from ace.api.request_ids import RequestIds
from ace.telemetry import JsonLines


@pytest.fixture
def client() -> TestClient:
    app = FastAPI()
    app.add_middleware(RequestIds)

    @app.get("/")
    def answer() -> str:
        logging.getLogger("ace.tests").warning("asked")
        return "answered"

    return TestClient(app)


@pytest.mark.parametrize("given", ["a", "0199d2a0-5b1c-7e53-9c11-6d2f0a7c4e0f", "trace:1.2_3", "x" * 64])
def test_a_client_s_id_is_kept(client: TestClient, given: str) -> None:
    assert client.get("/", headers={"X-Request-Id": given}).headers["x-request-id"] == given


@pytest.mark.parametrize("given", [None, "", "x" * 65, "a bracket", "a\tb", "<b>"])
def test_an_id_is_made_if_there_is_none_that_looks_like_one(client: TestClient, given: str | None) -> None:
    headers = {} if given is None else {"X-Request-Id": given}
    first, second = (client.get("/", headers=headers).headers["x-request-id"] for _ in range(2))
    assert len(first) == len(second) == 36
    assert len({first, second, given}) == 3


def test_what_is_logged_meanwhile_carries_the_id(client: TestClient) -> None:
    lines: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(JsonLines().format(record))  # type: ignore[method-assign]
    logger = logging.getLogger("ace.tests")
    logger.addHandler(handler)
    try:
        client.get("/", headers={"X-Request-Id": "mine"})
        logger.warning("afterwards")
    finally:
        logger.removeHandler(handler)
    during, after = map(json.loads, lines)
    assert (during["message"], during["request_id"]) == ("asked", "mine")
    assert "request_id" not in after
