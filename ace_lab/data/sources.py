"""Real claim sets from JSON lines and patent-office XML, and which of their claims count as sound.

A line is `{source, patent, family, kind, complete, claims: [{num, text}]}`; only `claims` is required, and
`kind` says whether the set was granted. "Sound" means free of faults that a program can see; nobody has
examined these claims for us.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

from ace.claims.model import Claim, ClaimSet
from ace.claims.readers import read_file
from ace.claims.references.claim_references import parents_of
from ace.errors import Refused
from ace.gatekeeper.canonical import canonical
from ace_lab.data import bulk_downloads
from ace_lab.injectors.terms import EXEMPLARY, SUBJECTIVE

MAX_CHARACTERS = 2_500
_SENTENCE_BREAK = re.compile(r"(?<![A-Z0-9])(?<!\bNo)(?<!\bFig)\.\s+(?=[A-Z][a-z])")
_BRACKET = re.compile(r"[()\[\]{}]")
_GLUED = re.compile(r"[;,](?:and|or)[a-z]|[a-z]:[A-Za-z]")
_CANCELED = re.compile(r"^\W*(?:cancell?ed|withdrawn|\(\w)", re.IGNORECASE)
_VAGUE = re.compile(f"{EXEMPLARY.pattern}|{SUBJECTIVE.pattern}", re.IGNORECASE)
_TRANSITION = re.compile(
    r"compris|consist|includ|having|wherein|characteri|contain|whereby|which|that|configured|"
    r"further|composed|where|has\b|with\b|of claim|claims? \d|represented|formula|selected",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SourceSet:
    """One claim set, its name (unique among those read) and the family that it is split by. `granted` says
    that an office granted all of it, `complete` that no claim of the set is missing."""

    family: str
    source: str
    claims: ClaimSet
    name: str = ""
    granted: bool = False
    complete: bool = True

    def origin(self, number: int) -> str:
        """The id of one of its claims."""
        return f"{self.name or self.family}/{number}"


@dataclass(frozen=True, slots=True)
class Sources:
    """The sets read, in order, their number per file, and what was skipped, by file and place."""

    sets: tuple[SourceSet, ...]
    files: Mapping[Path, int]
    skipped: tuple[str, ...]


def read_sources(paths: Sequence[Path], *, skip_bad: bool = False) -> Sources:
    """The sets of files and folders: JSONL or XML, gzipped or in a .zip; XML may hold many documents.

    Sets marked incomplete are kept only if no claim refers to another. A line or document that is not a claim
    set is refused with its place, or skipped with `skip_bad`; sequence listings between documents are always
    skipped. Raises Refused.
    """
    sets: list[SourceSet] = []
    files: dict[Path, int] = {}
    skipped: list[str] = []
    names: dict[str, int] = {}
    for path in files_in(paths):
        begun = len(sets)
        for found in _read(path):
            if isinstance(found, SourceSet):
                name = found.name or found.family
                names[name] = times = names.get(name, 0) + 1
                sets.append(replace(found, name=name if times == 1 else f"{name}#{times}"))
            elif skip_bad or isinstance(found, str):
                skipped.append(str(found))
            else:
                raise found
        files[path] = len(sets) - begun
    return Sources(tuple(sets), files, tuple(skipped))


def file_hash(path: Path) -> str:
    """SHA-256 of a file, hexadecimal."""
    with path.open("rb") as data:
        return hashlib.file_digest(data, "sha256").hexdigest()


def is_sound(claims: ClaimSet, claim: Claim) -> bool:
    """Whether a program sees none of the five defects in the claim."""
    text = claim.text
    return (
        20 <= len(text) <= MAX_CHARACTERS
        and text.endswith(".")
        and not text.endswith("..")
        and text[0].isupper()
        and _TRANSITION.search(text) is not None
        and not _CANCELED.match(text)
        and not _SENTENCE_BREAK.search(text)
        and not _GLUED.search(text)
        and not _VAGUE.search(text)
        and _balanced(text)
        and all(parent < claim.number and claims.get(parent) for parent in claim.parents)
    )


def sound_claims(claims: ClaimSet) -> ClaimSet:
    """The claims that are sound and depend only on sound claims."""
    sound = {claim.number for claim in claims if is_sound(claims, claim)}
    return ClaimSet(
        tuple(
            claim
            for claim in claims
            if claim.number in sound and sound.issuperset(claims.ancestors(claim.number))
        )
    )


def files_in(paths: Iterable[Path]) -> Iterator[Path]:
    """The files among the paths and in folders that may hold claim sets. Raises Refused."""
    for path in paths:
        if path.is_dir():
            inside = sorted(
                each for each in path.rglob("*") if each.name.lower().endswith(bulk_downloads.SUFFIXES)
            )
            if not inside:
                raise _refusal(path.name, "the folder has no .jsonl, .xml, .jsonl.gz, .xml.gz or .zip file")
            yield from inside
        elif not path.is_file():
            raise _refusal(path.name, "no such file or folder")
        elif not path.name.lower().endswith(bulk_downloads.SUFFIXES):
            raise _refusal(path.name, "not one of .jsonl, .xml, .jsonl.gz, .xml.gz and .zip")
        else:
            yield path


def _read(path: Path) -> Iterator[SourceSet | Refused | str]:
    """The sets of one file, refusals of what is not a set, and names of what is skipped."""
    place = ""
    try:
        for name, data in bulk_downloads.parts(path):
            place = name if name == path.name else f"{name} in {path.name}"
            is_lines = name.lower().endswith(bulk_downloads.LINES)
            yield from (_lines if is_lines else _publications)(path, place, data)
    except bulk_downloads.Encrypted:
        yield _refusal(path.name, "the archive is encrypted; unpack it first")
    except bulk_downloads.UNREADABLE:
        yield _refusal(place or path.name, "the file is damaged or cut off")
    else:
        if not place:
            yield _refusal(path.name, "the archive has no .jsonl or .xml file")


def _lines(path: Path, place: str, data: Iterable[bytes]) -> Iterator[SourceSet | Refused]:
    for at, line in enumerate(data, start=1):
        if not line.strip():
            continue
        try:
            row: dict[str, Any] = json.loads(line)
            claims = ClaimSet(
                tuple(canonical_claim(int(item["num"]), str(item["text"])) for item in row["claims"])
            )
            family, source = row.get("family") or row.get("patent"), str(row.get("source") or path.name)
            complete, granted = bool(row.get("complete", True)), row.get("kind") == "granted"
        except (AttributeError, KeyError, RecursionError, TypeError, ValueError):
            yield _refusal(f"line {at} of {place}", "not a claim set in which each number occurs once")
            continue
        if complete or not any(claim.parents for claim in claims):
            family = str(family or f"{source}/{row.get('path') or path.name}/{at}")
            yield SourceSet(family, source, claims, granted=complete and granted, complete=complete)


def _publications(path: Path, place: str, data: IO[bytes]) -> Iterator[SourceSet | Refused | str]:
    for at, document in enumerate(bulk_downloads.documents(data), start=1):
        here = f"document {at} of {place}"
        if bulk_downloads.is_listing(document):
            yield f"{here}: a sequence listing"
            continue
        name = bulk_downloads.publication_of(document) or f"{place}/{at}"
        try:
            found = read_file(document, name="claims.xml").pending()
        except Refused as error:
            yield _refusal(here, error.message)
            continue
        claims = ClaimSet(tuple(canonical_claim(claim.number, claim.text) for claim in found))
        yield SourceSet(bulk_downloads.family_of(document) or name, path.name, claims, name)


def _balanced(text: str) -> bool:
    depth = 0
    for character in _BRACKET.findall(text):
        depth += (character in "([{") - (character in ")]}")
        if depth < 0:
            return False
    return depth == 0


def canonical_claim(number: int, text: str) -> Claim:
    """The claim in the spelling that the gatekeeper reads."""
    text = canonical(text)
    return Claim(number, text, parents_of(text, number))


def _refusal(place: str, why: str) -> Refused:
    return Refused(f"{place}: {why}", code="bad_source")
