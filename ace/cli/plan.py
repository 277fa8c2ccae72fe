"""`ace plan`: what an installation needs for a demand, by a simulation of both queues."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

import typer

from ace.cli.app import Json, app, examples, settings_in_force, show, table
from ace.errors import Refused
from ace.wording import percent

if TYPE_CHECKING:
    from ace.plan.backlog import BacklogPlan
    from ace.plan.planning import Plan

_GIGA: Final = 1e9


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
    escalation: Annotated[
        float | None,
        typer.Option(
            min=0, max=1, help="Share of claims that escalate. Default: that of the calibration in force."
        ),
    ] = None,
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
    share = Share(escalation, "given with --escalation") if escalation is not None else share_in_force()
    measured = Measured()
    if metrics is not None:
        measured = from_metrics(metrics, measured)
    measured = replace(
        measured,
        claim_seconds=claim_seconds or measured.claim_seconds,
        examination_seconds=examination_seconds or measured.examination_seconds,
    )
    if backlog is not None:
        of_files = backlog_plan(backlog, days, share.escalation, measured, Prices())
        told = {**of_files.as_dict(), "escalation_from": share.source}
        show(told) if as_json else _show_backlog(of_files, share)
        return
    demand = Demand(
        claims_per_year=claims_per_year or 0,
        peak=peak,
        peak_hours=peak_hours,
        escalation=share.escalation,
        latency_seconds=latency,
        expert_latency_seconds=expert_latency,
        years_kept=years,
    )
    found = planned(demand, measured, Prices())
    told = {**found.as_dict(), "escalation_from": share.source}
    show(told) if as_json else _show(found, share)


class Share(NamedTuple):
    """The share of claims that escalate, and where it comes from."""

    escalation: float
    source: str

    def __str__(self) -> str:
        return f"{percent(self.escalation)}, {self.source}"


def share_in_force() -> Share:
    """The share that the calibration in force expects: of the standing model, if there is a database to ask,
    or of the record that the settings or the running stack name. Raises Refused if it cannot be read."""
    from ace.cli.admin import with_engine
    from ace.errors import AceError
    from ace.flow.monitoring import record_in_force
    from ace.gatekeeper.loading import SHIPPED_MODEL
    from ace.routing.calibration import Calibration, record_file

    settings = settings_in_force()
    path = settings.calibration
    try:
        record = with_engine(lambda db: record_in_force(db, settings.gatekeeper_model, path))
    except AceError:  # no database is named, or none answers
        try:
            record = Calibration.load(record_file(settings.gatekeeper_model or SHIPPED_MODEL, path))
        except (OSError, ValueError):
            record = None
    if record is None:
        raise Refused("the calibration in force cannot be read: give --escalation", code="no_record")
    return Share(record.escalation, f"as the calibration {record.id} expects; --escalation sets another")


def _show(found: Plan, share: Share) -> None:
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
        ("claims that escalate", str(share)),
        ("expert workers", str(found.expert_workers)),
        ("verdicts of the gatekeeper", seconds(found.fast_seconds)),
        ("verdicts of the expert", seconds(found.expert_seconds) if share.escalation else "none"),
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


def _show_backlog(found: BacklogPlan, share: Share) -> None:
    dollars = found.dollars_per_million
    rows = [
        (
            "processes of ace score",
            f"{found.processes} ({found.cores} cores, {found.core_hours:.3g} core-hours)",
        ),
        ("claims that escalate", f"{found.escalated:.3g} ({share})"),
        ("expert replicas", f"{found.replicas} ({found.gpus} GPUs)"),
        ("results", f"{found.result_bytes / _GIGA:.3g} GB"),
        ("dollars per million claims", f"{dollars['gatekeeper']} gatekeeper, {dollars['expert']} expert"),
        (
            "the same through the service",
            f"{found.through_service_days:.3g} days at best, {found.through_service_bytes / 1e12:.3g} TB",
        ),
    ]
    table(rows, "needed", f"for {found.claims:.3g} claims in {found.days:g} days")
