"""Reads a file of rejections leniently, and names the lines that cannot be understood.

A line is `{application, claims: [{num, text}], claim_num, reason, category, quote}`. Lines of one
application repeat its claims; each claim set is read once. Further fields that are understood:
`dependent_on`, `objected`, `not_examined` (claim numbers that are not clean negatives), `date`.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ace.claims.chains import kept_set
from ace.claims.model import ClaimSet
from ace.claims.readers.status import identifier, says_gone
from ace.claims.taxonomy import ErrorClass
from ace.errors import Refused
from ace_lab.rejections.claim_versions import claim_number, numbered_claims
from ace_lab.rejections.form_paragraphs import OTHER, reason_of
from ace_lab.rejections.office_actions import APPLICATION, by_name, first_of, text_of
from ace_lab.rejections.quotes import place_of
from ace_lab.rejections.wording import claim_numbers, quotations, readable

UNKNOWN = "unknown"
CATEGORIES: tuple[str, ...] = (*(member.value for member in ErrorClass), OTHER, UNKNOWN)
MOST_NAMED = 5

_WORDS_OF: tuple[tuple[str, str], ...] = (
    ("anteced", "antecedent"),
    ("lack of basis", "antecedent"),
    ("no basis", "antecedent"),
    ("depend", "dependency"),
    ("112(d)", "dependency"),
    ("112d", "dependency"),
    ("further limit", "dependency"),
    ("contradict", "logical"),
    ("logic", "logical"),
    ("inconsisten", "logical"),
    ("syntax", "syntax"),
    ("gramm", "syntax"),
    ("punctuat", "syntax"),
    ("formal", "syntax"),
    ("ambig", "ambiguity"),
    ("relative", "ambiguity"),
    ("degree", "ambiguity"),
    ("vague", "ambiguity"),
    ("unclear", "ambiguity"),
    ("subjective", "ambiguity"),
    ("exempl", "ambiguity"),
    ("trademark", "ambiguity"),
    ("other", OTHER),
)


@dataclass(frozen=True, slots=True)
class Filing:
    """One claim set of an application; `excluded` are the claims that are not clean negatives."""

    application: str
    claims: ClaimSet
    excluded: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Rejection:
    """One line: claim `number` of filing `filing` (an index) for a reason. `category` is one of
    CATEGORIES, `quote` "" where none was given; `line` counts from 1."""

    filing: int
    number: int
    category: str
    quote: str
    line: int


@dataclass(frozen=True, slots=True)
class Rejections:
    """A whole file. `counts` says what was inferred or left out; `bad` are the numbers of bad lines."""

    filings: tuple[Filing, ...]
    rejections: tuple[Rejection, ...]
    counts: Counter[str]
    bad: tuple[tuple[int, str], ...]
    sha256: str


class _Bad(ValueError):
    """A line that cannot be used, in words without any of its text."""


def read_rejections(path: Path, *, skip_bad: bool = False) -> Rejections:
    """The rejections of a JSONL file, gzipped or not.

    Raises Refused if it cannot be read, has no usable line, or has a bad one, whose number it names; with
    `skip_bad` bad lines are skipped and counted.
    """
    reader = _Reader()
    digest = hashlib.sha256()
    bad: list[tuple[int, str]] = []
    try:
        for at, line in _numbered(path, digest):
            try:
                reader.read(at, line)
            except _Bad as error:
                bad.append((at, str(error)))
    except (OSError, EOFError) as error:
        why = getattr(error, "strerror", None) or "it is cut off or not gzip"
        raise Refused(f"{path.name} cannot be read: {why}", code="unreadable") from error
    if bad and not skip_bad:
        named = "; ".join(f"line {at}: {why}" for at, why in bad[:MOST_NAMED])
        more = f"; and {len(bad) - MOST_NAMED} more" if len(bad) > MOST_NAMED else ""
        raise Refused(f"{path.name}: {named}{more} (--skip-bad skips such lines)", code="bad_line")
    if not reader.rejections:
        raise Refused(f"{path.name} has no rejection of a claim", code="empty")
    reader.counts["bad_lines"] = len(bad)
    return Rejections(
        tuple(reader.filings), tuple(reader.rejections), reader.counts, tuple(bad), digest.hexdigest()
    )


def _numbered(path: Path, digest: Any) -> Iterator[tuple[int, str]]:
    with path.open("rb") as head:
        packed = head.read(2) == b"\x1f\x8b"
    with gzip.open(path, "rb") if packed else path.open("rb") as lines:
        for at, raw in enumerate(lines, start=1):
            digest.update(raw)
            line = raw.decode("utf-8-sig" if at == 1 else "utf-8", errors="replace").strip()
            if line:
                yield at, line


class _Reader:
    """Filings and rejections so far."""

    def __init__(self) -> None:
        self.filings: list[Filing] = []
        self.rejections: list[Rejection] = []
        self.counts: Counter[str] = Counter()
        self._by_claims: dict[tuple[str, bytes], int] = {}
        self._last_of: dict[str, int] = {}

    def read(self, at: int, line: str) -> None:
        """One line; raises _Bad."""
        self.counts["lines"] += 1
        named = by_name(_object(line))
        application = first_of(named, APPLICATION)
        if not application:
            raise _Bad("application is missing")
        filing = self._filing(application, named.get("claims"))
        claims = self.filings[filing].claims
        numbers = _numbers(named)
        if not numbers:
            raise _Bad("claim_num is missing or not a number")
        there = [number for number in numbers if claims.get(number) is not None]
        if not there:
            raise _Bad("claim_num is not a claim of claims")
        self.counts["claims_not_in_set"] += len(numbers) - len(there)
        for name in ("dependenton", "objected", "notexamined", "withdrawn"):
            self.filings[filing].excluded.update(_listed(named.get(name)))
        reason = first_of(named, ("reason", "reasontext", "rejection", "explanation"))
        category = self._category(named.get("category", named.get("class")), reason)
        for number in there:
            quote = self._quote(named.get("quote", named.get("span")), reason, claims[number].text)
            self.rejections.append(Rejection(filing, number, category, quote, at))

    def _filing(self, application: str, value: Any) -> int:
        if not value:
            if application in self._last_of:
                self.counts["lines_without_claims"] += 1
                return self._last_of[application]
            raise _Bad("claims are missing")
        written = json.dumps(value, sort_keys=True, default=str).encode("utf-8", "surrogatepass")
        key = application, hashlib.sha256(written).digest()
        found = self._by_claims.get(key)
        if found is None:
            claims = numbered_claims(value)
            if not claims:
                raise _Bad("claims is not a list of {num, text}")
            kept = kept_set((number, _bare(number, text)) for number, text in claims.items())
            found = self._by_claims[key] = len(self.filings)
            self.filings.append(Filing(application, kept))
        self._last_of[application] = found
        return found

    def _category(self, value: Any, reason: str) -> str:
        given = text_of(value).lower().replace("_", " ")
        if given in CATEGORIES:
            return given
        found = next((category for word, category in _WORDS_OF if word in given), None)
        if found is not None:
            return found
        self.counts["categories_missing" if not given else "categories_not_known"] += 1
        inferred = reason_of(readable(reason).replace("\n", " ")) if reason else None
        self.counts["categories_inferred"] += inferred is not None
        return inferred.category if inferred else UNKNOWN if not given else OTHER

    def _quote(self, value: Any, reason: str, text: str) -> str:
        """The given quotation; otherwise the first quoted words of the reason that are in the claim."""
        given = text_of(value[0] if isinstance(value, list) and value else value).strip("\"'“”‘’ \n")
        if given:
            self.counts["quotes_not_in_claim"] += place_of(given, text) is None
            return given
        self.counts["quotes_missing"] += 1
        words = (quoted.words for quoted in quotations(readable(reason).replace("\n", " ")))
        found = next((each for each in words if place_of(each, text) is not None), "")
        self.counts["quotes_inferred"] += bool(found)
        return found


def _object(line: str) -> dict[str, Any]:
    try:
        found = json.loads(line.rstrip(","))
    except (ValueError, RecursionError):
        raise _Bad("not JSON") from None
    if not isinstance(found, dict):
        raise _Bad("not a JSON object")
    return found


def _numbers(named: dict[str, Any]) -> list[int]:
    value = next(
        (named[name] for name in ("claimnum", "claimnumber", "claimno", "num") if name in named), None
    )
    return _listed(value)


def _listed(value: Any) -> list[int]:
    """Claim numbers from a number, a text like "3" or "1, 3-5", or a list of these."""
    if isinstance(value, list):
        return list(dict.fromkeys(number for each in value for number in _listed(each)))
    one = None if value is None else claim_number(value)
    if one is not None:
        return [one]
    return list(claim_numbers(value)) if isinstance(value, str) else []


def _bare(number: int, text: str) -> str:
    """The text without its number and status identifier; "" of one that was canceled."""
    text = re.sub(rf"\A\s*(?:claim\s+)?{number}\s*[.):]\s+(?=\S)", "", text, flags=re.IGNORECASE).strip()
    if says_gone(text, 0):
        return ""
    found = identifier(text, 0, len(text))
    return text[found.end :].strip() if found is not None and found.status is not None else text
