"""Doubled punctuation marks and words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import Final

from ace.claims.checks.syntax.rules import RULE
from ace.claims.checks.syntax.words import ABBREVIATIONS, MAY_REPEAT, NO_NOUN
from ace.claims.findings import Fix, Flaw
from ace.claims.language.words import Word, words_of

_DOUBLED_MARK: Final = re.compile(
    r",\s?[,;:]|;\s?[,;:]|:\s?[,;]|:\s:|:\s?:(?=\s)|[,;:]\s?\.(?![\d.])|(?<!\.)\.\s?\.(?!\s?\.)|(?<=[a-z]{3})\.\s?[,;:]"
    r"|;\s?and\s?;|,\s?and\s?[,;](?=\s?(?:an?|the)\b)"
)
_WORD_BEFORE: Final = re.compile(r"(?<![^\W\d_])[^\W\d_]+$")


_TWO_MARKS: Final = re.compile(r"[,;:.]\s?(?:and\s?)?[,;:.]")


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


_DOUBLED_WORD: Final = re.compile(
    r"(?<![\w'’.-])(?P<word>[A-Za-z]{2,}|a)\s(?P=word)(?![\w'’-]|\.\w)", re.IGNORECASE
)
_LONGEST_RUN: Final = 8
_LEAST_WORDS: Final = 2


def doubled_words(text: str) -> Iterator[Flaw]:
    """Each word that is repeated, and the first few runs of words that are: "of the of the"."""
    words = words_of(text)
    if any(first.lower == second.lower for first, second in pairwise(words)):
        yield from _doubled_words(text)
    yield from islice(_doubled_runs(text, words), _MAX_RUNS)


_MAX_RUNS: Final = 3


def _doubled_words(text: str) -> Iterator[Flaw]:
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


def _doubled_runs(text: str, words: Sequence[Word]) -> Iterator[Flaw]:
    """Runs of several words, with no mark among them, that stand twice in a row."""
    done = 0
    lowers = [word.lower for word in words]
    for size in range(_LEAST_WORDS, _LONGEST_RUN + 1):
        alike = 0
        for at in range(len(lowers) - size):
            alike = alike + 1 if lowers[at] == lowers[at + size] and lowers[at][0].isalnum() else 0
            begin = at - size + 1
            if alike == size and begin >= done and _is_wording(lowers[begin : at + 1]):
                done, alike = at + size + 1, 0
                start, middle, end = words[begin].start, words[at].end, words[at + size].end
                why = f"“{text[start:middle]}” is repeated."
                fix = Fix(start, end, text[start:middle])
                yield Flaw(RULE["doubled_word"], start, end, why, fix, ("run",))


def _is_wording(run: Sequence[str]) -> bool:
    """Whether these are different words, and not the letters and numbers of a sequence or a formula."""
    return len({word for word in run if word.isalpha() and len(word) > 1}) >= _LEAST_WORDS
