"""Lists of alternatives that name one twice, and closed lists that open themselves again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ace.claims.checks.logical.rules import RULE
from ace.claims.findings import Flaw
from ace.claims.language.tables import word_list
from ace.claims.language.word_classes import WordClass, word_class_of
from ace.claims.language.words import Word, word_set
from ace.claims.model import Claim
from ace.claims.reading import Reading

_LONGEST: Final = 8
"""Words of a member; what is longer is no name."""
_HEAD: Final = 7
"""Words before a list among which one may say that it is one to choose from."""
_CHOICE: Final = frozenset({"group", "selected", "chosen"})
_CHOOSING: Final = _CHOICE | {"or"}
_JOINS: Final = frozenset({"and", "or", "/"})
_IDLE: Final = _JOINS | {"a", "an", "the", "said", "of"}
_NOT_A_NAME: Final = frozenset({WordClass.CLOSED, WordClass.MARK})
_BREAKS: Final = word_list("logic", "list_breaks")
_OTHERS: Final = word_list("logic", "opening")
_ADDING: Final = word_list("logic", "adding")
_BEFORE_OTHERS: Final = frozenset({"all", "also", "any", "further", "optionally"})
_CONSISTS: Final = frozenset({"consist", "consisting", "consists"})
_BRACKETS: Final = dict.fromkeys("([{", 1) | dict.fromkeys(")]}", -1)
_SEPARATORS: Final = frozenset({",", ";"})
_MARKS: Final = _SEPARATORS | {"."}
_ENDS: Final = _BREAKS | _MARKS
_Span = tuple[int, int]


def repeated_members(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Members that a list of alternatives has already named in the same words."""
    if _CHOOSING.isdisjoint(word_set(claim.text)):
        return
    words, lowers = reading.words(claim.number), reading.lowers(claim.number)
    for run in _lists(words, lowers):
        seen: set[tuple[str, ...]] = set()
        for first, last in _members(lowers, run) if _is_choice(lowers, run) else ():
            name = tuple(lowers[first:last])
            goes_on = last < len(lowers) and lowers[last] in _BREAKS  # "aryl, or aryl substituted by"
            if name in seen and not goes_on and _is_name(name):
                start, end = words[first].start, words[last - 1].end
                why = f"The list names “{claim.text[start:end]}” twice."
                yield Flaw(RULE["markush_repeats"], start, end, why)
                return
            seen.add(name)


def _is_name(name: tuple[str, ...]) -> bool:
    letters = sum(letter.isalpha() for word in name for letter in word)
    named = any(word_class_of(word) not in _NOT_A_NAME for word in name)
    return letters > 1 and named and "thereof" not in name


def _is_choice(lowers: Sequence[str], run: Sequence[_Span]) -> bool:
    """Whether one of the members is meant: an "or" joins them, or they are selected from."""
    begin = run[0][0]
    return "or" in lowers[slice(*run[-1])] or not _CHOICE.isdisjoint(lowers[max(0, begin - _HEAD) : begin])


def _lists(words: Sequence[Word], lowers: Sequence[str]) -> Iterator[list[_Span]]:
    """The runs of short members that commas or semicolons set apart, as spans of words."""
    run: list[_Span] = []
    start, separator = 0, ""
    for at in _ends(words, lowers):
        if 0 < at - start <= _LONGEST:
            run.append((start, at))
        mark = lowers[at] if at < len(lowers) else "."
        if at - start <= _LONGEST and mark in _SEPARATORS and separator in {"", mark}:
            separator = mark
        else:
            if run:
                yield run
            run, separator = [], ""
        start = at + 1


def _ends(words: Sequence[Word], lowers: Sequence[str]) -> Iterator[int]:
    """Where members end, outside of brackets: at marks, at words that end the list too, and at the end. A
    mark within a name is none: "cyclohexane-1,3-diol"."""
    depth = 0
    size = len(lowers)
    for at in [at for at, lower in enumerate(lowers) if lower in _ENDS or lower in _BRACKETS]:
        lower = lowers[at]
        if lower in _BRACKETS:
            depth = max(0, depth + _BRACKETS[lower])
        elif not depth and (lower in _BREAKS or at + 1 == size or words[at + 1].start != words[at].end):
            yield at
    yield size


def _members(lowers: Sequence[str], run: Sequence[_Span]) -> Iterator[_Span]:
    """The members of a list without articles; "B or C" at its end are two."""
    *spans, (first, last) = run
    joins = [at for at in range(first, last) if lowers[at] in _JOINS]
    parts = [(first, joins[0]), (joins[0], last)] if len(joins) == 1 else [(first, last)]
    for begin, end in (*spans, *parts):
        bare = next((at for at in range(begin, end) if lowers[at] not in _IDLE), end)
        if bare < end:
            yield bare, end


def reopened_lists(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Lists that "consisting of" has closed and that take in more: "consisting of A, B and others"."""
    if _CONSISTS.isdisjoint(word_set(claim.text)):
        return
    words, lowers = reading.words(claim.number), reading.lowers(claim.number)
    for index, lower in enumerate(lowers[:-2]):
        if lower in _CONSISTS and lowers[index + 1] == "of" and (span := _reopened(lowers, index)):
            start, end = words[span[0]].start, words[span[1]].end
            why = f"“{lower} of” closes the list, and “{claim.text[start:end]}” opens it again."
            yield Flaw(RULE["closed_then_opened"], start, end, why)


def _reopened(lowers: tuple[str, ...], index: int) -> _Span | None:
    """The first and last of the words that open the list behind lowers[index]."""
    if index and lowers[index - 1] == "further":
        return index - 1, index + 1
    begin = index + 2 + (lowers[index + 2] == ":")
    if lowers[begin : begin + 2] == ("at", "least"):
        return begin, begin + 1
    plain = True
    for mark in range(begin, len(lowers) - 1):
        lower = lowers[mark]
        if lower in _JOINS:
            opening = _opening(lowers, mark + 1, adding=plain)
            if opening and (lowers[opening] in _ADDING or _ends_list(lowers, opening)):
                return mark, opening
        elif lower in {";", "."} or lower in _BREAKS:
            return None
        plain = plain and lower not in {",", ":"}
    return None


def _ends_list(lowers: Sequence[str], index: int) -> bool:
    """Whether no further member follows: not "testicles or other reproductive organs, skin"."""
    return next((lower for lower in lowers[index + 1 :] if lower in _MARKS), ".") != ","


def _opening(lowers: tuple[str, ...], index: int, *, adding: bool) -> int:
    """The last of the words at lowers[index] by which a list takes in what it does not name, or 0."""
    while index < len(lowers) - 1 and lowers[index] in _BEFORE_OTHERS and lowers[index + 1] != "of":
        if lowers[index] == "further" and lowers[index + 1] not in _ADDING:
            break
        index += 1
    others = lowers[index] in _OTHERS and lowers[index + 1 : index + 2] != ("than",)
    return index if others or (adding and lowers[index] in _ADDING) else 0
