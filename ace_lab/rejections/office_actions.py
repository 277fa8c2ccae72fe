"""Office actions from files: application, kind, date and body, under any of the usual field names.

The Office Action Weekly Archives (ZIP of JSON), responses of the text retrieval API (a Solr envelope) and
lines made from either have the same records; values may be in lists. docs/reference/rejections.md names the
fields. Records that are not office actions are counted, and so is what cannot be read.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from ace.errors import Refused

REJECTIONS = frozenset({"CTNF", "CTFR", "CTNR", "MCTNF", "MCTFR", "EXNF", "EXFR"})
"""Document codes of non-final and final rejections, and of those mailed again or made by exam reports."""

SUFFIXES = (".json", ".jsonl", ".ndjson", ".txt")
_CHUNK = 1 << 20
_BETWEEN = frozenset(" \t\r\n,[]")
_LITERAL = 16
"""More than the longest word or escape of JSON that may be cut off where reading stopped."""

APPLICATION = (
    *("patentapplicationnumber", "applicationnumbertext", "applicationnumber", "application", "appid"),
    *("applicationid", "applicationnumbernumeric", "appnum", "appno", "applicationno"),
)
_CODE = (
    "legacydocumentcodeidentifier",
    "documentcode",
    "documentcodeidentifier",
    "doccode",
    "actiontype",
    "ifwcode",
)
DATE = (
    *(
        "submissiondate",
        "maildate",
        "mailroomdate",
        "officialdate",
        "documentdate",
        "actiondate",
        "mailingdate",
    ),
    *("versiondate", "filingdate", "filed", "date"),
)
_BODY = ("bodytext", "documenttext", "officeactiontext", "fulltext", "text", "body", "content")
_SECTION = ("section112rejectiontext", "section112rejectionformparagraphtext")
_KINDED_BODY = re.compile(r"(ctnf|ctfr|ctnr)bodytext\Z")


@dataclass(frozen=True, slots=True)
class OfficeAction:
    """One action. `date` is YYYY-MM-DD or "", `code` upper case or ""."""

    application: str
    code: str
    date: str
    body: str


def read_actions(path: Path, counts: Counter[str]) -> Iterator[OfficeAction]:
    """The rejections in a file, or in all files of a folder, in order of name; `counts` is added to.

    Raises Refused if the path does not exist.
    """
    if path.is_dir():
        for member in sorted(path.rglob("*")):
            if member.is_file() and not member.name.startswith(".") and _is_actions(member.name):
                yield from read_actions(member, counts)
        return
    counts["files"] += 1
    try:
        for record in records(path, counts):
            action = _action(record)
            if action is None:
                counts["records_without_text_or_application"] += 1
            elif action.code and action.code not in REJECTIONS:
                counts["records_of_other_kinds"] += 1
            else:
                counts["actions"] += 1
                yield action
    except (OSError, EOFError, zipfile.BadZipFile, UnicodeDecodeError) as error:
        if not path.exists():
            raise Refused(f"{path} does not exist", code="unreadable") from error
        counts["files_broken"] += 1


def records(path: Path, counts: Counter[str]) -> Iterator[dict[str, Any]]:
    """The records of one file that have an application or a body, however deep they lie."""
    for stream in _streams(path):
        for value in json_values(stream, counts):
            found = list(_records_in(value))
            counts["json_without_record"] += not found
            yield from found


def _streams(path: Path) -> Iterator[TextIO]:
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            for name in sorted(archive.namelist()):
                if _is_actions(name):
                    with archive.open(name) as member:
                        yield io.TextIOWrapper(member, encoding="utf-8-sig", errors="replace")
        return
    with path.open("rb") as head:
        packed = head.read(2) == b"\x1f\x8b"
    with gzip.open(path, "rb") if packed else path.open("rb") as opened:
        yield io.TextIOWrapper(opened, encoding="utf-8-sig", errors="replace")


def _is_actions(name: str) -> bool:
    return name.lower().removesuffix(".gz").endswith((*SUFFIXES, ".zip"))


def json_values(stream: TextIO, counts: Counter[str]) -> Iterator[Any]:
    """The values of a JSON document, of lines of JSON, or of one long array, one at a time, so that a
    weekly archive need not fit into memory. Anything else is skipped up to the next line and counted."""
    decoder = json.JSONDecoder(strict=False)
    buffer, at, ended = "", 0, False
    while True:
        while at < len(buffer) and buffer[at] in _BETWEEN:
            at += 1
        if at < len(buffer):
            try:
                value, end = decoder.raw_decode(buffer, at)
            except (json.JSONDecodeError, RecursionError) as error:
                line_end = buffer.find("\n", at)
                if ended or (line_end >= 0 and not _cut_off(error)):
                    counts["broken_json"] += 1
                    at = line_end + 1 if line_end >= 0 else len(buffer)
                    continue
            else:
                # A number or a word at the end of the buffer may continue.
                if ended or end < len(buffer) or isinstance(value, dict):
                    yield value
                    at = end
                    continue
        elif ended:
            return
        # As much again as is left, so that a long value is not decoded many times.
        more = stream.read(max(_CHUNK, len(buffer) - at))
        ended = not more
        buffer, at = buffer[at:] + more, 0


def _cut_off(error: Exception) -> bool:
    """Whether more text could mend it: a string without an end, or an error where the text stops."""
    return isinstance(error, json.JSONDecodeError) and (
        error.msg.startswith("Unterminated") or error.pos >= len(error.doc) - _LITERAL
    )


def _records_in(value: Any, application: str = "") -> Iterator[dict[str, Any]]:
    """The records within a value; one without an application of its own has that of what holds it."""
    if isinstance(value, list):
        for each in value:
            yield from _records_in(each, application)
    elif isinstance(value, dict):
        named = by_name(value)
        own = first_of(named, APPLICATION)
        held = [each for each in value.values() if isinstance(each, dict) or _has_objects(each)]
        if _body(named) or "claims" in named or (own and not held):
            yield value if own else {**value, "application": application}
        else:
            yield from _records_in(held, own or application)


def _has_objects(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(each, dict) for each in value)


def _action(record: dict[str, Any]) -> OfficeAction | None:
    named = by_name(record)
    application, body = application_number(first_of(named, APPLICATION)), _body(named)
    if not application or not body:
        return None
    code = first_of(named, _CODE).upper()
    if not code:
        code = next((match[1].upper() for name in named if (match := _KINDED_BODY.match(name))), "")
    return OfficeAction(application, code, day_of(first_of(named, DATE)), body)


def _body(named: dict[str, Any]) -> str:
    body = first_of(named, _BODY)
    if not body:
        kinded = next((name for name in named if _KINDED_BODY.match(name)), None)
        body = text_of(named[kinded]) if kinded else ""
    return body or "\n\n".join(text for name in _SECTION if (text := text_of(named.get(name))))


def by_name(record: dict[str, Any]) -> dict[str, Any]:
    """The fields under their bare names: lower case, letters and digits only, "sections." left off
    where the record has no such field itself."""
    found: dict[str, Any] = {}
    for name, value in record.items():
        bare = re.sub(r"[^a-z0-9]", "", name.lower().rpartition(".")[2])
        if bare not in found or "." not in name:
            found[bare] = value
    return found


def first_of(named: dict[str, Any], names: tuple[str, ...]) -> str:
    """The first field of these names that says something, as text; "" where none does."""
    return next((text for name in names if (text := text_of(named.get(name)))), "")


def text_of(value: Any) -> str:
    """A text, a number, or a list of them as text; "" for anything else and for "null"."""
    if isinstance(value, str):
        return "" if value.strip().lower() in {"", "null", "none"} else value.strip()
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(int(value)) if float(value).is_integer() else ""
    if isinstance(value, list):
        return "\n".join(text for each in value if (text := text_of(each)))
    return ""


def application_number(written: str) -> str:
    """The digits of an application number: "16/123,456" is "16123456". What has no digits stays."""
    line = written.strip().splitlines()[0].strip() if written.strip() else ""
    return re.sub(r"[^0-9]", "", line) or line


_ISO = re.compile(r"([0-9]{4})-?([0-9]{2})-?([0-9]{2})(?![0-9])")
_AMERICAN = re.compile(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})")


def day_of(written: str) -> str:
    """YYYY-MM-DD of a date in one of the usual forms; "" where there is none or it is before 1900."""
    if found := _ISO.match(written):
        year, month, day = found.groups()
    elif found := _AMERICAN.match(written):
        month, day, year = found.groups()
    elif re.fullmatch(r"[0-9]{12,13}", written):
        from datetime import UTC, datetime

        return datetime.fromtimestamp(int(written) / 1000, UTC).date().isoformat()
    else:
        return ""
    return f"{year}-{int(month):02}-{int(day):02}" if int(year) >= 1900 else ""
