"""Lists of alternatives that name one twice, and closed lists that open themselves again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

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
_OPENS: Final = frozenset("([{")
_CLOSES: Final = frozenset(")]}")
_Span = tuple[int, int]


class _Mark(NamedTuple):
    """A mark or word that ends a member: words[at]; `kind` is "" for a word, which ends the list too."""

    at: int
    kind: str


def repeated_members(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Members that a list of alternatives has already named in the same words."""
    if _CHOOSING.isdisjoint(word_set(claim.text)):
        return
    words = reading.words(claim.number)
    for run in _lists(words):
        members = _members(words, run)
        if not _is_choice(words, run, members):
            continue
        seen: set[tuple[str, ...]] = set()
        for first, last in members:
            name = tuple(word.lower for word in words[first:last])
            if name in seen and _is_name(name) and not _goes_on(words, last):
                start, end = words[first].start, words[last - 1].end
                why = f"The list names “{claim.text[start:end]}” twice."
                yield Flaw(RULE["markush_repeats"], start, end, why)
                return
            seen.add(name)


def _goes_on(words: Sequence[Word], last: int) -> bool:
    """Whether a member goes on behind its name: "aryl, or aryl substituted by", "a cell that has"."""
    return last < len(words) and words[last].lower in _BREAKS


def _is_name(name: tuple[str, ...]) -> bool:
    letters = sum(letter.isalpha() for word in name for letter in word)
    named = any(word_class_of(word) not in _NOT_A_NAME for word in name)
    return letters > 1 and named and "thereof" not in name


def _is_choice(words: Sequence[Word], run: Sequence[_Span], members: Sequence[_Span]) -> bool:
    """Whether one of the members is meant: an "or" joins them, or they are selected from."""
    if len(members) < 2:
        return False
    begin = run[0][0]
    head = (word.lower for word in words[max(0, begin - _HEAD) : begin])
    last = (word.lower for word in words[run[-1][0] : run[-1][1]])
    return not _CHOICE.isdisjoint(head) or "or" in last


def _lists(words: Sequence[Word]) -> Iterator[list[_Span]]:
    """The runs of short members that commas or semicolons set apart, as spans of words."""
    run: list[_Span] = []
    start, kind = 0, ""
    for mark in _marks(words):
        size = mark.at - start
        if 0 < size <= _LONGEST:
            run.append((start, mark.at))
        over = size > _LONGEST or not mark.kind or mark.kind == "." or (kind and mark.kind != kind)
        if over:
            yield from filter(None, (run,))
            run = []
        start, kind = mark.at + 1, "" if over else mark.kind


def _marks(words: Sequence[Word]) -> Iterator[_Mark]:
    """What ends a member, outside of brackets."""
    depth = 0
    for index, word in enumerate(words):
        if word.lower in _OPENS:
            depth += 1
        elif word.lower in _CLOSES:
            depth = max(0, depth - 1)
        elif not depth and word.lower in _BREAKS:
            yield _Mark(index, "")
        elif not depth and word.lower in {",", ";", "."} and not _is_inner(words, index):
            yield _Mark(index, word.lower)
    yield _Mark(len(words), ".")


def _is_inner(words: Sequence[Word], index: int) -> bool:
    """Whether a mark stands within a name: "cyclohexane-1,3-diol"."""
    return index + 1 < len(words) and words[index + 1].start == words[index].end


def _members(words: Sequence[Word], run: Sequence[_Span]) -> list[_Span]:
    """The members of a list without articles; "B or C" at its end are two."""
    spans = list(run)
    first, last = spans[-1]
    joins = [index for index in range(first, last) if words[index].lower in _JOINS]
    if len(joins) == 1 and joins[0] > first:
        spans[-1:] = [(first, joins[0]), (joins[0], last)]
    bare = ((_skip(words, first, last), last) for first, last in spans)
    return [(first, last) for first, last in bare if first < last]


def _skip(words: Sequence[Word], first: int, last: int) -> int:
    while first < last and words[first].lower in _IDLE:
        first += 1
    return first


def reopened_lists(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Lists that "consisting of" has closed and that take in more: "consisting of A, B and others"."""
    if _CONSISTS.isdisjoint(word_set(claim.text)):
        return
    words = reading.words(claim.number)
    for index, word in enumerate(words[:-2]):
        if word.lower in _CONSISTS and words[index + 1].lower == "of":
            found = _reopened(words, index)
            if found is not None:
                first, last = found
                start, end = words[first].start, words[last].end
                why = f"“{word.lower} of” closes the list, and “{claim.text[start:end]}” opens it again."
                yield Flaw(RULE["closed_then_opened"], start, end, why)


def _reopened(words: Sequence[Word], index: int) -> _Span | None:
    """The first and last of the words that open the list behind words[index]."""
    if index and words[index - 1].lower == "further":
        return index - 1, index + 1
    begin = index + 2
    if words[begin].lower == ":":
        begin += 1
    if tuple(word.lower for word in words[begin : begin + 2]) == ("at", "least"):
        return begin, begin + 1
    plain = True
    for mark in range(begin, len(words) - 1):
        lower = words[mark].lower
        if lower in _JOINS:
            opening = _opening(words, mark + 1, adding=plain)
            if opening and (words[opening].lower in _ADDING or _ends(words, opening)):
                return mark, opening
        elif lower in {";", "."} or lower in _BREAKS:
            return None
        plain = plain and lower not in {",", ":"}
    return None


def _ends(words: Sequence[Word], index: int) -> bool:
    """Whether no further member follows: not "testicles or other reproductive organs, skin"."""
    mark = next((word.lower for word in words[index + 1 :] if word.lower in {",", ";", "."}), ".")
    return mark != ","


def _opening(words: Sequence[Word], index: int, *, adding: bool) -> int:
    """The last of the words at words[index] by which a list takes in what it does not name, or 0."""
    while index < len(words) - 1 and words[index].lower in _BEFORE_OTHERS and words[index + 1].lower != "of":
        if words[index].lower == "further" and words[index + 1].lower not in _ADDING:
            break
        index += 1
    lower = words[index].lower
    behind = words[index + 1].lower if index + 1 < len(words) else ""
    return index if (lower in _OTHERS and behind != "than") or (adding and lower in _ADDING) else 0
