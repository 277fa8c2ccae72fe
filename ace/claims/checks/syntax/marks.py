"""Doubled punctuation marks and words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from ace.claims.checks.syntax.rules import RULE
from ace.claims.checks.syntax.words import ABBREVIATIONS, MAY_REPEAT, NO_NOUN
from ace.claims.findings import Fix, Flaw
from ace.claims.language.words import Word, lower_words_of, words_of

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
_MAX_RUNS: Final = 3


def doubled_words(text: str) -> Iterator[Flaw]:
    """Each word that is repeated, and the first few runs of words that are: "of the of the"."""
    lowers = lower_words_of(text)
    last: dict[str, int] = {}
    near: list[tuple[int, int]] = []
    for at, word in enumerate(lowers):
        if word in last and at - last[word] <= _LONGEST_RUN:
            near.append((last[word], at))
        last[word] = at
    words = words_of(text)
    yield from _doubled_words(text, [words[before].start for before, at in near if before + 1 == at])
    yield from islice(_doubled_runs(text, words, lowers, near), _MAX_RUNS)


def _doubled_words(text: str, starts: Sequence[int]) -> Iterator[Flaw]:
    done = 0
    for start in starts:
        match = _DOUBLED_WORD.match(text, start)
        if match is None or start < done:
            continue
        done = match.end()
        word = match["word"]
        second = match.group()[-len(word) :]
        symbol = len(word) < 3 and word.lower() not in NO_NOUN
        if word.lower() in MAY_REPEAT or symbol or (second != second.lower() and word != "The"):
            continue
        why = f"“{second}” is repeated."
        fix = Fix(match.start(), match.end(), word)
        signals = ("grammatical",) if word.lower() == "that" else ()
        yield Flaw(RULE["doubled_word"], match.start(), match.end(), why, fix, signals)


def _doubled_runs(
    text: str, words: Sequence[Word], lowers: Sequence[str], near: Sequence[tuple[int, int]]
) -> Iterator[Flaw]:
    """Runs of several words that stand twice in a row, given where a word stands twice near each other."""
    done = 0
    for begin, at in near:
        size = at - begin
        if size < _LEAST_WORDS or (
            lowers[begin - 1] != lowers[at - 1] and lowers[begin + 1 : begin + 2] != lowers[at + 1 : at + 2]
        ):
            continue
        first = max(done, begin - size + 1)
        while begin > first and lowers[begin - 1] == lowers[begin - 1 + size]:
            begin -= 1
        middle, end = begin + size, begin + 2 * size
        if begin >= done and lowers[begin:middle] == lowers[middle:end] and _is_wording(lowers[begin:middle]):
            done = end
            quote = text[words[begin].start : words[middle - 1].end]
            fix = Fix(words[begin].start, words[end - 1].end, quote)
            yield Flaw(RULE["doubled_word"], fix.start, fix.end, f"“{quote}” is repeated.", fix, ("run",))


def _is_wording(run: Sequence[str]) -> bool:
    """Whether these are different words without marks, not the letters and numbers of a formula."""
    return (
        all(word[0].isalnum() for word in run)
        and len({word for word in run if word.isalpha() and len(word) > 1}) >= _LEAST_WORDS
    )
