"""The three worked plans of docs/how-to/capacity.md, as tables."""

from collections.abc import Sequence
from typing import Final

from ace.plan.backlog import backlog_plan
from ace.plan.measured import Measured
from ace.plan.planning import Demand, Plan, Prices, plan

DEMANDS: Final = {
    "a national office": Demand(10e6, peak=25, latency_seconds=10, expert_latency_seconds=600),
    "five offices, grown tenfold": Demand(500e6, peak=15, latency_seconds=10, expert_latency_seconds=600),
}
BACKLOG: Final = (1e9, 60.0, 0.2)


def plans_tables() -> str:
    """Both demands side by side, what breaks first in each, and the backlog."""
    plans = {name: plan(demand, Measured(), Prices()) for name, demand in DEMANDS.items()}
    rows = zip(*(_figures(found) for found in plans.values()), strict=True)
    needed = [(row[0][0], *(value for _, value in row)) for row in rows]
    broken = [
        (str(place + 1), *(_part(found, place) for found in plans.values()))
        for place in range(len(next(iter(plans.values())).parts))
    ]
    backlog = backlog_plan(*BACKLOG, Measured(), Prices())
    dollars = backlog.dollars_per_million
    files = [
        ("processes of `ace score`", f"{backlog.processes} ({backlog.core_hours:,.0f} core-hours)"),
        ("claims that escalate", f"{backlog.escalated:,.0f}"),
        ("expert replicas", f"{backlog.replicas} ({backlog.gpus} GPUs)"),
        ("results", f"{backlog.result_bytes / 1e9:.0f} GB"),
        (
            "dollars per million claims",
            f"{dollars['gatekeeper']} for the gatekeeper, {dollars['expert']} for the expert",
        ),
        (
            "the same through the service",
            f"{backlog.through_service_days} days at best, {backlog.through_service_bytes / 1e12:.1f} TB",
        ),
        ("breaks first", "the expert: nearly all of the cost is what escalates"),
    ]
    return "\n\n".join(
        (
            _table(("needed", *plans), needed),
            "What breaks first, with how many times the peak it can take:",
            _table(("", *plans), broken),
            "The backlog:",
            _table(("needed", "a billion claims in 60 days"), files),
        )
    )


def _figures(found: Plan) -> list[tuple[str, str]]:
    def seconds(shares: dict[str, float]) -> str:
        return " / ".join(f"{value:.2g}" for value in shares.values())

    dollars = found.dollars_per_million
    return [
        ("claims per second, mean and peak", f"{found.mean_rate:.2f}, {found.peak_rate:.1f}"),
        ("gatekeeper workers of two cores", str(found.gatekeepers)),
        ("expert replicas", f"{found.replicas} ({found.gpus} GPUs)"),
        ("filing to verdict, gatekeeper, p50 / p95 / p99 in s", seconds(found.fast_seconds)),
        ("filing to verdict, expert, p50 / p95 / p99 in s", seconds(found.expert_seconds)),
        ("database after five years", f"{found.database_bytes / 1e12:.2f} TB"),
        ("writes at the peak", f"{found.write_bytes_per_second / 1e6:.2f} MB/s"),
        ("Redis", f"{found.redis_bytes / 1e6:.0f} MB"),
        ("dollars per million claims, always on", f"{dollars['always_on']:,.0f}"),
        ("dollars per million claims, scaled", f"{dollars['scaled']:,.0f}"),
    ]


def _part(found: Plan, place: int) -> str:
    part = found.parts[place]
    return f"{part.name} ({part.headroom:.2g}): {part.then}"


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    rule = tuple("---" for _ in head)
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rows))
