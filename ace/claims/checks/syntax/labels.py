"""Labels of limbs that skip or repeat: "a) …; b) …; d) …"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from ace.claims.checks.syntax.rules import RULE
from ace.claims.findings import Flaw

_ROMAN: Final = (
    "i",
    "ii",
    "iii",
    "iv",
    "v",
    "vi",
    "vii",
    "viii",
    "ix",
    "x",
    "xi",
    "xii",
    "xiii",
    "xiv",
    "xv",
)
_SERIES: Final = (tuple("abcdefghijklmnopqrstuvwxyz"), tuple(map(str, range(1, 100))), _ROMAN)
_BEFORE: Final = {
    label: {each[at - 1] for each in _SERIES if label in each and (at := each.index(label))}
    for series in _SERIES
    for label in series
}
_FIRST: Final = frozenset(series[0] for series in _SERIES)
_MARKED: Final = re.compile(
    r"(?<![\w-])\(?(?P<label>[a-z]|[ivx]{1,5}|[0-9]{1,2})(?:\)|\.(?=\s))", re.IGNORECASE
)
_OPENS: Final = re.compile(
    r"[;:,]\s(?:(?:and|or)\s)?(?P<mark>\(?(?P<label>[a-z]|[ivx]{2,5}|[0-9]{1,2})\))(?=\s[a-z])"
)
_CITING: Final = re.compile(
    r"\b(?:steps?|of|in|at|to|with|from|by|items?|parts?|claims?|elements?|features?|conditions?|either|and/or|both|formula|all)"
    r"\s(?:\(?(?:through|[A-Za-z0-9]{1,4})\)?\.?[\s,–-]{1,3}){1,12}\(?\Z"
)
_LOOK_BACK_CHARACTERS: Final = 60
_MIN_LABELS: Final = 2


def labels(text: str) -> Iterator[Flaw]:
    """The first label of a claim whose predecessor is nowhere before it, or that repeats the label before."""
    if ")" not in text:
        return
    opened = [match for match in _OPENS.finditer(text) if not _is_cited(text, match)]
    if len(opened) < _MIN_LABELS:
        return
    known: set[str] = set()
    marked = iter(
        [*((match.start(), match["label"].lower()) for match in _MARKED.finditer(text)), (len(text), "")]
    )
    at, label = next(marked)
    for before, opens in pairwise(opened):
        while at < opens.start("mark"):
            known.add(label)
            at, label = next(marked)
        if not known.isdisjoint(_FIRST) and _is_out_of_order(text, before, opens, known):
            why = f"The label “{opens['label']}” does not follow the one before."
            yield Flaw(RULE["labels"], opens.start("mark"), opens.end("mark"), why)
            return


def _is_out_of_order(text: str, before: re.Match[str], opens: re.Match[str], known: set[str]) -> bool:
    """Whether the label repeats the one before, or its predecessor is nowhere, not even glued to a word."""
    label = opens["label"]
    if label in _FIRST:
        return False
    again = label == before["label"]
    between = text[before.start("mark") if again else 0 : opens.start()]
    if any(f"{each})" in between for each in _BEFORE[label]):
        return False
    return again or (label not in known and known.isdisjoint(_BEFORE[label]))


def _is_cited(text: str, opens: re.Match[str]) -> bool:
    """Whether the label is only referred to ("steps a), b) and d)"), ends a bracket, or is of no series."""
    at = opens.start("mark")
    bracketed = text[at] != "(" and text.rfind("(", 0, at) > text.rfind(")", 0, at)
    if bracketed or opens["label"] not in _BEFORE:
        return True
    window = max(0, opens.start() - _LOOK_BACK_CHARACTERS)
    return _CITING.search(text, window, at) is not None
