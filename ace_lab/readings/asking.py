"""Batches of work for readers and writers: text files that hold an instruction and the material.

A folder of batches holds `NAME.txt` for each, and `batches.jsonl`, which says what is in them and is written
last. The reader of NAME.txt writes NAME.answers.jsonl beside it.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from string import Template
from typing import Any, Final, Literal

from ace.claims.model import ClaimInput
from ace.errors import Refused
from ace.expert.prompt.copt import PROMPTS
from ace_lab.readings.corpus import Corpus, drawn, edited_set, spread
from ace_lab.readings.records import ClaimReading, Edit, Labels, SetReading

Work = Literal["sets", "claims", "mistakes", "edits"]
Mix = Literal["real", "even"]

BATCHES: Final = "batches.jsonl"
SIZES: Final[dict[Work, int]] = {"sets": 20, "claims": 50, "mistakes": 20, "edits": 50}
MIXES: Final[dict[Mix, dict[str, int]]] = {
    "real": {"antecedent": 16, "syntax": 11, "ambiguity": 7, "dependency": 3, "logical": 3},
    "even": {"antecedent": 14, "logical": 10, "ambiguity": 7, "syntax": 5, "dependency": 4},
}
"""Of 40 mistakes, how many of each class: `real` as readers find them in real claims, `even` with more of the
rare ones. docs/reference/labels.md gives the counts."""
UNTOUCHED_SHARE: Final = 0.2
"""Untouched claims among the questions about edits, so that a reader cannot guess which are edited."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing asked about: a claim set, or one of its claims, perhaps with an edit made before."""

    patent: str
    claim: int | None = None
    edit: str | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """One file of work: its items in the order shown, for whom, and by which instruction."""

    name: str
    work: Work
    role: str
    instruction: str
    items: tuple[Item, ...]
    mix: str = ""

    @classmethod
    def read(cls, line: str) -> Batch:
        """The batch of a line of `batches.jsonl`."""
        row = json.loads(line)
        return cls(**{**row, "items": tuple(Item(**item) for item in row["items"])})


@dataclass(frozen=True, slots=True)
class Stored:
    """What is stored so far."""

    sets: Labels[SetReading]
    claims: Labels[ClaimReading]
    edits: Labels[Edit]

    @classmethod
    def load(cls, folder: Path | None = None) -> Stored:
        """Reads the three files of a folder, the package's own by default."""
        return cls(Labels("sets", folder), Labels("claims", folder), Labels("edits", folder))

    def add(self, records: Iterable[SetReading | ClaimReading | Edit]) -> int:
        """Adds records of any kind; returns how many are new or differ from what was stored."""
        added = list(records)
        return (
            self.sets.add(record for record in added if isinstance(record, SetReading))
            + self.claims.add(record for record in added if isinstance(record, ClaimReading))
            + self.edits.add(record for record in added if isinstance(record, Edit))
        )

    def save(self) -> None:
        """Writes the files that have records."""
        for labels in (self.sets, self.claims, self.edits):
            if len(labels):
                labels.save()


@lru_cache(maxsize=1)
def roles() -> dict[str, dict[str, str]]:
    """The roles of readers and of writers, with the words that describe them."""
    return tomllib.loads(_packaged("roles.toml"))


def instruction(work: Work) -> tuple[str, str]:
    """The text of an instruction, and its name with twelve digits of its hash."""
    name = "claims" if work == "edits" else work
    text = _packaged(f"instructions/{name}.md")
    return text, f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def choose(
    corpus: Corpus,
    stored: Stored,
    work: Work,
    split: str,
    role: str,
    count: int,
    *,
    unread: bool = False,
    skip: int = 0,
) -> list[Item]:
    """The items that a role is asked about: of the first `count` in a fixed order those it has not read, or
    with `unread` the first `count` that nobody has read. `skip` leaves so many of the first ones to others.

    Every role is so asked about the same items. Sets come in a random order. Claims come evenly from granted
    sets and applications, and within each from as many sets as possible. Mistakes are asked in sets that
    somebody has read and nobody has edited, and that have a claim without a defect. Edits come with some
    untouched claims of the same sets.
    """
    readers = _readers(stored, work)
    if work == "mistakes":
        defective = _defective(stored)
        edited = {edit.patent for edit in stored.edits}
        open_sets = [
            Item(member.patent)
            for member in corpus.of(split)
            if Item(member.patent) in readers
            and member.patent not in edited
            and len(defective.get(member.patent, ())) < len(member.claims)
        ]
        return open_sets[skip : skip + count]
    if work == "sets":
        items = [Item(member.patent) for member in corpus.of(split)]
    elif work == "claims":
        items = _claims(corpus, split, set(readers) if unread else set(), count)
    else:
        items = _edits(corpus, stored, split, count)
    if unread:
        return [item for item in items if item not in readers][skip : skip + count]
    chosen = items if work == "edits" else items[skip : skip + count]
    return [item for item in chosen if role not in readers.get(item, ())]


def _readers(stored: Stored, work: Work) -> dict[Item, set[str]]:
    """The roles that have read each item: whole sets, or claims as filed and edited."""
    readers: dict[Item, set[str]] = {}
    if work in ("sets", "mistakes"):
        for reading in stored.sets:
            readers.setdefault(Item(reading.patent), set()).add(reading.source.role)
    else:
        for one in stored.claims:
            readers.setdefault(Item(one.patent, one.claim, one.edit), set()).add(one.source.role)
    return readers


def _claims(corpus: Corpus, split: str, without: set[Item], count: int) -> list[Item]:
    by_kind: dict[bool, list[list[tuple[str, int]]]] = {True: [], False: []}
    for member in corpus.of(split):
        places = [(member.patent, claim.number) for claim in member.claims if claim.text]
        places = [place for place in places if Item(*place) not in without]
        by_kind[member.granted].append(sorted(places, key=lambda place: drawn(*place)))
    granted = spread(by_kind[True], count // 2)
    places = granted + spread(by_kind[False], count - len(granted))
    return [Item(*place) for place in sorted(places, key=lambda place: drawn(*place, "order"))]


def _edits(corpus: Corpus, stored: Stored, split: str, count: int) -> list[Item]:
    edits = [edit for edit in stored.edits if corpus.sets[edit.patent].split == split]
    due = [Item(edit.patent, edit.claim, edit.id) for edit in sorted(edits, key=lambda edit: drawn(edit.id))][
        :count
    ]
    edited = {(item.patent, item.claim) for item in due}
    untouched = sorted(edited, key=lambda place: drawn(*place, "untouched"))
    mixed = [Item(*place) for place in untouched[: round(len(due) * UNTOUCHED_SHARE)]]
    return sorted(due + mixed, key=lambda item: drawn(item.patent, item.claim, item.edit, "order"))


def write_batches(
    corpus: Corpus,
    stored: Stored,
    work: Work,
    role: str,
    items: Sequence[Item],
    out: Path,
    *,
    prefix: str,
    each: int | None = None,
    mix: Mix = "real",
) -> list[Batch]:
    """Writes the batches and then `batches.jsonl`; the same items give the same bytes.

    Raises Refused if the folder has batches already or if there is nothing to ask.
    """
    if not items:
        raise Refused("nothing is left to ask: the sets of this split have been read", code="empty")
    if (out / BATCHES).exists():
        raise Refused(f"{out} has batches already: collect them, or use another folder", code="usage")
    out.mkdir(parents=True, exist_ok=True)
    template, version = instruction(work)
    described = roles()["writers" if work == "mistakes" else "readers"][role]
    batches = []
    for at, members in enumerate(_cut(items, each or SIZES[work]), start=1):
        batch = Batch(f"{prefix}-{at:03}", work, role, version, members, mix if work == "mistakes" else "")
        head = Template(template).substitute(
            role=described, count=len(members), mix=_mix_of(mix, 2 * len(members))
        )
        body = "\n".join(_shown(corpus, stored, batch))
        (out / f"{batch.name}.txt").write_text(f"{head}\n{body}\n", encoding="utf-8")
        batches.append(batch)
    lines = [json.dumps(_row(batch), ensure_ascii=False) + "\n" for batch in batches]
    draft = out / f"{BATCHES}.part"
    draft.write_text("".join(lines), encoding="utf-8")
    draft.replace(out / BATCHES)
    return batches


def claim_input(corpus: Corpus, stored_edits: dict[str, Edit], item: Item) -> tuple[ClaimInput, int]:
    """The claim that an item asks about, with its ancestors and the edit made, and the size of its set."""
    member = corpus.sets[item.patent]
    claims = member.claims if item.edit is None else edited_set(member, stored_edits[item.edit])
    return claims.input_of(item.claim or 0), max(claim.number for claim in claims)


def _shown(corpus: Corpus, stored: Stored, batch: Batch) -> Iterable[str]:
    """The material of a batch."""
    defective = _defective(stored)
    if batch.work in ("sets", "mistakes"):
        for at, item in enumerate(batch.items, start=1):
            yield f"\n##### set {at}\n"
            if batch.work == "mistakes":
                closed = sorted(defective.get(item.patent, ()))
                yield f"closed: {', '.join(map(str, closed)) or 'none'}\n"
            for claim in corpus.sets[item.patent].claims:
                yield f"{claim.number}. {claim.text}\n"
        return
    edits = {edit.id: edit for edit in stored.edits}
    prompt = PROMPTS["v1"]
    for shown in prompt.messages(ClaimInput(1, ""), 1)[:-1]:
        yield f"\n##### fixed message: {shown['role']}\n\n{shown['content']}"
    for at, item in enumerate(batch.items, start=1):
        asked = prompt.messages(*claim_input(corpus, edits, item))[-1]["content"]
        yield f"\n##### question {at}\n\n{asked}"


def _defective(stored: Stored) -> dict[str, set[int]]:
    """The claims of each set in which a reader found a defect."""
    found: dict[str, set[int]] = {}
    for record in stored.sets:
        found.setdefault(record.patent, set()).update(defect.claim for defect in record.defects)
    return found


def _mix_of(mix: Mix, mistakes: int) -> str:
    shares = MIXES[mix]
    total = sum(shares.values())
    return ", ".join(f"{max(1, round(share * mistakes / total))} {name}" for name, share in shares.items())


def _row(batch: Batch) -> dict[str, Any]:
    row = asdict(batch)
    row["items"] = [
        {name: value for name, value in item.items() if value is not None} for item in row["items"]
    ]
    return row


def _packaged(name: str) -> str:
    return (resources.files("ace_lab.readings") / name).read_text(encoding="utf-8")


def _cut(items: Sequence[Item], size: int) -> list[tuple[Item, ...]]:
    return [tuple(items[at : at + size]) for at in range(0, len(items), size)]
