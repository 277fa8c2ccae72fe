"""The stored readings and edits, one JSON object a line, and how they are read and written.

Three gzipped files under `labels/`: `sets` (whole claim sets read), `claims` (claims read one by one, as
filed or with an edit), `edits` (mistakes and sound edits). A record names its claim set by patent number, and
holds no more of its text than the words that it quotes or changes.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib import resources
from pathlib import Path
from typing import Any, Final, Generic, Literal, TypeVar

from ace.errors import Refused

SOUND: Final = "sound"
CLASSES: Final = ("antecedent", "dependency", "logical", "ambiguity", "syntax")
GROUNDS: Final = ("rejection", "objection")
EXPERT: Final = "expert"
"""The role of the recorded expert, whose readings never become part of a label."""
PERSON: Final = "person"
MODEL: Final = "language model"

Kind = Literal["sets", "claims", "edits"]


@dataclass(frozen=True, slots=True)
class Source:
    """Who read or wrote: the role, the kind of reader (MODEL or PERSON), the ISO date, and the instruction's
    name and hash."""

    role: str
    reader: str
    date: str
    instruction: str


@dataclass(frozen=True, slots=True)
class Defect:
    """A defect that a reader saw in a claim: its class, the words claim[start:start + len(quote)] that show
    it, the ground, the certainty from 0.5 to 1, and the reason in one line."""

    claim: int
    error_class: str
    start: int
    quote: str
    ground: str
    sure: float
    why: str


@dataclass(frozen=True, slots=True)
class SetReading:
    """A whole claim set, read once; claims without a defect here passed."""

    patent: str
    source: Source
    defects: tuple[Defect, ...]

    @property
    def key(self) -> tuple[str, ...]:
        """Identifies it: one reading of a set in each role."""
        return self.patent, self.source.role


@dataclass(frozen=True, slots=True)
class ClaimReading:
    """One claim, read by itself with its ancestors: `classes` has those of all defects, the gravest first,
    and `defect` the gravest. Both are empty on a Pass. `edit` is the id of the edit that was made before."""

    patent: str
    claim: int
    source: Source
    sure: float
    classes: tuple[str, ...] = ()
    defect: Defect | None = None
    edit: str | None = None

    @property
    def fails(self) -> bool:
        """Whether the reader failed the claim."""
        return self.defect is not None

    @property
    def key(self) -> tuple[str, ...]:
        """Identifies it: one reading of a claim in each role."""
        return self.patent, str(self.claim), self.edit or "", self.source.role


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit of a claim: claim[start:start + len(old)] becomes `new`. `error_class` is that of the mistake,
    or SOUND. `mix` says which mix of classes the writer was asked for."""

    patent: str
    claim: int
    source: Source
    start: int
    old: str
    new: str
    error_class: str
    kind: str
    subtle: bool
    why: str
    mix: str

    @property
    def id(self) -> str:
        """Twelve hexadecimal digits that name it."""
        made_of = json.dumps([self.patent, self.claim, self.start, self.old, self.new])
        return hashlib.sha256(made_of.encode()).hexdigest()[:12]

    @property
    def key(self) -> tuple[str, ...]:
        """Identifies it: the same edit is stored once."""
        return (self.patent, self.id)

    def applied(self, text: str) -> str:
        """The text of the claim after the edit."""
        return text[: self.start] + self.new + text[self.start + len(self.old) :]


Record = TypeVar("Record", SetReading, ClaimReading, Edit)


class Labels(Generic[Record]):
    """One stored file. A record replaces the one with the same key."""

    def __init__(self, kind: Kind, folder: Path | None = None) -> None:
        self.path = (folder or labels_folder()) / f"{kind}.jsonl.gz"
        self._kind = kind
        self._records: dict[tuple[str, ...], Record] = {}
        if self.path.is_file():
            for at, line in enumerate(_lines(self.path), start=1):
                try:
                    record = _read(kind, json.loads(line))
                except (KeyError, TypeError, ValueError) as error:
                    raise Refused(
                        f"line {at} of {self.path} is not a record of {kind}", code="bad_data"
                    ) from error
                self._records[record.key] = record

    def __iter__(self) -> Iterator[Record]:
        return iter(self._records.values())

    def __len__(self) -> int:
        return len(self._records)

    def add(self, records: Iterable[Record]) -> int:
        """Adds records; returns how many are new or differ from what was stored."""
        before = dict(self._records)
        self._records.update({record.key: record for record in records})
        return sum(before.get(key) != record for key, record in self._records.items())

    def save(self) -> None:
        """Writes the file, sorted, so that the same records give the same bytes."""
        text = "".join(
            json.dumps(_shown(self._records[key]), ensure_ascii=False) + "\n" for key in sorted(self._records)
        )
        data = gzip.compress(text.encode(), compresslevel=9, mtime=0)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        draft = self.path.with_suffix(".part")
        draft.write_bytes(data)
        draft.replace(self.path)


def labels_folder() -> Path:
    """The folder of the stored labels."""
    return Path(str(resources.files("ace_lab.readings") / "labels"))


def span_of(text: str, words: str) -> tuple[int, int]:
    """The start and end of quoted words in a text, however their white space was copied.

    Raises ValueError, which says why, unless they occur exactly once.
    """
    parts = words.split()
    if not parts:
        raise ValueError("it is empty")
    places = [match.span() for match in re.finditer(r"\s+".join(map(re.escape, parts)), text)]
    if not places:
        raise ValueError("it does not occur in the claim")
    if len(places) > 1:
        raise ValueError(f"it occurs {len(places)} times in the claim: quote more words")
    return places[0]


def _lines(path: Path) -> Iterator[str]:
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            yield from lines
    except (EOFError, OSError) as error:
        raise Refused(f"{path} cannot be read: {error}", code="bad_data") from error


def _shown(record: SetReading | ClaimReading | Edit) -> dict[str, Any]:
    """A record as JSON: the source's fields beside its own, `error_class` as `class`, nothing empty."""
    fields = asdict(record)
    return _renamed({**fields, **fields.pop("source")})


def _renamed(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        "class" if name == "error_class" else name: _value(value)
        for name, value in fields.items()
        if value is not None and name != "source" and (value != () or name == "defects")
    }


def _value(value: Any) -> Any:
    if isinstance(value, dict):
        return _renamed(value)
    return [_value(item) for item in value] if isinstance(value, tuple) else value


def _read(kind: Kind, row: Mapping[str, Any]) -> Any:
    source = Source(row["role"], row["reader"], row["date"], row["instruction"])
    if kind == "sets":
        return SetReading(row["patent"], source, tuple(map(_defect, row["defects"])))
    if kind == "claims":
        defect = _defect(row["defect"]) if "defect" in row else None
        return ClaimReading(
            row["patent"],
            row["claim"],
            source,
            row["sure"],
            tuple(row.get("classes", ())),
            defect,
            row.get("edit"),
        )
    return Edit(
        row["patent"],
        row["claim"],
        source,
        row["start"],
        row["old"],
        row["new"],
        row["class"],
        row["kind"],
        row["subtle"],
        row["why"],
        row["mix"],
    )


def _defect(row: Mapping[str, Any]) -> Defect:
    return Defect(
        row["claim"], row["class"], row["start"], row["quote"], row["ground"], row["sure"], row["why"]
    )
