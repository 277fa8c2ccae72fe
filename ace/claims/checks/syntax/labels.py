"""Labels of limbs that skip or repeat: "a) …; b) …; d) …"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from ace.claims.checks.syntax.limbs import limbs_of
from ace.claims.checks.syntax.rules import RULE
from ace.claims.findings import Flaw

_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv")
_SERIES = (tuple("abcdefghijklmnopqrstuvwxyz"), tuple(map(str, range(1, 100))), _ROMAN)
_BEFORE = {
    label: {each[at - 1] for each in _SERIES if label in each and (at := each.index(label))}
    for series in _SERIES
    for label in series
}
_FIRST = frozenset(series[0] for series in _SERIES)
_MARKED = re.compile(r"(?<![\w-])\(?([a-z]|[ivx]{1,5}|[0-9]{1,2})(?:\)|\.(?=\s))", re.IGNORECASE)
_MIN_LABELS = 2


def labels(text: str) -> Iterator[Flaw]:
    """The first label of a claim whose predecessor is nowhere before it, or that repeats the label before."""
    labelled = [limb for limb in limbs_of(text) if limb.label in _BEFORE]
    if len(labelled) < _MIN_LABELS:
        return
    marked = [(match.start(), match[1].lower()) for match in _MARKED.finditer(text)]
    for before, limb in pairwise(labelled):
        known = {label for at, label in marked if at < limb.begin + 1}
        if limb.label in _FIRST or known.isdisjoint(_FIRST):
            continue
        again = limb.label == before.label and limb.label not in {"i", "v", "x"}
        if again or (known.isdisjoint(_BEFORE[limb.label]) and limb.label not in known):
            start = limb.begin + text[limb.begin : limb.start].find(
                text[limb.begin : limb.start].strip() or " "
            )
            end = start + len(text[start : limb.start].rstrip())
            why = f"The label “{limb.label}” does not follow the one before."
            yield Flaw(RULE["labels"], start, max(end, start + 1), why)
            return
