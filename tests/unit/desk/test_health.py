"""What of the operations needs attention, and why claims wait."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from ace.api.experts import ExpertOut
from ace.api.pauses import PauseOut
from ace.desk import words
from ace.desk.calibration import Band
from ace.desk.health import Seen, troubles, why
from ace.store.counts import Failures
from ace.store.operating_tables import Part, PauseKind
from ace.store.tables import Stage, State
from ace.store.workers import KnownWorker
from ace.types.endpoint_state import Breaker
from ace.types.faults import ERRORS

NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
EXPERT = ExpertOut(
    name="tgi",
    weight=1,
    slots=8,
    most_slots=64,
    max_concurrent=64,
    in_flight=2,
    breaker=Breaker.CLOSED,
    since=NOW,
    until=None,
    latency_seconds=1.0,
    best_latency_seconds=1.0,
    answers=9,
    faults={},
    last_fault=None,
    last_fault_at=None,
)
OUT = EXPERT.model_copy(update={"breaker": Breaker.OPEN, "last_fault": "timeout"})
FULL = EXPERT.model_copy(update={"in_flight": 8})
BAND = Band(0.2, 0.1, 0.3, enough=True)


def running(part: Part, *, claims: int = 0, lost_minutes: int | None = None) -> KnownWorker:
    """A process that has run for an hour; lost some minutes ago if that is given."""
    return KnownWorker(
        name=f"{part}@machine:1",
        part=part,
        host="machine",
        started_at=NOW - timedelta(hours=1),
        seen_at=NOW - timedelta(minutes=lost_minutes or 0),
        messages=int(claims > 0),
        claims=claims,
        since=NOW if claims else None,
        lives=lost_minutes is None,
    )


def pause_of(kind: PauseKind, name: str, *, drain: bool = False) -> PauseOut:
    return PauseOut(
        id=UUID(int=1),
        kind=kind,
        name=name,
        drain=drain,
        in_hand=0,
        by_operator=True,
        actor="cli:night",
        reason="an upgrade",
        at=NOW - timedelta(minutes=90),
    )


IDLE = [running(part) for part in Part]
BUSY = [running(part, claims=64) for part in Part]
WELL = Seen(
    counts={State.QUEUED: 3, State.ESCALATED: 4, State.DECIDED: 5},
    waiting={Stage.FAST: 2.0, Stage.SLOW: 60.0},
    pauses=[],
    paused=(),
    experts=[EXPERT],
    workers=IDLE,
    operator=True,
    failures=[Failures("timeout", 9, NOW - timedelta(days=2), NOW - timedelta(hours=2))],
    share=0.2,
    band=BAND,
)
LATE = replace(WELL, waiting={Stage.FAST: 300.0, Stage.SLOW: 3600.0})


def without(part: Part, *more: KnownWorker) -> Seen:
    return replace(WELL, workers=[*(one for one in IDLE if one.part is not part), *more])


LOST = running(Part.GATEKEEPER, lost_minutes=3)
MISSED = (
    "The gatekeeper worker gatekeeper@machine:1 was last seen 3 min ago, and nothing has taken its place."
)
UNTOUCHED = "idle workers have not taken them up: see the dispatcher’s log"
NO_GATEKEEPER = "No gatekeeper worker is running: no claim is screened."


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        (WELL, []),
        (replace(WELL, experts=None, band=None, share=None), []),
        (
            replace(WELL, broker="out_of_memory"),
            [
                "No work is handed to workers: the broker has no memory left: somebody must give it more.",
            ],
        ),
        (replace(WELL, share=0.9, band=replace(BAND, enough=False)), []),
        (replace(WELL, share=None), []),  # the record in force has screened nothing yet
        (
            LATE,
            [
                f"Claims have waited 5 min for the gatekeeper: {UNTOUCHED}.",
                f"Claims have waited 1 h for the expert: {UNTOUCHED}.",
            ],
        ),
        (
            replace(LATE, workers=BUSY),
            [
                "Claims have waited 5 min for the gatekeeper: the workers are busy with 64 claims.",
                "Claims have waited 1 h for the expert: the workers are busy with 64 claims.",
            ],
        ),
        (replace(LATE, counts={State.QUEUED: 0, State.ESCALATED: 0}), []),  # decided while the page was made
        (
            replace(WELL, experts=[EXPERT, OUT]),
            ["The expert tgi is out of service (the expert did not answer in time)."],
        ),
        (
            replace(WELL, failures=[*WELL.failures, Failures("poison", 1, NOW, NOW)]),
            ["Claims failed without a verdict in the last hour: poison."],
        ),
        (
            replace(WELL, share=0.9),
            ["The expert’s share of the last hour is not what the calibration expects."],
        ),
        (without(Part.GATEKEEPER), [NO_GATEKEEPER]),
        (without(Part.DISPATCHER), ["No dispatcher is running: nothing is sent to workers."]),
        (without(Part.EXPERT_WORKER), ["No expert worker is running: no claim is examined."]),
        (without(Part.WEBHOOK_WORKER), []),  # many installations have no webhooks
        (
            without(Part.GATEKEEPER, LOST),
            [
                NO_GATEKEEPER,
                MISSED,
            ],
        ),
        (replace(without(Part.GATEKEEPER, LOST), operator=False), [NO_GATEKEEPER]),
        (
            replace(WELL, workers=[*IDLE, LOST]),
            [MISSED],
        ),
        (
            replace(WELL, workers=[*IDLE, replace(running(Part.GATEKEEPER), started_at=NOW), LOST]),
            [],  # another was started since
        ),
        (
            replace(
                WELL, workers=[*IDLE, replace(running(Part.GATEKEEPER), seen_at=NOW - timedelta(seconds=31))]
            ),
            ["The gatekeeper worker gatekeeper@machine:1 has given no sign for 31 s."],
        ),
        (
            replace(WELL, pauses=[pause_of(PauseKind.TENANT, "office")]),
            ["Tenant office has been paused for 2 h: none of its claims is sent to a worker."],
        ),
        (
            replace(
                WELL,
                pauses=[
                    pause_of(PauseKind.STAGE, "fast", drain=True),
                    pause_of(PauseKind.ENDPOINT, "tgi"),
                ],
            ),
            [
                "The gatekeeper has been drained for 2 h: no claim of any tenant is sent to it.",
                "Endpoint tgi has been paused for 2 h: nothing is sent to it.",
            ],
        ),
    ],
)
def test_what_needs_attention_is_said_in_sentences(seen: Seen, expected: list[str]) -> None:
    assert list(troubles(seen, NOW)) == expected


SOON = "about to be taken up"


@pytest.mark.parametrize(
    ("state", "seen", "expected"),
    [
        (State.DECIDED, WELL, None),
        (State.QUEUED, replace(WELL, counts={State.QUEUED: 0}), None),
        (State.QUEUED, WELL, SOON),
        (State.QUEUED, replace(WELL, workers=BUSY), "the workers are busy with 64 claims"),
        (State.QUEUED, replace(WELL, workers=BUSY, operator=False), "the workers are busy"),
        (State.ESCALATED, replace(WELL, workers=BUSY, experts=None), "the workers are busy with 64 claims"),
        (State.QUEUED, without(Part.GATEKEEPER), "no gatekeeper worker is running"),
        (State.QUEUED, without(Part.GATEKEEPER, LOST), "no gatekeeper worker is running"),
        (State.QUEUED, without(Part.EXPERT_WORKER), SOON),
        (State.ESCALATED, without(Part.EXPERT_WORKER), "no expert worker is running"),
        (State.ESCALATED, without(Part.DISPATCHER), "no dispatcher is running"),
        (State.QUEUED, replace(WELL, paused={Stage.SLOW}), SOON),
        (State.QUEUED, replace(WELL, paused={Stage.FAST}), "paused"),
        (State.QUEUED, replace(WELL, experts=[OUT]), SOON),
        (State.ESCALATED, replace(WELL, experts=[OUT]), "the expert is out of service"),
        (
            State.ESCALATED,
            replace(WELL, experts=[OUT.model_copy(update={"breaker": Breaker.HALF_OPEN})]),
            "the expert is out of service",
        ),
        (State.ESCALATED, replace(WELL, experts=[OUT, EXPERT]), SOON),
        (State.ESCALATED, replace(WELL, experts=[FULL]), "all slots of the expert are in use"),
        (State.ESCALATED, replace(WELL, waiting=dict.fromkeys(Stage)), "to be tried again later"),
    ],
)
def test_why_claims_wait(state: State, seen: Seen, expected: str | None) -> None:
    assert why(state, seen) == expected


def test_every_error_has_words() -> None:
    assert words.ERRORS.keys() == set(ERRORS)
