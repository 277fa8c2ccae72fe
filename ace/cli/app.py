"""What every command shares: the app, its options, its errors and exit codes, how output looks.

Running one command defines all of them, so each command imports the parts of ACE that it needs inside its
function: otherwise `ace check` would spend a second on the database and the HTTP client, which it never uses.
"""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Sequence
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from typer.core import TyperGroup

from ace import __version__
from ace.errors import AceError, AlreadyRunning, NotConfigured, Refused, Unavailable

if TYPE_CHECKING:
    from rich.progress import Progress

    from ace.settings import Settings
    from patent_ace_client import Client

EXIT_FAILED, EXIT_REFUSED, EXIT_RUNNING, EXIT_UNREACHABLE, EXIT_UNAUTHORISED, EXIT_WAITING = range(1, 7)
EXIT_INTERRUPTED: Final = 130  # as a shell reports SIGINT

EXIT_CODES_HELP: Final = """\b
Exit codes:
  0  success
  1  an evaluation failed, `ace check` found something, or an unexpected error
  2  wrong usage, or the input was rejected
  3  another stack is running on this data folder
  4  a required service cannot be reached
  5  the API key is missing or wrong
  6  not everything was settled within --timeout"""

EXIT_CODES: Final[dict[type[Exception], int]] = {
    AlreadyRunning: EXIT_RUNNING,
    Unavailable: EXIT_UNREACHABLE,
    Refused: EXIT_REFUSED,
    NotConfigured: EXIT_REFUSED,
    AceError: EXIT_FAILED,
}


def exit_code(error: Exception) -> int | None:
    """The exit code for one of our own errors; None for an unexpected one."""
    codes = EXIT_CODES
    if not isinstance(error, AceError):
        from patent_ace_client import ApiError, NotSettled, Unauthorised, Unreachable

        codes = {
            Unreachable: EXIT_UNREACHABLE,
            Unauthorised: EXIT_UNAUTHORISED,
            ApiError: EXIT_REFUSED,
            NotSettled: EXIT_WAITING,
        }
    return next((code for kind, code in codes.items() if isinstance(error, kind)), None)


class Guarded(TyperGroup):
    """Turns our own errors into one line on stderr and an exit code; --json adds an object on stdout."""

    def invoke(self, ctx: Any) -> Any:  # a click.Context, which typer carries its own copy of
        _shown.set(False)
        try:
            return super().invoke(ctx)
        except (typer.Exit, typer.Abort):
            raise
        except Exception as error:
            code = exit_code(error)
            if code is None:
                raise
            typer.echo(f"ace: {error}", err=True)
            if ctx.meta.get(AS_JSON) and not _shown.get():  # what a command showed stands alone
                told = {"message": str(error), "exit": code, "problem": getattr(error, "problem", None)}
                show({"error": told})
            raise typer.Exit(code) from error


def examples(*lines: str) -> str:
    """The examples at the end of a help text, with their line breaks kept."""
    return "\b\nExamples:\n" + "\n".join(f"  $ {line}" for line in lines)


def group(help_text: str, epilog: str, *, completion: bool = False, **more: Any) -> typer.Typer:
    """A group of commands whose help is plain text; `completion` adds the options for shell completion."""
    return typer.Typer(
        cls=Guarded,
        help=help_text,
        epilog=epilog,
        no_args_is_help=True,
        add_completion=completion,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        **more,
    )


app = group(
    "Check patent claims for defects under 35 U.S.C. 112.",
    f"{EXIT_CODES_HELP}\n\n{examples('ace demo', 'ace check claims.txt', 'ace submit claims.txt --wait')}",
    completion=True,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"ace {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Options of `ace` itself; everything else belongs to a command."""


AS_JSON: Final = "ace.json"  # in the context that a command shares with its group
_shown: ContextVar[bool] = ContextVar("_shown", default=False)  # whether the command has shown its object


def _remember_json(context: typer.Context, wanted: bool) -> bool:
    context.meta[AS_JSON] = wanted
    return wanted


Json = Annotated[bool, typer.Option("--json", callback=_remember_json, help="Print one JSON object.")]
JsonLines = Annotated[
    bool, typer.Option("--json", callback=_remember_json, help="Print one JSON object per line.")
]
Url = Annotated[str | None, typer.Option("--url", help="URL of the API (ACE_API_URL).")]
ApiKey = Annotated[str | None, typer.Option("--key", help="API key (ACE_API_KEY).")]
Data = Annotated[Path | None, typer.Option("--data", help="Data folder (ACE_DATA_DIR).")]
# `ace up` keeps the listening sockets of its processes and hands each its own.
Listener = Annotated[int | None, typer.Option("--fd", hidden=True, help="Open listening socket to use.")]


def handed_over(fd: int | None) -> list[socket.socket] | None:
    """The listening socket that the parent process handed over, if there is one."""
    return None if fd is None else [socket.socket(fileno=fd)]


def settings_with(**overrides: Any) -> Settings:
    """The settings of the environment, overridden by the options that the command line gave."""
    from ace.settings import Settings

    given = {name: value for name, value in overrides.items() if value is not None}
    return Settings().model_copy(update=given)


def settings_in_force() -> Settings:
    """The settings, completed by what the stack that runs on the data folder works with."""
    from ace.local.running_stack import settings_beside
    from ace.settings import Settings

    return settings_beside(Settings())


def client(url: str | None, key: str | None) -> Client:
    """A client for the API that the options, the settings or the running stack name, in that order."""
    from ace.local.running_stack import running_stack
    from ace.settings import Settings
    from patent_ace_client import Client

    settings = Settings()
    stack = running_stack(settings.data_dir)
    url = url or settings.api_url or stack.get("url")
    secret = key or (settings.api_key.get_secret_value() if settings.api_key else stack.get("key"))
    if not url or not secret:
        raise NotConfigured(
            "no API is configured: give --url and --key (ACE_API_URL, ACE_API_KEY), or start `ace up`"
            f" (beside one with --data, set ACE_DATA_DIR; now it is {settings.data_dir})"
        )
    try:
        return Client(url, secret)
    except ValueError as error:
        raise NotConfigured(str(error)) from None


def moment(given: str, option: str) -> datetime:
    """The time given in ISO 8601, in UTC unless it has a zone."""
    try:
        at = datetime.fromisoformat(given)
    except ValueError:
        raise Refused(
            f"{option} must be a date (YYYY-MM-DD) or a time (YYYY-MM-DDTHH:MM), in UTC", code="no_moment"
        ) from None
    return at if at.tzinfo is not None else at.replace(tzinfo=UTC)


def show(value: Any) -> None:
    """One JSON object on stdout."""
    _shown.set(True)
    typer.echo(json.dumps(value, default=str, ensure_ascii=False))


def configured(part: str | None = None, **overrides: Any) -> Settings:
    """The settings of a process that logs, with options that override them. Sets up its logging, and its
    tracing if it is a `part` of the service."""
    from ace import tracing
    from ace.telemetry import configure_logging

    settings = settings_with(**overrides)
    configure_logging(settings.log_level)
    if part is not None and settings.traces_url is not None:
        tracing.install(settings.traces_url, part=part, share=settings.traces_share)
    return settings


WIDEST: Final = 10_000
LARGE: Final = 1_000  # from here on a table shows no digits after the point


def table(rows: Sequence[Sequence[Any]], *columns: str, nothing: str | None = None) -> None:
    """Rows under headings on stdout, however narrow the terminal: a cell that is cut loses an id. None shows
    as a dash. Without rows, the sentence `nothing` stands in the place of the headings."""
    if nothing is not None and not rows:
        typer.echo(nothing)
        return
    from rich.console import Console
    from rich.table import Table

    shown = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        shown.add_column(column, no_wrap=True)
    for row in rows:
        shown.add_row(*map(_cell, row))
    Console(width=WIDEST).print(shown)


def _cell(value: Any) -> str:
    """A value as a person reads it: times to the second in UTC, yes or no, few digits after the point."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= LARGE else f"{value:.3g}"
    if isinstance(value, datetime):
        at = value.astimezone(UTC) if value.tzinfo else value
        return f"{at:%Y-%m-%d %H:%M:%S}"
    return str(value)


def progress() -> Progress:
    """A progress bar, shown only on a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        disable=not sys.stderr.isatty(),
    )


def say_pause(seconds: float, reason: str) -> None:
    """One line on stderr for every wait before a retry."""
    typer.echo(f"ace: {reason}; retrying in {seconds:.2g} s", err=True)
