"""Claim sets as filed or granted, and the split used to fit the confidence of findings.

Unlike sources.py, this leaves texts unchanged: findings are made on claims as filed, not on the canonical
spelling that the gatekeeper reads.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ace.claims.model import Claim, ClaimSet
from ace.claims.references.claim_references import parents_of

SPLITS = ("fit", "threshold", "held_out")
_LAST_BUCKETS = (5, 7, 10)
_ASIDE_BELOW = "f3"


@dataclass(frozen=True, slots=True)
class FiledSet:
    """One claim set of the data. `complete` says that no claim is missing, `granted` that the office granted
    all of it; `texts` are (number, text) pairs, each number once."""

    family: str
    granted: bool
    texts: tuple[tuple[int, str], ...]
    complete: bool = True

    def claims(self) -> ClaimSet:
        """The claim set."""
        return ClaimSet(tuple(Claim(number, text, parents_of(text, number)) for number, text in self.texts))


def read_filed(path: Path) -> Iterator[FiledSet]:
    """The sets of a JSONL or JSONL.GZ file in file order.

    A line is `{source, path, patent, kind, complete, claims: [{num, text}]}`. Raises ValueError on any
    other line.
    """
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        for at, line in enumerate(lines, start=1):
            try:
                row = json.loads(line)
                texts = {int(item["num"]): str(item["text"]) for item in row["claims"]}
            except (KeyError, RecursionError, TypeError, ValueError) as error:
                raise ValueError(f"line {at} of {path.name} is not a claim set") from error
            family = row.get("patent") or f"{row.get('source')}/{row.get('path')}/{at}"
            complete = bool(row.get("complete", True))
            granted = complete and row.get("kind") == "granted"
            yield FiledSet(str(family), granted, tuple(texts.items()), complete)


def split_of(family: str) -> str:
    """fit, threshold or held_out, 5:2:3, by a hash of the family: the same everywhere and always."""
    bucket = int.from_bytes(hashlib.sha256(f"confidence/{family}".encode()).digest()[:4], "big") % 10
    return next(split for split, last in zip(SPLITS, _LAST_BUCKETS, strict=True) if bucket < last)


def set_aside(filed: FiledSet) -> bool:
    """Whether this granted set is kept from those who write rules: 243 of 256 by a hash, 500 of our 537.

    They were set aside before the rules were changed to find the mistakes of `ace_lab.held_out.mistakes`.
    Whoever writes rules may count findings on them, but not read one. The hash takes in the first words too,
    because a family may be that of an application as well.
    """
    first = filed.texts[0][1][:60] if filed.texts else ""
    digest = hashlib.sha256(f"aside/{filed.family}/{first}".encode()).hexdigest()
    return filed.granted and digest < _ASIDE_BELOW
