"""Whether claims are in English, the only language that the rules and the gatekeeper know.

A claim is taken for another language only on evidence: its script, or several words of that language while
there are none of English. Names of compounds and organisms, and sequences, are no evidence, and a claim may
be too short to tell. A set without any English word is given to py3langid as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, Protocol
from unicodedata import normalize

from ace.claims.language.identification import probabilities
from ace.claims.language.tables import table, word_list
from ace.errors import Refused

_ENGLISH: Final = word_list("languages", "english")
_AMBIGUOUS: Final = word_list("languages", "ambiguous")
_ACCENTS: Final = dict.fromkeys(range(0x300, 0x370))
_WORD: Final = re.compile(r"[^\W\d_]+")
_SENTENCE: Final = re.compile(r"[^.;:。；：\n]+")
_LETTERS: Final = re.compile(
    r"""(?P<latin>[A-Za-z\u00c0-\u024f]+)
      |(?P<japanese>[\u3040-\u30ff\u31f0-\u31ff]+)
      |(?P<korean>[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]+)
      |(?P<chinese>[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+)
      |(?P<cyrillic>[\u0400-\u052f]+)
      |(?P<greek>[\u0370-\u03ff\u1f00-\u1fff]{5,})
      |(?P<other>[\u0530-\u109f\u10a0-\u10ff\u1200-\u139f\u1780-\u18af]+)""",
    re.VERBOSE,
)
_SCRIPTS: Final = {
    "japanese": "Japanese",
    "korean": "Korean",
    "chinese": "Chinese",
    "cyrillic": "a language in Cyrillic letters",
    "greek": "Greek",
    "other": "a language in another script",
}
_MIN_SCRIPT_LETTERS: Final = 4
_MAX_LATIN: Final = 2.0
"""Latin letters for each letter of another script; a quotation in an English claim has more around it."""
_MAX_LATIN_IN_SENTENCE: Final = 0.5
_MIN_ENGLISH_SHARE: Final = 0.08
_MIN_WORDS: Final = 3
_MIN_SHARE: Final = 0.15
_MIN_SET_WORDS: Final = 4
_MIN_WORD_LETTERS: Final = 3
_MAX_WORD_LETTERS: Final = 30
_MIN_PROBABILITY: Final = 0.9
_MAX_ENGLISH_PROBABILITY: Final = 0.005
_LATIN_LANGUAGE: Final = "la"
"""What py3langid takes names of organisms for."""
_MAX_LISTED: Final = 10


def _words(text: str) -> list[str]:
    return _WORD.findall(_plain(text))


def _plain(text: str) -> str:
    """In small letters without accents, however these are written, because OCR and typists lose them."""
    text = text.casefold()
    return text if text.isascii() else normalize("NFKD", text).translate(_ACCENTS)


class _Vocabulary(NamedTuple):
    claim_words: frozenset[str]
    short_words: frozenset[str]


def _vocabularies() -> Mapping[str, _Vocabulary]:
    return {
        name.capitalize(): _Vocabulary(
            frozenset(_words(words["claim_words"])), frozenset(_words(words["short_words"])) - _AMBIGUOUS
        )
        for name, words in table("languages")["others"].items()
    }


_LANGUAGES: Final = _vocabularies()
_SHORT_WORDS: Final = frozenset().union(*(known.short_words for known in _LANGUAGES.values()))


class _Numbered(Protocol):
    """A claim as far as its language goes."""

    @property
    def number(self) -> int:
        """Its number."""

    @property
    def text(self) -> str:
        """Its text; empty if it is canceled."""


def is_english(text: str) -> bool:
    """Whether the text has as many English words as English claims do."""
    words = _words(text)
    return bool(words) and _english_share(words) >= _MIN_ENGLISH_SHARE


def other_language(text: str) -> str | None:
    """The language of a claim, or of a sentence of it, that is not English; None if there is no evidence."""
    script = _script(text, _MAX_LATIN)
    if script is not None:
        return script
    words = _words(text)
    if _english_share(words) < _MIN_ENGLISH_SHARE and (language := _language(words)) is not None:
        return language
    if text.isascii() and _SHORT_WORDS.isdisjoint(words):
        return None
    for sentence in _SENTENCE.finditer(text):
        inner = _words(sentence.group())
        script = _script(sentence.group(), _MAX_LATIN_IN_SENTENCE)
        language = script or (None if _english_share(inner) else _language(inner))
        if language is not None:
            return language
    return None


def refuse_other_languages(claims: Sequence[_Numbered], pointer: str, stated: str = "") -> None:
    """Raises Refused if a claim is not in English, or if no claim is and all together cannot be.

    `stated` is the language that the file itself gives, as a code such as "de".
    """
    written = [claim for claim in claims if claim.text]
    others = {claim.number: language for claim in written if (language := other_language(claim.text))}
    if any(is_english(claim.text) for claim in written if claim.number not in others):
        numbers = list(others)
    else:
        stated_other = stated != "" and not stated.startswith("en")
        foreign = others or stated_other or _another("\n".join(claim.text for claim in written))
        numbers = [claim.number for claim in written] if foreign else []
    if not numbers:
        return
    listed = ", ".join(map(str, numbers[:_MAX_LISTED])) + (" …" if len(numbers) > _MAX_LISTED else "")
    which = f"claim {listed} is" if len(numbers) == 1 else f"claims {listed} are"
    guess = f" ({next(iter(others.values()))}, it seems)" if others else ""
    message = f"{which} not entirely in English{guess}; only English claims are read, so send a translation"
    raise Refused(message, code="not_english", pointer=pointer)


def _english_share(words: list[str]) -> float:
    return sum(word in _ENGLISH for word in words) / len(words) if words else 0.0


def _language(words: list[str]) -> str | None:
    """The language of which these words have the most, if they have enough."""
    distinct = set(words)
    counts = {}
    for name, known in _LANGUAGES.items():
        short = distinct & known.short_words
        named = bool(short) and not distinct.isdisjoint(known.claim_words)
        share = sum(word in short for word in words) / max(1, len(words))
        if named or (len(short) >= _MIN_WORDS and share >= _MIN_SHARE):
            counts[name] = len(short) + named
    return max(counts, key=counts.__getitem__, default=None)


def _script(text: str, max_latin: float) -> str | None:
    """The language whose script the text is written in, if that has few enough Latin letters beside it."""
    if text.isascii():
        return None
    counts = dict.fromkeys(("latin", *_SCRIPTS), 0)
    for match in _LETTERS.finditer(text):  # letters alone: marks say nothing of the language
        counts[match.lastgroup or ""] += sum(map(str.isalpha, match.group()))
    latin = counts.pop("latin")
    total = sum(counts.values())
    if total < _MIN_SCRIPT_LETTERS or latin > max_latin * total:
        return None
    return next(_SCRIPTS[script] for script, count in counts.items() if count)


def _another(text: str) -> bool:
    """Whether py3langid is sure that the text is in another language."""
    written = _WORD.findall(normalize("NFC", text).casefold())
    words = [word for word in written if _MIN_WORD_LETTERS <= len(word) <= _MAX_WORD_LETTERS]
    if len(words) < _MIN_SET_WORDS:
        return False
    ranked = probabilities(" ".join(words))
    best, probability = ranked[0]
    sure = best != _LATIN_LANGUAGE and probability >= _MIN_PROBABILITY
    return sure and dict(ranked)["en"] < _MAX_ENGLISH_PROBABILITY
