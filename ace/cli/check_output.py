"""How `ace check` writes its reports: as text one by one, as JSON or SARIF in one document at the end."""

from __future__ import annotations

import os
import shutil
import sys
from enum import StrEnum
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol
from urllib.parse import quote

import typer

from ace.cli.app import show

if TYPE_CHECKING:
    from ace.claims.model import ClaimSet
    from ace.claims.reading import Reading
    from ace.claims.reports.report import Report
    from ace.claims.rules import Jurisdiction
    from ace.errors import Refused

WIDTH_OF_PIPES: Final = 100


class Format(StrEnum):
    """Output format of the findings."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"


class TextParts(NamedTuple):
    """What a report in text also shows."""

    proofs: bool = False
    examiner: bool = False


class Writer(Protocol):
    """Writes what was found in each file, and the errors of files that could not be checked."""

    def report(self, file: str, data: bytes, reading: Reading, report: Report) -> None: ...

    def refused(self, file: str, error: Refused) -> None: ...

    def end(self) -> None: ...


def writer_of(
    format_: Format, jurisdiction: Jurisdiction, threshold: float, *, parts: TextParts, several: bool
) -> Writer:
    """The writer of a format; `several` says that there is more than one file."""
    if format_ is Format.TEXT:
        return _TextWriter(parts, several=several)
    if format_ is Format.JSON:
        return _JsonWriter(several=several)
    return _SarifWriter(jurisdiction, threshold)


def internal_error(error: Exception) -> str:
    """The message for a bug in ACE; the error's own message could quote the claims."""
    return f"internal error ({type(error).__name__}); this is a bug in ACE"


class _TextWriter:
    def __init__(self, parts: TextParts, *, several: bool) -> None:
        self._parts, self._several = parts, several

    def report(self, file: str, data: bytes, reading: Reading, report: Report) -> None:
        from ace.claims.reports.text import render, render_proofs

        _in_any_encoding()
        width = shutil.get_terminal_size((WIDTH_OF_PIPES, 24)).columns
        name = _named(file) if self._several else None
        plain = _is_plain(data, report.claims)
        examiner, colour = self._parts.examiner, _in_colour()
        shown = render(report, name=name, width=width, colour=colour, plain=plain, examiner=examiner)
        typer.echo(shown, nl=False)
        if self._parts.proofs:
            typer.echo("\n" + render_proofs(reading, width=width), nl=False)

    def refused(self, file: str, error: Refused) -> None:
        typer.echo(f"ace: {_named(file)}: {error}", err=True)

    def end(self) -> None:
        """Nothing is left to write."""


class _JsonWriter:
    def __init__(self, *, several: bool) -> None:
        self._several = several
        self._documents: list[dict[str, Any]] = []

    def report(self, file: str, data: bytes, reading: Reading, report: Report) -> None:
        from ace.claims.reports.report import as_json

        shown = as_json(report, begins=_begins(data, report.claims))
        self._documents.append({"file": file, **shown} if self._several else shown)

    def refused(self, file: str, error: Refused) -> None:
        typer.echo(f"ace: {_named(file)}: {error}", err=True)
        self._documents.append({"file": file, "error": {"code": error.code, "message": error.message}})

    def end(self) -> None:
        show({"files": self._documents} if self._several else self._documents[0])


class _SarifWriter:
    def __init__(self, jurisdiction: Jurisdiction, threshold: float) -> None:
        self._jurisdiction, self._threshold = jurisdiction, threshold
        self._runs: list[Any] = []

    def report(self, file: str, data: bytes, reading: Reading, report: Report) -> None:
        from ace.claims.reports.sarif import as_sarif

        log = as_sarif(report, _uri(file), plain=_is_plain(data, report.claims))
        self._runs.extend(log["runs"])

    def refused(self, file: str, error: Refused) -> None:
        from ace.claims.reports.sarif import refused_as_sarif

        typer.echo(f"ace: {_named(file)}: {error}", err=True)
        log = refused_as_sarif(error, _uri(file), jurisdiction=self._jurisdiction, threshold=self._threshold)
        self._runs.extend(log["runs"])

    def end(self) -> None:
        from ace.claims.reports.sarif import SCHEMA

        show({"$schema": SCHEMA, "version": "2.1.0", "runs": self._runs})


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


def _in_any_encoding() -> None:
    """Makes a terminal that lacks a character show a question mark instead of failing."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def _in_colour() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _named(file: str) -> str:
    return "stdin" if file == "-" else file
