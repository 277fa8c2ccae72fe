"""The operators' page: what needs attention, the backlog and its age, failures by cause, and what each worker
holds."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Final, NamedTuple

from fastapi import APIRouter, Request, Response
from sqlalchemy import Connection, RowMapping

from ace.api.callers import Tenant, actor_of
from ace.api.experts import experts_shown
from ace.api.jobs import jobs_of
from ace.api.operations import OK, broker_state
from ace.api.overview import ACTS, ActOut, acts_shown
from ace.api.parts import Here, Parts
from ace.api.pauses import PauseOut, pauses_shown
from ace.desk.calibration import Band, band, record_shown
from ace.desk.charts import columns
from ace.desk.health import Seen, troubles, why
from ace.desk.pages import Page, show
from ace.desk.visitors import ReadingVisitor
from ace.routing.calibration import Calibration
from ace.store import counts, keys, overview, throughput, workers
from ace.store.database import clock, transact
from ace.store.operating_tables import PauseKind
from ace.store.scopes import Scope
from ace.store.tables import Stage, State
from ace.store.throughput import Decided, Rate, rates

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
    `why` what they wait for. `rate` is how many of them are finished per minute, None if that has no meaning,
    and `minutes` how long they all take, None if that cannot be said."""

    state: State
    words: str
    claims: int
    waiting: float | None
    why: str | None
    rate: float | None
    minutes: float | None


class Read(NamedTuple):
    """What one transaction reads of the tenant, and the database's time."""

    now: datetime
    work: counts.Workload
    decided: Sequence[RowMapping]
    screened: Mapping[str, int]  # by the record in force, "gatekeeper" or "expert"


class Backlog(NamedTuple):
    """A tenant's claims on their way, and how long each stage takes for them, None if that cannot be said."""

    row: RowMapping
    minutes: Mapping[Stage, float | None]


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

    record = record_shown(parts)

    def read(connection: Connection) -> Read:
        screened = overview.screened_lately(connection, caller.name, record.id) if record is not None else {}
        return Read(
            clock(connection),
            counts.workload(connection, caller.name),
            overview.decided_lately(connection, caller.name),
            screened,
        )

    now, work, decided, screened = transact(parts.db, read, tenant=caller.name)
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
        pauses=pauses,
        paused=_paused(pauses, caller.name),
        experts=shared["experts"],
        workers=transact(parts.watch, workers.listed),
        operator=Scope.OPERATE in caller.scopes,
        failures=work.failures,
        share=_share(screened) if screened else None,
        band=_band(record, screened),
        broker=_broker(parts),
    )
    just_now = transact(parts.watch, throughput.decided_just_now)
    return show(
        request,
        "operations.html",
        troubles=list(troubles(seen, now)),
        seen=seen,
        now=now,
        rows=_rows(seen, rates(just_now, now, tenant=caller.name), caller.name),
        screened=sum(screened.values()),
        by=by,
        share=_share(by),
        lately=lately,
        chart=columns(decided, now),
        pauses=pauses,
        jobs=jobs_of(parts, caller.name, limit=LISTED),
        acts=runs(acts_shown(parts, caller, limit=ACTS))[:LISTED],
        backlogs=_backlogs(parts, seen, just_now, now) if seen.operator else None,
        **shared,
    )


def _backlogs(parts: Parts, seen: Seen, decided: Sequence[Decided], now: datetime) -> list[Backlog]:
    """The tenants with work on its way, each with how long that takes."""
    rows = transact(parts.watch, overview.backlogs)
    return [Backlog(row, _minutes(row, seen, rates(decided, now, tenant=row["tenant"]))) for row in rows]


def _minutes(row: RowMapping, seen: Seen, by_stage: Mapping[Stage, Rate]) -> dict[Stage, float | None]:
    return {
        stage: by_stage[stage].minutes_for(int(row[stage.due] + row[stage.running]))
        if seen.moves(stage, row["tenant"])
        else None
        for stage in Stage
    }


def _by_state(work: counts.Workload) -> dict[State, int]:
    found = dict.fromkeys(WORDS, 0)
    for (state, _), count in work.states.items():
        found[State(state)] += count
    return found


def _rows(seen: Seen, by_stage: Mapping[Stage, Rate], tenant: str) -> list[Row]:
    rows = {
        state: Row(state, words, seen.counts[state], None, None, None, None) for state, words in WORDS.items()
    }
    for stage, rate in by_stage.items():
        row = rows[stage.due]
        rows[stage.due] = row._replace(
            waiting=seen.waiting[stage],
            why=why(stage.due, seen),
            rate=rate.per_minute,
            minutes=rate.minutes_for(row.claims) if seen.moves(stage, tenant) else None,
        )
    return list(rows.values())


def _paused(pauses: Iterable[PauseOut], tenant: str) -> set[Stage]:
    """The stages for which nothing of the tenant is dispatched."""
    found: set[Stage] = set()
    for each in pauses:
        if each.kind is PauseKind.STAGE:
            found.add(Stage(each.name))
        elif each.kind is PauseKind.TENANT and each.name == tenant:
            found.update(Stage)
    return found


def _broker(parts: Parts) -> str | None:
    """Why the broker cannot serve; None if it can."""
    state = broker_state(parts)
    return None if state == OK else state


def _share(by: Mapping[str, int]) -> float | None:
    """The expert's share of verdicts; None if there are none."""
    return by["expert"] / sum(by.values()) if any(by.values()) else None


def _band(record: Calibration | None, screened: Mapping[str, int]) -> Band | None:
    """The share that the calibration lets expect of as many claims as it screened lately; None if there is no
    record, or one that never asks: it does not say how many claims stand beside a certain finding."""
    return band(record, sum(screened.values())) if record is not None and record.escalation else None


def _shared(parts: Parts, caller: Tenant) -> dict[str, Any]:
    """What tenants share, as far as the caller may see it; for admins also the labels of their keys."""
    admin, operator = Scope.ADMIN in caller.scopes, Scope.OPERATE in caller.scopes
    return {
        "experts": experts_shown(parts) if admin else None,
        "labels": _labels(parts, caller.name) if admin else {},
        "pausing": admin,
        "operating": admin and operator,
    }


def _labels(parts: Parts, tenant: str) -> dict[str, str]:
    """The labels of the tenant's keys, by the name under which each appears as an actor."""
    rows = transact(parts.db, partial(keys.of_tenant, tenant=tenant), tenant=tenant)
    return {actor_of(row["id"]): row["label"] for row in rows}
