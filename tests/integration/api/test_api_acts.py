"""The record of what people did: each act once, with who did it, without a word of a claim."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

HOOK = {"url": "https://example.org/", "events": ["filing.settled"]}
SECRET_WORDS = "the zyzzyva is introduced nowhere"
NOTHING = "01a1fb7f-0da3-7014-8f64-d20e21e5c542"


@pytest.fixture
def evaluation(api: TestClient, work: Any) -> str:
    filed = api.post("/v1/filings", json={"docket": "P", "claims": "1. A zyzzyva."}).json()
    work.decide(fail=True)
    return str(filed["evaluations"][0]["id"])


def acts(api: TestClient) -> list[tuple[str, str]]:
    """What was done and to what, the oldest first."""
    shown = api.get("/v1/acts").json()["acts"]
    assert all(one["actor"].startswith("key:") for one in shown)
    return [(one["act"], one["target"]) for one in reversed(shown)]


def test_reviews_and_samples_are_acts(api: TestClient, evaluation: str) -> None:
    said = {"evaluation": evaluation, "reason": SECRET_WORDS}
    api.post("/v1/reviews", json={**said, "answer": "agree"})
    api.post("/v1/reviews", json={**said, "answer": "disagree", "label": "pass", "status": "adjudicated"})
    finding = {"rule": "antecedent.no_basis", "start": 2, "end": 9}
    api.post("/v1/reviews", json={**said, "answer": "unsure", "finding": finding})
    api.post("/v1/reviews", json={**said, "answer": "disagree"})  # refused: it gives no class
    api.post("/v1/reviews/sample", json={"probability": 1, "since": "2026-11-01T00:00:00Z"})

    assert acts(api) == [
        ("review", f"verdict of evaluation {evaluation}"),
        ("adjudicate", f"verdict of evaluation {evaluation}"),
        ("review", f"finding of evaluation {evaluation}"),
        ("draw sample", "1 verdict, each with probability 100 %, since 2026-11-01"),
    ]
    assert "zyzzyva" not in api.get("/v1/acts").text


def test_changes_of_webhooks_are_acts(api: TestClient) -> None:
    hook = api.post("/v1/webhooks", json=HOOK).json()["id"]
    path = f"/v1/webhooks/{hook}"
    api.patch(path, json={"url": "https://example.net/", "description": "docketing"})
    api.patch(path, json={"events": ["filing.settled"]})
    api.patch(path, json={"enabled": False})
    api.patch(path, json={"enabled": True})
    api.post(f"{path}/secrets")
    api.post(f"{path}/replays", json={"since": "2026-11-01T00:00:00Z"})
    api.delete(path)
    api.delete(path)
    api.patch(path, json={"enabled": True})
    api.post(f"/v1/webhooks/{NOTHING}/secrets")

    assert acts(api) == [
        ("make webhook", f"webhook {hook}"),
        ("change webhook", f"webhook {hook}: description, url"),
        ("change webhook", f"webhook {hook}: events"),
        ("disable webhook", f"webhook {hook}"),
        ("enable webhook", f"webhook {hook}"),
        ("rotate secret", f"webhook {hook}"),
        ("replay deliveries", f"webhook {hook}: 0"),
        ("delete webhook", f"webhook {hook}"),
    ]
    assert "example" not in api.get("/v1/acts").text


def test_changes_of_the_term_list_are_acts(api: TestClient) -> None:
    body = {"kind": "keep_together", "term": "zyzzyva house", "reason": SECRET_WORDS}
    term = api.post("/v1/terms", json=body).json()["term"]
    api.post("/v1/terms", json=body)  # it is on the list
    api.delete(f"/v1/terms/{term}")
    api.delete(f"/v1/terms/{term}")

    assert acts(api) == [("add term", f"keep_together {term}"), ("remove term", f"keep_together {term}")]
    assert "zyzzyva" not in api.get("/v1/acts").text
