"""Doubled punctuation marks and words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from operator import eq, itemgetter

from ace.claims.checks.syntax.rules import RULE
from ace.claims.checks.syntax.words import ABBREVIATIONS, MAY_REPEAT, NO_NOUN
from ace.claims.findings import Fix, Flaw
from ace.claims.language.words import words_of

_DOUBLED_MARK = re.compile(
    r",\s?[,;:]|;\s?[,;:]|:\s?[,;]|:\s:|:\s?:(?=\s)|[,;:]\s?\.(?![\d.])|(?<!\.)\.\s?\.(?!\s?\.)|(?<=[a-z]{3})\.\s?[,;:]"
    r"|;\s?and\s?;|,\s?and\s?[,;](?=\s?(?:an?|the)\b)"
)
_WORD_BEFORE = re.compile(r"(?<![^\W\d_])[^\W\d_]+$")


_TWO_MARKS = re.compile(r"[,;:.]\s?(?:and\s?)?[,;:.]")


def doubled_marks(text: str) -> Iterator[Flaw]:
    """Two marks in place of one, each pair of marks once in a claim. A fix keeps the stronger mark."""
    if _TWO_MARKS.search(text) is None:
        return
    reported: set[str] = set()
    for match in _DOUBLED_MARK.finditer(text):
        marks = "".join(match.group().split())
        if marks[0] == "." and len(marks) > 1 and marks[1] != ".":
            before = _WORD_BEFORE.search(text[max(0, match.start() - 12) : match.start()])
            if before is None or before.group().lower() in ABBREVIATIONS:
                continue
        if marks in reported:
            continue
        reported.add(marks)
        why = f"“{marks}” stands in place of a single mark."
        fix = Fix(match.start(), match.end(), _kept(marks)) if len(marks) == 2 else None
        yield Flaw(RULE["doubled_punctuation"], match.start(), match.end(), why, fix)


def _kept(marks: str) -> str:
    return "." if marks.endswith(".") else max(marks, key=",:;.".index) if marks[0] != "." else marks[1]


_DOUBLED_WORD = re.compile(r"(?<![\w'’.-])(?P<word>[A-Za-z]{2,}|a)\s(?P=word)(?![\w'’-]|\.\w)", re.IGNORECASE)
_DOUBLED_PAIR = re.compile(
    r"(?<![\w'’.-])(?P<pair>(?:of|in|to|the|said|a|an|wherein|is|and|with|on|for|by|from)\s[a-z]+)\s(?P=pair)(?![\w'’-])"
)


def doubled_words(text: str) -> Iterator[Flaw]:
    """Each word that is repeated, and "of the of the"."""
    words = list(map(itemgetter(0), words_of(text)))
    pair_may_repeat = any(map(eq, words, words[2:]))
    if not any(map(eq, words, words[1:])) and not (
        pair_may_repeat and any(map(eq, pairwise(words), pairwise(words[2:])))
    ):
        return
    for match in _DOUBLED_WORD.finditer(text):
        word = match["word"]
        second = match.group()[-len(word) :]
        symbol = len(word) < 3 and word.lower() not in NO_NOUN
        if word.lower() in MAY_REPEAT or symbol or (second != second.lower() and word != "The"):
            continue
        why = f"“{second}” is repeated."
        fix = Fix(match.start(), match.end(), word)
        signals = ("grammatical",) if word.lower() == "that" else ()
        yield Flaw(RULE["doubled_word"], match.start(), match.end(), why, fix, signals)
    for match in _DOUBLED_PAIR.finditer(text):
        why = f"“{match['pair']}” is repeated."
        fix = Fix(match.start(), match.end(), match["pair"])
        yield Flaw(RULE["doubled_word"], match.start(), match.end(), why, fix)
