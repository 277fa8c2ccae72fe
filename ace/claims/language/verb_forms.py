"""The regular forms of verbs, by the rules of spelling: "touch", "touches", "touching"."""

from __future__ import annotations

from typing import Final

from ace.claims.language.tables import word_list

_DOUBLING: Final = word_list("morphology", "doubling")


def third_person(base: str) -> str:
    """ "touches" for "touch"."""
    if base == "have":
        return "has"
    if base.endswith("y") and base[-2:-1] not in "aeiou":
        return base[:-1] + "ies"
    return base + ("es" if base.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")


def gerund(base: str) -> str:
    """ "touching" for "touch"."""
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith(("ee", "ye", "oe")):
        return base[:-1] + "ing"
    return base + (base[-1] if base in _DOUBLING else "") + "ing"
