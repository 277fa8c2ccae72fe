"""What a draft leaves in a claim: places yet to be filled in, and capitals in the middle of the sentence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from ace.claims.checks.syntax.rules import RULE
from ace.claims.checks.syntax.words import CAPITALIZED, DRAFTING
from ace.claims.findings import Fix, Flaw
from ace.claims.language.words import word_set
from ace.claims.model import Claim
from ace.claims.reading import Reading

_TO_FILL = re.compile(
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
_MARKS_OF_DRAFTS = re.compile(r"[\[{<_?#*]|\(\s?[?_.…X]|\(\w+\s\w|TB[DCA]|TODO|FIXME|TK|XX|NN|\.{6}")
_HINTS = frozenset(
    [*"[{<_?#*(", "tbd", "tbc", "tba", "todo", "fixme", "tk", "xx", "xxx", "xxxx", "nn", "nnn"]
)
"""One of these is in every such place, unless it is dotted."""
_OF_A_KIND = re.compile(
    r"\b(?:formulae?|compound|structure|table|type|class|figs?|group|claims?|no|SEQ|factor)\W{0,3}\Z",
    re.IGNORECASE,
)
_REFERENCE = re.compile(r"\bclaims?\s\Z", re.IGNORECASE)
_WORD = re.compile(r"(?<![\w-])[A-Za-z]+(?![\w-])")
_WHY = "is yet to be filled in"


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


_INSIDE = re.compile(r"(?P<word>[A-Z](?<=[a-z,0-9]\s.)[a-z]+)(?=[\s,;.:])")
_TITLES = re.compile(r"(?:\A|\s)[(“\"]?[A-Z][\w-]*,?\s\Z")
_NUMBERED = re.compile(r"\s\(?(?:[0-9IVX]+|[A-Za-z]|[A-Z][\w-]*)\b")
_ARTICLE_AFTER = re.compile(r"\s(?:an?|the|said|each|which)\s")
_MIN_SMALL = 2
"""How often a word stands in the set with a small letter, if its capital is a slip."""


def capitals(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Each word with a capital in the middle of the claim that is no name.

    The signal "common" says that it is known as a word from the rest of the set only.
    """
    text = claim.text
    for match in _INSIDE.finditer(text):
        word = match["word"]
        lower = word.lower()
        if _TITLES.search(text, max(0, match.start() - 30), match.start()):
            continue
        if lower in CAPITALIZED:
            if len(word) == 2 and not _ARTICLE_AFTER.match(text, match.end()):
                continue  # "In" and "As" are also symbols
            signals: tuple[str, ...] = ()
        elif _NUMBERED.match(text, match.end()) or not _is_slip(reading, word):
            continue
        else:
            signals = ("common",)
        yield _capital(match.start(), word, signals)
    limbs = list(_LIMB_OPENS.finditer(text))
    raised = [each for each in limbs if each["word"][0].isupper()]
    if len(raised) == 1 and len(limbs) > _MIN_LIMBS and raised[0]["word"] in _NO_NAMES:
        yield _capital(raised[0].start("word"), raised[0]["word"], ())


_LIMB_OPENS = re.compile(r";\s(?P<word>[A-Za-z]+)(?=\s(?!is\b|are\b|represents\b|denotes\b)[a-z])")
_NO_NAMES = frozenset({"A", "An", "And", "Said", "The", "Wherein"})
_MIN_LIMBS = 2
"""With fewer parts, an author's habit does not show."""


def _capital(start: int, word: str, signals: tuple[str, ...]) -> Flaw:
    fix = Fix(start, start + 1, word[0].lower())
    why = f"“{word}” has a capital in the middle of the sentence."
    return Flaw(RULE["capital"], start, start + len(word), why, fix, signals)


def _is_slip(reading: Reading, word: str) -> bool:
    counts = reading.kept(_written)
    return counts[word] == 1 and counts[word.lower()] >= _MIN_SMALL


def _written(reading: Reading) -> Counter[str]:
    """How often each word stands in the set as it is written, the first of each claim left out."""
    counts: Counter[str] = Counter()
    for claim in reading.claims:
        counts.update(_WORD.findall(claim.text)[1:])
    return counts
