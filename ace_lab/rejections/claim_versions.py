"""All versions of the claim sets of applications, and the version that an action examined."""

from __future__ import annotations

import gzip
import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from ace.errors import Refused
from ace_lab.data import bulk_downloads
from ace_lab.rejections.office_actions import (
    APPLICATION,
    DATE,
    OfficeAction,
    application_number,
    by_name,
    day_of,
    first_of,
    records,
)
from ace_lab.rejections.quotes import place_of
from ace_lab.rejections.statements import Statement


@dataclass(frozen=True, slots=True)
class Version:
    """The claims of an application at a date (YYYY-MM-DD, or "" if unknown), by number."""

    application: str
    date: str
    claims: dict[int, str]


def read_versions(
    paths: Sequence[Path], counts: Counter[str], wanted: Container[str]
) -> dict[str, list[Version]]:
    """The versions of the applications `wanted`, by application, from JSON (also lines) and patent offices'
    XML, either gzipped or in ZIP. Raises Refused if a path cannot be read."""
    found: dict[str, list[Version]] = defaultdict(list)
    for path in paths:
        for file in sorted(each for each in path.rglob("*") if each.is_file()) if path.is_dir() else [path]:
            try:
                for version in _versions(file, counts):
                    kept = version.application in wanted
                    counts["claim_sets" if kept else "claim_sets_of_other_applications"] += 1
                    if kept:
                        found[version.application].append(version)
            except bulk_downloads.UNREADABLE as error:
                why = getattr(error, "strerror", None) or "it is damaged or cut off"
                raise Refused(f"{file} cannot be read: {why}", code="unreadable") from error
    return found


def examined(versions: Sequence[Version], action: OfficeAction, said: Sequence[Statement]) -> Version | None:
    """The version that the action examined: the latest dated on or before it; if dates do not decide, the one
    with most of the words that it quotes. None if all are later."""
    possible = [each for each in versions if not (each.date and action.date) or each.date <= action.date]
    if not possible:
        return None
    dated = [each for each in possible if each.date and action.date]
    if dated:
        last = max(each.date for each in dated)
        possible = [each for each in dated if each.date == last]
    return max(possible, key=lambda each: _held(each, said))


def _held(version: Version, said: Sequence[Statement]) -> int:
    return sum(
        place_of(statement.quote, version.claims.get(number, "")) is not None
        for statement in said
        if statement.quote
        for number in statement.claims
    )


def _versions(path: Path, counts: Counter[str]) -> Iterator[Version]:
    if path.suffix.lower() == ".zip":
        for name, data in bulk_downloads.parts(path):
            if name.lower().endswith(bulk_downloads.XML):
                yield from _xml(data, counts)
        yield from _json(path, counts)
    elif _is_xml(path):
        with _opened(path) as data:
            yield from _xml(data, counts)
    else:
        yield from _json(path, counts)


def _json(path: Path, counts: Counter[str]) -> Iterator[Version]:
    for record in records(path, counts):
        version = _version(record)
        if version is None:
            counts["claim_records_unfit"] += 1
        else:
            yield version


def _version(record: dict[str, Any]) -> Version | None:
    named = by_name(record)
    claims = numbered_claims(named.get("claims"))
    application = application_number(first_of(named, APPLICATION))
    return Version(application, day_of(first_of(named, DATE)), claims) if application and claims else None


def numbered_claims(value: Any) -> dict[int, str]:
    """Claims by number from a list of {num, text} (also number, claim_number; claim_text), of texts, or
    from an object of texts by number. Claims without text or number are left out."""
    found: dict[int, str] = {}
    if isinstance(value, dict):
        value = [{"num": number, "text": text} for number, text in value.items()]
    for at, each in enumerate(value if isinstance(value, list) else [], start=1):
        named = by_name(each) if isinstance(each, dict) else {"num": at, "text": each}
        number = claim_number(next((named[name] for name in _NUMBERS if named.get(name) is not None), None))
        text = next((named[name] for name in _TEXTS if named.get(name)), None)
        if number is not None and isinstance(text, str) and text.strip():
            found.setdefault(number, text.strip())
    return found


_NUMBERS = ("num", "number", "claimnum", "claimnumber", "claimno", "no", "id")
_TEXTS = ("text", "claimtext", "claim")


def claim_number(value: Any) -> int | None:
    """1 of 1, 1.0, "1", "00001", "Claim 1", "CLM-00001" or "1."; None of anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return int(value) if value > 0 and float(value).is_integer() else None
    found = re.fullmatch(
        r"\s*(?:claim|clm)?[\s#-]*0*([1-9][0-9]{0,4})(?:\.0)?\s*[.):]?\s*", str(value), re.IGNORECASE
    )
    return int(found[1]) if found else None


def _is_xml(path: Path) -> bool:
    with _opened(path) as stream:
        return stream.read(4_096).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")


def _opened(path: Path) -> IO[bytes]:
    with path.open("rb") as head:
        packed = head.read(2) == b"\x1f\x8b"
    return gzip.open(path, "rb") if packed else path.open("rb")  # type: ignore[return-value]


_REFERENCE = re.compile(
    rb"<application-reference\b.{0,400}?<doc-number>\s*([0-9/,]+)\s*</doc-number>(?:.{0,80}?<date>\s*([0-9]{8})\s*</date>)?",
    re.DOTALL,
)


def _xml(data: IO[bytes], counts: Counter[str]) -> Iterator[Version]:
    """One version per document, dated by its filing, because a publication prints the claims as filed."""
    from ace.claims.readers import read_file

    for document in bulk_downloads.documents(data):
        reference = _REFERENCE.search(document)
        if reference is None:
            counts["xml_without_application"] += 1
            continue
        try:
            claims = read_file(document, partial=True)
        except Refused:
            counts["xml_unreadable"] += 1
            continue
        date = day_of((reference[2] or b"").decode())
        texts = {claim.number: claim.text for claim in claims.pending()}
        yield Version(application_number(reference[1].decode()), date, texts)
