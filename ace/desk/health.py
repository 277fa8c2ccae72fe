"""What needs an operator's attention, and why claims wait: sentences, from what the page of operations shows.

The bounds are those of the alarms in `deploy/observe/rules.yml`.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from ace.api.experts import ExpertOut
from ace.api.pauses import PauseOut
from ace.desk import words
from ace.desk.calibration import Band
from ace.store.counts import Failures
from ace.store.operating_tables import Part, PauseKind
from ace.store.tables import Stage, State
from ace.store.workers import PARTS, KnownWorker, missed
from ace.types import outages
from ace.types.endpoint_state import Breaker
from ace.wording import plural

LATE_SECONDS: Final = {Stage.FAST: 60, Stage.SLOW: 900}
RECENT: Final = timedelta(hours=1)  # failures
WAITING: Final = {State.QUEUED: Stage.FAST, State.ESCALATED: Stage.SLOW}
NEEDED: Final = {
    Part.DISPATCHER: "nothing is sent to workers",
    Part.GATEKEEPER: "no claim is screened",
    Part.EXPERT_WORKER: "no claim is examined",
}
"""The parts without which claims wait, and what that means."""
PAUSED: Final = {
    PauseKind.STAGE: "no claim of any tenant is sent to it",
    PauseKind.TENANT: "none of its claims is sent to a worker",
    PauseKind.ENDPOINT: "nothing is sent to it",
}


@dataclass(frozen=True, slots=True)
class Seen:
    """What a page of operations knows. `waiting` is how long the oldest claim that is due has waited, in
    seconds, `pauses` what concerns the caller, and `paused` the stages for which nothing of its tenant is
    dispatched; `experts` is None for those who may not see them. Only operators are told of single
    `workers`."""

    counts: Mapping[State, int]
    waiting: Mapping[Stage, float | None]
    pauses: Sequence[PauseOut]
    paused: Collection[Stage]
    experts: Sequence[ExpertOut] | None
    workers: Sequence[KnownWorker]
    operator: bool
    failures: Sequence[Failures]
    share: float | None  # of the claims that the record in force has screened in the last hour, the expert's
    band: Band | None
    broker: str | None = None  # why it cannot serve

    def living(self, part: Part) -> Sequence[KnownWorker]:
        """The processes of a part that live."""
        return [one for one in self.workers if one.part is part and one.lives]

    def moves(self, stage: Stage, tenant: str) -> bool:
        """Whether claims of a tenant that wait for a stage are sent out and taken up."""
        held = {(PauseKind.STAGE, stage.value), (PauseKind.TENANT, tenant)}
        return (
            not any((each.kind, each.name) in held for each in self.pauses)
            and bool(self.living(Part.DISPATCHER))
            and bool(self.living(PARTS[stage]))
        )


def troubles(seen: Seen, now: datetime) -> Iterator[str]:
    """A sentence for each thing that needs attention, the most urgent first."""
    if seen.broker is not None:
        yield f"No work is handed to workers: the broker {outages.WORDS[seen.broker]}."
    for part, consequence in NEEDED.items():
        if not seen.living(part):
            yield f"No {words.PARTS[part]} is running: {consequence}."
    yield from _late(seen)
    yield from _paused(seen, now)
    for each in seen.experts or ():
        if each.breaker is not Breaker.CLOSED:
            fault = words.ERRORS.get(each.last_fault or "")
            yield f"The expert {each.name} is out of service{f' ({fault})' if fault else ''}."
    if seen.operator:
        yield from _of_processes(seen.workers, now)
    recent = [str(each.error) for each in seen.failures if now - each.last < RECENT]
    if recent:
        yield f"Claims failed without a verdict in the last hour: {', '.join(recent)}."
    if seen.share is not None and seen.band is not None and not seen.band.holds(seen.share):
        yield "The expert’s share of the last hour is not what the calibration expects."


def _late(seen: Seen) -> Iterator[str]:
    for state, stage in WAITING.items():
        waited, reason = seen.waiting[stage], why(state, seen)
        if waited is not None and waited > LATE_SECONDS[stage] and reason is not None:
            yield f"Claims have waited {words.duration(waited)} for {words.STAGES[stage]}: {reason}."


def _paused(seen: Seen, now: datetime) -> Iterator[str]:
    for each in seen.pauses:
        since = words.duration((now - each.at).total_seconds())
        how = "drained" if each.drain else "paused"
        what = words.STAGES[Stage(each.name)] if each.kind is PauseKind.STAGE else f"{each.kind} {each.name}"
        yield f"{what[0].upper()}{what[1:]} has been {how} for {since}: {PAUSED[each.kind]}."


def _of_processes(known: Sequence[KnownWorker], now: datetime) -> Iterator[str]:
    for lost in missed(known):
        since = words.duration((now - lost.seen_at).total_seconds()) if lost.seen_at else "some time"
        who = f"{words.PARTS[lost.part]} {lost.name}"
        yield f"The {who} was last seen {since} ago, and nothing has taken its place."
    for one in known:
        if one.seen_at is not None and one.silent(now):
            since = words.duration((now - one.seen_at).total_seconds())
            yield f"The {words.PARTS[one.part]} {one.name} has given no sign for {since}."


def why(state: State, seen: Seen) -> str | None:
    """Why claims in this state wait; None if they do not."""
    stage = WAITING.get(state)
    if stage is None or not seen.counts.get(state):
        return None
    if stage in seen.paused:
        return "paused"
    if seen.waiting[stage] is None:
        return "to be tried again later"
    experts = seen.experts if stage is Stage.SLOW else None
    if experts and all(each.breaker is not Breaker.CLOSED for each in experts):
        return "the expert is out of service"
    if experts and all(each.in_flight >= each.slots for each in experts):
        return "all slots of the expert are in use"
    return _of_workers(stage, seen)


def _of_workers(stage: Stage, seen: Seen) -> str:
    """Why no worker holds them yet."""
    for part in (Part.DISPATCHER, PARTS[stage]):
        if not seen.living(part):
            return f"no {words.PARTS[part]} is running"
    busy = sum(one.claims for one in seen.living(PARTS[stage]))
    if busy:
        others = f" with {plural(busy, 'claim')}" if seen.operator else ""  # of all tenants
        return f"the workers are busy{others}"
    late = (seen.waiting[stage] or 0) > LATE_SECONDS[stage]
    return "idle workers have not taken them up: see the dispatcher’s log" if late else "about to be taken up"
