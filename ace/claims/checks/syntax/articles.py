"""Articles that do not fit what they stand before: "a apparatus", "a blades"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import Final

from ace.claims.checks.syntax.rules import RULE
from ace.claims.findings import Fix, Flaw
from ace.claims.language.lexicon import THINGS
from ace.claims.language.noun_phrases import Phrase, WordClass, phrases_of, word_class_of
from ace.claims.language.words import Word, is_plural, lemma, words_of

_MAX_REPORTED: Final = 3
_NO_AN: Final = frozenset({"also", "each", "into", "only", "over"})
_WANTS_AN: Final = re.compile(
    r"(?:[aio]|e(?!u|w))(?!nd|re|ll|ne\b|nce\b|ne-|ui)[a-z]{3,}(?:-[a-z]+)*\Z"
).match
_WANTS_A: Final = re.compile(r"[bcdfgjklmnpqrstvwyz]{1,3}[aeiouy][a-z]{2,}(?:-[a-z]+)*\Z").match
_RIGHT: Final = {"a": "an", "an": "a"}
_MAY_BE_WRONG: Final = re.compile(r" a(?:\s[aeio]|[nN]\s[bcdfgjklmnpqrstvwyz])")  # quick to look for
# Behind one of these a letter is a name: "the a axis", "step a".
_BEFORE_LETTERS: Final = frozenset({"the", "said", "step", "steps", ".", "/", "-", "(", "'", "’"})


def a_or_an(text: str) -> Iterator[Flaw]:
    """The first few places of "a" for "an" or of "an" for "a". Signal: "an"."""
    if _MAY_BE_WRONG.search(text) is not None:
        yield from islice(_wrong_articles(text, words_of(text)), _MAX_REPORTED)


def _wrong_articles(text: str, words: Sequence[Word]) -> Iterator[Flaw]:
    before = ""
    for word, following in pairwise(words):
        right = _RIGHT.get(word.lower)
        if right is not None and before not in _BEFORE_LETTERS and following.lower not in _NO_AN:
            wants = _WANTS_AN if right == "an" else _WANTS_A
            alone = word.start and text[word.start - 1] == " " and following.start == word.end + 1
            if alone and text[word.start] == "a" and wants(text[following.start : following.end]):
                why = f"“{right}” and not “{word.lower}” stands before “{following.lower}”."
                fix = Fix(word.start, word.end, right)
                yield Flaw(RULE["ungrammatical"], word.start, following.end, why, fix, ("an",))
        before = word.lower


_ONE: Final = (("a",), ("an",))
_ENDS: Final = frozenset(
    [
        ".",
        ",",
        ";",
        ":",
        "are",
        "comprise",
        "comprises",
        "comprising",
        "configured",
        "for",
        "has",
        "have",
        "having",
        "include",
        "includes",
        "is",
        "that",
        "was",
        "were",
        "wherein",
        "which",
    ]
)
_NOUN_ENDINGS: Final = ("ance", "ence", "er", "ion", "ity", "ment", "or")
_OF_ONE: Final = frozenset(
    [
        "bellows",
        "chassis",
        "gallows",
        "headquarters",
        "means",
        "premises",
        "sales",
        "scissors",
        "series",
        "species",
        "works",
    ]
)


def plural_after_a(text: str) -> Iterator[Flaw]:
    """ "a blades", "a corresponding embeddings": the first plural after "a". Signal: "number"."""
    words = words_of(text)
    for phrase in phrases_of(text):
        if not phrase.several or phrase.cuts or phrase.opening not in _ONE:
            continue
        after = words[phrase.last].lower if phrase.last < len(words) else "."
        if after in _ENDS and _is_plural_noun(text, words, phrase):
            why = f"“a” stands before the plural “{phrase.words[-1]}”."
            yield Flaw(RULE["ungrammatical"], phrase.start, phrase.end, why, None, ("number",))
            return


def _is_plural_noun(text: str, words: Sequence[Word], phrase: Phrase) -> bool:
    """Whether the phrase ends with the plural of a noun that no verb is; not "a first and a second lids"."""
    head = phrase.words[-1]
    if head in _OF_ONE or head[-1] != "s" or head[-2:-1] in "ius" or not is_plural(head):
        return False
    if word_class_of(head) is not WordClass.OPEN or not text[phrase.end - len(head) : phrase.end].islower():
        return False
    article = phrase.first - 1
    if article > 0 and words[article - 1].lower in {"and", "or"}:
        return False
    return lemma(head) in THINGS or lemma(head).endswith(_NOUN_ENDINGS)
