"""The state of an expert endpoint: its slots, its breaker, and the outcomes of its examinations."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final
from uuid import UUID

FIRST_SLOTS: Final = 8  # unless the endpoint's own maximum is lower
BUCKETS: Final = (
    0.1,
    0.25,
    0.5,
    1.0,
    2.5,
    5.0,
    10.0,
    20.0,
    40.0,
    80.0,
    160.0,
)  # seconds; a further bucket has the rest


class Breaker(StrEnum):
    """Whether claims are sent to an endpoint. Outcomes move it (ace.expert.pacing); the dispatcher starts a
    trial."""

    CLOSED = "closed"  # as many claims as it has slots; several faults in a row -> open
    OPEN = "open"  # none until its time is over; a claim to try -> half_open; any answer -> closed
    HALF_OPEN = "half_open"  # one claim; any answer -> closed, a fault of that claim -> open


@dataclass(frozen=True, slots=True)
class ExaminationOutcome:
    """The outcome of one examination: `error` is the kind of its fault, or None."""

    token: UUID  # the lease that it was made under
    error: str | None
    seconds: float
    at: datetime
    retry_after: float | None = None
    leased_at: datetime | None = None  # when the dispatcher gave it a slot, if the lease still exists


@dataclass(slots=True)
class EndpointState:
    """The state of an endpoint; the fields are the columns of its row."""

    name: str
    weight: float
    most: int  # maximum of slots in the settings
    max_concurrent: int | None  # as the server reports it
    slots: float
    doubling: bool  # until the first bound is found
    lowered_at: datetime
    since: datetime  # when the breaker last closed or opened
    breaker: Breaker = Breaker.CLOSED
    refused_at: float | None = None  # slots in use when it last refused
    latency: float | None = None  # mean of the last answers, seconds
    best_latency: float | None = None
    measured: int = 0  # answers since the mean last changed the slots
    until: datetime | None = None  # open until then
    in_a_row: int = 0  # consecutive faults of the endpoint
    probe: UUID | None = None  # the lease of the claim on trial
    last_fault: str | None = None
    last_fault_at: datetime | None = None
    answers: int = 0
    faults: dict[str, int] = field(default_factory=dict)
    seconds_sum: float = 0.0
    seconds_buckets: list[int] = field(default_factory=lambda: [0] * (len(BUCKETS) + 1))

    @property
    def ceiling(self) -> int:
        """The maximum of the slots."""
        return max(1, min(self.most, self.max_concurrent or self.most))
