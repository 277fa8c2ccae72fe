"""Commands that talk to the API: submit, status, replay, cancel."""

from __future__ import annotations

import json
import sys
import uuid
from itertools import islice
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
    show,
    table,
)
from ace.errors import Refused

if TYPE_CHECKING:
    from rich.progress import Progress

    from ace.client import Accepted, Client, Evaluation, File, Filing, Findings

COLUMNS = ("claim", "verdict", "by", "class", "ground", "doubt", "tau", "state", "filing", "evaluation")


def verdict_of(one: Evaluation) -> str | None:
    """The verdict, and whether there is a reason to doubt it."""
    return f"{one.verdict}, disputed" if one.disputed else one.verdict


def row(one: Evaluation) -> list[Any]:
    """An evaluation as a row under `COLUMNS`."""
    return [
        one.claim,
        verdict_of(one),
        one.decided_by,
        one.error_class,
        one.ground,
        None if one.doubt is None else f"{one.doubt:.3f}",
        None if one.tau is None else f"{one.tau:.3f}",
        one.state if one.error is None else f"{one.state} ({one.error})",
        one.filing,
        one.id,
    ]


def waited(api: Client, filing_id: str, *, title: str, timeout_seconds: float | None) -> list[Evaluation]:
    """All evaluations of a filing once they are settled.

    Shows on a terminal what is not settled yet and why. Ctrl-C ends the waiting and not the filing.
    """
    with progress() as bar:
        task = bar.add_task(title, total=None)

        def tell(found: Filing) -> None:
            words = f"{title}: {found.waiting}" if found.waiting else title
            bar.update(task, description=words, completed=found.settled_count, total=len(found.evaluations))

        try:
            return api.wait(filing_id, timeout_seconds=timeout_seconds, on_filing=tell)
        except KeyboardInterrupt:
            bar.stop()
            words = f"no longer waiting; the filing goes on: ace status {filing_id}, ace cancel {filing_id}"
            typer.echo(f"ace: {words}", err=True)
            raise typer.Exit(EXIT_INTERRUPTED) from None


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
            show_settled(filing, settled, as_json=as_json)


def show_accepted(filing: Accepted, *, as_json: bool, wait: bool) -> None:
    """The filing's id, at once: on stderr if the verdicts are to follow. Warnings go there too."""
    if as_json and not wait:
        show({**accepted_json(filing), "evaluations": [one.id for one in filing.evaluations]})
        return
    left_out = f", {len(filing.canceled)} canceled" if filing.canceled else ""
    typer.echo(f"filing {filing.id}: {len(filing.evaluations)} claims{left_out}", err=wait)
    for note in filing.notes:
        typer.echo(f"ace: warning: {note['message']}", err=True)


def show_settled(filing: Accepted, settled: list[Evaluation], *, as_json: bool) -> None:
    """The verdicts; exits with 1 if an evaluation failed."""
    if as_json:
        show({**accepted_json(filing), "evaluations": [one.as_dict() for one in settled]})
    else:
        table([row(one) for one in settled], *COLUMNS)
    if any(one.state == "failed" for one in settled):
        raise typer.Exit(EXIT_FAILED)


def accepted_json(filing: Accepted) -> dict[str, Any]:
    """What `--json` shows of a filing besides its evaluations."""
    return {"filing": filing.id, "canceled": filing.canceled, "notes": filing.notes}


def say_pause(seconds: float, reason: str) -> None:
    """One line on stderr for every wait before a retry."""
    typer.echo(f"ace: {reason}; retrying in {seconds:.2g} s", err=True)


def read_claims(file: str) -> File:
    """A file, or stdin as text; refused if it cannot be read. The API validates the content."""
    from ace.client import File

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
        typer.echo(f"{accepted} filings accepted, {refused} refused")
    if refused:
        raise typer.Exit(EXIT_REFUSED)


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
            listed = api.evaluations(
                state=state, verdict=verdict, ground=ground, disputed=disputed, docket=docket
            )
            found = list(islice(listed, limit))
        elif (one := api.find_evaluation(id_)) is not None:
            show_evaluation(api, one, as_json=as_json)
            return
        else:
            api.filing(id_)  # raises if the filing does not exist
            found = list(api.evaluations(filing=id_))[::-1]
    if as_json:
        show({"evaluations": [one.as_dict() for one in found]})
    else:
        table([row(one) for one in found], *COLUMNS)


def show_evaluation(api: Client, one: Evaluation, *, as_json: bool) -> None:
    """One evaluation, its findings, its rationale and its events."""
    findings, events = findings_of(api, one.id), api.events(one.id)
    if as_json:
        found = None if findings is None else [finding.as_dict() for finding in findings.findings]
        remarks = None if findings is None else [remark.as_dict() for remark in findings.remarks]
        listed = [event.as_dict() for event in events]
        show({**one.as_dict(), "findings": found, "remarks": remarks, "events": listed})
        return
    table([row(one)], *COLUMNS)
    if findings is not None:
        show_findings(findings)
    if one.disputed and one.decided_by == "gatekeeper":
        typer.echo(f"disputed: {gatekeeper_dispute(one)}")
    if one.rationale:
        typer.echo(f"\n{one.rationale}\n")
        show_verification(one)
    table(
        [[e.number, e.at, e.move, e.before, e.after, e.actor, e.detail] for e in events],
        *("#", "at", "move", "from", "to", "actor", "detail"),
    )


def gatekeeper_dispute(one: Evaluation) -> str:
    """Why the gatekeeper's verdict is disputed, in words."""
    if one.span is None:
        return "the gatekeeper passes the claim, in which the rules find a likely defect"
    place = f"characters {one.span['start']} to {one.span['end']}"
    return f"the gatekeeper fails the claim for {place}, and the rules find nothing"


def show_verification(one: Evaluation) -> None:
    """The expert's findings, the disputes against its verdict, and how many opinions agree."""
    for each in one.expert_findings:
        place = "not in the claim" if each.start is None else f"characters {each.start} to {each.end}"
        law = f" [{each.law}]" if each.law else ""
        typer.echo(f"expert: {each.error_class or 'defect'}: '{each.quote}' ({place}){law}")
    for against in one.disagreements:
        typer.echo(f"disputed, {against.kind}: {against.expert} {against.against}")
    if one.opinions is not None and one.opinions > 1:
        typer.echo(f"opinions: {one.agreeing} of {one.opinions} say {one.verdict}")
    if one.expert_findings or one.disagreements:
        typer.echo("")


def findings_of(api: Client, evaluation_id: str) -> Findings | None:
    """What the rules find in the claim; None, with a message on stderr, if that fails."""
    from ace.client import ApiError

    try:
        return api.findings(evaluation_id)
    except ApiError as error:
        typer.echo(f"ace: no findings: {error}", err=True)
        return None


def show_findings(findings: Findings) -> None:
    """What the rules find in the claim, and then what they remark on, one line each."""
    for one in findings.findings:
        words = one.explanation or "(the text was purged)"
        grade = one.severity if one.ground is None else f"{one.severity}, {one.ground}"
        typer.echo(f"{grade}: {one.error_class}.{one.subtype}: {words} [{one.law}]")
    for noted in findings.remarks:
        typer.echo(f"remark: {noted.kind}: {noted.quote or '(purged)'}: {noted.explanation} [{noted.law}]")


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
    show({"replayed": replayed}) if as_json else typer.echo(f"{len(replayed)} replayed")


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
    show({"cancelled": cancelled}) if as_json else typer.echo(f"{len(cancelled)} cancelled")
