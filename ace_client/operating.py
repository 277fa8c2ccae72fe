"""Pauses, jobs, acts, workers and backlogs, as the API answers them."""

from datetime import datetime

from ace_client.literals import AnyJobState, AnyPauseKind, AnyStage
from ace_client.model import Model


class Pause(Model):
    """A pause in force. `in_hand` claims are still under way; a drain is over at 0.

    One `by_operator` was ordered for all tenants, and only an operator can end it.
    """

    id: str
    kind: AnyPauseKind
    name: str
    drain: bool
    in_hand: int
    by_operator: bool
    actor: str
    reason: str
    at: datetime


class Pauses(Model):
    """The pauses in force, oldest first."""

    pauses: tuple[Pause, ...]


class Job(Model):
    """A replay of all failed evaluations that matched when it was ordered, and how many it has replayed."""

    id: str
    state: AnyJobState
    filter: dict[str, str]
    matched: int
    replayed: int
    actor: str
    reason: str
    at: datetime
    ended_at: datetime | None


class Jobs(Model):
    """The newest jobs, newest first."""

    jobs: tuple[Job, ...]


class Act(Model):
    """What somebody ordered, and why."""

    at: datetime
    actor: str
    act: str
    target: str
    reason: str


class Acts(Model):
    """The newest acts, newest first."""

    acts: tuple[Act, ...]


class Worker(Model):
    """A worker that holds something; `since` is when it took up the oldest of it."""

    worker: str
    stage: AnyStage
    messages: int
    claims: int
    since: datetime


class Workers(Model):
    """The workers that hold something."""

    workers: tuple[Worker, ...]


class Backlog(Model):
    """The claims of a tenant that are on their way. `oldest` is when the first of those that wait was due."""

    tenant: str
    queued: int
    screening: int
    escalated: int
    examining: int
    oldest: datetime | None


class Backlogs(Model):
    """The tenants with the most claims on their way."""

    backlogs: tuple[Backlog, ...]
