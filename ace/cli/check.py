"""`ace check`: checks claims in files with the rules, on this machine alone: no server, no model.

The checks are imported when they run, so that other commands start fast.
"""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

import typer

from ace.claims.rules import Jurisdiction
from ace.cli.app import EXIT_REFUSED, Json, app, examples
from ace.cli.check_output import Format, TextParts, Writer, internal_error, writer_of
from ace.errors import Refused

if TYPE_CHECKING:
    from ace.claims.model import ClaimSet
    from ace.claims.reading import Reading
    from ace.claims.reports.report import Report
    from ace.claims.terms import Terms

EXIT_FINDINGS: Final = 1
_TERM_KINDS: Final = ("ignore", "keep_together")

EXIT_CODES_HELP: Final = """\b
Exit codes:
  0  no findings, whatever the remarks
  1  findings
  2  wrong usage, or a file that could not be read or checked (the other files were)"""


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
        float | None,
        typer.Option(
            min=0, max=1, help="Minimum confidence of a finding to be reported. Default: 0.39."
        ),  # as in the table of confidences, whose import would load every rule
    ] = None,
    terms: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help='Term list, in TOML: ignore = ["operator"] and keep_together = ["heat pump"].',
        ),
    ] = None,
    graph: Annotated[
        Path | None, typer.Option(help="Also write the reference graph: FILE.svg or FILE.json.")
    ] = None,
    proofs: Annotated[
        bool, typer.Option("--proofs", help="Also show the antecedent of every “the …” and “said …”.")
    ] = False,
    examiner: Annotated[
        bool, typer.Option("--examiner", help="Also show each finding in the words of a US examiner.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Check claims for defects, offline, and show where they are."""
    from ace.claims.checks.confidence import DEFAULT_THRESHOLD

    if as_json:
        if format_ is Format.SARIF:
            raise Refused("--json and --format sarif cannot be combined", code="usage")
        format_ = Format.JSON
    if proofs and format_ is not Format.TEXT:
        raise Refused(
            "--proofs is for text output; for programs, --graph FILE.json has the proofs", code="usage"
        )
    if examiner and format_ is not Format.TEXT:
        raise Refused("--examiner is for text output; JSON and SARIF always have the words", code="usage")
    if graph is not None:
        _refuse_unfit_graph(graph, files)
    threshold = DEFAULT_THRESHOLD if threshold is None else threshold
    parts = TextParts(proofs=proofs, examiner=examiner)
    writer = writer_of(format_, jurisdiction, threshold, parts=parts, several=len(files) > 1)
    asked = Asked(jurisdiction, threshold, None if terms is None else _terms_of(terms))
    results = [_checked_file(file, writer, asked) for file in files]
    writer.end()
    worst = max(status for status, _ in results)
    checked = results[-1][1]
    if graph is not None and checked is not None and not _graph_written(*checked, graph):
        worst = EXIT_REFUSED
    raise typer.Exit(worst)


class Asked(NamedTuple):
    """How claims are to be checked; without `terms`, under no term list."""

    jurisdiction: Jurisdiction
    threshold: float
    terms: Terms | None


def _terms_of(file: Path) -> Terms:
    """The term list in a file. Raises Refused."""
    from ace.claims.terms import terms_of

    try:
        listed = tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise Refused(f"{file} cannot be read: {error.strerror}", code="unreadable") from error
    except (ValueError, RecursionError) as error:  # not TOML, or not UTF-8; the message may quote a term
        raise Refused(f"{file} is not TOML in UTF-8", code="bad_terms") from error
    lists = {name: listed.pop(name, []) for name in _TERM_KINDS}
    if listed:
        words = f"unknown field {next(iter(listed))!r}: a term list has {' and '.join(_TERM_KINDS)}"
        raise Refused(f"{file}: {words}", code="bad_terms")
    for name, terms in lists.items():
        if not isinstance(terms, list) or not all(isinstance(term, str) for term in terms):
            raise Refused(f"{file}: {name} must be a list of strings", code="bad_terms")
    try:
        return terms_of(**lists)
    except Refused as refused:
        raise Refused(f"{file}: {refused.pointer}: {refused.message}", code=refused.code) from refused


def _checked_file(file: str, writer: Writer, asked: Asked) -> tuple[int, tuple[Reading, Report] | None]:
    """Checks and writes one file; returns its exit status, and what was read if it could be checked."""
    try:
        data = _bytes_of(file)
        reading, report = _checked(_claims_of(data, file), asked)
        writer.report(file, data, reading, report)
    except Refused as error:
        writer.refused(file, error)
    except BrokenPipeError:
        raise
    except Exception as error:  # a bug in ACE, which must not have the exit status of findings
        writer.refused(file, Refused(internal_error(error), code="fault"))
    else:
        return (EXIT_FINDINGS if report.findings else 0), (reading, report)
    return EXIT_REFUSED, None


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


def _checked(claims: ClaimSet, asked: Asked) -> tuple[Reading, Report]:
    from ace.claims.reading import Reading
    from ace.claims.reports.report import checked
    from ace.claims.terms import NO_TERMS

    reading = Reading(claims, asked.terms or NO_TERMS)
    return reading, checked(reading, jurisdiction=asked.jurisdiction, threshold=asked.threshold)


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
    except Exception as error:  # a bug in ACE; its message could quote the claims
        why = internal_error(error)
    else:
        return True
    typer.echo(f"ace: {graph}: {why}", err=True)
    return False
