"""Wordings that no claim can have: "the of the rotor", "according the plan", "configured to rotating".

The patterns stand in language/tables/wordings.toml.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Final, NamedTuple

from ace.claims.checks.syntax.patterns import Feature, Match, Patterns
from ace.claims.checks.syntax.rules import RULE
from ace.claims.checks.syntax.verbs import FORMS, Form
from ace.claims.findings import Fix, Flaw
from ace.claims.language.lexicon import NUMERALS
from ace.claims.language.tables import table
from ace.claims.language.word_classes import WordClass, word_class_of
from ace.claims.language.words import Word, is_plural, lower_words_of, words_of

_MAX_REPORTED: Final = 6
_WORDS_BEFORE: Final = 12
_NAMED_BY_A_LETTER: Final = frozenset(
    [
        "and",
        "axis",
        "component",
        "dimension",
        "direction",
        "level",
        "or",
        "parameter",
        "plane",
        "posteriori",
        "priori",
        "side",
        "type",
        "value",
    ]
)
_NOUNS: Final = frozenset({WordClass.OPEN, WordClass.NOUN_VERB})
_NAMING: Final = _NOUNS | {WordClass.ING, WordClass.PARTICIPLE}


def _plural(word: str) -> bool:
    return word_class_of(word) is WordClass.OPEN and word[-1] == "s" and is_plural(word)


def _noun(word: str) -> bool:
    plain = len(word) > 2 and word.replace("-", "").isalpha() and word not in NUMERALS
    return plain and word_class_of(word) in _NOUNS


FEATURES: Final[dict[str, Feature]] = {
    "base": lambda word: FORMS.get(word) is Form.BASE,
    "ed": lambda word: word.endswith("ed") and word_class_of(word) is WordClass.PARTICIPLE,
    "er": lambda word: word.endswith("er"),
    "gerund": lambda word: FORMS.get(word) is Form.GERUND,
    "glued_at": lambda word: word.endswith("at"),
    "glued_of": lambda word: word.startswith("of") and not word.startswith("off"),
    "long": lambda word: len(word) > 2 and word.replace("-", "").isalpha() and word not in _NAMED_BY_A_LETTER,
    "naming": lambda word: (
        word_class_of(word) in _NAMING and word not in {"comprising", "having", "including"}
    ),
    "noun": _noun,
    "plural": _plural,
    "third": lambda word: FORMS.get(word) is Form.THIRD,
}
"""What a word may be, by the name that patterns have for it; the classes of words have names too."""


class Wording(NamedTuple):
    """What is said of a pattern; the keys of the table say what each field is."""

    signal: str
    why: str
    insert: str
    capitals: bool
    not_after: frozenset[str]


def wordings(text: str) -> Iterator[Flaw]:
    """The first few places of a claim that a pattern matches. Signals: those of the table."""
    yield from islice(_flaws(text), _MAX_REPORTED)


def _flaws(text: str) -> Iterator[Flaw]:
    words, (patterns, known) = words_of(text), _table()
    done = 0
    for match in sorted(patterns.matches(lower_words_of(text))):
        if match.first >= done and (flaw := _flaw(text, words, known[match.pattern], match)) is not None:
            done = match.last
            yield flaw


def _flaw(text: str, words: Sequence[Word], wording: Wording, match: Match) -> Flaw | None:
    """The flaw of a pattern that matches; None if the words are right there for another reason."""
    first, _, _, last, place = match
    start, end = words[first].start, words[last - 1].end
    quote = text[start:end]
    doubled = last - first == 2 and words[first].lower == words[first + 1].lower
    if doubled or not (wording.capitals or quote.islower()):
        return None
    if any(word.lower in wording.not_after for word in words[max(0, first - _WORDS_BEFORE) : first]):
        return None
    at = words[place].start if wording.insert and place < len(words) else None
    fix = None if at is None else Fix(at, at, f"{wording.insert} ")
    return Flaw(RULE["ungrammatical"], start, end, wording.why.format(quote=quote), fix, (wording.signal,))


@cache
def _table() -> tuple[Patterns, tuple[Wording, ...]]:
    """The patterns of the table, and what is said of each."""
    lists = {name: frozenset(words.split()) for name, words in table("wordings")["lists"].items()}
    lines: list[str] = []
    known: list[Wording] = []
    for group in table("wordings")["wordings"]:
        not_after = lists[group["not_after"]] if "not_after" in group else frozenset()
        wording = Wording(
            group["signal"], group["why"], group.get("insert", ""), group.get("capitals", False), not_after
        )
        lines += group["patterns"]
        known += [wording] * len(group["patterns"])
    return Patterns(lines, FEATURES, lists), tuple(known)
