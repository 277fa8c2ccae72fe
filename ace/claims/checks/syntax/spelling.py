"""Misspelt words: one letter away from a word of all claims ("comprising") or from one that a set repeats."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import islice
from typing import Final

from ace.claims.checks.syntax.rules import RULE
from ace.claims.checks.syntax.words import CHEMICAL_ENDINGS, CLAIM_WORDS, RIGHTLY_SPELT
from ace.claims.findings import Fix, Flaw
from ace.claims.language.lexicon import CLOSED, CONFUSABLE, NOUN_VERBS, THINGS, VERBS, third_person
from ace.claims.language.words import lemma, lower_words_of, one_slip, root, word_set, words_of
from ace.claims.model import Claim
from ace.claims.reading import Reading

_PLAIN: Final = re.compile(r"(?<![’'/.-])[a-z]{5,}(?![’'-])")
_LEAST_LETTERS: Final = 5
_MIN_TIMES: Final = 2
_MAX_TIMES: Final = 2
_MIN_CHANGED: Final = 7
"""Letters of the shortest word in which one letter may stand for another; short ones are different words."""
_MAX_REPORTED: Final = 5
_MAX_NAME: Final = 4
"""Words of a name that may be misspelt, with its article."""

Misspelt = dict[str, tuple[str, tuple[str, ...]]]
"""Misspelt words of a set: what each means, and the signals of the flaw."""


def misspellings(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """The misspelt words of a claim.

    Signals: "claim_word" for a slip in a word of all claims, "name" for what may be a chemical name,
    "changed" for a letter in place of another, "twice" for a misspelling that the claims repeat.
    """
    misspelt = reading.kept(_misspelt)
    if not misspelt.keys().isdisjoint(word_set(claim.text)):
        yield from islice(_flaws(claim.text, misspelt), _MAX_REPORTED)


def _flaws(text: str, misspelt: Misspelt) -> Iterator[Flaw]:
    lowers = lower_words_of(text)
    for at, word in enumerate(words_of(text)):
        if word.lower not in misspelt or _PLAIN.match(text, word.start) is None:
            continue
        meant, signals = misspelt[word.lower]
        if "claim_word" in signals or not _is_behind_the(lowers, at):
            why = f"“{word.lower}” seems to be a misspelling of “{meant}”."
            fix = Fix(word.start, word.end, meant)
            yield Flaw(RULE["misspelling"], word.start, word.end, why, fix, signals)


def _is_behind_the(lowers: Sequence[str], at: int) -> bool:
    """Whether "the" opens the name to which a word belongs, so that it lacks a basis."""
    for word in reversed(lowers[max(0, at - _MAX_NAME) : at]):
        if word in {"the", "said"} or not word[0].isalnum():
            return word[0].isalnum()
    return False


def _misspelt(reading: Reading) -> Misspelt:
    counted: Counter[str] = Counter()
    for claim in reading.claims:
        counted.update(lower_words_of(claim.text))
    by_letter: defaultdict[str, list[str]] = defaultdict(list)
    for word, times in counted.items():
        if times >= _MIN_TIMES and len(word) >= _LEAST_LETTERS and word.isalpha():
            by_letter[word[0]].append(word)
    found: Misspelt = {}
    for word, times in counted.items():
        if times > _MAX_TIMES or len(word) < _LEAST_LETTERS or not word.isalpha() or _is_known(word):
            continue
        if (meant := _claim_word(word)) is not None:
            found[word] = meant, ("claim_word",)
        else:
            alike = (each for each in by_letter[word[0]] if counted[each] > times and _slips(word, each))
            if (meant := next(alike, None)) is not None:
                found[word] = meant, _signals(word, meant, times)
    return found


def _slips(word: str, meant: str) -> bool:
    """Whether one letter makes the difference, and the words are not of one root, or one in two forms."""
    if abs(len(word) - len(meant)) > 1 or word.startswith(meant) or meant.startswith(word):
        return False
    if _is_changed(word, meant) and (len(word) < _MIN_CHANGED or word.endswith(CHEMICAL_ENDINGS)):
        return False
    return one_slip(word, meant) and root(word) != root(meant) and _radical(word) != _radical(meant)


def _is_changed(word: str, meant: str) -> bool:
    """Whether a letter stands for another, which is likelier to make another word."""
    return len(word) == len(meant) and sorted(word) != sorted(meant)


def _signals(word: str, meant: str, times: int) -> tuple[str, ...]:
    signals = {
        "name": word.endswith(CHEMICAL_ENDINGS),
        "changed": _is_changed(word, meant),
        "twice": times > 1,
    }
    return tuple(signal for signal, holds in signals.items() if holds)


def _radical(word: str) -> str:
    """The same for "benzoyl" and "benzyl", "ethyl" and "methyl"; any other word as it is."""
    return word.replace("oyl", "yl").replace("methyl", "ethyl")


@cache
def _shapes_of_claim_words() -> dict[tuple[str, str], tuple[str, ...]]:
    """The words of all claims by first letter and ending, and by first letter and all letters in order."""
    shapes: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for word in sorted(CLAIM_WORDS):
        for shape in _shapes(word):
            shapes[shape].append(word)
    return {shape: tuple(words) for shape, words in shapes.items()}


def _shapes(word: str) -> tuple[tuple[str, str], tuple[str, str]]:
    return (word[0], word[-2:]), (word[0], "".join(sorted(word)))


@lru_cache(maxsize=16_384)
def _claim_word(word: str) -> str | None:
    known = _shapes_of_claim_words()
    alike = (each for shape in _shapes(word) for each in known.get(shape, ()))
    return next((each for each in alike if one_slip(word, each)), None)


@lru_cache(maxsize=16_384)
def _is_known(word: str) -> bool:
    known = _known()
    return word in known or lemma(word) in known


@cache
def _known() -> frozenset[str]:
    """Words that are spelt rightly: those of the tables, verbs in all their forms."""
    verbs = VERBS | NOUN_VERBS
    forms = {form for verb in verbs for form in (verb, third_person(verb), *_ed_and_ing(verb))}
    return frozenset(forms | THINGS | CLOSED | CONFUSABLE | CLAIM_WORDS | RIGHTLY_SPELT)


def _ed_and_ing(verb: str) -> tuple[str, ...]:
    if verb.endswith("e"):
        return f"{verb}d", f"{verb[:-1]}ing"
    doubled = verb + verb[-1]
    base = verb[:-1] + "i" if verb[-1] == "y" else verb
    return f"{base}ed", f"{verb}ing", f"{doubled}ed", f"{doubled}ing"
