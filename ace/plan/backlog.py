"""What it takes to score a backlog of files in a given time (`ace score`) and examine what is doubtful."""

import math
from dataclasses import asdict, dataclass
from typing import Any, Final

from ace.plan.measured import Measured
from ace.plan.planning import Prices

DAY_SECONDS: Final = 24 * 3_600


@dataclass(frozen=True, slots=True)
class BacklogPlan:
    """For `claims` in `days`: processes of `ace score`, and replicas of the expert for what escalates."""

    claims: float
    days: float
    processes: int
    cores: int
    core_hours: float
    escalated: float
    replicas: int
    gpus: int
    result_bytes: float
    through_service_days: float  # if everything were filed, whatever the gatekeepers
    through_service_bytes: float
    dollars_per_million: dict[str, float]

    def as_dict(self) -> dict[str, Any]:
        """All of it as JSON has it."""
        return asdict(self)


def backlog_plan(
    claims: float, days: float, escalation: float, measured: Measured, prices: Prices
) -> BacklogPlan:
    """The plan; parts work all the time, and nobody waits."""
    seconds = days * DAY_SECONDS
    processes = math.ceil(claims * measured.claim_seconds / seconds)
    escalated = claims * escalation
    replicas = math.ceil(escalated * measured.examination_seconds / measured.slots_per_replica / seconds)
    core_hours = claims * measured.claim_seconds / 3_600 * prices.cores_per_gatekeeper
    gpu_hours = (
        escalated
        * measured.examination_seconds
        / measured.slots_per_replica
        / 3_600
        * prices.gpus_per_replica
    )
    millions = claims / 1e6
    return BacklogPlan(
        claims=claims,
        days=days,
        processes=processes,
        cores=processes * prices.cores_per_gatekeeper,
        core_hours=round(core_hours),
        escalated=escalated,
        replicas=replicas,
        gpus=replicas * prices.gpus_per_replica,
        result_bytes=claims * measured.result_bytes_per_claim,
        through_service_days=round(claims / measured.store_claims_per_second / DAY_SECONDS, 2),
        through_service_bytes=claims * measured.database_bytes_per_claim,
        dollars_per_million={
            "gatekeeper": round(core_hours * prices.core_hour / millions, 2),
            "expert": round(gpu_hours * prices.gpu_hour / millions, 2),
        },
    )
