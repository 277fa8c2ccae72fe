"""`ace check`: checks claims in files with the rules, on this machine alone: no server, no model.

The checks are imported when they run, so that other commands start fast.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from enum import StrEnum
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final
from urllib.parse import quote

import typer

from ace.claims.checks.confidence import DEFAULT_THRESHOLD
from ace.claims.rules import Jurisdiction
from ace.cli.app import EXIT_REFUSED, Json, app, examples, show
from ace.errors import Refused

if TYPE_CHECKING:
    from ace.claims.model import ClaimSet
    from ace.claims.reading import Reading
    from ace.claims.reports.report import Report

EXIT_FINDINGS: Final = 1
WIDTH_OF_PIPES: Final = 100

EXIT_CODES_HELP = """\b
Exit codes:
  0  no findings
  1  findings
  2  wrong usage, or a file that could not be read or checked (the other files were)"""


class Format(StrEnum):
    """Output format of the findings."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"


@app.command(
    epilog=EXIT_CODES_HELP
    + "\n\n"
    + examples(
        "ace check claims.docx",
        "ace check --jurisdiction EPC --format sarif claims.txt > claims.sarif",
        "pbpaste | ace check - --graph claims.svg",
    )
)
def check(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE", help="Claims as text, DOCX or patent-office XML; - is stdin."),
    ],
    format_: Annotated[Format, typer.Option("--format", help="Output format.")] = Format.TEXT,
    jurisdiction: Annotated[
        Jurisdiction, typer.Option(case_sensitive=False, help="The law to apply.")
    ] = Jurisdiction.US,
    threshold: Annotated[
        float, typer.Option(min=0, max=1, help="Minimum confidence of a finding to be reported.")
    ] = DEFAULT_THRESHOLD,
    graph: Annotated[
        Path | None, typer.Option(help="Also write the reference graph: FILE.svg or FILE.json.")
    ] = None,
    proofs: Annotated[
        bool, typer.Option("--proofs", help="Also show the antecedent of every “the …” and “said …”.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Check claims for defects, offline, and show where they are."""
    if as_json and format_ is Format.SARIF:
        raise Refused("--json and --format sarif exclude each other", code="usage")
    if as_json:
        format_ = Format.JSON
    if proofs and format_ is not Format.TEXT:
        raise Refused(
            "--proofs is for text output; for programs, --graph FILE.json has the proofs", code="usage"
        )
    if graph is not None:
        _refuse_unfit_graph(graph, files)
    told = _Telling(format_, jurisdiction, threshold, proofs=proofs, several=len(files) > 1)
    worst = 0
    checked: tuple[Reading, Report] | None = None
    for file in files:
        try:
            data = _bytes_of(file)
            reading, report = _checked(_claims_of(data, file), jurisdiction, threshold)
            told.report(file, data, reading, report)
        except Refused as error:
            worst = EXIT_REFUSED
            told.refused(file, error)
        except BrokenPipeError:
            raise
        except Exception as error:  # a bug of ours, which must not have the exit status of findings
            worst = EXIT_REFUSED
            why = type(error).__name__  # its message could quote the claims
            told.refused(file, Refused(f"ACE failed on it ({why}); that is a fault of ACE", code="fault"))
        else:
            worst = max(worst, EXIT_FINDINGS if report.findings else 0)
            checked = reading, report
    told.end()
    if graph is not None and checked is not None and not _graph_written(*checked, graph):
        worst = EXIT_REFUSED
    raise typer.Exit(worst)


class _Telling:
    """Writes reports one by one, or all together if the format is one document."""

    def __init__(
        self, format_: Format, jurisdiction: Jurisdiction, threshold: float, *, proofs: bool, several: bool
    ) -> None:
        self._format = format_
        self._jurisdiction = jurisdiction
        self._threshold = threshold
        self._proofs = proofs
        self._several = several
        self._documents: list[dict[str, Any]] = []

    def report(self, file: str, data: bytes, reading: Reading, report: Report) -> None:
        if self._format is Format.TEXT:
            self._text(file, data, reading, report)
        elif self._format is Format.JSON:
            from ace.claims.reports.report import as_json

            shown = as_json(report, begins=_begins(data, report.claims))
            self._documents.append({"file": file, **shown} if self._several else shown)
        else:
            from ace.claims.reports.sarif import as_sarif

            self._documents.append(as_sarif(report, _uri(file), plain=_is_plain(data, report.claims)))

    def refused(self, file: str, error: Refused) -> None:
        typer.echo(f"ace: {_named(file)}: {error}", err=True)
        if self._format is Format.JSON:
            told = {"code": error.code, "message": error.message}
            self._documents.append({"file": file, "error": told})
        elif self._format is Format.SARIF:
            from ace.claims.reports.sarif import refused_as_sarif

            log = refused_as_sarif(
                error, _uri(file), jurisdiction=self._jurisdiction, threshold=self._threshold
            )
            self._documents.append(log)

    def end(self) -> None:
        if self._format is Format.JSON:
            show({"files": self._documents} if self._several else self._documents[0])
        elif self._format is Format.SARIF:
            show(_one_log(self._documents))

    def _text(self, file: str, data: bytes, reading: Reading, report: Report) -> None:
        from ace.claims.reports.text import render

        _in_any_encoding()
        width = shutil.get_terminal_size((WIDTH_OF_PIPES, 24)).columns
        name = _named(file) if self._several else None
        plain = _is_plain(data, report.claims)
        shown = render(report, name=name, width=width, colour=_in_colour(), plain=plain)
        typer.echo(shown, nl=False)
        if self._proofs:
            from ace.claims.reports.text import render_proofs

            typer.echo("\n" + render_proofs(reading, width=width), nl=False)


def _bytes_of(file: str) -> bytes:
    """The bytes of a file or stdin, at most one byte more than a reader accepts."""
    from ace.claims.readers import MAX_FILE_BYTES

    try:
        if file == "-":
            return sys.stdin.buffer.read(MAX_FILE_BYTES + 1)
        with Path(file).open("rb") as opened:
            return opened.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise Refused(f"cannot be read: {error.strerror}", code="unreadable") from error


def _claims_of(data: bytes, file: str) -> ClaimSet:
    from ace.claims.readers import read_file

    claims = read_file(data, name=None if file == "-" else file, pointer="", partial=True)
    if not len(claims):
        raise Refused("no claim was found", code="empty_set")
    return claims


def _checked(claims: ClaimSet, jurisdiction: Jurisdiction, threshold: float) -> tuple[Reading, Report]:
    from ace.claims.reading import Reading
    from ace.claims.reports.report import checked

    reading = Reading(claims)
    return reading, checked(reading, jurisdiction=jurisdiction, threshold=threshold)


def _uri(file: str) -> str:
    """The file as SARIF refers to it: relative as it was given, or absolute (3.4.3)."""
    if file == "-":
        return "stdin"
    path = Path(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())


def _is_plain(data: bytes, claims: ClaimSet) -> bool:
    """Whether the file itself is the text that source offsets refer to."""
    return claims.source is not None and data.decode("utf-8-sig", errors="replace") == claims.source


def _begins(data: bytes, claims: ClaimSet) -> int | None:
    """Offset of the text that was read within the file; None if the file is not text."""
    from ace.claims.readers import BOMS

    return int(data.startswith(BOMS)) if _is_plain(data, claims) else None


def _one_log(logs: list[dict[str, Any]]) -> dict[str, Any]:
    """One SARIF log with the runs of all files, possibly none."""
    from ace.claims.reports.sarif import SCHEMA

    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run for log in logs for run in log["runs"]]}


def _refuse_unfit_graph(graph: Path, files: list[str]) -> None:
    if graph.suffix.lower() not in {".svg", ".json"}:
        raise Refused("--graph needs a file name ending in .svg or .json", code="usage")
    if len(files) > 1:
        raise Refused("--graph accepts one input file only", code="usage")
    if any(graph.resolve() == Path(file).resolve() for file in files if file != "-"):
        raise Refused("--graph would overwrite the claims; choose another name", code="usage")


def _graph_written(reading: Reading, report: Report, graph: Path) -> bool:
    """Writes the graph, or reports on stderr why that failed: the report is already printed."""
    from ace.claims.reports.graph_json import graph_as_json
    from ace.claims.reports.graph_svg import draw

    try:
        seen = graph_as_json(reading, report.findings)
        written = draw(seen) if graph.suffix.lower() == ".svg" else json.dumps(seen, ensure_ascii=False)
        graph.write_text(written + "\n", encoding="utf-8")
    except OSError as error:
        why = f"cannot be written: {error.strerror}"
    except Exception as error:  # a bug of ours; its message could quote the claims
        why = f"internal error ({type(error).__name__}); this is a bug in ACE"
    else:
        return True
    typer.echo(f"ace: {graph}: {why}", err=True)
    return False


def _in_any_encoding() -> None:
    """Makes a terminal that lacks a character show a question mark instead of failing."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def _in_colour() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _named(file: str) -> str:
    return "stdin" if file == "-" else file
