"""The words that make a claim's scope a matter of opinion, each with its reason and its limits.

They are read from language/tables/ambiguity.toml. `follows` and `precedes` are what stands around a term in
the uses that are clear, which are left alone.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Any, Final, NamedTuple

from ace.claims.language.tables import table, word_list


class Use(StrEnum):
    """How a term must stand to be a flaw."""

    ANYWHERE = "anywhere"
    ADVERB = "adverb"  # with the adjective or adverb that it raises or lowers
    PURPOSE = "purpose"  # unless the clause says for what: "sufficient to close the valve"
    DEGREE = "degree"  # "is high", or "a high temperature" and nothing more
    SELECTED = "selected"  # only where something is selected from it


class Term(NamedTuple):
    """Why a word is unclear: `why` completes "“word” …". A mild one is less often a defect."""

    subtype: str
    why: str
    use: Use = Use.ANYWHERE
    mild: bool = False
    follows: re.Pattern[str] | None = None
    precedes: re.Pattern[str] | None = None


def _pattern(written: str | None, frame: str) -> re.Pattern[str] | None:
    """A pattern of the table, whose line breaks do not count, in the frame for its side of the term."""
    return re.compile(frame % written.replace("\n", "")) if written else None


def _listed(text: str) -> list[str]:
    return [term.strip() for term in re.split(r"[|\n]", text.strip())]


def _words(group: dict[str, str]) -> list[str]:
    """The terms of a group: those listed, or every one of `first` with every one of `then`."""
    if "words" in group:
        return _listed(group["words"])
    return [f"{one} {other}" for one in _listed(group["first"]) for other in _listed(group["then"])]


def _term(group: dict[str, Any]) -> Term:
    return Term(
        group["subtype"],
        group.get("why") or _REASONS[group["reason"]],
        Use(group.get("use", Use.ANYWHERE)),
        group.get("mild", False),
        _pattern(group.get("follows"), r"\b(?:%s)[\s-]{1,3}$"),
        _pattern(group.get("precedes"), r"[\s-]{0,3}(?:%s)"),
    )


_REASONS: Final[dict[str, str]] = table("ambiguity")["reasons"]

OPPOSITES: Final[dict[str, str]] = table("ambiguity")["degrees"]
"""Words of degree in pairs that can also name things: "a high and a low gear"."""

NEVER_ALONE: Final = word_list("ambiguity", "never_alone")
"""Words of degree that count only after an adverb."""

MEASURABLE: Final = word_list("ambiguity", "measurable")
"""What words of degree measure."""

SHAPES: Final = word_list("ambiguity", "shapes")
"""What a thing may be like in shape: "a plate-like member" is clear."""


def _terms() -> dict[str, Term]:
    degree = Term("degree", _REASONS["no_standard"], Use.DEGREE)
    terms = {word: degree for word in OPPOSITES if word not in NEVER_ALONE}
    for group in table("ambiguity")["terms"]:
        terms.update(dict.fromkeys(_words(group), _term(group)))
    return terms


TERMS: Final = _terms()
"""Every term by its words, in lower case with single spaces."""

STRETCHED: Final = Term("open_alternatives", _REASONS["stretched"])
"""What is wrong with "a filter-like device" and "a filter-type device" (MPEP 2173.05(b)(III)(E))."""
