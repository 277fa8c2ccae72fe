"""Models over HTTP: who sees and orders what, and what is recorded."""

from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from typing import Any
from uuid import UUID

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine

from ace.store import models
from ace.store.database import transact
from ace.store.models import NewModel, Report
from ace.store.operating_tables import ALL_TENANTS
from ace.store.pauses import Order
from ace.store.scopes import Scope
from tests.fakes import CALIBRATION

ORDER = Order(ALL_TENANTS, "cli:ada", "trained on rejections")
WHY = {"reason": "a try"}


@pytest.fixture
def operator(anonymous: TestClient, new_key: Callable[..., str]) -> TestClient:
    """A client that sees no tenant's work and looks after all of it."""
    anonymous.headers["Authorization"] = f"Bearer {new_key('operators', Scope.READ, Scope.OPERATE)}"
    return anonymous


def propose(db: Engine, digit: str, *, reported: bool = True) -> UUID:
    new = NewModel(digit * 64, "model-1", CALIBRATION.id, asdict(CALIBRATION))
    report = Report("report.json", "f" * 64) if reported else None
    return transact(db, partial(models.propose, order=ORDER, new=new, report=report))


def listed(operator: TestClient) -> dict[str, tuple[str, float]]:
    found = operator.get("/v1/models").json()["models"]
    return {one["digest"][0]: (one["state"], one["share"]) for one in found}


def test_a_model_is_tried_promoted_and_rolled_back(operator: TestClient, db: Engine) -> None:
    model = propose(db, "a")
    shadow = operator.post(f"/v1/models/{model}/shadow", json={**WHY, "share": 5})
    assert (shadow.status_code, shadow.json()["state"], shadow.json()["share"]) == (200, "shadow", 5)
    promote = f"/v1/models/{model}/promote"
    assert operator.post(promote, json={**WHY, "share": 10}).json()["state"] == "active"
    assert operator.post(promote, json={**WHY, "share": 100}).json()["share"] == 100
    again = operator.post(promote, json={**WHY, "share": 100})
    assert (again.status_code, again.json()["type"]) == (409, "/problems/model_state")
    undone = operator.post("/v1/models/rollback", json=WHY).json()
    assert (undone["retired"]["id"], undone["active"]) == (str(model), None)
    assert operator.post("/v1/models/rollback", json=WHY).status_code == 409
    assert listed(operator) == {"a": ("retired", 100)}
    other = propose(db, "b")
    assert operator.post(f"/v1/models/{other}/retire", json=WHY).json()["state"] == "retired"

    acts = operator.get("/v1/acts").json()["acts"]
    assert [(one["act"], one["reason"]) for one in acts if one["actor"].startswith("key:")] == [
        ("retire", "a try"),
        ("roll back", "a try"),
        ("promote", "a try"),
        ("promote", "a try"),
        ("shadow", "a try"),
    ]


def test_no_promotion_without_a_report(operator: TestClient, db: Engine) -> None:
    model = propose(db, "a", reported=False)
    refused = operator.post(f"/v1/models/{model}/promote", json={**WHY, "share": 100})
    assert (refused.status_code, refused.json()["type"]) == (409, "/problems/report_missing")


@pytest.mark.parametrize(
    "body", [{"share": 0}, {"share": 101}, {"share": None}, {}, {"share": 5, "reason": " "}]
)
def test_a_share_and_a_reason_are_needed(operator: TestClient, db: Engine, body: dict[str, Any]) -> None:
    model = propose(db, "a")
    refused = operator.post(f"/v1/models/{model}/promote", json={**WHY, **body})
    assert refused.status_code == 422
    assert listed(operator) == {"a": ("proposed", 100)}


def test_who_does_not_operate_sees_and_orders_nothing(
    anonymous: TestClient, new_key: Callable[..., str], db: Engine
) -> None:
    model = propose(db, "a")
    anonymous.headers["Authorization"] = f"Bearer {new_key('office', *set(Scope) - {Scope.OPERATE})}"
    assert anonymous.get("/v1/models").status_code == 403
    for path in (f"{model}/promote", f"{model}/shadow", f"{model}/retire", "rollback"):
        assert anonymous.post(f"/v1/models/{path}", json={**WHY, "share": 5}).status_code == 403
    assert [row["state"] for row in transact(db, models.listed)] == ["proposed"]
