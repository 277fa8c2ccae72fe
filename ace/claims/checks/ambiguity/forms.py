"""Claims that do not say themselves what they claim: pointers to the description, and claims to a use
(MPEP 2173.05(r), (s) and (q)).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ace.claims.checks.ambiguity.rules import RULE
from ace.claims.findings import Flaw
from ace.claims.language.words import Word, word_set
from ace.claims.model import Claim
from ace.claims.reading import Reading

_LABELLED: Final = frozenset({"figure", "figures", "table", "tables", "example", "examples"})
_FIGURE: Final = frozenset({"fig", "figs"})
_DESCRIPTION: Final = frozenset(
    {"description", "drawing", "drawings", "examples", "figures", "specification", "tables"}
)
_HEREIN: Final = frozenset({"herein", "hereinabove", "hereinbefore"})
_SHOWN: Final = frozenset(
    {"contained", "depicted", "described", "disclosed", "given", "illustrated", "listed", "provided"}
    | {"recited", "reference", "set", "shown"}
)
_ONLY_SHOWN: Final = frozenset(
    {"chromatogram", "diffractogram", "pattern", "patterns", "spectra", "spectrum", "thermogram"}
)
"""What only a figure can show (MPEP 2173.05(s))."""
_BODY: Final = frozenset(
    {"comprised", "comprises", "comprising", "consisting", "consists", "containing", "having", "including"}
    | {"wherein", "whereby", "characterized", "characterised"}
)
_LEADS: Final = (
    _SHOWN
    | _HEREIN
    | {"accompanying", "according", "as", "by", "forth", "in", "substantially", "the", "to", "with"}
)
"""Words that belong to the pointer behind them."""
_BEFORE: Final = 6
"""How many words before the pointer may say what it is for."""
_NUMERALS: Final = frozenset("0123456789IVX")
_USE: Final = frozenset({"application", "applications", "use", "uses"})


def unclaimed(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """The first pointer to a drawing, a table or the description; the opening of a claim to a use.

    A claim that says nothing else is omnibus. Signal: "table".
    """
    words = reading.words(claim.number)
    said = word_set(claim.text)
    if not said.isdisjoint(_LABELLED | _FIGURE | _DESCRIPTION | _HEREIN) and "ornamental" not in said:
        yield from _pointer(claim, words, omnibus=not claim.parents and said.isdisjoint(_BODY))
    start = 1 if words and words[0].lower in {"a", "an", "the"} else 0
    opening = [word.lower for word in words[start : start + 3]]
    if _is_use(opening):
        why = "A claim to a use without any step does not say what is done."
        yield Flaw(RULE["use_claim"], words[0].start, words[start + 1].end, why)


def _is_use(opening: list[str]) -> bool:
    """Whether a claim that begins so is to a use of something else than a claim to a use."""
    if len(opening) < 3 or opening[0] not in _USE or opening[1] not in {"as", "for", "in", "of"}:
        return False
    return opening[2] not in {"accordance", "any", "claim", "claims", "one"}


def _pointer(claim: Claim, words: Sequence[Word], *, omnibus: bool) -> Iterator[Flaw]:
    for at, word in enumerate(words):
        end = _labelled(claim.text, words, at) or _described(words, at)
        if end and _ONLY_SHOWN.isdisjoint(each.lower for each in words[max(0, at - 2 * _BEFORE) : at]):
            first = at
            while first > max(0, at - _BEFORE) and words[first - 1].lower in _LEADS:
                first -= 1
            start = words[first].start
            why = f"“{' '.join(claim.text[start:end].split())}” refers elsewhere for what the claim includes."
            signals = ("table",) if word.lower.startswith("table") else ()
            yield Flaw(RULE["omnibus" if omnibus else "points_elsewhere"], start, end, why, None, signals)
            return


def _labelled(text: str, words: Sequence[Word], at: int) -> int:
    """Where "FIG. 3", "Table S3" or "as listed in table 3" at this word ends, or 0; a table is no reference
    numeral then."""
    word = words[at]
    label = at + 2 if at + 1 < len(words) and words[at + 1].lower == "." else at + 1
    if label >= len(words) or word.lower not in _LABELLED | _FIGURE:
        return 0
    named = text[word.start].isupper() or word.lower in _FIGURE or _shown_before(words, at)
    return words[label].end if named and _is_label(text[words[label].start : words[label].end]) else 0


def _is_label(written: str) -> bool:
    return written[0].isdigit() or (written.isupper() and (len(written) == 1 or written[-1] in _NUMERALS))


def _described(words: Sequence[Word], at: int) -> int:
    """Where "in the accompanying drawings" after "as shown", or "described herein", ends; or 0."""
    word = words[at].lower
    if word in _HEREIN:
        last = at + 1 if at + 1 < len(words) and words[at + 1].lower in _SHOWN else at
        near = {each.lower for each in words[max(0, at - 2) : last + 1]}
        return 0 if near.isdisjoint(_SHOWN) else words[last].end
    if word in _DESCRIPTION and at + 1 < len(words) and words[at + 1].lower in {",", ";", ".", "and"}:
        return words[at].end if _shown_before(words, at) else 0
    return 0


def _shown_before(words: Sequence[Word], at: int) -> bool:
    """Whether the words before this one say that something is shown in it."""
    before = [each.lower for each in words[max(0, at - _BEFORE) : at]]
    shown = [place for place, each in enumerate(before) if each in _SHOWN]
    return bool(shown) and not {"by", "in", "to"}.isdisjoint(before[shown[-1] :])
