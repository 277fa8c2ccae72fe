"""Noun phrases by rule: articles, a stop list and word endings. Good enough to place a defect.

This is no parser and the runtime does not use it: a phrase it misses costs a training row,
a phrase it gets wrong costs a noisy one. Runs do not overlap, so a phrase whose article stands
within three words of another's is passed over; nouns in -ing (a housing) are taken for participles.
"""

import re
from dataclasses import dataclass

_WORD = r"[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*"
_INDEFINITE = re.compile(rf"\b(an?)\s+({_WORD}(?:\s+{_WORD}){{0,3}})")
_DEFINITE = re.compile(rf"\b(the|said)\s+({_WORD}(?:\s+{_WORD}){{0,3}})", re.IGNORECASE)
_STOP = frozenset(
    """
    of for that which who whose wherein whereby where when while if as at by in into on onto from to
    with within without and or but than then is are was were be been being has have having had can
    may will shall does do not no configured adapted arranged operable comprising comprises comprise
    including includes include consisting consists containing contains contain using via per through
    between among under over above below about against along across after before during until upon
    a an the said each any all some such other one two three four more most least further claim
    claims method wherein according based defined recited selected between so it its their this
    these those both either neither only also thereby therefrom thereof therein therewith thereto
    group consisting step steps set
    """.split()  # noqa: SIM905  (a list of sixty quoted words hides what it says)
)
_TAIL = ("ed", "ing", "ly", "able", "ible")


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
    return _phrases(_INDEFINITE, text)


def definite(text: str) -> list[Phrase]:
    """Phrases after "the" and "said", in order."""
    return _phrases(_DEFINITE, text)


def occurs(head: str, text: str) -> bool:
    """Whether the word, in singular or plural, occurs in the text."""
    return re.search(_any_number(head), text, re.IGNORECASE) is not None


def occurrences(head: str, text: str) -> list[tuple[int, int]]:
    """Offsets of the word in the text, singular and plural alike."""
    return [match.span() for match in re.finditer(_any_number(head), text, re.IGNORECASE)]


def article_for(word: str) -> str:
    """ "a" or "an", by the first letter."""
    return "an" if word[:1].lower() in "aeiou" else "a"


def _any_number(head: str) -> str:
    stem = head[:-1] if head.endswith("s") and not head.endswith("ss") else head
    return rf"(?<![\w-]){re.escape(stem)}(?:s|es)?(?![\w-])"


def _phrases(pattern: re.Pattern[str], text: str) -> list[Phrase]:
    found = []
    for match in pattern.finditer(text):
        words = _noun_words(match.group(2))
        if not words:
            continue
        end = match.start(2) + len(" ".join(words))
        # The pattern allows runs of spaces; offsets are only right where there are none.
        if text[match.start(2) : end] != " ".join(words):
            continue
        found.append(Phrase(match.group(1), words, match.start(), end))
    return found


def _noun_words(run: str) -> tuple[str, ...]:
    words: list[str] = []
    for word in run.split():
        if word.lower() in _STOP or (words and word.lower().endswith(_TAIL)):
            break
        words.append(word)
    if not words or words[-1].lower().endswith(_TAIL) or len(words[-1]) < 3:
        return ()
    return tuple(words)
