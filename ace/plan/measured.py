"""How long the parts take: measured figures, by default those of docs/reference/measurements.md."""

from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families

from ace import metrics
from ace.errors import Refused


@dataclass(frozen=True, slots=True)
class Measured:
    """Service times and sizes of one installation. Times are seconds.

    A gatekeeper worker takes `message_seconds` for a message and `claim_seconds` for each of its claims; on
    its way, every claim spends `transit_seconds` in nobody's hands. An examination takes
    `examination_seconds` on average, with this coefficient of variation, in one of `slots_per_replica` slots
    of an expert's replica.
    """

    claim_seconds: float = 1 / 78  # benchmarks.gatekeeper, two cores
    message_seconds: float = 0.02  # benchmarks.latency
    transit_seconds: float = 0.02
    examination_seconds: float = 4.0  # an assumption: no 70B model was measured
    examination_variation: float = 0.6
    slots_per_replica: int = 32
    message_claims: int = 1_000
    claims_per_filing: float = 16.0
    store_claims_per_second: float = 8_000  # benchmarks.pipeline: every move of a claim, one PostgreSQL
    submit_claims_per_second: float = 14_000  # benchmarks.enqueue, bulk over HTTP
    database_bytes_per_claim: float = 3_700  # benchmarks.plan
    write_bytes_per_claim: float = 8_500  # benchmarks.plan
    result_bytes_per_claim: float = 87  # benchmarks.batch
    redis_bytes: float = 16e6  # what an empty server has, and messages of ids: at most a few

    def __post_init__(self) -> None:
        if min(self.claim_seconds, self.examination_seconds, self.slots_per_replica) <= 0:
            raise ValueError("service times and slots must be positive")


def from_metrics(path: Path, base: Measured) -> Measured:
    """The service times that the saved answer of a worker's `/metrics` shows; what it does not show is taken
    from `base`. Raises Refused if it cannot be read or shows nothing of use."""
    try:
        families = list(text_string_to_metric_families(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror}", code="metrics") from None
    except ValueError:
        raise Refused(f"{path} is not in the text format of Prometheus", code="metrics") from None
    sums: dict[str, float] = defaultdict(float)
    for family in families:
        for sample in family.samples:
            if sample.name.endswith(("_sum", "_count")):
                sums[sample.name] += sample.value
    changed: dict[str, float] = {}
    if (claims := sums[f"{metrics.BATCH_CLAIMS.name}_sum"]) > 0:
        changed["claim_seconds"] = sums[f"{metrics.BATCH_SECONDS.name}_sum"] / claims
    if (count := sums[f"{metrics.EXPERT_SECONDS.name}_count"]) > 0:
        changed["examination_seconds"] = sums[f"{metrics.EXPERT_SECONDS.name}_sum"] / count
    if not changed:
        wanted = f"{metrics.BATCH_SECONDS.name} or {metrics.EXPERT_SECONDS.name}"
        raise Refused(f"{path} shows nothing of {wanted}", code="metrics")
    return replace(base, **changed)  # type: ignore[arg-type]  # times are floats
