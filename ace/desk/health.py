"""What needs an operator's attention, and why claims wait: sentences, from what the page of operations shows.

The bounds are those of the alarms in `deploy/observe/rules.yml`.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from ace.api.experts import ExpertOut
from ace.desk import words
from ace.desk.calibration import Band
from ace.store.counts import Failures
from ace.store.tables import Stage, State
from ace.types.endpoint_state import Breaker

LATE_SECONDS: Final = {Stage.FAST: 60, Stage.SLOW: 900}
RECENT: Final = timedelta(hours=1)  # failures
WAITING: Final = {State.QUEUED: Stage.FAST, State.ESCALATED: Stage.SLOW}


@dataclass(frozen=True, slots=True)
class Seen:
    """What a page of operations knows. `waiting` is how long the oldest claim that is due has waited, in
    seconds, `paused` the stages for which nothing is dispatched; `experts` is None for those who may not see
    them."""

    counts: Mapping[State, int]
    waiting: Mapping[Stage, float | None]
    paused: Collection[Stage]
    experts: Sequence[ExpertOut] | None
    failures: Sequence[Failures]
    share: float | None  # of the verdicts of the last hour, the expert's
    band: Band | None


def troubles(seen: Seen, now: datetime) -> Iterator[str]:
    """A sentence for each thing that needs attention, the most urgent first."""
    for state, stage in WAITING.items():
        waited, reason = seen.waiting[stage], why(state, seen)
        if waited is not None and waited > LATE_SECONDS[stage] and reason is not None:
            yield f"Claims have waited {words.duration(waited)} for {words.STAGES[stage]}: {reason}."
    for each in seen.experts or ():
        if each.breaker is not Breaker.CLOSED:
            fault = words.ERRORS.get(each.last_fault or "")
            yield f"The expert {each.name} is out of service{f' ({fault})' if fault else ''}."
    recent = [str(each.error) for each in seen.failures if now - each.last < RECENT]
    if recent:
        yield f"Claims failed without a verdict in the last hour: {', '.join(recent)}."
    if seen.share is not None and seen.band is not None and not seen.band.holds(seen.share):
        yield "The expert’s share of the last hour is not what the calibration expects."


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
    if experts and all(each.breaker is Breaker.OPEN for each in experts):
        return "the expert is out of service"
    if experts and all(each.in_flight >= each.slots for each in experts):
        return "all slots of the expert are in use"
    return "no worker has taken them up yet"
