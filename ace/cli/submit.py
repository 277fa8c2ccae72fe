"""`ace submit`: one claim set or many, and the wait for their verdicts."""

from __future__ import annotations

import json
import sys
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import typer

from ace.cli.app import (
    EXIT_FAILED,
    EXIT_INTERRUPTED,
    EXIT_REFUSED,
    ApiKey,
    Json,
    Url,
    app,
    client,
    examples,
    progress,
    say_pause,
    show,
)
from ace.cli.evaluations import findings_json, findings_of, say_paused, show_defects, show_evaluations
from ace.errors import Refused
from ace.wording import plural

if TYPE_CHECKING:
    from patent_ace_client import Accepted, Client, Evaluation, File, Filing, Submission


@app.command(
    epilog=examples(
        "ace submit amendment.docx --docket 2026-0117 --wait",
        "cat claims.txt | ace submit - --json",
        "ace submit filings.ndjson",
    )
)
def submit(
    file: Annotated[
        str,
        typer.Argument(help="Claims as text, .docx or .xml; filings as .ndjson; - is stdin."),
    ],
    docket: Annotated[str | None, typer.Option(help="Docket reference. Default: the file's name.")] = None,
    priority: Annotated[
        int | None, typer.Option(min=0, max=9, help="0 is the most urgent. Default: 5.")
    ] = None,
    wait: Annotated[bool, typer.Option("--wait", help="Wait for all verdicts and show them.")] = False,
    timeout: Annotated[float | None, typer.Option(min=0, help="Maximum wait, in seconds.")] = None,
    url: Url = None,
    key: ApiKey = None,
    as_json: Json = False,
) -> None:
    """Submit a claim set, or many."""
    many = file.endswith((".ndjson", ".jsonl"))
    if many and (wait or docket is not None or priority is not None):
        raise Refused("--wait, --docket and --priority apply to a single filing only", code="usage")
    if timeout is not None and not wait:
        raise Refused("--timeout is for --wait", code="usage")
    with client(url, key) as api:
        api.tell_pauses(say_pause)
        if many:
            submit_many(api, Path(file), as_json=as_json)
            return
        claims = read_claims(file)
        name = docket or ("stdin" if file == "-" else Path(file).stem)
        filing = api.submit(name, claims, priority=5 if priority is None else priority)
        show_accepted(filing, as_json=as_json, wait=wait)
        if wait:
            settled = waited(api, filing.id, title=name, timeout_seconds=timeout)
            show_settled(api, filing, settled, as_json=as_json)


def show_accepted(filing: Submission, *, as_json: bool, wait: bool) -> None:
    """The filing's id, at once: on stderr if the verdicts are to follow. Warnings go there too."""
    if as_json and not wait:
        show({**accepted_json(filing), "evaluations": [one.id for one in filing.evaluations]})
        return
    left_out = f", {len(filing.canceled)} canceled" if filing.canceled else ""
    typer.echo(f"filing {filing.id}: {plural(len(filing.evaluations), 'claim')}{left_out}", err=wait)
    for note in filing.notes:
        typer.echo(f"ace: warning: {note.message}", err=True)


def show_settled(api: Client, filing: Accepted, settled: list[Evaluation], *, as_json: bool) -> None:
    """The verdicts, and what was found in claims that fail; exits with 1 if an evaluation failed."""
    found = {one.id: findings_of(api, one.id) for one in settled if one.verdict == "Fail"}
    if as_json:
        listed = [{**one.as_dict(), "findings": findings_json(found.get(one.id))} for one in settled]
        show({**accepted_json(filing), "evaluations": listed})
    else:
        show_evaluations(settled, nothing="No claim of this filing is evaluated.")
        for one in settled:
            if one.id in found:
                show_defects(one, found[one.id])
    if any(one.state == "failed" for one in settled):
        raise typer.Exit(EXIT_FAILED)


def accepted_json(filing: Accepted) -> dict[str, Any]:
    """What `--json` shows of a filing besides its evaluations."""
    return filing.model_dump(mode="json", include={"filing", "canceled", "notes"})


def read_claims(file: str) -> File:
    """A file, or stdin as text; refused if it cannot be read. The API validates the content."""
    from patent_ace_client import File

    try:
        return File(sys.stdin.buffer.read()) if file == "-" else File.at(Path(file))
    except OSError as error:
        raise Refused(f"cannot read {file}: {error.strerror}", code="unreadable") from error


def opened(file: Path) -> BinaryIO:
    """The file, opened for reading; refused if it cannot be."""
    try:
        return file.open("rb")
    except OSError as error:
        raise Refused(f"cannot read {file}: {error.strerror}", code="unreadable") from error


def submit_many(api: Client, file: Path, *, as_json: bool) -> None:
    """Files one filing per line; refused lines are reported and change the exit code."""
    refused = accepted = 0
    upload = str(uuid.uuid4())
    with progress() as bar, opened(file) as lines:
        task = bar.add_task(file.name, total=None)
        for result in api.submit_lines(lines, idempotency_key=upload):
            bar.advance(task)
            if result["status"] == 202:
                accepted += 1
            else:
                refused += 1
            if as_json:
                typer.echo(json.dumps(result))
            elif result["status"] != 202:
                typer.echo(f"line {result['line']}: {result['problem']['detail']}", err=True)
    if not as_json:
        typer.echo(f"{plural(accepted, 'filing')} accepted, {refused} refused")
    if refused:
        raise typer.Exit(EXIT_REFUSED)


def waited(api: Client, filing_id: str, *, title: str, timeout_seconds: float | None) -> list[Evaluation]:
    """All evaluations of a filing once they are settled.

    Shows on a terminal what is not settled yet and why. Ctrl-C ends the waiting and not the filing.
    """
    with progress() as bar:
        task = bar.add_task(title, total=None)
        told = False

        def tell(found: Filing) -> None:
            nonlocal told
            if not told and not found.settled:
                say_paused(api)
            told = True
            words = f"{title}: {found.waiting}" if found.waiting else title
            bar.update(task, description=words, completed=found.settled_count, total=len(found.evaluations))

        try:
            return api.wait(filing_id, timeout_seconds=timeout_seconds, on_filing=tell)
        except KeyboardInterrupt:
            bar.stop()
            words = f"no longer waiting; the filing goes on: ace status {filing_id}, ace cancel {filing_id}"
            typer.echo(f"ace: {words}", err=True)
            raise typer.Exit(EXIT_INTERRUPTED) from None
