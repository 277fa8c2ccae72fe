"""The models on the page of the calibration: shown to operators, promoted and rolled back with a reason."""

from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial
from uuid import UUID, uuid4

import pytest
from sqlalchemy import Engine

from ace.gatekeeper.loading import SHIPPED_MODEL
from ace.routing.calibration import Calibration
from ace.routing.doubt_rank import bound_words
from ace.store import models
from ace.store.database import transact
from ace.store.models import NewModel, Report
from ace.store.operating_tables import ALL_TENANTS
from ace.store.pauses import Order
from ace.store.scopes import DEFAULT_SCOPES, Scope
from tests.integration.desk.conftest import SignIn
from tests.integration.desk.outline import EVIL, Outline, outline

SHIPPED = Calibration.load(SHIPPED_MODEL / "calibration.json")
OTHER = replace(SHIPPED, tau=0.5).sealed()


@pytest.fixture
def propose(db: Engine) -> Callable[..., UUID]:
    def proposed(
        digit: str, reason: str = "trained on rejections", report: str | None = "report.json"
    ) -> UUID:
        new = NewModel(digit * 64, OTHER.model_revision, OTHER.id, asdict(OTHER))
        given = None if report is None else Report(report, "f" * 64)
        order = Order(ALL_TENANTS, "cli:ada", reason)
        return transact(db, partial(models.propose, order=order, new=new, report=given))

    return proposed


def links(page: Outline, part: str) -> list[str]:
    return [href for href in page.all("href") if part in href]


def test_a_model_is_promoted_and_rolled_back(signed_in: SignIn, propose: Callable[..., UUID]) -> None:
    desk = signed_in(*Scope)
    page = outline(desk.get("/calibration"))
    assert "The model of the workers’ settings decides" in page.text
    assert SHIPPED.id in page.text

    propose("a")
    page = outline(desk.get("/calibration"))
    (promote,) = links(page, "/promote")
    assert links(page, "/rollback") == []
    assert "report.json" in outline(desk.get(promote)).text
    assert desk.post(promote, data={"share": "10", "reason": "a week as a canary"}).status_code == 303
    page = outline(desk.get("/calibration"))
    assert "canary for 10" in page.text
    assert SHIPPED.id in page.text  # which still decides the rest
    assert desk.post(promote, data={"share": "100", "reason": "it is better"}).status_code == 303
    page = outline(desk.get("/calibration"))
    assert links(page, "/promote") == []
    assert f"{OTHER.id}: {bound_words(OTHER)}" in page.text.replace("\n", " ")

    (rollback,) = links(page, "/rollback")
    assert "It decides all filings" in outline(desk.get(rollback)).text
    assert desk.post(rollback, data={"reason": "it is not"}).headers["location"] == "/calibration"
    page = outline(desk.get("/calibration"))
    assert "retired" in page.text
    assert f"{SHIPPED.id}: {bound_words(SHIPPED)}" in page.text.replace("\n", " ")
    assert desk.get(rollback).status_code == 404
    ordered = outline(desk.get("/operations")).text
    assert "it is not" in ordered
    assert "it is better" in ordered


@pytest.mark.parametrize(
    "given",
    [{"share": "10"}, {"reason": "r"}, {"share": "0", "reason": "r"}, {"share": "much", "reason": "r"}],
)
def test_a_form_that_is_not_filled_in_orders_nothing(
    signed_in: SignIn, propose: Callable[..., UUID], db: Engine, given: dict[str, str]
) -> None:
    path = f"/calibration/models/{propose('a')}/promote"
    assert signed_in(*Scope).post(path, data=given).status_code == 422
    assert transact(db, models.serving) == models.Serving()


def test_a_model_without_a_report_says_so(signed_in: SignIn, propose: Callable[..., UUID]) -> None:
    desk = signed_in(*Scope)
    path = f"/calibration/models/{propose('a', report=None)}/promote"
    assert "cannot be promoted" in outline(desk.get(path)).text
    assert desk.post(path, data={"share": "100", "reason": "now"}).status_code == 409


def test_who_does_not_operate_sees_no_models(signed_in: SignIn, propose: Callable[..., UUID]) -> None:
    model = propose("a")
    desk = signed_in(*DEFAULT_SCOPES, Scope.ADMIN)
    page = outline(desk.get("/calibration"))
    assert "trained on rejections" not in page.text
    assert links(page, "/calibration/") == []
    for path in (f"/calibration/models/{model}/promote", "/calibration/rollback"):
        assert desk.get(path).status_code == 403
        assert desk.post(path, data={"share": "100", "reason": "r"}).status_code == 403


def test_what_somebody_wrote_is_text(signed_in: SignIn, propose: Callable[..., UUID]) -> None:
    model = propose("a", reason=EVIL, report=EVIL)
    desk = signed_in(*Scope)
    for path in ("/calibration", f"/calibration/models/{model}/promote"):
        assert EVIL in outline(desk.get(path)).text
    assert desk.get(f"/calibration/models/{uuid4()}/promote").status_code == 404


def test_the_record_of_a_newer_version_breaks_no_page(db: Engine, signed_in: SignIn) -> None:
    new = NewModel("a" * 64, "m", "c", {**asdict(SHIPPED), "of_tomorrow": 1})
    transact(db, partial(models.adopt, order=Order(ALL_TENANTS, "cli:ada", "r"), new=new))
    desk = signed_in(*Scope)
    assert desk.get("/operations").status_code == 200
    assert desk.get("/calibration").status_code == 404
