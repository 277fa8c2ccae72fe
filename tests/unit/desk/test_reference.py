"""The page /docs: all that the OpenAPI document says, as a page of the desk, for whoever asks."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from ace.api.app import create_app
from ace.bounded import Bounded
from ace.desk.pages import POLICY
from ace.desk.reference import _kind, _worded
from ace.desk.routes import install
from ace.settings import Settings
from ace.store.database import connect_engine
from tests.integration.desk.outline import Outline


@pytest.fixture(scope="module")
def browser(rules: Bounded) -> TestClient:
    db = connect_engine("postgresql://nobody@localhost/none", name="reference")
    app = create_app(Settings(_env_file=None), db, db, rules)
    install(app)
    return TestClient(app, base_url="http://127.0.0.1")


def test_every_route_and_model_has_its_place_and_nothing_is_active(browser: TestClient) -> None:
    document = browser.get("/openapi.json").json()
    answer = browser.get("/docs")
    assert (answer.status_code, answer.headers["content-security-policy"]) == (200, POLICY)
    page = Outline(answer.text)
    page.refuse_active()  # nothing inline or from elsewhere, and every link within the page leads somewhere
    ids = set(page.all("id"))
    operations = [one for item in document["paths"].values() for one in item.values()]
    assert {one["operationId"] for one in operations} <= ids
    assert {f"model-{name}" for name in document["components"]["schemas"]} <= ids
    shown = " ".join(page.text.split())
    for one in operations:
        assert one["summary"] in shown
        for parameter in one.get("parameters", ()):
            assert parameter["name"] in shown


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "string", "format": "uuid"}, "uuid"),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "integer or null"),
        ({"type": "array", "items": {"type": "string"}}, "list of string"),
        ({"$ref": "#/components/schemas/Span"}, '<a href="#model-Span">Span</a>'),
        ({"enum": ["US", "<b>"]}, "<code>US</code> or <code>&lt;b&gt;</code>"),
        ({"const": "failed"}, "<code>failed</code>"),
        ({}, "anything"),
    ],
)
def test_types_in_words(schema: dict[str, Any], words: str) -> None:
    assert _kind(schema) == words


def test_descriptions_become_paragraphs_lists_and_code() -> None:
    assert _worded("One `x<y`\nline.\n\n- `a`: A.\n- b") == (
        "<p>One <code>x&lt;y</code> line.</p><ul><li><code>a</code>: A.</li><li>b</li></ul>"
    )
    assert _worded("") == ""
