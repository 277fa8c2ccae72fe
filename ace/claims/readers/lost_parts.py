"""Parts of claims that are pictures or objects: a placeholder stands in the text, and a note names the claim.

Between reading a part and knowing which claim it is in, a mark that XML cannot contain stands before its
placeholder.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Final

from ace.claims.model import Claim, ClaimSet, Note

MARK: Final = "\uffff"
"""Stands before a placeholder until `unmarked` takes it out; no XML document can contain it."""

_PLACED: Final = re.compile(rf"{MARK}\[[a-z ]*\]|[^\w{MARK}]|[0-9]")


class Lost(StrEnum):
    """What a part that is not read shows, as its placeholder says."""

    FORMULA = "formula"
    STRUCTURE = "chemical structure"
    TABLE = "table"
    IMAGE = "image"

    @property
    def placeholder(self) -> str:
        """What stands in the text: "[formula]"."""
        return f"[{self.value}]"


_WORDS: Final = (
    (Lost.STRUCTURE, ("chem", "isis", "marvin")),
    (Lost.FORMULA, ("math", "equation", "formula", "eqn")),
    (Lost.TABLE, ("table", "excel")),
)


def shown_by(*words: str | None) -> Lost:
    """What a picture or object probably shows, judged by its type, name or description."""
    written = " ".join(filter(None, words)).lower()
    return next((lost for lost, names in _WORDS if any(name in written for name in names)), Lost.IMAGE)


def unmarked(text: str) -> tuple[str, list[int]]:
    """The text without marks, and the offsets in it at which they stood."""
    first, *others = text.split(MARK)
    places: list[int] = []
    at = len(first)
    for part in others:
        places.append(at)
        at += len(part)
    return "".join((first, *others)), places


def only_placeholders(text: str) -> bool:
    """Whether a text with marks has placeholders and no words, so that nothing of it was read."""
    return MARK in text and not _PLACED.sub("", text)


def with_notes(claims: ClaimSet, places: Sequence[int]) -> ClaimSet:
    """The set, with a note for each claim that has placeholders; `places` are their offsets in the source."""
    notes = [note for claim in claims for note in _notes(claim, places)] if places else []
    return replace(claims, notes=(*claims.notes, *notes)) if notes else claims


def _notes(claim: Claim, places: Sequence[int]) -> list[Note]:
    inside = [
        at
        for _, start, length in claim.pieces
        for at in places[bisect_left(places, start) : bisect_left(places, start + length)]
    ]
    if not inside:
        return []
    parts, what = ("a part", "it") if len(inside) == 1 else (f"{len(inside)} parts", "them")
    message = (
        f"claim {claim.number} has {parts} that cannot be read (a formula, structure, table or image);"
        f" placeholders in brackets stand for {what}, and what {'it shows' if what == 'it' else 'they show'}"
        " was not checked"
    )
    return [Note("part_not_read", message, claim.number, inside[0], inside[0] + 1)]
