"""Attributes that a text states of its things: "the housing is not opaque", with what limits each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ace.claims.checks.logical.chain import MAX_STATEMENTS, kept_with_set
from ace.claims.checks.logical.paraphrases import Paraphrase, paraphrases
from ace.claims.checks.logical.statements import brought_in_once
from ace.claims.checks.logical.subjects import (
    StatementSubject,
    brought_about,
    clause_start,
    conditional,
    in_condition,
    is_known,
    subject_before,
)
from ace.claims.language.lexicon import THINGS
from ace.claims.language.materials import MATERIALS, kinds_of
from ace.claims.language.opposites import NAMING, POLES, opposed, unnegated
from ace.claims.language.tables import word_list
from ace.claims.reading import Reading

_PREDICATE = re.compile(
    r"""\s(?:is|are|being|remains?)\s
        (?:(?:always|also)\s)?(?P<not>not\s)?
        (?P<made>(?:[a-z]+ly\s)?(?:made|formed|composed|constructed|manufactured|fabricated)\s
            (?:(?:entirely|completely|exclusively)\s)?(?:out\s)?(?:of|from)\s)?
        (?P<both>(?:both|simultaneously)\s)?(?P<article>an?\s)?
        (?P<adverbs>(?:[a-z]+ly\s|always\s|throughout\s){0,2})
        (?P<word>[a-z][a-z-]+)
        (?:\sand\s(?:(?:simultaneously|also|at\sthe\ssame\stime)\s)?(?P<second>(?:[a-z]+ly\s)?[a-z][a-z-]+))?""",
    re.VERBOSE,
)
_OF_MATERIAL = re.compile(
    r"\sof\s(?:an?\s)?(?:[a-z-]+\s)?(?P<stuff>[a-z-]+)(?=\s?(?:[,;.:)]|\Z)|\s(?:and|having|on|that|which|with)\b)"
)
"""After the name of a thing that is brought in: "a rib of aluminum"."""
_SHAPED = THINGS - word_list("logic", "genera") - {"mixture"}
_WEAK = word_list("logic", "weak_adverbs")
_DOMAINS = word_list("logic", "domains")
_FULL = re.compile(
    r"\s?(?:[,;.:)]|\Z|(?:and|but|while|whereas|wherein|throughout|at\sall\stimes|relative\sto)\b)"
)
_ALTERNATIVE = re.compile(r"\s?(?:/|,?\s?(?:or|and/or|to)\b)")
_FOLLOWING = re.compile(r"\s([a-z]+)")
_REST = 80
"""Characters in which the rest of a statement is looked for."""
_NOT_STATED = frozenset({"if", "or", "when", "whether", "which"})
_STUFF = word_list("logic", "stuff")
_EXISTING = word_list("logic", "existing")


_FEW = frozenset({"only", "some"})
_AT_REST = frozenset({"immobile", "immovable", "stationary"})


@dataclass(frozen=True, slots=True)
class Attribute:
    """ "the housing is not opaque": text[subject.start:end] says `word` of the subject.

    `rest` is what limits it ("to the axis", "at one end"), `domain` the respect ("electrically"), `frequency`
    how often and `scope` of how many it holds, `act` whether a verb says it, `relative` whether it qualifies
    what it brings in, `wholly` whether it holds of all of the thing.
    """

    subject: StatementSubject
    word: str
    negated: bool
    domain: str
    rest: str
    end: int
    conditional: bool
    staged: bool
    second: str = ""
    frequency: str = ""
    act: bool = False
    scope: str = ""
    relative: bool = False
    wholly: bool = False

    def excludes(self, other: Attribute) -> str | None:
        """The dimension on which the two exclude each other, or None."""
        if self.domain != other.domain and self.domain and other.domain:
            return None
        if self.rest != other.rest and not (self._covers(other) or other._covers(self)):
            return None
        scopes = {self.scope, other.scope}
        frequencies = {self.frequency, other.frequency}
        if not scopes.isdisjoint(_FEW) and "all" not in scopes:
            return None
        if self.negated != other.negated:
            denied, said = (self.word, other.word) if self.negated else (other.word, self.word)
            return "negation" if denied == said or denied in kinds_of(said) else None
        if self.word == other.word:
            return "frequency" if frequencies == {"always", "sometimes"} else None
        if self.negated or frequencies in ({"", "sometimes"}, {"sometimes"}):
            return None
        return opposed(self.word, other.word)

    def _covers(self, other: Attribute) -> bool:
        """Whether it holds of the whole thing, and the other at some part of it; or it rests, and the other
        moves somewhere or relative to something."""
        if self.rest:
            return False
        if other.act and other.rest.startswith("relative "):
            return True
        return self.word in _AT_REST or (self.wholly and other.rest.startswith(("at ", "on ", "in ")))


@kept_with_set
def stated_attributes(reading: Reading, text: str) -> tuple[Attribute, ...]:
    """The attributes that a text states with a verb, those it qualifies as partial left out."""
    found = {(each.subject.words, each.subject.start, each.word): each for each in _plain(text)}
    for paraphrase in paraphrases(reading, text):
        said = _paraphrased(paraphrase)
        plain = found.get((said.subject.words, said.subject.start, said.word))
        if plain is None:
            found[said.subject.words, said.subject.start, said.word] = said
        elif not plain.second:
            found[plain.subject.words, plain.subject.start, plain.word] = replace(
                plain,
                rest=said.rest,
                frequency=said.frequency,
                conditional=said.conditional,
                scope=said.scope,
                wholly=said.wholly,
            )
    return tuple(sorted(found.values(), key=lambda each: each.end)[:MAX_STATEMENTS])


def _plain(text: str) -> Iterator[Attribute]:
    for match in _PREDICATE.finditer(text):
        attribute = _attribute(text, match)
        if attribute is not None:
            yield attribute
    for match in _OF_MATERIAL.finditer(text):
        if match["stuff"] not in MATERIALS:
            continue
        subject = subject_before(text, match.start(), through=frozenset())
        if subject is not None and subject.head in _SHAPED and brought_in_once(text, subject.words):
            end = match.end("stuff")
            yield Attribute(subject, match["stuff"], False, "", "", end, False, False, relative=True)


def _paraphrased(said: Paraphrase) -> Attribute:
    statement = said.statement
    return Attribute(
        replace(statement.subject, start=statement.start),
        said.word,
        said.negated,
        said.domain,
        said.rest,
        statement.end,
        said.conditional,
        said.staged,
        frequency=statement.frequency,
        act=said.act,
        scope=statement.scope,
        relative=statement.brings_in,
        wholly=said.wholly,
    )


def _attribute(text: str, match: re.Match[str]) -> Attribute | None:
    adverbs = match["adverbs"].split()
    word = _whole_word(adverbs, match["word"])
    made = match["made"] is not None
    if not _WEAK.isdisjoint(adverbs) or not _tells(word, negated=bool(match["not"]), made=made):
        return None
    domain = next((adverb for adverb in adverbs if adverb in _DOMAINS), "")
    second = _second(text, match, word, domain)
    end = match.end() if second else match.end("word")
    rest = "" if second else _rest(text, match)
    if _ALTERNATIVE.match(text, match.end("word")) or rest is None:
        return None
    subject = subject_before(text, match.start())
    if subject is None or not is_known(text, subject) or subject.opener in _NOT_STATED:
        return None
    plain = unnegated(word)
    denies = plain is not None and plain in POLES and word not in POLES
    begin = clause_start(text, subject.start)
    return Attribute(
        subject,
        plain if plain and denies else word,
        bool(match["not"]) != denies,
        domain,
        rest,
        end,
        conditional(text, subject.start, subject.end, end),
        in_condition(text, subject.start, begin) or brought_about(text, begin),
        second,
    )


def _whole_word(adverbs: list[str], word: str) -> str:
    """ "permanently-attached" if the table has the two words as one property."""
    whole = f"{adverbs[-1]}-{word}" if adverbs else word
    return whole if whole in POLES else word


def _tells(word: str, *, negated: bool, made: bool) -> bool:
    """Whether the word is an attribute: one of the table, a material, the negation of a word, or one that is
    denied."""
    known = word in POLES or word in (MATERIALS if made else NAMING)
    return known or unnegated(word) is not None or (negated and word not in _EXISTING)


def _second(text: str, match: re.Match[str], word: str, domain: str) -> str:
    """The opposite that is said in one breath: "is open and closed"; "" if there is none."""
    second = _joined(match["second"] or "", domain)
    both = second and opposed(word, second) and (match["both"] or _FULL.match(text, match.end()))
    return second if both else ""


def _rest(text: str, match: re.Match[str]) -> str | None:
    """What limits the attribute ("to the axis"), "" if nothing does, None if the word is no attribute."""
    end = match.end("word")
    if _FULL.match(text, end):
        return ""
    following = _FOLLOWING.match(text, end)
    if following is None or following[1] == "than":
        return None
    if match["article"] or (match["made"] and following[1] in _STUFF):
        return ""
    if following[1] not in _RELATING:
        return None
    return " ".join(re.split(r"[,;.]", text[end : end + _REST], maxsplit=1)[0].split())


def _joined(written: str, domain: str) -> str:
    """ "permanently attached" where the two words are one property, else the last word. Nothing
    where it is meant in another respect than `domain`."""
    parts = written.split()
    whole = "-".join(parts)
    if whole in POLES or len(parts) < 2:
        return whole
    return "" if parts[0] in _WEAK or (parts[0] in _DOMAINS and parts[0] != domain) else parts[-1]


_RELATING = word_list("logic", "relating")
