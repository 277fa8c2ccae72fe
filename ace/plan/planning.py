"""From demand and objectives to numbers of processes, sizes and costs, and the part that breaks first."""

import math
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from ace.plan.measured import Measured
from ace.plan.simulation import Outcome, Phase, percentile, simulate

YEAR_SECONDS: Final = 365.25 * 24 * 3_600
BUSIEST: Final = 0.85
"""The share of time for which a part may be busy during the peak: beyond it, waits grow without bound."""

SIMULATED_CLAIMS: Final = 30_000
"""Of a longer peak, as much as has this many claims is simulated."""

IDLE: Final = 0.25
"""A part that is busy for a smaller share than this is not late for want of others of its kind."""

MAX_TRIALS: Final = 40
DATABASE_LIMIT_BYTES: Final = 4e12
"""A PostgreSQL of more than this takes days to restore and hours to vacuum."""

SHARED: Final = 0.5
"""What one PostgreSQL is asked of its measured rate: the rest is for polls, vacuum and catching up."""


@dataclass(frozen=True, slots=True)
class Demand:
    """What is filed, and what is promised. `peak` is the busiest rate in multiples of the mean, which
    lasts `peak_hours`; latencies are seconds from filing to verdict that 95 % should keep to."""

    claims_per_year: float
    peak: float = 10.0
    peak_hours: float = 1.0
    escalation: float = 0.2
    latency_seconds: float = 10.0
    expert_latency_seconds: float = 600.0
    years_kept: float = 5.0

    @property
    def mean_rate(self) -> float:
        """Claims per second over the year."""
        return self.claims_per_year / YEAR_SECONDS

    @property
    def peak_rate(self) -> float:
        """Claims per second in the busiest hour."""
        return self.peak * self.mean_rate


@dataclass(frozen=True, slots=True)
class Prices:
    """Dollars, of a large cloud in 2026, without discounts."""

    core_hour: float = 0.04
    gpu_hour: float = 3.0
    gigabyte_month: float = 0.12
    cores_per_gatekeeper: int = 2
    gpus_per_replica: int = 4


@dataclass(frozen=True, slots=True)
class Part:
    """A part that may break: what it can take and what the peak asks, in claims per second or bytes."""

    name: str
    takes: float
    asked: float
    then: str

    @property
    def headroom(self) -> float:
        """How many times the peak it can take."""
        return self.takes / self.asked if self.asked else math.inf


@dataclass(frozen=True, slots=True)
class Plan:
    """What is needed for a demand, what is to be expected of it, and what breaks first as it grows."""

    demand: Demand
    mean_rate: float
    peak_rate: float
    gatekeepers: int
    replicas: int
    gpus: int
    slots: int
    expert_workers: int
    gatekeepers_busy: float
    slots_busy: float
    fast_seconds: dict[str, float]
    expert_seconds: dict[str, float]
    kept: bool  # whether both promises are
    database_bytes: float
    write_bytes_per_second: float
    redis_bytes: float
    dollars_per_million: dict[str, float]
    parts: list[Part] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """All of it as JSON has it; the parts in the order in which they break."""
        headroom = [{**asdict(part), "headroom": round(part.headroom, 2)} for part in self.parts]
        return {**asdict(self), "parts": headroom, "breaks_first": self.parts[0].name}


def plan(demand: Demand, measured: Measured, prices: Prices, *, threads: int = 32, seed: int = 1) -> Plan:
    """The smallest numbers of gatekeepers and of expert replicas that keep the promises through the peak.

    `threads` are the examinations that one expert worker can have in flight.
    """
    gatekeepers = _least(demand.peak_rate * measured.claim_seconds)
    examined = demand.peak_rate * demand.escalation
    replicas = _least(examined * measured.examination_seconds / measured.slots_per_replica) if examined else 0
    for _ in range(MAX_TRIALS):
        outcome = _outcome(demand, measured, gatekeepers, replicas, seed)
        late = percentile(outcome.fast, 0.95) > demand.latency_seconds
        late_expert = percentile(outcome.slow, 0.95) > demand.expert_latency_seconds
        more = late and outcome.gatekeepers_busy > IDLE
        more_expert = late_expert and outcome.slots_busy > IDLE
        if not more and not more_expert:
            break
        gatekeepers += math.ceil(0.1 * gatekeepers) if more else 0
        replicas += math.ceil(0.1 * replicas) if more_expert else 0
    slots = replicas * measured.slots_per_replica
    gpus = replicas * prices.gpus_per_replica
    found = Plan(
        demand=demand,
        mean_rate=demand.mean_rate,
        peak_rate=demand.peak_rate,
        gatekeepers=gatekeepers,
        replicas=replicas,
        gpus=gpus,
        slots=slots,
        expert_workers=max(1, math.ceil(slots / threads)),
        gatekeepers_busy=outcome.gatekeepers_busy,
        slots_busy=outcome.slots_busy,
        fast_seconds=_shares(outcome.fast),
        expert_seconds=_shares(outcome.slow),
        kept=not late and not late_expert,
        database_bytes=demand.claims_per_year * demand.years_kept * measured.database_bytes_per_claim,
        write_bytes_per_second=demand.peak_rate * measured.write_bytes_per_claim,
        redis_bytes=measured.redis_bytes,
        dollars_per_million=_dollars(demand, measured, prices, gatekeepers, gpus),
    )
    parts = _parts(found, measured, demand)
    found.parts.extend(sorted(parts, key=lambda part: part.headroom))
    return found


def _least(busy: float) -> int:
    return max(1, math.ceil(busy / BUSIEST))


def _outcome(demand: Demand, measured: Measured, gatekeepers: int, replicas: int, seed: int) -> Outcome:
    """The peak, after a while at the mean rate."""
    peak = min(3_600 * demand.peak_hours, SIMULATED_CLAIMS / demand.peak_rate)
    return simulate(
        [Phase(min(600, peak), demand.mean_rate, measured=False), Phase(peak, demand.peak_rate)],
        measured,
        gatekeepers=gatekeepers,
        slots=replicas * measured.slots_per_replica,
        escalation=demand.escalation,
        seed=seed,
    )


def _shares(values: list[float]) -> dict[str, float]:
    return {f"p{share}": round(percentile(values, share / 100), 3) for share in (50, 95, 99)}


def _dollars(
    demand: Demand, measured: Measured, prices: Prices, gatekeepers: int, gpus: int
) -> dict[str, float]:
    """For a million claims: what runs all year for the peak, or only as long as it works."""
    millions = demand.claims_per_year / 1e6
    hours = YEAR_SECONDS / 3_600
    stored = demand.claims_per_year * demand.years_kept * measured.database_bytes_per_claim / 1e9
    core_hours = measured.claim_seconds * 1e6 / 3_600 * prices.cores_per_gatekeeper
    replica_hours = (
        demand.escalation * 1e6 * measured.examination_seconds / 3_600 / measured.slots_per_replica
    )
    storage = stored * prices.gigabyte_month * 12 / millions
    always = gatekeepers * prices.cores_per_gatekeeper * prices.core_hour + gpus * prices.gpu_hour
    scaled = core_hours * prices.core_hour + replica_hours * prices.gpus_per_replica * prices.gpu_hour
    return {
        "always_on": round(always * hours / millions + storage, 2),
        "scaled": round(scaled / BUSIEST + storage, 2),
        "storage": round(storage, 2),
    }


def _parts(found: Plan, measured: Measured, demand: Demand) -> list[Part]:
    expert = Part(
        "expert",
        found.slots / measured.examination_seconds,
        found.peak_rate * demand.escalation,
        "add replicas, or escalate less by a new calibration",
    )
    return [
        *([expert] if expert.asked else []),
        Part(
            "gatekeepers",
            found.gatekeepers / measured.claim_seconds,
            found.peak_rate,
            "start more gatekeeper workers, or run them on GPUs",
        ),
        Part(
            "writes of one PostgreSQL",
            SHARED * measured.store_claims_per_second,
            found.peak_rate,
            "move polling to read replicas, then divide tenants among databases",
        ),
        Part(
            "size of one PostgreSQL",
            DATABASE_LIMIT_BYTES,
            found.database_bytes,
            "purge sooner, partition by month, or divide tenants among databases",
        ),
        Part(
            "one API process",
            measured.submit_claims_per_second,
            found.peak_rate,
            "run more API processes",
        ),
    ]
