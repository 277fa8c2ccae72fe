"""Pauses, jobs, models, acts, workers and backlogs, as the API answers them."""

from datetime import datetime

from patent_ace_client.literals import AnyJobKind, AnyJobState, AnyModelState, AnyPauseKind, AnyStage
from patent_ace_client.model import Model


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
    """A replay or re-evaluation of all evaluations that matched when it was ordered; `replayed` of them run
    again so far."""

    id: str
    kind: AnyJobKind
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


class GatekeeperModel(Model):
    """A gatekeeper model with its calibration, named by the digest of its files.

    `share` is the per cent of the filings that it decides if active, or scores if a shadow. With
    `expert_assumed`, the calibration takes an expert that nobody has measured for as good as a recorded
    one.
    """

    id: str
    digest: str
    model: str
    calibration: str
    expert_assumed: bool = False
    state: AnyModelState
    share: float
    report: str | None
    report_digest: str | None
    actor: str
    reason: str
    at: datetime
    changed_at: datetime


class GatekeeperModels(Model):
    """All models, newest first."""

    models: tuple[GatekeeperModel, ...]


class RolledBack(Model):
    """A promotion that was undone; `active` is None if the model of the workers' settings decides now."""

    retired: GatekeeperModel
    active: GatekeeperModel | None


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
