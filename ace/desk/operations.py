"""The operators' page: the backlog and its age, failures by cause, and what each worker holds."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, NamedTuple

from fastapi import APIRouter, Request, Response
from sqlalchemy import Connection, RowMapping

from ace.api.callers import Tenant
from ace.api.experts import experts_shown
from ace.api.jobs import jobs_of
from ace.api.overview import acts_shown
from ace.api.parts import Here, Parts
from ace.api.pauses import pauses_shown
from ace.desk.calibration import Band, band, calibration_of
from ace.desk.charts import columns
from ace.desk.pages import Page, show
from ace.desk.visitors import ReadingVisitor
from ace.store import counts, overview
from ace.store.database import transact
from ace.store.scopes import Scope
from ace.store.tables import Stage, State

router = APIRouter(route_class=Page, include_in_schema=False)

LISTED: Final = 10  # jobs and acts
WORDS: Final = {
    State.QUEUED: "wait for the gatekeeper",
    State.SCREENING: "are being screened",
    State.ESCALATED: "wait for the expert",
    State.EXAMINING: "are being examined",
    State.DECIDED: "are decided",
    State.FAILED: "failed without a verdict",
    State.CANCELLED: "were cancelled",
}


class Row(NamedTuple):
    """Claims in one state; `waiting` is how long the oldest of those that are due has waited, in seconds."""

    state: State
    words: str
    claims: int
    waiting: float | None


@router.get("/operations")
def operations(request: Request, caller: ReadingVisitor, parts: Here) -> Response:
    """The work of the caller's tenant; for admins the experts, for operators the workers and all tenants."""

    def read(connection: Connection) -> tuple[counts.Workload, Sequence[RowMapping]]:
        return counts.workload(connection, caller.name), overview.decided_lately(connection, caller.name)

    work, decided = transact(parts.db, read, tenant=caller.name)
    now = datetime.now(UTC)
    by = {name: work.states.get((State.DECIDED, name), 0) for name in ("gatekeeper", "expert")}
    lately = {name: sum(row["count"] for row in decided if row["decided_by"] == name) for name in by}
    return show(
        request,
        "operations.html",
        rows=_rows(work, now),
        by=by,
        share=by["expert"] / sum(by.values()) if any(by.values()) else None,
        lately=lately,
        band=_band(parts, lately),
        chart=columns(decided, now),
        failures=work.failures,
        pauses=pauses_shown(parts, caller),
        jobs=jobs_of(parts, caller.name, limit=LISTED),
        acts=acts_shown(parts, caller, limit=LISTED),
        **_shared(parts, caller),
    )


def _rows(work: counts.Workload, now: datetime) -> list[Row]:
    since = {stage.due: work.due_since[stage] for stage in Stage}
    rows = []
    for state, words in WORDS.items():
        due = since.get(state)
        count = sum(each for (name, _), each in work.states.items() if name == state)
        rows.append(Row(state, words, count, None if due is None else max(0.0, (now - due).total_seconds())))
    return rows


def _band(parts: Parts, lately: Mapping[str, int]) -> Band | None:
    """The share that the calibration lets expect for as many verdicts as there were lately."""
    record = calibration_of(parts.settings)
    return None if record is None else band(record, sum(lately.values()))


def _shared(parts: Parts, caller: Tenant) -> dict[str, Any]:
    """What tenants share, as far as the caller may see it."""
    admin, operator = Scope.ADMIN in caller.scopes, Scope.OPERATE in caller.scopes
    read = partial(transact, parts.watch)
    return {
        "experts": experts_shown(parts) if admin else None,
        "workers": read(overview.workers) if operator else None,
        "backlogs": read(overview.backlogs) if operator else None,
        "pausing": admin,
        "operating": admin and operator,
    }
