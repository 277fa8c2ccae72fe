"""The state of an endpoint of the expert: its slots, its breaker, and the outcomes of its examinations."""

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
)  # seconds; there is one more bucket for the rest


class Breaker(StrEnum):
    """Whether claims go to an endpoint."""

    CLOSED = "closed"  # as many as it has slots
    OPEN = "open"  # none until `until`; then -> half_open, when the dispatcher has a claim to try
    HALF_OPEN = "half_open"  # one; any answer -> closed, a fault of that claim -> open


@dataclass(frozen=True, slots=True)
class ExaminationOutcome:
    """The outcome of one examination: `error` is the kind of its fault, None if there was none."""

    token: UUID  # the lease that it was made under
    error: str | None
    seconds: float
    at: datetime
    retry_after: float | None = None
    leased_at: datetime | None = None  # when the dispatcher gave it a slot, if its lease still exists
    own: bool = False  # the fault is the claim's: the endpoint answers others


@dataclass(slots=True)
class EndpointState:
    """The state of an endpoint; the fields are the columns of its row."""

    name: str
    weight: float
    most: int  # maximum of slots, by the settings
    max_concurrent: int | None  # the server's own maximum, if it reports one
    slots: float
    doubling: bool  # still looking for its first limit
    lowered_at: datetime
    since: datetime  # when the breaker last closed, or last opened
    breaker: Breaker = Breaker.CLOSED
    refused_at: float | None = None  # slots in use when it last refused
    latency: float | None = None  # mean of the last answers, seconds
    best_latency: float | None = None
    measured: int = 0  # answers since the mean was last used
    until: datetime | None = None  # how long it stays open
    in_a_row: int = 0  # faults of the endpoint in a row
    probe: UUID | None = None  # the lease of the claim that tries it
    last_fault: str | None = None
    last_fault_at: datetime | None = None
    answers: int = 0
    faults: dict[str, int] = field(default_factory=dict)
    seconds_sum: float = 0.0
    seconds_buckets: list[int] = field(default_factory=lambda: [0] * (len(BUCKETS) + 1))

    @property
    def ceiling(self) -> int:
        """The number that slots never exceed."""
        return max(1, min(self.most, self.max_concurrent or self.most))
