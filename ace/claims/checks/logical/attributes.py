"""Opposed attributes of one element: "a transparent housing … wherein the housing is opaque"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice, pairwise

from ace.claims.checks.logical.chain import MAX_STATEMENTS, kept_with_set, nearest_ancestors
from ace.claims.checks.logical.paraphrases import Paraphrase, paraphrases
from ace.claims.checks.logical.rules import CONTRADICTION
from ace.claims.checks.logical.subjects import (
    StatementSubject,
    alternatives,
    conditional,
    in_condition,
    is_known,
    same_part,
    subject_before,
)
from ace.claims.findings import Flaw
from ace.claims.language.materials import MATERIALS, kinds_of
from ace.claims.language.opposites import NAMING, POLES, agree, changeable, opposed, opposites, unnegated
from ace.claims.language.tables import word_list
from ace.claims.model import Claim
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
_NO_MODIFIER = word_list("logic", "no_modifier")
_STUFF = word_list("logic", "stuff")
_EXISTING = word_list("logic", "existing")
_COMPOUNDS = word_list("logic", "compounds")


_ALTOGETHER = word_list("logic", "altogether")
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
        moves somewhere."""
        if self.rest:
            return False
        return self.word in _AT_REST or (self.wholly and other.rest.startswith(("at ", "on ", "in ")))


def contradictions(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Attributes that the claim states of an element and that it, or an ancestor, also denies."""
    own = stated_attributes(reading, claim.text)
    if not own:
        return
    ancestors = nearest_ancestors(reading, claim)
    inherited = [_by_subject(reading, ancestor.text) for ancestor in ancestors]
    before: _Stated = {}
    for attribute in own:
        if attribute.conditional:
            continue
        if attribute.relative:
            _add(before, attribute)
            continue
        if attribute.second:
            yield _flaw(attribute, attribute.second, claim, ("same_claim", "element_exact"))
        else:
            found = _against_statements(claim.text, attribute, before, inherited) or _against_names(
                reading, attribute, claim, ancestors
            )
            if found is not None:
                yield _flaw(attribute, found[0], claim, found[1])
        _add(before, attribute)


_Stated = dict[tuple[str, ...], dict[tuple[object, ...], Attribute]]
"""Attributes that hold at all times by the words of their subject; those that say the same only once, as each
is compared with each of the claims that inherit it."""


def _add(stated: _Stated, each: Attribute) -> None:
    said = (
        each.subject.of,
        each.word,
        each.negated,
        each.domain,
        each.rest,
        each.staged,
        each.frequency,
        each.scope,
    )
    stated.setdefault(each.subject.words, {}).setdefault(said, each)


@kept_with_set
def _by_subject(reading: Reading, text: str) -> _Stated:
    stated: _Stated = {}
    for each in stated_attributes(reading, text):
        if not each.conditional:
            _add(stated, each)
    return stated


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
    return Attribute(
        subject,
        plain if plain and denies else word,
        bool(match["not"]) != denies,
        domain,
        rest,
        end,
        conditional(text, subject.start, subject.end, end),
        in_condition(text, subject.start),
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


def _against_statements(
    text: str, attribute: Attribute, before: _Stated, inherited: list[_Stated]
) -> tuple[str, tuple[str, ...]] | None:
    for stated in (before, *inherited):
        for other in stated.get(attribute.subject.words, {}).values():
            if not same_part(attribute.subject, other.subject):
                continue
            if stated is before and alternatives(text, other.end, attribute.subject.start):
                continue
            dimension = attribute.excludes(other)
            in_turn = dimension is not None and (changeable(dimension) or attribute.act or other.act)
            if dimension is not None and not (in_turn and (attribute.staged or other.staged)):
                word = f"not {other.word}" if other.negated else other.word
                return word, _signals(dimension, stated is not before, exact=True, named=False)
    return None


def _against_names(
    reading: Reading, attribute: Attribute, claim: Claim, ancestors: tuple[Claim, ...]
) -> tuple[str, tuple[str, ...]] | None:
    """Against what the element is called: "a transparent housing"."""
    if not _of_the_named(attribute):
        return None
    excluded = frozenset({attribute.word}) if attribute.negated else opposites(attribute.word)
    own = excluded.intersection(attribute.subject.words[:-1])
    if own and not _compounds(attribute.subject.words).intersection(own):
        dimension = opposed(attribute.word, min(own)) or "negation"
        return min(own), _signals(dimension, False, exact=True, named=True)
    names = [
        (claim is not holder, name)
        for holder in (claim, *ancestors)
        for name in _names(reading, holder.text, attribute.subject.head)
    ]
    if any(_speaks(attribute, name) for _, name in names):
        return None
    mine = frozenset(attribute.subject.words[:-1]) - {attribute.word}
    introduced = {frozenset(name) for _, name in names}
    for inherited, name in names:
        met = excluded.intersection(name)
        rest = frozenset(name) - met
        if met and (rest == mine or (mine < rest and len(introduced) == 1)):
            dimension = opposed(attribute.word, min(met)) or "negation"
            return min(met), _signals(dimension, inherited, exact=rest == mine, named=True)
    return None


def _of_the_named(attribute: Attribute) -> bool:
    """Whether the attribute is one of the whole element, always, and so one that a name may deny."""
    if attribute.subject.of or attribute.scope or attribute.frequency == "sometimes":
        return False
    return not attribute.rest or attribute.word in _ALTOGETHER


def _speaks(attribute: Attribute, name: tuple[str, ...]) -> bool:
    """Whether an element of this name has the attribute: there are two, one of each kind."""
    if attribute.negated:
        return any(unnegated(word) == attribute.word for word in name)
    return attribute.word in name or any(
        not opposed(attribute.word, word) and agree(attribute.word, word) for word in name
    )


def _compounds(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(word for word, following in pairwise(words) if f"{word}-{following}" in _COMPOUNDS)


@kept_with_set
def _names(reading: Reading, text: str, head: str) -> tuple[tuple[str, ...], ...]:
    """What modifies the occurrences of an element's head in a text."""
    names: list[tuple[str, ...]] = []
    for match in islice(_occurrences(reading, head).finditer(text), MAX_STATEMENTS):
        name = subject_before(text, match.end(), through=frozenset())
        if name is None or name.head != head or name.opener in _NO_MODIFIER or name.opener == ",":
            continue
        loose = _compounds(name.words)
        names.append(tuple(word for word in name.words[:-1] if word not in loose))
    return tuple(dict.fromkeys(names))


@kept_with_set
def _occurrences(_reading: Reading, head: str) -> re.Pattern[str]:
    return re.compile(rf"\b{re.escape(head.removesuffix('y'))}(?:y|ies|es|s)?\b", re.IGNORECASE)


def _signals(dimension: str, inherited: bool, *, exact: bool, named: bool) -> tuple[str, ...]:
    signals = ["inherited" if inherited else "same_claim"]
    if exact:
        signals.append("element_exact")
    if named:
        signals.append("named")
    if changeable(dimension):
        signals.append("changeable")
    if dimension == "negation":
        signals.append("negation")
    return tuple(signals)


def _flaw(attribute: Attribute, other: str, claim: Claim, signals: tuple[str, ...]) -> Flaw:
    statement = claim.text[attribute.subject.start : attribute.end]
    where = "a claim that it depends on" if "inherited" in signals else "the claim"
    return Flaw(
        CONTRADICTION,
        attribute.subject.start,
        attribute.end,
        f"“{statement}” is a contradiction: {where} also describes it as {other}.",
        signals=signals,
    )
