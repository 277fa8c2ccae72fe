"""`ace plan`: what an installation needs for a demand, by a simulation of both queues."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ace.cli.app import Json, app, examples, show, table
from ace.errors import Refused

if TYPE_CHECKING:
    from ace.plan.backlog import BacklogPlan
    from ace.plan.planning import Plan

_GIGA = 1e9


@app.command(
    epilog=examples(
        "ace plan --claims-per-year 10000000 --peak 25 --latency 10",
        "ace plan --claims-per-year 10000000 --from-metrics worker-metrics.txt --json",
        "ace plan --backlog 1000000000 --days 60",
    )
)
def plan(
    claims_per_year: Annotated[
        float | None, typer.Option(min=1, help="Claims that are filed in a year.")
    ] = None,
    peak: Annotated[float, typer.Option(min=1, help="The busiest hour, in multiples of the mean rate.")] = 10,
    peak_hours: Annotated[float, typer.Option(min=0.1, help="How long it lasts.")] = 1,
    escalation: Annotated[float, typer.Option(min=0, max=1, help="Share of claims that escalate.")] = 0.2,
    latency: Annotated[
        float, typer.Option(min=0.1, help="Seconds within which 95 % of the gatekeeper's verdicts come.")
    ] = 10,
    expert_latency: Annotated[
        float, typer.Option(min=1, help="Seconds within which 95 % of the expert's verdicts come.")
    ] = 600,
    years: Annotated[float, typer.Option(min=0, help="Years that verdicts are kept in PostgreSQL.")] = 5,
    backlog: Annotated[float | None, typer.Option(min=1, help="Claims in files, for `ace score`.")] = None,
    days: Annotated[float, typer.Option(min=0.01, help="Time for the backlog.")] = 30,
    claim_seconds: Annotated[
        float | None, typer.Option(min=1e-6, help="Measured time of a gatekeeper worker for a claim.")
    ] = None,
    examination_seconds: Annotated[
        float | None, typer.Option(min=1e-3, help="Measured time of the expert for a claim.")
    ] = None,
    metrics: Annotated[
        Path | None, typer.Option("--from-metrics", help="A saved answer of /metrics with both times.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Say how many gatekeepers and experts a demand needs, what it costs, and what breaks first."""
    from ace.plan.backlog import backlog_plan
    from ace.plan.measured import Measured, from_metrics
    from ace.plan.planning import Demand, Prices
    from ace.plan.planning import plan as planned

    if (claims_per_year is None) == (backlog is None):
        raise Refused("give either --claims-per-year or --backlog", code="usage")
    measured = Measured()
    if metrics is not None:
        measured = from_metrics(metrics, measured)
    measured = replace(
        measured,
        claim_seconds=claim_seconds or measured.claim_seconds,
        examination_seconds=examination_seconds or measured.examination_seconds,
    )
    if backlog is not None:
        of_files = backlog_plan(backlog, days, escalation, measured, Prices())
        show(of_files.as_dict()) if as_json else _show_backlog(of_files)
        return
    demand = Demand(
        claims_per_year=claims_per_year or 0,
        peak=peak,
        peak_hours=peak_hours,
        escalation=escalation,
        latency_seconds=latency,
        expert_latency_seconds=expert_latency,
        years_kept=years,
    )
    found = planned(demand, measured, Prices())
    show(found.as_dict()) if as_json else _show(found)


def _show(found: Plan) -> None:
    def seconds(shares: dict[str, float]) -> str:
        return ", ".join(f"{name} {value:.3g} s" for name, value in shares.items())

    dollars = found.dollars_per_million
    rows = [
        ("claims per second", f"{found.mean_rate:.3g}, at the peak {found.peak_rate:.3g}"),
        ("gatekeeper workers", f"{found.gatekeepers}, {found.gatekeepers_busy:.0%} busy at the peak"),
        (
            "expert replicas",
            f"{found.replicas} ({found.gpus} GPUs, {found.slots} slots), {found.slots_busy:.0%} busy",
        ),
        ("expert workers", str(found.expert_workers)),
        ("verdicts of the gatekeeper", seconds(found.fast_seconds)),
        ("verdicts of the expert", seconds(found.expert_seconds)),
        (
            "database",
            f"{found.database_bytes / _GIGA:.3g} GB, writes {found.write_bytes_per_second / 1e6:.3g} MB/s",
        ),
        ("Redis", f"{found.redis_bytes / 1e6:.3g} MB"),
        ("dollars per million claims", f"{dollars['always_on']} always on, {dollars['scaled']} scaled"),
    ]
    table(rows, "needed", "for this demand")
    typer.echo()
    table(
        [(part.name, f"{part.headroom:.3g}", part.then) for part in found.parts],
        "breaks first",
        "headroom",
        "then",
    )
    if not found.kept:
        typer.echo("ace: the promised latencies are shorter than the work itself takes", err=True)


def _show_backlog(found: BacklogPlan) -> None:
    dollars = found.dollars_per_million
    rows = [
        (
            "processes of ace score",
            f"{found.processes} ({found.cores} cores, {found.core_hours:.3g} core-hours)",
        ),
        ("claims that escalate", f"{found.escalated:.3g}"),
        ("expert replicas", f"{found.replicas} ({found.gpus} GPUs)"),
        ("results", f"{found.result_bytes / _GIGA:.3g} GB"),
        ("dollars per million claims", f"{dollars['gatekeeper']} gatekeeper, {dollars['expert']} expert"),
        (
            "the same through the service",
            f"{found.through_service_days:.3g} days at best, {found.through_service_bytes / 1e12:.3g} TB",
        ),
    ]
    table(rows, "needed", f"for {found.claims:.3g} claims in {found.days:g} days")
