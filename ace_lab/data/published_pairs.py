"""The claims of one application twice: as published and as granted.

XML of the USPTO names the application in both; a JSON line has to (`application`, and `kind`, "granted" or
another word, with `date` if there are several). The files are read twice, so that only claims of pairs are
kept.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Any, NamedTuple

from ace.claims.model import ClaimSet
from ace.claims.readers import read_file
from ace.errors import Refused
from ace_lab.data import bulk_downloads
from ace_lab.data.sources import SourceSet, canonical_claim, files_in


@dataclass(frozen=True, slots=True)
class Document:
    """One document of an application; `read` gives its claims and raises Refused or ValueError. `date` is
    that of its publication, "" if unknown."""

    application: str
    granted: bool
    date: str
    read: Callable[[], SourceSet]


class Pair(NamedTuple):
    """The claim sets of one application."""

    published: SourceSet
    granted: SourceSet


Progress = Callable[[str, int], None]
"""Is called with what is being done and how many documents that has taken."""


def read_pairs(paths: Sequence[Path], counts: Counter[str], progress: Progress) -> Iterator[Pair]:
    """A pair of each application that has both, in the order of their second documents.

    If an application was published several times, the last one before the grant counts; of several grants,
    the first. `counts` is added to. Raises Refused if a path cannot be read.
    """
    versions: dict[str, dict[bool, str]] = {}
    for one in _documents(paths, counts):
        counts["documents"] += 1
        kinds = versions.setdefault(one.application, {})
        chosen = min if one.granted else max
        kinds[one.granted] = chosen(kinds.get(one.granted, one.date), one.date)
        progress("finding pairs", counts["documents"])
    wanted = {application: kinds for application, kinds in versions.items() if len(kinds) == 2}
    counts["applications"], counts["pairs"] = len(versions), len(wanted)
    first: dict[str, tuple[bool, SourceSet]] = {}
    for one in _documents(paths, Counter()) if wanted else ():
        if wanted.get(one.application, {}).get(one.granted) != one.date:
            continue
        try:
            read = one.read()
        except (Refused, ValueError):
            counts["unreadable"] += 1
            del wanted[one.application]
            continue
        granted, other = first.pop(one.application, (one.granted, read))
        if granted is one.granted:
            first[one.application] = (one.granted, read)
            continue
        del wanted[one.application]
        yield Pair(other, read) if one.granted else Pair(read, other)


def _documents(paths: Iterable[Path], counts: Counter[str]) -> Iterator[Document]:
    for path in files_in(paths):
        try:
            for name, data in bulk_downloads.parts(path):
                lines = name.lower().endswith(bulk_downloads.LINES)
                yield from (_lines if lines else _publications)(path.name, data, counts)
        except bulk_downloads.UNREADABLE as error:
            raise Refused(f"{path.name} is damaged, encrypted or cut off", code="bad_source") from error


def _publications(source: str, data: IO[bytes], counts: Counter[str]) -> Iterator[Document]:
    for document in bulk_downloads.documents(data):
        if bulk_downloads.is_listing(document):
            continue
        application = bulk_downloads.application_of(document)
        if application is None:
            counts["without_application_number"] += 1
            continue
        yield Document(
            application,
            bulk_downloads.is_grant(document),
            bulk_downloads.published_on(document),
            partial(_publication, source, application, document),
        )


def _publication(source: str, application: str, document: bytes) -> SourceSet:
    found = read_file(document, name="claims.xml").pending()
    claims = ClaimSet(tuple(canonical_claim(claim.number, claim.text) for claim in found))
    name = bulk_downloads.publication_of(document) or application
    return SourceSet(bulk_downloads.family_of(document) or application, source, claims, name)


def _lines(source: str, data: Iterable[bytes], counts: Counter[str]) -> Iterator[Document]:
    for line in data:
        try:
            row: dict[str, Any] = json.loads(line)
            application = row.get("application")
        except (AttributeError, RecursionError, ValueError):
            counts["unreadable"] += 1
            continue
        if not application:
            counts["without_application_number"] += 1
            continue
        date = str(row.get("date") or "")
        yield Document(str(application), row.get("kind") == "granted", date, partial(_line, source, row))


def _line(source: str, row: dict[str, Any]) -> SourceSet:
    try:
        claims = ClaimSet(
            tuple(canonical_claim(int(item["num"]), str(item["text"])) for item in row["claims"])
        )
    except (KeyError, TypeError) as error:
        raise ValueError("not a claim set") from error
    name = str(row.get("patent") or row["application"])
    return SourceSet(
        str(row.get("family") or row["application"]), str(row.get("source") or source), claims, name
    )
