"""`ace models`: which model decides, which is tried beside it, and whether it still fits what is filed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from ace.cli.admin import with_database, with_engine
from ace.cli.app import EXIT_FAILED, Json, app, examples, group, settings_in_force, show, table
from ace.cli.ops import Reason, actor, reason_given
from ace.errors import Refused

if TYPE_CHECKING:
    from sqlalchemy import RowMapping

    from ace.flow.monitoring import Agreement, Health
    from ace.store.models import Report
    from ace.store.pauses import Order

models_app = group(
    "Models and calibrations: what decides, what is tried, and how they fare; straight in the database.",
    examples(
        "ace models propose models/new --report report/report.json --reason 'trained on rejections'",
        "ace models promote 3f9a2c --share 10 --reason 'a week as a canary'",
        "ace models rollback --reason 'more disputes than before'",
    ),
)
app.add_typer(models_app, name="models")

COLUMNS: Final = ("digest", "state", "share", "model", "calibration", "report", "at", "actor", "reason")
DIGITS: Final = 12
DAYS: Final = 30

Model = Annotated[str, typer.Argument(help="The first digits of its digest, at least 6.")]
ReportFile = Annotated[
    Path | None, typer.Option("--report", help="The report that `ace evaluate` wrote of it (report.json).")
]


@models_app.command(
    "list", epilog=examples("ace models list", "ace models list --json", "ace models list | head")
)
def list_(as_json: Json = False) -> None:
    """List the models, newest first; without an active one, that of the settings decides."""
    from ace.store import models

    rows = [dict(row) for row in with_database(models.listed)]
    if as_json:
        show({"models": rows})
    else:
        nothing = "No model has been proposed: that of the settings decides."
        table([_cells(row) for row in rows], *COLUMNS, nothing=nothing)


@models_app.command(
    "propose",
    epilog=examples(
        "ace models propose models/new --report report/report.json --reason 'trained on rejections'",
        "ace models propose --calibration new.json --reason 'recalibrated on the audit sample'",
        "ace models propose --reason 'the model of this release' --json",
    ),
)
def propose(
    reason: Reason,
    directory: Annotated[
        Path | None, typer.Argument(help="Directory of the model. Default: the one of the settings.")
    ] = None,
    calibration: Annotated[
        Path | None,
        typer.Option(help="Another record than calibration.json of the directory, as for ACE_CALIBRATION."),
    ] = None,
    report: ReportFile = None,
    as_json: Json = False,
) -> None:
    """Copy a model into the folder of models and list it; the first time, that of the settings too."""
    from dataclasses import asdict

    from ace.gatekeeper.installed import install
    from ace.gatekeeper.loading import SHIPPED_MODEL
    from ace.store import models

    settings, order = settings_in_force(), _order(reason)
    folder, served = settings.models_folder(), settings.gatekeeper_model or SHIPPED_MODEL

    def row(source: Path, record: Path | None) -> models.NewModel:
        digest, files = install(source, folder, record)
        return models.NewModel(digest, files.revision, files.calibration.id, asdict(files.calibration))

    first = row(served, settings.calibration)
    new = row(directory, calibration) if directory else row(served, calibration or settings.calibration)
    of_it = None if report is None else _report(report, new.model, new.calibration)
    with_database(partial(models.adopt, order=_order("in service before models were rows"), new=first))
    id_ = with_database(partial(models.propose, order=order, new=new, report=of_it))
    _tell(dict(with_database(partial(models.one, model=id_))), as_json=as_json)


@models_app.command(
    "shadow",
    epilog=examples(
        "ace models shadow 3f9a2c --share 5 --reason 'before it decides anything'",
        "ace models shadow 3f9a2c --share 20 --reason 'more claims of logic' --json",
        "ace models compare 3f9a2c",
    ),
)
def shadow(
    model: Model,
    reason: Reason,
    share: Annotated[float, typer.Option(min=0.01, max=100, help="Share of the filings, in per cent.")] = 5,
    as_json: Json = False,
) -> None:
    """Let a proposed model score a share of the filings once their verdicts stand, deciding none."""
    from ace.store import models

    _ordered(model, partial(models.shadow, order=_order(reason), share=share), as_json=as_json)


@models_app.command(
    "promote",
    epilog=examples(
        "ace models promote 3f9a2c --share 10 --reason 'a week as a canary'",
        "ace models promote 3f9a2c --reason 'the canary had fewer disputes'",
        "ace models promote 3f9a2c --report report/report.json --reason 'better on the test split' --json",
    ),
)
def promote(
    model: Model,
    reason: Reason,
    share: Annotated[
        float, typer.Option(min=0.01, max=100, help="Share of the filings, in per cent; below 100 a canary.")
    ] = 100,
    report: ReportFile = None,
    as_json: Json = False,
) -> None:
    """Let a model decide, all filings or a share of them. It needs its report."""
    from ace.store import models

    wanted = with_database(partial(models.named, digits=model))
    given = None if report is None else _report(report, wanted["model"], wanted["calibration"])
    order = partial(models.promote, order=_order(reason), share=share, report=given)
    _ordered(model, order, as_json=as_json)


@models_app.command(
    "rollback",
    epilog=examples(
        "ace models rollback --reason 'more disputes than before'",
        "ace models rollback --reason 'the canary escalates too much' --json",
        "ace models list",
    ),
)
def rollback(reason: Reason, as_json: Json = False) -> None:
    """Undo the last promotion: end the canary, or bring back the model that was replaced."""
    from ace.store import models

    ended, back = with_database(partial(models.rollback, order=_order(reason)))
    if as_json:
        show({"retired": dict(ended), "active": None if back is None else dict(back)})
    else:
        now = "the model of the settings" if back is None else f"model {back['digest'][:DIGITS]}"
        typer.echo(f"retired: model {ended['digest'][:DIGITS]}; {now} decides")


@models_app.command(
    "retire",
    epilog=examples(
        "ace models retire 3f9a2c --reason 'it disagrees on every dependency'",
        "ace models retire 3f9a2c --reason 'a better one is there' --json",
        "ace models list",
    ),
)
def retire(model: Model, reason: Reason, as_json: Json = False) -> None:
    """Give up a proposed model or a shadow."""
    from ace.store import models

    _ordered(model, partial(models.retire, order=_order(reason)), as_json=as_json)


@models_app.command(
    "compare",
    epilog=examples("ace models compare 3f9a2c", "ace models compare 3f9a2c --json", "ace models list"),
)
def compare(model: Model, as_json: Json = False) -> None:
    """Show what a shadow says beside the models in service: agreement, escalation, changed classes."""
    from dataclasses import asdict

    from ace.flow.monitoring import agreement
    from ace.store import models, monitoring

    row = with_database(partial(models.named, digits=model))
    found = agreement(with_database(partial(monitoring.shadow_compared, model=row["id"])))
    if as_json:
        show({"model": row["digest"], **asdict(found)})
    else:
        _show_agreement(found)


@models_app.command(
    "drift",
    epilog=examples("ace models drift", "ace models drift --days 90 --json", "ace models drift --days 7"),
)
def drift(
    days: Annotated[int, typer.Option(min=1, max=366, help="Days to look at, up to today (UTC).")] = DAYS,
    as_json: Json = False,
) -> None:
    """Compare each day's claims with the calibration record of the standing model. Exits with 1 on drift."""
    found = health(days)
    if as_json:
        show({"calibration": found.record.id, "days": [_day(each) for each in found.days]})
    else:
        rows = [
            (
                f"{each['day']}{'*' * each['open']}",
                each["claims"],
                *(_cell(each, name) for name in ("score", "length", "class", "share")),
            )
            for each in map(_day, found.days)
        ]
        table(rows, "day", "claims", "score", "length", "class", "doubtful")
        typer.echo(
            f"{found.record.id}: PSI of score, length and class; share of claims above tau, and its band."
            " ! marks a difference too large to be chance and large enough to matter,"
            " * a day that is not over."
        )
    if any(each.drifts for each in found.days):
        raise typer.Exit(EXIT_FAILED)


def health(days: int) -> Health:
    """How the standing model fared on the days up to today. Raises Refused without a calibration record."""
    from ace.flow import monitoring
    from ace.store.database import clock

    settings, today = settings_in_force(), with_database(clock).date()

    def look(db: Any) -> Health:
        record = monitoring.record_in_force(db, settings.gatekeeper_model, settings.calibration)
        if record is None:
            raise Refused("the calibration record of the standing model cannot be read", code="no_record")
        return monitoring.health(db, record, last=today, days=days, today=today, alpha=settings.audit_alpha)

    return with_engine(look)


def _order(reason: str) -> Order:
    from ace.store.operating_tables import ALL_TENANTS
    from ace.store.pauses import Order

    return Order(ALL_TENANTS, actor(), reason_given(reason))


def _ordered(model: str, order: Callable[..., RowMapping], *, as_json: bool) -> None:
    from ace.store import models

    found = with_database(partial(models.named, digits=model))
    _tell(dict(with_database(partial(order, model=found["id"]))), as_json=as_json)


def _report(path: Path, model: str, calibration: str) -> Report:
    """The report in a file. Raises Refused for one that `ace evaluate` did not write of this model and
    calibration."""
    from ace.store.models import Report

    try:
        written = path.read_bytes()
        about = json.loads(written)["model"]
        found = (about["revision"], about["calibration"])
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror}", code="no_report") from error
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise Refused(f"{path} is not a report of `ace evaluate`", code="no_report") from error
    if found != (model, calibration):
        words = f"{path} is about model {found[0]} with {found[1]}, not {model} with {calibration}"
        raise Refused(words, code="no_report")
    return Report(str(path), hashlib.sha256(written).hexdigest())


def _tell(row: dict[str, Any], *, as_json: bool) -> None:
    show(row) if as_json else table([_cells(row)], *COLUMNS)


def _cells(row: Mapping[str, Any]) -> list[Any]:
    share = f"{row['share']:g} %" if row["state"] in {"active", "shadow"} else None
    cells = {**row, "digest": row["digest"][:DIGITS], "share": share}
    return [cells[column] for column in COLUMNS]


def _show_agreement(found: Agreement) -> None:
    if not found.claims:
        typer.echo("this model has scored no claim as a shadow")
        return
    typer.echo(
        f"{found.claims} claims, {100 * (found.agreement or 0):.1f} % of them called the same; the shadow"
        f" escalates {100 * (found.escalated or 0):.1f} %, the models in service"
        f" {100 * (found.live_escalated or 0):.1f} %;"
        f" opposite verdicts on {found.flipped} of the claims that both decide\n"
    )
    rows = [
        (live, called, count)
        for live, of_class in found.changed.items()
        for called, count in of_class.items()
    ]
    table(rows, "in service", "shadow", "claims", nothing="The shadow calls every claim the same.")


def _day(watched: Any) -> dict[str, Any]:
    from dataclasses import asdict

    seen = watched.seen
    return {
        "day": watched.day,
        "open": watched.open,
        "claims": seen.claims,
        "doubtful": seen.doubtful,
        "decided": seen.decided,
        "drifts": watched.drifts,
        "differences": {one.characteristic.value: asdict(one) for one in watched.differences},
    }


def _cell(day: Mapping[str, Any], name: str) -> str | None:
    found = day["differences"].get(name)
    if found is None:
        return None
    marks = "!" * found["drifts"]
    if found["psi"] is not None:
        return f"{found['psi']:.3f}{marks}"
    shares = [100 * found[part] for part in ("share", "low", "high")]
    return "{:.1f} % ({:.1f} to {:.1f}){}".format(*shares, marks)
