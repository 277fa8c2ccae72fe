"""Materials and their kinds: steel is a metal, nylon a plastic, and no metal is a plastic.

They stand in tables/materials.toml.
"""

from __future__ import annotations

from functools import lru_cache

from ace.claims.language.tables import table, word_groups

_KINDS = word_groups("materials", "kinds")
_SYNONYMS: dict[str, str] = table("materials")["synonyms"]
_OVERLAPPING = {
    frozenset({_SYNONYMS.get(one, one), _SYNONYMS.get(other, other)})
    for one, others in word_groups("materials", "overlapping").items()
    for other in others
}


def _parents() -> dict[str, set[str]]:
    parents: dict[str, set[str]] = {kind: set() for kind in _KINDS}
    for kind, members in _KINDS.items():
        for member in members:
            parents.setdefault(member, set()).add(kind)
    return parents


_PARENTS = _parents()

MATERIALS = frozenset(_PARENTS)
"""Every material and every kind of materials."""


@lru_cache(maxsize=1_024)
def kinds_of(material: str) -> frozenset[str]:
    """The material and every kind that it belongs to."""
    found = {_SYNONYMS.get(material, material)}
    for kind in _PARENTS.get(material, ()):
        found |= kinds_of(kind)
    return frozenset(found)


def is_kind(material: str, kind: str) -> bool:
    """Whether a material is of a kind: steel is metallic."""
    return kind in MATERIALS and _SYNONYMS.get(kind, kind) in kinds_of(material)


def names_of_kinds(material: str) -> frozenset[str]:
    """The kinds that a material belongs to, in all their names: "metal" and "metallic" of steel."""
    kinds = kinds_of(material)
    return kinds | {name for name, kind in _SYNONYMS.items() if kind in kinds}


@lru_cache(maxsize=4_096)
def excluding(one: str, other: str) -> bool:
    """Whether what is made of the one material is not made of the other: neither is a kind of the other."""
    if one not in MATERIALS or other not in MATERIALS:
        return False
    mine, theirs = kinds_of(one), kinds_of(other)
    if _SYNONYMS.get(one, one) in theirs or _SYNONYMS.get(other, other) in mine:
        return False
    return not any(frozenset({a, b}) in _OVERLAPPING for a in mine for b in theirs)
