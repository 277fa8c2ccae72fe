"""Commands about what was filed: status, replay, reevaluate, cancel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from ace.cli.app import ApiKey, Json, Url, app, client, examples, moment, show
from ace.cli.evaluations import (
    NO_FILINGS,
    NO_MATCH,
    say_paused,
    show_all_defects,
    show_evaluation,
    show_evaluations,
)
from ace.errors import Refused
from ace.wording import plural

if TYPE_CHECKING:
    from patent_ace_client import Ground, State, Verdict


@app.command(
    epilog=examples(
        "ace status 0198d2c4-…",
        "ace status --state failed --docket 2026-0117",
        "ace status --ground rejection --disputed --json",
    )
)
def status(
    id_: Annotated[str | None, typer.Argument(metavar="[ID]", help="A filing or an evaluation.")] = None,
    state: Annotated[str | None, typer.Option(help="Only evaluations in this state.")] = None,
    verdict: Annotated[str | None, typer.Option(help="Pass or Fail.")] = None,
    ground: Annotated[
        str | None, typer.Option(help="Only Fails that would draw this: rejection or objection.")
    ] = None,
    disputed: Annotated[bool, typer.Option("--disputed", help="Only disputed verdicts.")] = False,
    docket: Annotated[str | None, typer.Option(help="Only this docket.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="Maximum number.")] = 100,
    url: Url = None,
    key: ApiKey = None,
    as_json: Json = False,
) -> None:
    """Show a filing, an evaluation with its history, or a list."""
    with client(url, key) as api:
        if id_ is not None and (one := api.find_evaluation(id_)) is not None:
            show_evaluation(api, one, as_json=as_json)
            return
        filing = None if id_ is None else api.filing(id_)  # raises if the filing does not exist
        found = api.evaluations(
            filing=id_,
            state=cast("State | None", state),  # the API refuses others, and names those that it knows
            verdict=cast("Verdict | None", verdict.capitalize() if verdict else None),
            ground=cast("Ground | None", ground),
            disputed=disputed,
            docket=docket,
            limit=limit,
        ).all()
        if filing is not None:
            found = [one for one in found[::-1] if one.superseded_by is None]
        if as_json:
            show({"evaluations": [one.as_dict() for one in found]})
            return
        narrowed = disputed or any(given is not None for given in (id_, state, verdict, ground, docket))
        show_evaluations(found, nothing=NO_MATCH if narrowed else NO_FILINGS)
        if filing is not None:
            show_all_defects(api, found)
            if not filing.settled:
                say_paused(api)


@app.command(
    epilog=examples(
        "ace replay 0198d2c4-…",
        "ace replay --error timeout",
        "ace replay --docket 2026-0117 --limit 50 --json",
    )
)
def replay(
    ids: Annotated[
        list[str] | None,
        typer.Argument(metavar="[ID]...", help="Failed evaluations; none, and no option: all of the tenant."),
    ] = None,
    error: Annotated[str | None, typer.Option(help="All evaluations that failed with this error.")] = None,
    docket: Annotated[str | None, typer.Option(help="All failed evaluations of this docket.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="Maximum number.")] = 1_000,
    url: Url = None,
    key: ApiKey = None,
    as_json: Json = False,
) -> None:
    """Run failed evaluations again: those given, those that match the options, or else all of them."""
    if ids and (error or docket):
        raise Refused("give either ids, or --error and --docket", code="usage")
    with client(url, key) as api:
        if ids:
            replayed = [done for id_ in ids for done in api.replay(id_)]
        else:
            replayed = api.replay_where(error=error, docket=docket, limit=limit)
    show({"replayed": replayed}) if as_json else typer.echo(f"{plural(len(replayed), 'evaluation')} replayed")


@app.command(
    epilog=examples(
        "ace reevaluate --model minilm-1f0c --dry-run",
        "ace reevaluate --docket 2026-0117 --reason 'the rules are better'",
        "ace reevaluate --until 2026-11-01 --by gatekeeper --reason 'a new model' --json",
    )
)
def reevaluate(
    reason: Annotated[str, typer.Option(help="Why; kept with the order.")] = "",
    docket: Annotated[str | None, typer.Option(help="Only this docket.")] = None,
    filing: Annotated[str | None, typer.Option(help="Only this filing.")] = None,
    verdict: Annotated[str | None, typer.Option(help="Pass or Fail.")] = None,
    by: Annotated[str | None, typer.Option(help="Who decided: gatekeeper or expert.")] = None,
    error_class: Annotated[str | None, typer.Option(help="Only Fails of this class.")] = None,
    model: Annotated[str | None, typer.Option(help="Only what this model of the gatekeeper judged.")] = None,
    since: Annotated[
        str | None,
        typer.Option(help="Only what was decided at this time (YYYY-MM-DD[THH:MM], UTC) or later."),
    ] = None,
    until: Annotated[str | None, typer.Option(help="Only what was decided before this time.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only count what would be evaluated.")] = False,
    url: Url = None,
    key: ApiKey = None,
    as_json: Json = False,
) -> None:
    """Evaluate decided claims again, by the model and rules of now; earlier verdicts stay on record."""
    if not (dry_run or reason):
        raise Refused("a reason is needed: give --reason, or try --dry-run first", code="usage")
    which: dict[str, Any] = {
        "docket": docket,
        "filing": filing,
        "verdict": verdict,  # the API refuses unknown words, and names those that it knows
        "decided_by": by,
        "error_class": error_class,
        "model": model,
        "since": None if since is None else moment(since, "--since").isoformat(),
        "until": None if until is None else moment(until, "--until").isoformat(),
    }
    with client(url, key) as api:
        if dry_run:
            matched = api.count_reevaluation(**which)
            show({"matched": matched}) if as_json else typer.echo(
                f"{plural(matched, 'claim')} would be evaluated"
            )
            return
        job = api.reevaluate(reason=reason, **which)
    show(job.as_dict()) if as_json else typer.echo(f"job {job.id}: {plural(job.matched, 'claim')}")


@app.command(
    epilog=examples(
        "ace cancel 0198d2c4-…",
        "ace cancel 0198d2c4-… --json",
        "ace status 0198d2c4-… && ace cancel 0198d2c4-…",
    )
)
def cancel(
    filing: Annotated[str, typer.Argument(help="The filing.")],
    url: Url = None,
    key: ApiKey = None,
    as_json: Json = False,
) -> None:
    """Cancel the evaluations of a filing that have no verdict yet."""
    with client(url, key) as api:
        cancelled = api.cancel(filing)
    show({"cancelled": cancelled}) if as_json else typer.echo(
        f"{plural(len(cancelled), 'evaluation')} cancelled"
    )
