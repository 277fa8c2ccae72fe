"""Term lists: words of a tenant's trade that the rules obey.

A term to ignore draws no finding; a term to keep together is read as one word, as if it were written with
hyphens: "airflow directing member" as "airflow-directing-member". Pure.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Final

from ace.claims.language.combining_marks import nfc
from ace.claims.language.words import lemma, plural_of
from ace.claims.model import ClaimSet
from ace.errors import Refused

TERM_CHARACTERS: Final = 100
MAX_TERMS: Final = 500
MAX_TERM_WORDS: Final = 8
"""Of a term to keep together."""

_DIGEST_DIGITS: Final = 16
_LISTS_READ: Final = 64

_WORD: Final = re.compile(r"[^\W_]+")
_FIRST_WORD: Final = re.compile(r"(?<![^\W_])(?<![-‐‑])[^\W_]+")
_KEPT: Final = re.compile(r"[^\W\d_][^\W_]*(?:[ -][^\W_]+)+")
_DETERMINERS: Final = frozenset({"a", "an", "said", "such", "the"})
_NUMERAL: Final = re.compile(r"[0-9]+[a-z]?")
_REFERRING: Final = frozenset({"claim", "claims"})


class TermKind(StrEnum):
    """What the rules do with a term."""

    IGNORE = "ignore"  # no finding is about it
    KEEP_TOGETHER = "keep_together"  # its words are read as one


@dataclass(frozen=True, slots=True)
class Terms:
    """A term list, each part in order and without duplicates. `terms_of` makes one."""

    ignore: tuple[str, ...] = ()
    keep_together: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """What identifies the list, 16 hexadecimal digits of SHA-256; "" for an empty one."""
        return _digest(self)

    def ignores(self, words: str) -> bool:
        """Whether these words of a claim are a term to ignore, whatever their article, number and reference
        numeral."""
        if not self.ignore:
            return False
        ignored = _keys(self.ignore)
        found = _words_in(words)
        return _key(found) in ignored or _key(_without_numerals(found)) in ignored

    def named_in(self, text: str) -> Terms:
        """The part of the list whose terms this text has."""
        return Terms(_named(self.ignore, text), _named(self.keep_together, text))


NO_TERMS: Final = Terms()


@dataclass(frozen=True, slots=True)
class Joined:
    """Claims in which each term to keep together has hyphens in place of white space, so that every offset
    stays; `written` has each such term as it was written."""

    claims: ClaimSet
    written: Mapping[str, str]

    def as_written(self, words: str) -> str:
        """Words of a rule about these claims, with the terms as the claims have them."""
        for joined, written in self.written.items():
            words = words.replace(joined, written)
        return words


def joined(claims: ClaimSet, terms: Terms) -> Joined:
    """The claims with the terms to keep together."""
    if not terms.keep_together:
        return Joined(claims, {})
    by_first = _by_first_word(terms.keep_together)
    written: dict[str, str] = {}
    made = [replace(claim, text=_joined_text(claim.text, by_first, written)) for claim in claims]
    return Joined(replace(claims, claims=tuple(made)), written)


def terms_of(ignore: Iterable[str] = (), keep_together: Iterable[str] = (), *, pointer: str = "") -> Terms:
    """The list of these terms as people write them. Raises Refused."""
    return Terms(
        _tidied(TermKind.IGNORE, ignore, pointer), _tidied(TermKind.KEEP_TOGETHER, keep_together, pointer)
    )


def _tidied(kind: TermKind, written: Iterable[str], pointer: str) -> tuple[str, ...]:
    listed = list(written)
    place = f"{pointer}/{kind}"
    if len(listed) > MAX_TERMS:
        words = f"a term list has at most {MAX_TERMS} terms of a kind"
        raise Refused(words, code="too_many_terms", pointer=place, limit=MAX_TERMS)
    tidy = {term_of(kind, each, pointer=f"{place}/{at}") for at, each in enumerate(listed)}
    return tuple(sorted(tidy))


def term_of(kind: TermKind, written: str, *, pointer: str = "") -> str:
    """A term in the form in which lists have it: lower case, without an article before it. Raises Refused."""
    if len(written) > TERM_CHARACTERS:
        limit = f"a term has at most {TERM_CHARACTERS} characters"
        raise Refused(limit, code="bad_term", pointer=pointer, limit=TERM_CHARACTERS)
    words = nfc(written).lower().split()
    while len(words) > 1 and words[0] in _DETERMINERS:
        del words[0]
    term = " ".join(words)
    if not term.isprintable() or not any(map(str.isalpha, term)):
        raise Refused("a term is a line with a letter in it", code="bad_term", pointer=pointer)
    if kind is TermKind.KEEP_TOGETHER:
        _refuse_unfit(term, pointer)
    return term


def _refuse_unfit(term: str, pointer: str) -> None:
    """Raises Refused for a term whose words cannot be read as one."""
    if not _KEPT.fullmatch(term):
        needed = "two words or more, of letters, digits and hyphens"
        raise Refused(f"a term to keep together has {needed}", code="bad_term", pointer=pointer)
    words = _words_in(term)
    if len(words) > MAX_TERM_WORDS:
        limit = f"at most {MAX_TERM_WORDS} words"
        raise Refused(
            f"a term to keep together has {limit}", code="bad_term", pointer=pointer, limit=MAX_TERM_WORDS
        )
    if not _REFERRING.isdisjoint(words):
        raise Refused(
            "a term to keep together does not contain “claim”, which refers to claims",
            code="bad_term",
            pointer=pointer,
        )


@lru_cache(maxsize=_LISTS_READ)
def _digest(terms: Terms) -> str:
    if terms == NO_TERMS:
        return ""
    listed = json.dumps([terms.ignore, terms.keep_together]).encode()
    return hashlib.sha256(listed).hexdigest()[:_DIGEST_DIGITS]


@lru_cache(maxsize=_LISTS_READ)
def _keys(ignore: tuple[str, ...]) -> frozenset[str]:
    return frozenset(_key(_words_in(term)) for term in ignore)


def _words_in(words: str) -> list[str]:
    return _WORD.findall(nfc(words).lower())


def _key(words: list[str]) -> str:
    """What the forms of a term have in common: its words without an article, the last in the singular."""
    begin = 0
    while begin < len(words) - 1 and words[begin] in _DETERMINERS:
        begin += 1
    return " ".join([*words[begin:-1], *map(lemma, words[-1:])])


def _without_numerals(words: list[str]) -> list[str]:
    end = len(words)
    while end > 1 and _NUMERAL.fullmatch(words[end - 1]):
        end -= 1
    return words[:end]


@lru_cache(maxsize=_LISTS_READ)
def _by_first_word(keep_together: tuple[str, ...]) -> dict[str, list[re.Pattern[str]]]:
    """A pattern for each term, under its first word; the longer terms first."""
    found: dict[str, list[re.Pattern[str]]] = {}
    for words in sorted(map(_words_in, keep_together), key=len, reverse=True):
        found.setdefault(words[0], []).append(_pattern(words))
    return found


def _pattern(words: list[str]) -> re.Pattern[str]:
    """The term in singular and plural, with one space or hyphen between words, as whole words."""
    *front, last = words
    forms = sorted({last, lemma(last), plural_of(lemma(last))}, key=len, reverse=True)
    body = r"[\s\-‐‑]".join([*front, f"(?:{'|'.join(forms)})"])
    return re.compile(rf"{body}(?![^\W_])(?![-‐‑][^\W_])", re.IGNORECASE)


def _named(terms: tuple[str, ...], text: str) -> tuple[str, ...]:
    found = {_key(_words_in(match[0])) for match in _terms_in(text, _by_first_word(terms))} if terms else ()
    return tuple(each for each in terms if _key(_words_in(each)) in found)


def _joined_text(text: str, by_first: Mapping[str, list[re.Pattern[str]]], written: dict[str, str]) -> str:
    pieces, done = [], 0
    for term in _terms_in(text, by_first):
        as_one = re.sub(r"\s", "-", term[0])
        if as_one != term[0]:
            written[as_one] = term[0]
            written[as_one.lower()] = term[0].lower()
        pieces += [text[done : term.start()], as_one]
        done = term.end()
    return "".join([*pieces, text[done:]])


def _terms_in(text: str, by_first: Mapping[str, list[re.Pattern[str]]]) -> Iterator[re.Match[str]]:
    """The terms in a text, none within another."""
    done = 0
    for word in _FIRST_WORD.finditer(text):
        if word.start() < done:
            continue
        patterns = by_first.get(word[0].lower(), ())
        found = next((match for each in patterns if (match := each.match(text, word.start()))), None)
        if found is not None:
            done = found.end()
            yield found
