"""Wordings that no claim can have: "the of the rotor", "according the plan", "configured to rotating".

The patterns stand in language/tables/wordings.toml.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice, pairwise
from typing import Any, Final, NamedTuple

from ace.claims.checks.syntax.patterns import Feature, Pattern, compiled
from ace.claims.checks.syntax.rules import RULE
from ace.claims.checks.syntax.verbs import FORMS, Form
from ace.claims.findings import Fix, Flaw
from ace.claims.language.lexicon import NUMERALS
from ace.claims.language.tables import table
from ace.claims.language.word_classes import WordClass, word_class_of
from ace.claims.language.words import Word, is_plural, words_of

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
    """A pattern with what is said of it; the keys of the table say what each field is."""

    pattern: Pattern
    signal: str
    why: str
    insert: str
    capitals: bool
    not_after: frozenset[str]


def wordings(text: str) -> Iterator[Flaw]:
    """The first few places of a claim that a pattern matches. Signals: those of the table."""
    yield from islice(_found(text), _MAX_REPORTED)


def _found(text: str) -> Iterator[Flaw]:
    words, known = words_of(text), by_words()
    done = 0
    for at, (word, following) in enumerate(pairwise(words)):
        for each in (*known.get((word.lower, following.lower), ()), *known.get((word.lower, ""), ())):
            if (ends := each.pattern.match(words, at)) is not None:
                flaw = _flaw(text, words, each, ends)
                if flaw is not None and flaw.start >= done:
                    done = flaw.end
                    yield flaw
                    break


def _flaw(text: str, words: Sequence[Word], each: Wording, ends: Sequence[int]) -> Flaw | None:
    """The flaw of a pattern that matches; None if the words are right there for another reason."""
    first, last = ends[each.pattern.first], ends[each.pattern.last]
    start, end = words[first].start, words[last - 1].end
    quote = text[start:end]
    if not (each.capitals or quote.islower()) or (last - first == 2 and _same(words[first : first + 2])):
        return None
    if any(word.lower in each.not_after for word in words[max(0, first - _WORDS_BEFORE) : first]):
        return None
    fix = _inserted(words, each, ends)
    return Flaw(RULE["ungrammatical"], start, end, each.why.format(quote=quote), fix, (each.signal,))


def _inserted(words: Sequence[Word], each: Wording, ends: Sequence[int]) -> Fix | None:
    place = each.pattern.place
    if place is None or ends[place] >= len(words):
        return None
    at = words[ends[place]].start
    return Fix(at, at, f"{each.insert} ")


def _same(pair: Sequence[Word]) -> bool:
    return pair[0].lower == pair[1].lower


@cache
def by_words() -> dict[tuple[str, str], tuple[Wording, ...]]:
    """The wordings of the table, by the words that must stand at the anchor of their patterns."""
    found: defaultdict[tuple[str, str], list[Wording]] = defaultdict(list)
    lists = {name: frozenset(words.split()) for name, words in table("wordings")["lists"].items()}
    for group in table("wordings")["wordings"]:
        for wording in _group(group, lists):
            for key in wording.pattern.pairs():
                found[key].append(wording)
    return {key: tuple(known) for key, known in found.items()}


def _group(group: dict[str, Any], lists: dict[str, frozenset[str]]) -> Iterator[Wording]:
    for line in group["patterns"]:
        yield Wording(
            compiled(line, FEATURES, lists),
            group["signal"],
            group["why"],
            group.get("insert", ""),
            group.get("capitals", False),
            lists[group["not_after"]] if "not_after" in group else frozenset(),
        )
