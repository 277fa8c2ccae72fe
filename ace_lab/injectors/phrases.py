"""Noun phrases behind an article, where a defect can be placed.

Based on `ace.claims.language.noun_phrases`. A skipped phrase costs a training row, a misread one makes a
noisy row. So phrases that may end earlier ("the module queries") are left out, and so are those that name
no thing ("a manner").
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from ace.claims.language.noun_phrases import Determiner, WordClass, noun_phrases, word_class_of
from ace.claims.language.words import lemma, words_of

_ARTICLE = re.compile(r"(an?|the|said) (?=\S)", re.IGNORECASE)
_SPOKEN_Y = re.compile(r"u(?:s[aeu]|ni(?![mn])|ti)|eu|one\b")
_MOST_WORDS = 5
_SHORTEST_HEAD = 3  # letters: "a B" is too short to recognise
_NO_THING = frozenset(
    {"claim", "group", "invention", "kind", "least", "manner", "most", "number", "one", "order"}
    | {"basis", "case", "couple", "following", "lot", "other", "plurality", "same", "use", "variety", "way"}
)
_NO_THING_ALONE = frozenset(
    {"combination", "form", "method", "part", "process", "range", "set", "step", "time"}
)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase with its article; start and end are offsets of the whole, article included."""

    article: str
    words: tuple[str, ...]
    start: int
    end: int

    @property
    def head(self) -> str:
        """The last word, on which agreement with an introduction is judged."""
        return self.words[-1]

    @property
    def text(self) -> str:
        """The phrase without its article."""
        return " ".join(self.words)


def indefinite(text: str) -> list[Phrase]:
    """Phrases after "a" and "an", in order."""
    return list(_phrases(text)[0])


def definite(text: str) -> list[Phrase]:
    """Phrases after "the" and "said", in order."""
    return list(_phrases(text)[1])


def occurs(head: str, text: str) -> bool:
    """Whether the word, in singular or plural, occurs in the text."""
    return re.search(_any_number(head), text, re.IGNORECASE) is not None


def occurrences(head: str, text: str) -> list[tuple[int, int]]:
    """Offsets of the word in the text, singular and plural alike."""
    return [match.span() for match in re.finditer(_any_number(head), text, re.IGNORECASE)]


def article_for(word: str) -> str:
    """ "a" or "an", by how the word begins: "an axle", "a useful axle", "an hourly dose"."""
    lower = word.lower()
    spoken_vowel = lower.startswith("hour") or (lower[:1] in tuple("aeiou") and not _SPOKEN_Y.match(lower))
    return "an" if spoken_vowel else "a"


def _any_number(head: str) -> str:
    stem = head[:-1] if head.endswith("s") and not head.endswith("ss") else head
    return rf"(?<![\w-]){re.escape(stem)}(?:s|es)?(?![\w-])"


@lru_cache(maxsize=8_192)
def _phrases(text: str) -> tuple[tuple[Phrase, ...], tuple[Phrase, ...]]:
    """The phrases after "a" and those after "the", cached because every injector needs both of the same
    claims."""
    found: tuple[list[Phrase], list[Phrase]] = ([], [])
    for read in noun_phrases(words_of(text)):
        article = _ARTICLE.match(text, read.start) if read.determiner else None
        if article is None or read.cuts or len(read.words) > _MOST_WORDS:
            continue
        name = " ".join(read.words)
        end = article.end() + len(name)
        written = text[article.end() : end]
        # Adverbs and marks within a phrase are not among its words, so such a phrase cannot be spliced.
        if written.lower() != name or not _names_a_thing(read.words):
            continue
        phrase = Phrase(article[1], tuple(written.split(" ")), read.start, end)
        found[read.determiner >= Determiner.THE].append(phrase)
    return tuple(found[0]), tuple(found[1])


def _names_a_thing(words: tuple[str, ...]) -> bool:
    head = lemma(words[-1])
    return (
        len(head) >= _SHORTEST_HEAD
        and head not in _NO_THING
        and (len(words) > 1 or head not in _NO_THING_ALONE)
        and word_class_of(words[-1]) not in (WordClass.ING, WordClass.PARTICIPLE, WordClass.LY)
    )
