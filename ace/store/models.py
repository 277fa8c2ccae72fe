"""Models as rows: which one decides, which is tried beside it, who ordered that and why.

Every move waits for the one before it, so that no two orders cross, and is an act in the same
transaction.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, RowMapping, text

from ace.errors import NotFound, Refused
from ace.store import acts
from ace.store.ids import new_id
from ace.store.model_tables import WHOLE, ModelState
from ace.store.operating_tables import ALL_TENANTS
from ace.store.pauses import Order

_COLUMNS: Final = (
    "id, digest, model, calibration, report, report_digest, state, share, replaced, actor, reason, at,"
    " changed_at, COALESCE((record ->> 'expert_assumed')::boolean, false) AS expert_assumed"
)
_SHOWN_DIGITS: Final = 12
_NAMED_DIGITS: Final = 6  # of a digest, which name a model


@dataclass(frozen=True, slots=True)
class NewModel:
    """A model whose files are in the folder of models: its digest, revision, calibration id and record."""

    digest: str
    model: str
    calibration: str
    record: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Report:
    """An evaluation report: where it lies, and the SHA-256 of its bytes."""

    place: str
    digest: str


@dataclass(frozen=True, slots=True)
class ServingModel:
    """A model that scores; `share` is in per cent of the filings."""

    id: UUID
    digest: str
    share: float


@dataclass(frozen=True, slots=True)
class Serving:
    """What scores now. Without a standing model, the one in the settings decides what no canary does."""

    standing: ServingModel | None = None
    canary: ServingModel | None = None
    shadow: ServingModel | None = None


def serving(connection: Connection) -> Serving:
    """The models that workers should have loaded."""
    found: dict[str, ServingModel] = {}
    rows = connection.execute(
        text(
            "SELECT id, digest, state, share FROM models"
            " WHERE tenant = :tenant AND state IN ('active', 'shadow')"
        ),
        {"tenant": ALL_TENANTS},
    )
    for id_, digest, state, share in rows:
        role = "shadow" if state == ModelState.SHADOW else "standing" if share >= WHOLE else "canary"
        found[role] = ServingModel(id_, digest, float(share))
    return Serving(**found)


def listed(connection: Connection) -> Sequence[RowMapping]:
    """All models, the newest first, without their records."""
    return (
        connection.execute(
            text(f"SELECT {_COLUMNS} FROM models WHERE tenant = :tenant ORDER BY id DESC"),
            {"tenant": ALL_TENANTS},
        )
        .mappings()
        .all()
    )


def one(connection: Connection, model: UUID) -> RowMapping:
    """A model. Raises NotFound."""
    return _found(listed(connection), model)


def named(connection: Connection, digits: str) -> RowMapping:
    """The model whose digest begins so. Raises Refused for too few digits, or if several or none do."""
    if len(digits) < _NAMED_DIGITS:
        words = f"give at least {_NAMED_DIGITS} digits of the model's digest, not {len(digits)}"
        raise Refused(words, code="unknown_model")
    found = [row for row in listed(connection) if row["digest"].startswith(digits.lower())]
    if len(found) != 1:
        words = f"{'several models have' if found else 'no model has'} a digest that begins with {digits!r}"
        raise Refused(f"{words}: see `ace models list --json`", code="unknown_model")
    return found[0]


def standing_record(connection: Connection) -> str | None:
    """The calibration record of the standing model, as JSON; None if the model of the settings decides."""
    written: str | None = connection.execute(
        text(
            "SELECT CAST(record AS text) FROM models"
            " WHERE tenant = :tenant AND state = 'active' AND share >= :whole"
        ),
        {"tenant": ALL_TENANTS, "whole": WHOLE},
    ).scalar()
    return written


def records(connection: Connection, calibrations: Collection[str]) -> Sequence[str]:
    """The calibration records with these ids, as JSON, of whatever models there have been."""
    rows = connection.execute(
        text(
            "SELECT CAST(record AS text) FROM models"
            " WHERE tenant = :tenant AND calibration = ANY(:calibrations)"
        ),
        {"tenant": ALL_TENANTS, "calibrations": list(calibrations)},
    )
    return list(rows.scalars())


def adopt(connection: Connection, order: Order, new: NewModel) -> bool:
    """Makes the model that has served until now the first row, if there is none. False: there was one."""
    if _locked(connection):
        return False
    _insert(connection, order, new, ModelState.ACTIVE, None)
    _act(connection, order, "adopt", new.digest)
    return True


def propose(connection: Connection, order: Order, new: NewModel, report: Report | None) -> UUID:
    """Adds a model, or proposes a retired one again; returns its id. One that is in use keeps its state, and
    takes the report if one is given."""
    known = next((row for row in _locked(connection) if row["digest"] == new.digest), None)
    if known is None:
        made = _insert(connection, order, new, ModelState.PROPOSED, report)
        _act(connection, order, "propose", new.digest)
        return made
    changes: dict[str, object] = {}
    if known["state"] == ModelState.RETIRED:
        changes["state"] = ModelState.PROPOSED
    if report is not None:
        changes |= {"report": report.place, "report_digest": report.digest}
    if changes:
        _change(connection, known["id"], **changes)
        _act(connection, order, "propose", new.digest)
    id_: UUID = known["id"]
    return id_


def shadow(connection: Connection, order: Order, model: UUID, share: float) -> RowMapping:
    """Lets a proposed model score this share of the filings, in per cent, without deciding any."""
    rows = _locked(connection)
    wanted = _movable(rows, model, ModelState.PROPOSED, ModelState.SHADOW)
    _refuse_second(rows, wanted, ModelState.SHADOW)
    _change(connection, model, state=ModelState.SHADOW, share=share)
    _act(connection, order, "shadow", wanted["digest"], f" at {share:g} %")
    return one(connection, model)


def promote(
    connection: Connection, order: Order, model: UUID, share: float = WHOLE, report: Report | None = None
) -> RowMapping:
    """Lets a model decide this share of the filings, in per cent; at 100 it replaces the standing model.

    Raises Refused if it has no report and none is given, if it stands already or is retired, and while
    another one is a canary.
    """
    rows = _locked(connection)
    wanted = _movable(rows, model, ModelState.PROPOSED, ModelState.SHADOW, ModelState.ACTIVE)
    if wanted["state"] == ModelState.ACTIVE and wanted["share"] >= WHOLE:
        raise Refused("this model decides all filings already", code="model_state")
    if report is None and wanted["report"] is None:
        raise Refused("a promotion needs the model's evaluation report", code="report_missing")
    _refuse_second(rows, wanted, ModelState.ACTIVE)
    before = _standing(rows) if share >= WHOLE else None
    if before is not None:
        _change(connection, before["id"], state=ModelState.RETIRED)
    given = {} if report is None else {"report": report.place, "report_digest": report.digest}
    replaced = None if before is None else before["id"]
    _change(connection, model, state=ModelState.ACTIVE, share=share, replaced=replaced, **given)
    _act(connection, order, "promote", wanted["digest"], "" if share >= WHOLE else f" at {share:g} %")
    return one(connection, model)


def rollback(connection: Connection, order: Order) -> tuple[RowMapping, RowMapping | None]:
    """Undoes the last promotion: ends the canary or, without one, brings back the model that the standing one
    replaced. Returns the model that was retired, and the one that stands now; None is that of the settings.

    Verdicts keep the model and the calibration that they name. Raises Refused if no model is active.
    """
    rows = _locked(connection)
    canary = next((row for row in rows if row["state"] == ModelState.ACTIVE and row["share"] < WHOLE), None)
    ended = canary or _standing(rows)
    if ended is None:
        raise Refused("no model has been promoted: there is nothing to roll back", code="model_state")
    _change(connection, ended["id"], state=ModelState.RETIRED)
    back = _standing(rows) if canary else next((row for row in rows if row["id"] == ended["replaced"]), None)
    if back is not None and canary is None:
        _change(connection, back["id"], state=ModelState.ACTIVE, share=WHOLE)
    to = "" if back is None else f", back to {back['digest'][:_SHOWN_DIGITS]}"
    _act(connection, order, "roll back", ended["digest"], to)
    return one(connection, ended["id"]), None if back is None else one(connection, back["id"])


def retire(connection: Connection, order: Order, model: UUID) -> RowMapping:
    """Gives up a proposed model or a shadow. Raises Refused for one that decides: a rollback ends that."""
    wanted = _movable(_locked(connection), model, ModelState.PROPOSED, ModelState.SHADOW)
    _change(connection, model, state=ModelState.RETIRED)
    _act(connection, order, "retire", wanted["digest"])
    return one(connection, model)


def _locked(connection: Connection) -> Sequence[RowMapping]:
    """All models. Orders wait here for each other, so that each sees what the one before has done."""
    connection.execute(text("SELECT pg_advisory_xact_lock(hashtext('ace models'))"))
    return listed(connection)


def _found(rows: Sequence[RowMapping], model: UUID) -> RowMapping:
    found = next((row for row in rows if row["id"] == model), None)
    if found is None:
        raise NotFound("no such model")
    return found


def _movable(rows: Sequence[RowMapping], model: UUID, *states: ModelState) -> RowMapping:
    found = _found(rows, model)
    if found["state"] not in states:
        raise Refused(f"this model is {found['state']}, not {' or '.join(states)}", code="model_state")
    return found


def _standing(rows: Sequence[RowMapping]) -> RowMapping | None:
    return next((row for row in rows if row["state"] == ModelState.ACTIVE and row["share"] >= WHOLE), None)


def _refuse_second(rows: Sequence[RowMapping], wanted: RowMapping, state: ModelState) -> None:
    """There is one shadow and one canary at a time: what they show is compared with the standing model."""
    for row in rows:
        partial = state is ModelState.SHADOW or row["share"] < WHOLE
        if row["state"] == state and partial and row["id"] != wanted["id"]:
            kind = "shadow" if state is ModelState.SHADOW else "canary"
            raise Refused(
                f"model {row['digest'][:_SHOWN_DIGITS]} is the {kind} now: end that first", code="model_state"
            )


def _insert(
    connection: Connection, order: Order, new: NewModel, state: ModelState, report: Report | None
) -> UUID:
    id_ = new_id(connection)
    connection.execute(
        text("""
        INSERT INTO models (id, tenant, digest, model, calibration, record, report, report_digest, state,
          share, actor, reason)
        VALUES (:id, :tenant, :digest, :model, :calibration, CAST(:record AS jsonb), :report, :report_digest,
          :state, :share, :actor, :reason)"""),
        {
            "id": id_,
            "tenant": order.tenant,
            "digest": new.digest,
            "model": new.model,
            "calibration": new.calibration,
            "record": json.dumps(dict(new.record)),
            "report": report and report.place,
            "report_digest": report and report.digest,
            "state": state,
            "share": WHOLE,
            "actor": order.actor,
            "reason": order.reason,
        },
    )
    return id_


def _change(connection: Connection, model: UUID, **values: object) -> None:
    assignments = ", ".join(f"{name} = :{name}" for name in values)
    connection.execute(
        text(f"UPDATE models SET {assignments}, changed_at = now() WHERE id = :id"), {"id": model, **values}
    )


def _act(connection: Connection, order: Order, act: str, digest: str, more: str = "") -> None:
    target = f"model {digest[:_SHOWN_DIGITS]}{more}"
    acts.record(connection, order.tenant, actor=order.actor, act=act, target=target, reason=order.reason)
