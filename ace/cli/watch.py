"""`ace watch`: a filing as its claims move, until all are settled."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from ace.cli.app import (
    EXIT_FAILED,
    EXIT_INTERRUPTED,
    ApiKey,
    JsonLines,
    Url,
    app,
    client,
    examples,
    say_pause,
)
from ace.wording import plural

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Group

    from patent_ace_client import Brief, Filing

COLUMNS: Final = ("claim", "state", "verdict", "ground", "evaluation")


@app.command(
    epilog=examples(
        "ace watch 0198d2c4-…",
        "ace watch 0198d2c4-… --timeout 600",
        "ace watch 0198d2c4-… --json | jq .state",
    )
)
def watch(
    filing: Annotated[str, typer.Argument(help="The filing.")],
    timeout: Annotated[float | None, typer.Option(min=0, help="Maximum wait, in seconds.")] = None,
    url: Url = None,
    key: ApiKey = None,
    as_json: JsonLines = False,
) -> None:
    """Watch a filing until all its claims are settled.

    A terminal shows a table that changes; otherwise, each change is a line.
    """
    live = sys.stdout.isatty() and not as_json
    last = None
    try:
        with client(url, key) as api:
            api.tell_pauses(say_pause)
            states = api.watch(filing, timeout_seconds=timeout)
            for found in _drawn(states) if live else _told(states, as_json=as_json):
                last = found
    except KeyboardInterrupt:
        typer.echo(f"ace: no longer watching; the filing goes on: ace watch {filing}", err=True)
        raise typer.Exit(EXIT_INTERRUPTED) from None
    if last is not None and any(one.state == "failed" for one in last.evaluations):
        raise typer.Exit(EXIT_FAILED)


def _told(states: Iterable[Filing], *, as_json: bool) -> Iterator[Filing]:
    """Prints a line for each claim that has changed."""
    known: dict[str, Brief] = {}
    for found in states:
        for one in found.evaluations:
            if known.get(one.id) != one:
                typer.echo(json.dumps({"filing": found.id, **one.as_dict()}) if as_json else _line(one))
        known = {one.id: one for one in found.evaluations}
        yield found


def _line(one: Brief) -> str:
    outcome = ", ".join(words for words in (_verdict(one), one.ground, one.error) if words)
    return f"claim {one.claim}: {one.state}{f': {outcome}' if outcome else ''}"


def _drawn(states: Iterable[Filing]) -> Iterator[Filing]:
    """Draws the filing anew whenever it has changed."""
    from rich.live import Live

    with Live(auto_refresh=False) as screen:
        for found in states:
            screen.update(drawing(found), refresh=True)
            yield found


def drawing(found: Filing) -> Group:
    """What a terminal shows: how far the filing is, and its claims, those that are not settled first."""
    from rich.console import Group
    from rich.table import Table

    from patent_ace_client.filings import SETTLED

    shown = Table(box=None, pad_edge=False, header_style="bold")
    for column in COLUMNS:
        shown.add_column(column, no_wrap=True)
    for one in sorted(found.evaluations, key=lambda one: (one.state in SETTLED, one.claim)):
        state = one.state if one.error is None else f"{one.state} ({one.error})"
        shown.add_row(*map(_cell, (one.claim, state, _verdict(one), one.ground, one.id)))
    waiting = f"; {found.waiting}" if found.waiting else ""
    total = plural(len(found.evaluations), "claim")
    return Group(f"{found.docket}: {found.settled_count} of {total} settled{waiting}", shown)


def _cell(value: Any) -> str:
    return "–" if value is None else str(value)


def _verdict(one: Brief) -> str | None:
    return f"{one.verdict}, disputed" if one.disputed else one.verdict
