"""Keys, the servers of the expert, and the state of the API, as it answers them."""

from datetime import datetime

from pydantic import Field

from patent_ace_client.literals import AnyBreaker, AnyScope
from patent_ace_client.model import Model


class Key(Model):
    """A key that is not revoked, without its secret; `last_used_at` is exact to the minute."""

    id: str
    label: str
    scopes: tuple[AnyScope, ...]
    requests_per_second: float | None
    test: bool
    expires_at: datetime | None
    created_at: datetime
    last_used_at: datetime | None


class Keys(Model):
    """The tenant's keys that are not revoked, oldest first."""

    keys: tuple[Key, ...]


class NewKey(Model):
    """A key that was just created: the only time that it is shown."""

    id: str
    key: str = Field(repr=False)
    label: str
    scopes: tuple[AnyScope, ...]
    requests_per_second: float | None
    test: bool
    expires_at: datetime | None


class Expert(Model):
    """A server of the expert: its slots, its breaker, and its results so far."""

    name: str
    weight: float
    slots: int
    most_slots: int
    max_concurrent: int | None
    in_flight: int
    breaker: AnyBreaker
    since: datetime
    until: datetime | None
    latency_seconds: float | None
    best_latency_seconds: float | None
    answers: int
    faults: dict[str, int]
    last_fault: str | None
    last_fault_at: datetime | None


class Experts(Model):
    """The servers of the expert, by name."""

    experts: tuple[Expert, ...]


class Ready(Model):
    """Everything that the API needs can be reached."""

    status: str
    parts: dict[str, str]


class ProblemDescription(Model):
    """What a type of problem means, and what the client can do."""

    type: str
    title: str
    status: int
    meaning: str
    remedy: str
