"""What of the operations needs attention, and why claims wait."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from ace.api.experts import ExpertOut
from ace.desk import words
from ace.desk.calibration import Band
from ace.desk.health import Seen, troubles, why
from ace.store.counts import Failures
from ace.store.tables import Stage, State
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
WELL = Seen(
    counts={State.QUEUED: 3, State.ESCALATED: 4, State.DECIDED: 5},
    waiting={Stage.FAST: 2.0, Stage.SLOW: 60.0},
    paused=(),
    experts=[EXPERT],
    failures=[Failures("timeout", 9, NOW - timedelta(days=2), NOW - timedelta(hours=2))],
    share=0.2,
    band=BAND,
)
LATE = replace(WELL, waiting={Stage.FAST: 300.0, Stage.SLOW: 3600.0})


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        (WELL, []),
        (replace(WELL, experts=None, band=None, share=None), []),
        (replace(WELL, share=0.9, band=replace(BAND, enough=False)), []),
        (
            LATE,
            [
                "Claims have waited 5 min for the gatekeeper: no worker has taken them up yet.",
                "Claims have waited 1 h for the expert: no worker has taken them up yet.",
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
    ],
)
def test_what_needs_attention_is_said_in_sentences(seen: Seen, expected: list[str]) -> None:
    assert list(troubles(seen, NOW)) == expected


@pytest.mark.parametrize(
    ("state", "seen", "expected"),
    [
        (State.DECIDED, WELL, None),
        (State.QUEUED, replace(WELL, counts={State.QUEUED: 0}), None),
        (State.QUEUED, WELL, "no worker has taken them up yet"),
        (State.QUEUED, replace(WELL, paused={Stage.SLOW}), "no worker has taken them up yet"),
        (State.QUEUED, replace(WELL, paused={Stage.FAST}), "paused"),
        (State.QUEUED, replace(WELL, experts=[OUT]), "no worker has taken them up yet"),
        (State.ESCALATED, replace(WELL, experts=[OUT]), "the expert is out of service"),
        (State.ESCALATED, replace(WELL, experts=[OUT, EXPERT]), "no worker has taken them up yet"),
        (State.ESCALATED, replace(WELL, experts=[FULL]), "all slots of the expert are in use"),
        (State.ESCALATED, replace(WELL, waiting=dict.fromkeys(Stage)), "to be tried again later"),
    ],
)
def test_why_claims_wait(state: State, seen: Seen, expected: str | None) -> None:
    assert why(state, seen) == expected


def test_every_error_has_words() -> None:
    assert words.ERRORS.keys() == set(ERRORS)
