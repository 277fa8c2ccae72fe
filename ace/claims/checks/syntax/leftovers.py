"""What a draft leaves in a claim: places yet to be filled in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ace.claims.checks.syntax.rules import RULE
from ace.claims.checks.syntax.words import DRAFTING
from ace.claims.findings import Flaw
from ace.claims.language.words import word_set

_TO_FILL: Final = re.compile(
    r"""(?<!\w)(?:_{2,}|\?{2,}|\.{3,}\s?\.{3,}|\#{2,}|\*{3,})(?!\w)  # "____", "??"
       |[\[({<]\s?(?:\?+|_+|\.{2,}|…|•|[Xx]{2,4})\s?[\])}>](?!\w)        # "(?)", "[XX]"
       |\[\s?\]
       |(?<![\w-])(?:TBD|TBC|TBA|TODO|FIXME|TK|XX|XXX|XXXX)(?![\w-])
       |(?<![\w-])N{2,3}(?=\s?(?:%|°|[cmkµ]?m\b|m?[gls]\b|percent|degrees|wt))   # "NN %"
       |(?<=\bof\s)<(?:[a-z]{3,}(?:[\s_][a-z]{2,}){0,3})>                  # "a length of <length>"
       |[\[{<(](?P<note>[^\[\](){}<>;]{2,80})[\])}>]                    # "[insert the length]"
    """,
    re.VERBOSE,
)
_MARKS_OF_DRAFTS: Final = re.compile(r"[\[{<_?#*]|\(\s?[?_.…X]|\(\w+\s\w|TB[DCA]|TODO|FIXME|TK|XX|NN|\.{6}")
_HINTS: Final = frozenset(
    [*"[{<_?#*(", "tbd", "tbc", "tba", "todo", "fixme", "tk", "xx", "xxx", "xxxx", "nn", "nnn"]
)
"""One of these is in every such place, unless it is dotted."""
_OF_A_KIND: Final = re.compile(
    r"\b(?:formulae?|compound|structure|table|type|class|figs?|group|claims?|no|SEQ|factor)\W{0,3}\Z",
    re.IGNORECASE,
)
_REFERENCE: Final = re.compile(r"\bclaims?\s\Z", re.IGNORECASE)
_WORD: Final = re.compile(r"(?<![\w-])[A-Za-z]+(?![\w-])")
_WHY: Final = "is yet to be filled in"


def placeholders(text: str) -> Iterator[Flaw]:
    """Each place that is yet to be filled in: "a length of XX mm", "[insert material]", "____"."""
    hinted = "..." in text or not _HINTS.isdisjoint(word_set(text))
    if not hinted or _MARKS_OF_DRAFTS.search(text) is None:
        return
    for match in _TO_FILL.finditer(text):
        note = match["note"]
        if note is not None and DRAFTING.isdisjoint(_WORD.findall(note.lower())[:3]):
            continue
        if match.group().isalpha() and _OF_A_KIND.search(text, max(0, match.start() - 14), match.start()):
            continue
        if _REFERENCE.search(text, max(0, match.start() - 8), match.start()):
            continue  # a reference without its number, which is a flaw of its own
        why = f"“{match.group()}” {_WHY}."
        yield Flaw(RULE["placeholder"], match.start(), match.end(), why)
