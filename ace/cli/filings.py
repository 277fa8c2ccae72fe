"""Commands about what was filed: status, replay, cancel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

import typer

from ace.cli.app import ApiKey, Json, Url, app, client, examples, show, table
from ace.cli.evaluations import COLUMNS, row, show_evaluation
from ace.errors import Refused
from ace.wording import plural

if TYPE_CHECKING:
    from ace_client import Ground, State, Verdict


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
        if id_ is None:
            found = api.evaluations(
                state=cast("State | None", state),  # the API refuses others, and names those that it knows
                verdict=cast("Verdict | None", verdict),
                ground=cast("Ground | None", ground),
                disputed=disputed,
                docket=docket,
                limit=limit,
            ).all()
        elif (one := api.find_evaluation(id_)) is not None:
            show_evaluation(api, one, as_json=as_json)
            return
        else:
            api.filing(id_)  # raises if the filing does not exist
            found = api.evaluations(filing=id_).all()[::-1]
    if as_json:
        show({"evaluations": [one.as_dict() for one in found]})
    else:
        table([row(one) for one in found], *COLUMNS)


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
