"""Routes of the expert: the state of its endpoints, which serve all tenants."""

from datetime import datetime
from typing import Any, Final

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from ace.api.openapi import answers
from ace.api.parts import Admin, Here, Nothing, Parts
from ace.store import endpoints
from ace.store.database import transact
from ace.types.endpoint_state import Breaker

router = APIRouter(prefix="/v1", tags=["experts"])

_EXPERT: Final[dict[str, Any]] = {
    "name": "expert",
    "weight": 1.0,
    "slots": 24,
    "most_slots": 32,
    "max_concurrent": 128,
    "in_flight": 24,
    "breaker": "closed",
    "since": "2026-11-20T09:30:00.125Z",
    "until": None,
    "latency_seconds": 11.4,
    "best_latency_seconds": 8.2,
    "answers": 20114,
    "faults": {"overloaded": 3, "schema": 41},
    "last_fault": "schema",
    "last_fault_at": "2026-11-20T09:28:13.201Z",
}


class ExpertOut(BaseModel):
    """One expert endpoint: its slots, its breaker, and its results so far."""

    model_config = ConfigDict(json_schema_extra={"examples": [_EXPERT]})

    name: str
    weight: float = Field(description="Its share of the examinations, relative to the others.")
    slots: int = Field(description="Concurrent examinations it is given, as learned so far.")
    most_slots: int = Field(description="Maximum of `slots`, from the settings.")
    max_concurrent: int | None = Field(description="Maximum concurrent requests that the server reports.")
    in_flight: int
    breaker: Breaker
    since: datetime = Field(description="When the breaker opened, or closed again.")
    until: datetime | None = Field(description="When it is tried again; null while the breaker is closed.")
    latency_seconds: float | None = Field(description="Mean of the latest answers.")
    best_latency_seconds: float | None = Field(description="Minimum of that mean so far.")
    answers: int
    faults: dict[str, int] = Field(description="Examinations that failed, by kind of fault.")
    last_fault: str | None
    last_fault_at: datetime | None


class Experts(BaseModel):
    """The expert endpoints, by name."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"experts": [_EXPERT]}]})

    experts: list[ExpertOut]


@router.get(
    "/experts", operation_id="list_experts", summary="State of the expert endpoints", responses=answers()
)
def experts(_caller: Admin, parts: Here, _: Nothing) -> Experts:
    """As the dispatchers have learned it; empty before the first one has run."""
    return Experts(experts=experts_shown(parts))


def experts_shown(parts: Parts) -> list[ExpertOut]:
    """The expert endpoints, by name."""
    return [_shown(one) for one in transact(parts.watch, endpoints.statuses)]


def _shown(one: endpoints.EndpointStatus) -> ExpertOut:
    at = one.state
    return ExpertOut(
        name=at.name,
        weight=at.weight,
        slots=int(at.slots),
        most_slots=at.most,
        max_concurrent=at.max_concurrent,
        in_flight=one.in_flight,
        breaker=at.breaker,
        since=at.since,
        until=at.until,
        latency_seconds=at.latency,
        best_latency_seconds=at.best_latency,
        answers=at.answers,
        faults=at.faults,
        last_fault=at.last_fault,
        last_fault_at=at.last_fault_at,
    )
