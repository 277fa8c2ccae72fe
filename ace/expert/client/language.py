"""Whether an answer is in English: judged by the model's own words, not by what it quotes."""

import re
import unicodedata

_WORD = re.compile(r"[^\W\d_]+")
_LATIN_SHARE, _ENGLISH_SHARE, _LEAST_WORDS = 0.7, 0.04, 12
_ENGLISH = frozenset(
    {"the", "of", "and", "to", "are", "it", "its", "that", "this", "these", "which", "with", "but"}
    | {"for", "from", "by", "not", "has", "have", "each", "into", "there", "does", "because", "only"}
    | {"claim", "claims", "recites", "introduces", "scope", "unclear", "found"}
)
"""Frequent in English answers, and words of no other language that is written in the same letters."""
_FOREIGN = frozenset(
    {"der", "das", "und", "ist", "nicht", "ein", "eine", "kein", "keine", "den", "dem", "mit", "wird"}  # de
    | {"le", "la", "les", "des", "du", "une", "est", "et", "dans", "pas", "que", "qui", "aucun"}  # fr
    | {"el", "los", "las", "del", "una", "il", "che", "di", "della", "não", "uma", "os", "het", "niet"}
)
"""The same the other way round: for texts too short to miss English words in."""


def is_english(*spoken: str) -> bool:
    """Whether texts of the model's own words can be read by those they are for: each in letters of the
    Latin script and with no more frequent words of other languages than of English, and all together,
    where they are long enough to tell, with enough of English."""
    texts = [_WORD.findall(text) for text in spoken]
    english = [sum(word.lower() in _ENGLISH for word in words) for words in texts]
    if not all(map(_may_be_english, texts, english)):
        return False
    count = sum(map(len, texts))
    return count < _LEAST_WORDS or sum(english) >= _ENGLISH_SHARE * count


def _may_be_english(words: list[str], english: int) -> bool:
    letters = [letter for word in words for letter in word]
    latin = sum(letter.isascii() or unicodedata.name(letter, "").startswith("LATIN") for letter in letters)
    foreign = sum(word.lower() in _FOREIGN for word in words)
    return latin >= _LATIN_SHARE * len(letters) and foreign <= english
