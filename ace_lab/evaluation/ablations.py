"""Labelled claims with something removed: their defect, or the order of their words.

The defect is cut out of a claim, and the same place out of its sound twin, so that what is left differs only
where the recorded spans are incomplete.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random

from ace_lab.data.rows import Row

WORD_OR_MARK = r"\w+|[^\w\s]"
"""The units that are shuffled."""
_JOINTS = " ,;:"


def shuffled(row: Row, rng: Random) -> Row:
    """The row with the words and marks of its claim in random order; the chain stays."""
    tokens = re.findall(WORD_OR_MARK, row.text)
    rng.shuffle(tokens)
    return replace(row, text=" ".join(tokens))


def in_order(row: Row) -> Row:
    """The row with its words and marks separated as in `shuffled`, but in their own order."""
    return replace(row, text=" ".join(re.findall(WORD_OR_MARK, row.text)))


def alone(row: Row) -> Row:
    """The row without its chain."""
    return replace(row, ancestors=())


def twins(rows: Sequence[Row]) -> list[tuple[Row, Row]]:
    """Every defective row with the sound row of the same origin, in order; rows without a twin are left
    out."""
    sound = {row.origin: row for row in rows if row.label == "pass"}
    return [(row, sound[row.origin]) for row in rows if row.label != "pass" and row.origin in sound]


def masked(pairs: Iterable[tuple[Row, Row]]) -> list[Row]:
    """Both rows of every pair, the defective one first, each without the place of the defect.

    The marks around it are removed too, because an inserted clause comes with a comma. The twin loses what
    stands between the parts that the two have in common. If edits outside the recorded spans leave no
    common parts, it loses as many characters at the same place.
    """
    found = []
    for defective, sound in pairs:
        start, end = defective.spans[0][0], defective.spans[-1][1]
        before, after = _around(defective.text, start, end)
        found.append(_joined(defective, before, after))
        is_same = sound.text.startswith(before) and sound.text.endswith(after)
        if not is_same or len(before) + len(after) > len(sound.text):
            before, after = _around(sound.text, start, end)
        found.append(_joined(sound, before, after))
    return found


def _around(text: str, start: int, end: int) -> tuple[str, str]:
    return text[:start].rstrip(_JOINTS), text[end:].lstrip(_JOINTS)


def _joined(row: Row, before: str, after: str) -> Row:
    gap = " " if after[:1].isalnum() else ""
    return replace(row, text=f"{before}{gap}{after}", spans=())
