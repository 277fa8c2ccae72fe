"""Models as rows: which orders lead from which state to which; each is one act, and can be undone."""

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, replace
from functools import partial
from typing import Any, Final
from uuid import UUID

import pytest
from sqlalchemy import Connection, Engine

from ace.errors import NotFound, Refused
from ace.store import acts, models
from ace.store.database import transact
from ace.store.model_tables import MODEL_MOVES, ModelState
from ace.store.models import NewModel, Report, ServingModel
from ace.store.operating_tables import ALL_TENANTS
from ace.store.pauses import Order
from tests.fakes import CALIBRATION

ORDER: Final = Order(ALL_TENANTS, "cli:ada", "because")
REPORT: Final = Report("report.json", "f" * 64)
RECORD: Final = CALIBRATION.sealed()


def new(digit: str) -> NewModel:
    return NewModel(digit * 64, "model-1", RECORD.id, asdict(RECORD))


def propose(db: Engine, digit: str, report: Report | None = REPORT) -> UUID:
    return transact(db, partial(models.propose, order=ORDER, new=new(digit), report=report))


def order(db: Engine, verb: Callable[..., Any], **given: Any) -> Any:
    return transact(db, partial(verb, order=ORDER, **given))


def states(db: Engine) -> dict[str, tuple[str, float]]:
    """State and share of each model, by the first digit of its digest."""
    return {row["digest"][0]: (row["state"], row["share"]) for row in transact(db, models.listed)}


def in_state(db: Engine, state: ModelState) -> UUID:
    """The model "b", in this state; "a" is the standing one."""
    transact(db, partial(models.adopt, order=ORDER, new=new("a")))
    model = propose(db, "b")
    if state is ModelState.SHADOW:
        order(db, models.shadow, model=model, share=5)
    if state is ModelState.ACTIVE:
        order(db, models.promote, model=model, share=10)
    if state is ModelState.RETIRED:
        order(db, models.retire, model=model)
    return model


ORDERS: Final[dict[str, Callable[[Connection, UUID], Any]]] = {
    "propose": lambda c, _: models.propose(c, ORDER, new("b"), None),
    "shadow": lambda c, model: models.shadow(c, ORDER, model, 5),
    "promote": lambda c, model: models.promote(c, ORDER, model),
    "rollback": lambda c, _: models.rollback(c, ORDER),
    "retire": lambda c, model: models.retire(c, ORDER, model),
}


@pytest.mark.parametrize("state", ModelState)
@pytest.mark.parametrize("name", ORDERS)
def test_every_order_from_every_state(db: Engine, name: str, state: ModelState) -> None:
    model = in_state(db, state)
    before = {row["id"]: row["state"] for row in transact(db, models.listed)}
    done = False
    with suppress(Refused):
        transact(db, lambda connection: ORDERS[name](connection, model))
        done = True
    moved = {
        (before[row["id"]], row["state"])
        for row in transact(db, models.listed)
        if row["state"] != before[row["id"]]
    }
    replaced = {(ModelState.ACTIVE, ModelState.RETIRED)}  # "a", by a promotion
    assert moved <= MODEL_MOVES[name] | (replaced if name == "promote" else set())
    if name in {"shadow", "promote", "retire"}:
        assert done == any(state == start for start, _ in MODEL_MOVES[name])
    assert done == bool(moved) or name in {"propose", "shadow"}  # which may find that nothing has to change


def test_a_promotion_replaces_and_a_rollback_returns(db: Engine) -> None:
    in_state(db, ModelState.PROPOSED)
    first, second = propose(db, "b"), propose(db, "c")
    order(db, models.promote, model=first)
    order(db, models.promote, model=second)
    assert states(db) == {"a": ("retired", 100), "b": ("retired", 100), "c": ("active", 100)}
    assert transact(db, models.serving).standing == ServingModel(second, "c" * 64, 100)

    ended, back = order(db, models.rollback)
    assert (ended["digest"][0], back["digest"][0]) == ("c", "b")
    order(db, models.rollback)
    assert states(db) == {"a": ("active", 100), "b": ("retired", 100), "c": ("retired", 100)}
    _, back = order(db, models.rollback)
    assert back is None  # the model of the settings
    assert transact(db, models.serving) == models.Serving()
    with pytest.raises(Refused, match="nothing to roll back"):
        order(db, models.rollback)
    done = transact(db, partial(acts.latest, tenant=ALL_TENANTS, limit=20))
    assert [(row["act"], row["target"]) for row in done[:3]] == [
        ("roll back", "model aaaaaaaaaaaa"),
        ("roll back", "model bbbbbbbbbbbb, back to aaaaaaaaaaaa"),
        ("roll back", "model cccccccccccc, back to bbbbbbbbbbbb"),
    ]
    assert all((row["actor"], row["reason"]) == ("cli:ada", "because") for row in done)


def test_a_canary_stands_beside_the_standing_model(db: Engine) -> None:
    canary = in_state(db, ModelState.ACTIVE)
    assert states(db) == {"a": ("active", 100), "b": ("active", 10)}
    serving = transact(db, models.serving)
    assert serving.canary == ServingModel(canary, "b" * 64, 10)
    assert serving.standing is not None
    other = propose(db, "c")
    for share in (20, 100):  # whatever it is compared with must not change meanwhile
        with pytest.raises(Refused, match=r"bbbbbbbbbbbb is the canary") as refused:
            order(db, models.promote, model=other, share=share)
        assert refused.value.code == "model_state"
    order(db, models.promote, model=canary, share=50)
    assert states(db)["b"] == ("active", 50)
    ended, back = order(db, models.rollback)
    assert (ended["digest"][0], back["digest"][0]) == ("b", "a")
    assert states(db)["a"] == ("active", 100)


def test_a_canary_becomes_the_standing_model(db: Engine) -> None:
    canary = in_state(db, ModelState.ACTIVE)
    order(db, models.promote, model=canary)
    assert states(db) == {"a": ("retired", 100), "b": ("active", 100)}
    order(db, models.rollback)
    assert states(db) == {"a": ("active", 100), "b": ("retired", 100)}


def test_no_promotion_without_a_report(db: Engine) -> None:
    bare = propose(db, "b", None)
    with pytest.raises(Refused, match="needs the model's evaluation report") as refused:
        order(db, models.promote, model=bare)
    assert refused.value.code == "report_missing"
    assert order(db, models.promote, model=bare, report=REPORT)["report_digest"] == REPORT.digest


def test_one_shadow_at_a_time(db: Engine) -> None:
    shadow = in_state(db, ModelState.SHADOW)
    assert transact(db, models.serving).shadow == ServingModel(shadow, "b" * 64, 5)
    with pytest.raises(Refused, match="is the shadow now"):
        order(db, models.shadow, model=propose(db, "c"), share=5)
    order(db, models.shadow, model=shadow, share=20)
    assert states(db)["b"] == ("shadow", 20)


def test_the_model_of_the_settings_is_the_first_row_once(db: Engine) -> None:
    assert transact(db, partial(models.adopt, order=ORDER, new=new("a")))
    assert not transact(db, partial(models.adopt, order=ORDER, new=new("b")))
    assert states(db) == {"a": ("active", 100)}
    assert json.loads(transact(db, models.standing_record) or "") == json.loads(json.dumps(asdict(RECORD)))
    assert propose(db, "a") == transact(db, models.serving).standing.id  # type: ignore[union-attr]
    assert states(db) == {"a": ("active", 100)}  # it stays what it is


@pytest.mark.parametrize(
    ("digits", "words"),
    [
        ("", "at least 6 digits"),
        ("bbbbb", "at least 6 digits"),
        ("cccccc", "no model has"),
        ("b" * 40, "several models have"),
    ],
)
def test_a_model_is_named_by_enough_digits(db: Engine, digits: str, words: str) -> None:
    model = in_state(db, ModelState.PROPOSED)
    alike = replace(new("b"), digest="b" * 63 + "c")
    if words.startswith("several"):
        transact(db, partial(models.propose, order=ORDER, new=alike, report=REPORT))
    with pytest.raises(Refused, match=words) as refused:
        transact(db, partial(models.named, digits=digits))
    assert refused.value.code == "unknown_model"
    assert transact(db, partial(models.named, digits="B" * 64))["id"] == model


def test_no_such_model(db: Engine) -> None:
    with pytest.raises(NotFound):
        order(db, models.retire, model=UUID(int=1))
