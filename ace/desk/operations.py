"""The page for whoever looks after the work: what waits and since when, what failed and why, the experts."""

from datetime import UTC, datetime
from typing import Final, NamedTuple

from fastapi import APIRouter, Request, Response

from ace.api.experts import experts_shown
from ace.api.parts import Here
from ace.desk.pages import Page, show
from ace.desk.visitors import ReadingVisitor
from ace.store import counts
from ace.store.database import transact
from ace.store.scopes import Scope
from ace.store.tables import Stage, State

router = APIRouter(route_class=Page, include_in_schema=False)

WORDS: Final = {
    State.QUEUED: "wait for the gatekeeper",
    State.SCREENING: "are being screened",
    State.ESCALATED: "wait for the expert",
    State.EXAMINING: "are being examined",
    State.DECIDED: "are decided",
    State.FAILED: "failed without a verdict",
    State.CANCELLED: "were cancelled",
}


class Line(NamedTuple):
    """Claims in one state; `waiting` is how long the oldest of those that are due has waited, in seconds."""

    state: State
    words: str
    claims: int
    waiting: float | None


@router.get("/operations")
def overview(request: Request, caller: ReadingVisitor, parts: Here) -> Response:
    """The work of the caller's tenant, and for admins the experts."""
    work = transact(parts.db, lambda connection: counts.workload(connection, caller.name), tenant=caller.name)
    now = datetime.now(UTC)
    since = {stage.due: work.due_since[stage] for stage in Stage}
    lines = []
    for state, words in WORDS.items():
        due = since.get(state)
        count = sum(each for (name, _), each in work.states.items() if name == state)
        lines.append(
            Line(state, words, count, None if due is None else max(0.0, (now - due).total_seconds()))
        )
    by = {name: work.states.get((State.DECIDED, name), 0) for name in ("gatekeeper", "expert")}
    return show(
        request,
        "operations.html",
        lines=lines,
        by=by,
        share=by["expert"] / sum(by.values()) if any(by.values()) else None,
        failures=work.failures,
        experts=experts_shown(parts) if Scope.ADMIN in caller.scopes else None,
    )
