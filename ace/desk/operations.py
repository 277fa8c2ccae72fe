"""The operators' page: what needs attention, the backlog and its age, failures by cause, and what each worker
holds."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, NamedTuple

from fastapi import APIRouter, Request, Response
from sqlalchemy import Connection, RowMapping

from ace.api.callers import Tenant, actor_of
from ace.api.experts import experts_shown
from ace.api.jobs import jobs_of
from ace.api.overview import ACTS, ActOut, acts_shown
from ace.api.parts import Here, Parts
from ace.api.pauses import PauseOut, pauses_shown
from ace.desk.calibration import Band, band, record_shown
from ace.desk.charts import columns
from ace.desk.health import Seen, troubles, why
from ace.desk.pages import Page, show
from ace.desk.visitors import ReadingVisitor
from ace.store import counts, keys, overview
from ace.store.database import transact
from ace.store.operating_tables import PauseKind
from ace.store.scopes import Scope
from ace.store.tables import Stage, State

router = APIRouter(route_class=Page, include_in_schema=False)

LISTED: Final = 10  # jobs, and runs of acts
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
    """Claims in one state; `waiting` is how long the oldest of those that are due has waited, in seconds, and
    `why` what they wait for."""

    state: State
    words: str
    claims: int
    waiting: float | None
    why: str | None


class Run(NamedTuple):
    """Acts of one kind by one person after another, such as reviews; `at` and `target` of the newest."""

    at: datetime
    actor: str
    act: str
    target: str
    reason: str
    times: int


def runs(acts: Iterable[ActOut]) -> list[Run]:
    """Acts in their order, those in a row put together, except that each with a reason stands alone."""
    found: list[Run] = []
    for each in acts:
        last = found[-1] if found and not each.reason else None
        if last is not None and (last.actor, last.act, last.reason) == (each.actor, each.act, ""):
            found[-1] = last._replace(times=last.times + 1)
        else:
            found.append(Run(each.at, each.actor, each.act, each.target, each.reason, 1))
    return found


@router.get("/operations")
def operations(request: Request, caller: ReadingVisitor, parts: Here) -> Response:
    """The work of the caller's tenant; for admins the experts, for operators the workers and all tenants."""

    def read(connection: Connection) -> tuple[counts.Workload, Sequence[RowMapping]]:
        return counts.workload(connection, caller.name), overview.decided_lately(connection, caller.name)

    work, decided = transact(parts.db, read, tenant=caller.name)
    now = datetime.now(UTC)
    by = {name: work.states.get((State.DECIDED, name), 0) for name in ("gatekeeper", "expert")}
    lately = {name: sum(row["count"] for row in decided if row["decided_by"] == name) for name in by}
    pauses = pauses_shown(parts, caller)
    shared = _shared(parts, caller)
    seen = Seen(
        counts=_by_state(work),
        waiting={
            stage: None if since is None else max(0.0, (now - since).total_seconds())
            for stage, since in work.due_since.items()
        },
        paused=_paused(pauses, caller.name),
        experts=shared["experts"],
        failures=work.failures,
        share=_share(lately),
        band=_band(parts, lately),
    )
    return show(
        request,
        "operations.html",
        troubles=list(troubles(seen, now)),
        seen=seen,
        rows=_rows(seen),
        by=by,
        share=_share(by),
        lately=lately,
        chart=columns(decided, now),
        pauses=pauses,
        jobs=jobs_of(parts, caller.name, limit=LISTED),
        acts=runs(acts_shown(parts, caller, limit=ACTS))[:LISTED],
        **shared,
    )


def _by_state(work: counts.Workload) -> dict[State, int]:
    found = dict.fromkeys(WORDS, 0)
    for (state, _), count in work.states.items():
        found[State(state)] += count
    return found


def _rows(seen: Seen) -> list[Row]:
    due = {stage.due: waited for stage, waited in seen.waiting.items()}
    return [
        Row(state, words, seen.counts[state], due.get(state), why(state, seen))
        for state, words in WORDS.items()
    ]


def _paused(pauses: Iterable[PauseOut], tenant: str) -> set[Stage]:
    """The stages for which nothing of the tenant is dispatched."""
    found: set[Stage] = set()
    for each in pauses:
        if each.kind is PauseKind.STAGE:
            found.add(Stage(each.name))
        elif each.kind is PauseKind.TENANT and each.name == tenant:
            found.update(Stage)
    return found


def _share(by: Mapping[str, int]) -> float | None:
    """The expert's share of verdicts; None if there are none."""
    return by["expert"] / sum(by.values()) if any(by.values()) else None


def _band(parts: Parts, lately: Mapping[str, int]) -> Band | None:
    """The share that the calibration lets expect for as many verdicts as there were lately; None if there is
    no record, or one that never asks: it does not say how many claims stand beside a certain finding."""
    record = record_shown(parts)
    return band(record, sum(lately.values())) if record is not None and record.escalation else None


def _shared(parts: Parts, caller: Tenant) -> dict[str, Any]:
    """What tenants share, as far as the caller may see it; for admins also the labels of their keys."""
    admin, operator = Scope.ADMIN in caller.scopes, Scope.OPERATE in caller.scopes
    read = partial(transact, parts.watch)
    return {
        "experts": experts_shown(parts) if admin else None,
        "workers": read(overview.workers) if operator else None,
        "backlogs": read(overview.backlogs) if operator else None,
        "labels": _labels(parts, caller.name) if admin else {},
        "pausing": admin,
        "operating": admin and operator,
    }


def _labels(parts: Parts, tenant: str) -> dict[str, str]:
    """The labels of the tenant's keys, by the name under which each appears as an actor."""
    rows = transact(parts.db, partial(keys.of_tenant, tenant=tenant), tenant=tenant)
    return {actor_of(row["id"]): row["label"] for row in rows}
