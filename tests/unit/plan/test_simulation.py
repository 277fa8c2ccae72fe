"""The simulation against what queueing theory knows, and the plan made of it."""

import math
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from ace.errors import Refused
from ace.plan.backlog import backlog_plan
from ace.plan.measured import Measured, from_metrics
from ace.plan.planning import Demand, Prices, plan
from ace.plan.simulation import Filing, Phase, percentile, replayed, simulate

FIXED = Measured(
    claim_seconds=0.1, message_seconds=0, transit_seconds=0, claims_per_filing=1, message_claims=1
)


def test_nothing_is_lost_and_every_claim_is_decided_once() -> None:
    filings = [Filing(at=float(at), claims=3, measured=at >= 10) for at in range(100)]
    given = {"gatekeepers": 2, "slots": 3, "escalation": 0.3, "draw": Random(5)}
    outcome = replayed(filings, 90.0, Measured(), **given)
    assert len(outcome.fast) + len(outcome.slow) == 90 * 3
    assert 50 < len(outcome.slow) < 110
    assert outcome.seconds > 99


def test_a_filing_that_waits_for_nobody_takes_its_service_time() -> None:
    outcome = replayed(
        [Filing(at=5.0, claims=4, measured=True)],
        1.0,
        replace(FIXED, message_claims=10, message_seconds=0.2, transit_seconds=0.05),
        gatekeepers=1,
        slots=1,
        escalation=0,
        draw=Random(1),
    )
    assert outcome.fast == pytest.approx([0.2 + 4 * 0.1 + 0.05] * 4)
    assert outcome.gatekeepers_busy == pytest.approx(0.6)


def test_a_filing_is_divided_among_messages() -> None:
    filings = [Filing(at=0.0, claims=10, measured=True)]
    measured = replace(FIXED, message_claims=1_000)
    given = {"gatekeepers": 1, "slots": 1, "escalation": 0.0, "draw": Random(1)}
    outcome = replayed(filings, 1.0, measured, **given)
    assert outcome.fast == pytest.approx([0.4] * 4 + [0.8] * 4 + [1.0] * 2)


def test_examinations_of_one_slot_follow_each_other() -> None:
    measured = replace(FIXED, message_claims=10, examination_seconds=2.0, examination_variation=1e-9)
    filings = [Filing(at=0.0, claims=3, measured=True)]
    outcome = replayed(filings, 1.0, measured, gatekeepers=1, slots=1, escalation=1, draw=Random(1))
    assert outcome.slow == pytest.approx([2.3, 4.3, 6.3])


@pytest.mark.parametrize("busy", [0.5, 0.8])
def test_waits_are_those_of_pollaczek_and_khinchine(busy: float) -> None:
    """Filings of one size at random moments, one gatekeeper: an M/D/1 queue, up to the spread of sizes."""
    draw = Random(11)
    rate, at, filings = busy / 0.1, 0.0, []
    for _ in range(60_000):
        at += draw.expovariate(rate)
        filings.append(Filing(at, 1, measured=True))
    outcome = replayed(filings, at, FIXED, gatekeepers=1, slots=1, escalation=0, draw=draw)
    mean_wait = sum(outcome.fast) / len(outcome.fast) - 0.1
    assert outcome.gatekeepers_busy == pytest.approx(busy, rel=0.03)
    assert mean_wait == pytest.approx(busy * 0.1 / (2 * (1 - busy)), rel=0.08)


def test_a_stream_has_its_rate_and_the_same_seed_the_same_outcome() -> None:
    phases = [Phase(100, 10, measured=False), Phase(1_000, 40)]
    given = {"gatekeepers": 1, "slots": 50, "escalation": 0.2}
    one = simulate(phases, Measured(), **given, seed=3)
    assert len(one.fast) + len(one.slow) == pytest.approx(40_000, rel=0.05)
    assert len(one.slow) / (len(one.fast) + len(one.slow)) == pytest.approx(0.2, abs=0.01)
    assert one == simulate(phases, Measured(), **given, seed=3)
    assert one.fast != simulate(phases, Measured(), **given, seed=4).fast


def test_percentiles() -> None:
    assert [percentile(range(1, 101), share) for share in (0.5, 0.95, 1)] == [50, 95, 100]
    assert percentile([], 0.95) == 0


DEMAND = Demand(claims_per_year=50e6, peak=20, latency_seconds=5, expert_latency_seconds=120)


def test_a_plan_keeps_its_promises_with_no_more_than_it_needs() -> None:
    found = plan(DEMAND, Measured(), Prices())
    assert found.kept
    assert found.fast_seconds["p95"] <= 5
    assert found.expert_seconds["p95"] <= 120
    assert found.gatekeepers == math.ceil(found.peak_rate / 78 / 0.85)
    assert found.gpus == found.replicas * 4
    assert found.parts == sorted(found.parts, key=lambda part: part.headroom)
    assert found.as_dict()["breaks_first"] == found.parts[0].name


def test_shorter_promises_need_more_workers() -> None:
    tight = plan(replace(DEMAND, latency_seconds=0.7), Measured(), Prices())
    assert tight.kept
    assert tight.gatekeepers > plan(DEMAND, Measured(), Prices()).gatekeepers


def test_a_promise_that_nobody_can_keep_is_said_not_to_be_kept() -> None:
    assert not plan(replace(DEMAND, expert_latency_seconds=1), Measured(), Prices()).kept


@pytest.mark.parametrize(
    ("change", "first"),
    [
        ({"years_kept": 100.0}, "size of one PostgreSQL"),
        (
            {"claims_per_year": 1e10, "peak": 30.0, "years_kept": 0.01, "escalation": 0.0},
            "writes of one PostgreSQL",
        ),
        ({"years_kept": 1.0, "escalation": 0.01}, "gatekeepers"),
    ],
)
def test_what_breaks_first(change: dict[str, float], first: str) -> None:
    assert plan(replace(DEMAND, **change), Measured(), Prices()).parts[0].name == first


def test_a_backlog_needs_processes_for_its_time() -> None:
    found = backlog_plan(1e9, 60, 0.2, Measured(claim_seconds=0.01), Prices())
    assert found.processes == math.ceil(1e9 * 0.01 / (60 * 86_400))
    assert found.core_hours == round(1e7 * 2 / 3_600)
    assert (found.escalated, found.gpus) == (2e8, 4 * found.replicas)
    half = backlog_plan(1e9, 30, 0.2, Measured(claim_seconds=0.01), Prices())
    assert half.processes == 2 * found.processes
    assert half.dollars_per_million == found.dollars_per_million


METRICS = """
# TYPE ace_gatekeeper_batch_seconds histogram
ace_gatekeeper_batch_seconds_sum 30
ace_gatekeeper_batch_seconds_count 10
# TYPE ace_gatekeeper_batch_claims histogram
ace_gatekeeper_batch_claims_sum 1500
# TYPE ace_expert_seconds histogram
ace_expert_seconds_sum{endpoint="a"} 100
ace_expert_seconds_count{endpoint="a"} 20
ace_expert_seconds_sum{endpoint="b"} 60
ace_expert_seconds_count{endpoint="b"} 20
"""


def test_service_times_of_metrics(tmp_path: Path) -> None:
    path = tmp_path / "metrics.txt"
    path.write_text(METRICS)
    found = from_metrics(path, Measured())
    assert (found.claim_seconds, found.examination_seconds) == (0.02, 4.0)
    assert found.slots_per_replica == Measured().slots_per_replica


@pytest.mark.parametrize("text", [None, "no metrics at all", "ace_database_up 1\n"])
def test_metrics_of_no_use_are_refused(tmp_path: Path, text: str | None) -> None:
    path = tmp_path / "metrics.txt"
    if text is not None:
        path.write_text(text)
    with pytest.raises(Refused, match=r"metrics\.txt"):
        from_metrics(path, Measured())
