"""Statements of a claim: which thing does, is or has what, whether that is denied, and how often it holds.

"the rotor never touches the casing", "the rotor is arranged not to touch the casing" and, in a sentence whose
subject is already named, "but does not touch the casing" all come out as the same statement.
"""

from __future__ import annotations

import re

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise

from ace.claims.checks.logical.chain import kept_with_set
from ace.claims.checks.logical.subjects import (
    StatementSubject,
    conditional,
    in_condition,
    is_known,
    subject_before,
)
from ace.claims.language.expressions import Expressions
from ace.claims.language.noun_phrases import Determiner, Phrase, WordClass, phrases_of, word_class_of
from ace.claims.language.tables import table, word_list
from ace.claims.language.verb_forms import base_of, gerund, third_person
from ace.claims.language.words import Word, lemma, words_of
from ace.claims.reading import Reading

MAX_READ = 150
"""Statements read in one claim, from its beginning: keeps the work linear in its length."""

COPULAS = word_list("statements", "copulas")
_KEPT = word_list("statements", "kept")
_ABLE = Expressions((each, True) for each in table("statements")["able"].split())
_NOMINALS: dict[str, str] = table("statements")["nominals"]
_UNABLE = Expressions((each, True) for each in table("statements")["unable"].split())
_AUXILIARIES = word_list("statements", "auxiliaries")
_JOINING = word_list("statements", "joining")
_BESIDE = word_list("statements", "beside")
_ENDING = word_list("statements", "ending")
_PARTICIPLES = word_list("statements", "participles")
_PREPOSITIONS = word_list("logic", "prepositions")
_PRONOUNS = frozenset({"it", "they"})
_RELATIVE = frozenset({"that", "which"})
_NOT_STATED = frozenset({"if", "or", "when", "where", "whether", "which"})
_AIM = re.compile(r"\b(?:so|such)\sthat\s\Z")
_DENYING = frozenset({"not", "never"})
_LOOK_BACK_WORDS = 4
_MAX_COMPLEMENT = 24
_TIMES = frozenset({"during", "if", "when", "while"})

FREQUENCIES: Expressions[str] = Expressions(
    (expression, how)
    for how, expressions in table("predicates")["frequency"].items()
    for expression in expressions.split()
)


@dataclass(frozen=True, slots=True)
class Statement:
    """`subject` does `verb` ("be" for what it is) with the words of `complement`, which begin at words[first] of
    the claim and end at text[end].

    `able` is true for what it can do or is arranged for, `frequency` "always", "sometimes" or "", `scope` "all",
    "some" or "" by how many of the things it holds for. `relative` says that the subject is qualified by it ("a
    rotor that turns"), `elided` that it stands earlier in the sentence, `beside` that it follows a "while".
    `open_end` is true if an alternative follows.
    """

    subject: StatementSubject
    verb: str
    negated: bool
    able: bool
    frequency: str
    adverbs: tuple[str, ...]
    complement: tuple[str, ...]
    first: int
    start: int
    end: int
    relative: bool
    elided: bool
    beside: bool
    open_end: bool
    scope: str
    paired: bool = False

    @property
    def brings_in(self) -> bool:
        """Whether it qualifies a thing that it brings in: "a rotor that turns"."""
        return self.relative and not self.subject.definite


@dataclass(slots=True)
class _Group:
    """A verb with what belongs to it, as far as it is read."""

    verb: str
    at: int
    negated: bool = False
    able: bool = False
    frequency: str = ""
    adverbs: tuple[str, ...] = ()

    def take_frequency(self, how: str) -> None:
        """Takes up how often: "never" denies, and "not always" means sometimes."""
        if how == "never":
            self.negated = not self.negated
        elif how == "always" and self.negated:
            self.negated, self.frequency = False, "sometimes"
        else:
            self.frequency = how


@kept_with_set
def statements(_reading: Reading, text: str) -> tuple[Statement, ...]:
    """The statements of a text about things that it or another claim has named."""
    found = tuple(
        each
        for each in islice(_statements(text), MAX_READ)
        if not each.brings_in or _brought_in_once(text, each.subject.words)
    )
    paired = _paired(text, found)
    return tuple(replace(each, paired=True) if each.first in paired else each for each in found) if paired else found


def _brought_in_once(text: str, name: tuple[str, ...]) -> bool:
    """Whether only one thing of this name is brought in, so that what is said of it is said of "the" thing."""
    return sum(_brings_in(phrase, name) for phrase in phrases_of(text)) == 1


def _brings_in(phrase: Phrase, name: tuple[str, ...]) -> bool:
    introduces = phrase.determiner in {Determiner.INDEFINITE, Determiner.NUMBER}
    return introduces and tuple(lemma(word) for word in phrase.words[: len(name)]) == name


_WHILE = re.compile(r"\b(?:while|whilst|whereas|but)\b")
_LONGEST_LINK = 24
"""Characters between two statements that one word may join."""


def _paired(text: str, said: Sequence[Statement]) -> frozenset[int]:
    """Where the statements begin of which a "while" or "but" puts two side by side, of the same thing."""
    found: set[int] = set()
    for one, other in pairwise(said):
        same = other.elided or one.subject.words == other.subject.words
        if same and one.end <= other.start <= one.end + _LONGEST_LINK:
            if other.beside or _WHILE.search(text, one.end, other.start):
                found.update((one.first, other.first))
    return frozenset(found)


def _statements(text: str) -> Iterator[Statement]:
    words = words_of(text)
    last: Statement | None = None
    at = 0
    while at < len(words):
        word = words[at].lower
        if not _may_begin(word):
            if word in ";:." or word in _CUTTING:
                last = None
            at += 1
            continue
        found = _statement(text, words, at, last)
        if found is None:
            at += 1
            continue
        last = found
        yield found
        at = max(at + 1, found.first)


_CUTTING = frozenset({"wherein", "whereby", "where", "characterized"})


def _may_begin(word: str) -> bool:
    return word in _BEGINNING


def _verb_forms() -> dict[str, str]:
    """Third person of each verb that the checks know, and its base form."""
    bases = set(word_list("statements", "having") | word_list("statements", "making_up") | word_list("relations", "standing"))
    bases.update(word_list("quantities", "acted"))
    for expressions in table("predicates")["acts"].values():
        bases.update(each.split("_")[0] for each in expressions.split())
    for section in ("opposed", "opposed_doing"):
        for one, others in table("predicates")[section].items():
            bases.update({one, *others.split()})
    for poles in table("relations")["verbs"].values():
        bases.update(verb for verbs in poles.values() for verb in verbs.split())
    forms = {third_person(base): base for base in bases}
    return {**forms, "has": "have", "have": "have"}


VERB_FORMS = _verb_forms()
BASES = frozenset(VERB_FORMS.values())
_BEGINNING = frozenset({"never", *COPULAS, *_AUXILIARIES, *_PARTICIPLES, *VERB_FORMS})


GERUNDS = {gerund(base): base for base in BASES}


def _statement(text: str, words: Sequence[Word], at: int, last: Statement | None) -> Statement | None:
    group = _group(words, at)
    left = _left(words, at, group) if group is not None else 0
    if group is None or left <= 0:
        return None
    before = words[left - 1].lower
    present = group.at < len(words) and words[group.at].lower in _BEING_THERE
    bare = words[at].lower in _PARTICIPLES or group.verb in _MAKING_UP or present
    found = _subject(text, words, left, last, bare=bare)
    if found is None:
        return None
    subject, scope = found
    if scope == "none":
        group.negated, scope = not group.negated, "all"
    elided = before in _JOINING or before in _BESIDE or before in _PRONOUNS
    complement, end, following = _complement(words, group)
    return Statement(
        subject,
        group.verb,
        group.negated,
        group.able,
        group.frequency,
        group.adverbs,
        complement,
        group.at,
        words[left].start if elided else subject.start,
        end,
        before in _RELATIVE,
        elided,
        before in _BESIDE,
        following in {"or", "and/or"} or (following == "/" and not any(word.isdigit() for word in complement)),
        scope,
    )


def _subject(
    text: str, words: Sequence[Word], left: int, last: Statement | None, *, bare: bool
) -> tuple[StatementSubject, str] | None:
    """Of what the group that begins at words[left] is said, and of how many such things."""
    before = words[left - 1].lower
    if before in _JOINING or before in _BESIDE or before in _PRONOUNS:
        return None if last is None else (last.subject, last.scope)
    if before in _RELATIVE:
        named = words[left - 2].lower if left > 1 else ""
        cut = named in _PREPOSITIONS or named in {"so", "such"} or not named[:1].isalnum()
        subject = None if cut else subject_before(text, words[left - 1].start, through=frozenset())
        return None if subject is None else (subject, "")
    subject = subject_before(text, words[left].start)
    if subject is None or subject.head in _PORTIONS or not (
        bare or is_known(text, subject) or text.startswith("every ", subject.start)
    ):
        return _scoped(text, words, left)
    if subject.opener in _NOT_STATED or (subject.opener == "that" and not _AIM.search(text, max(0, subject.start - 12), subject.start)):
        return None
    opens = text[subject.start : subject.start + 6].lower()
    return subject, "all" if opens.startswith(("each ", "every ", "all ")) else ""


_BEING_THERE = frozenset({"absent", "missing", "omitted", "present"})
_MAKING_UP = word_list("statements", "making_up")
_PORTIONS = frozenset({"part", "portion"})
_SCOPES = Expressions((each, how) for how, listed in table("statements")["scopes"].items() for each in listed.split())


def _scoped(text: str, words: Sequence[Word], left: int) -> tuple[StatementSubject, str] | None:
    """ "all of the lids", "at least one lid": the lid, and of how much of it."""
    subject = subject_before(text, words[left].start, through=frozenset())
    if subject is None:
        return None
    first = left
    while first > 0 and words[first - 1].start >= subject.start:
        first -= 1
    for begin in range(max(0, first - 4), first + 1):
        said = _SCOPES.at([word.lower for word in words[begin:left]])
        if said is not None and begin + said[1] in {first, first + 1} and said[1] > 0:
            return replace(subject, start=words[begin].start), said[0]
    return None


def _left(words: Sequence[Word], at: int, group: _Group) -> int:
    """Where the group begins once the adverbs before it are taken: "the lid [never] opens"."""
    left = at
    while left > 0 and at - left < _LOOK_BACK_WORDS:
        word = words[left - 1].lower
        found = FREQUENCIES.at((word,))
        if found is not None:
            group.take_frequency(found[0])
        elif word not in _PLAIN and not word.endswith("ly"):
            break
        else:
            group.adverbs = (word, *group.adverbs)
        left -= 1
    return left


_PLAIN = word_list("statements", "adverbs")


def _group(words: Sequence[Word], at: int) -> _Group | None:
    word = words[at].lower
    lowers = [each.lower for each in words[at : at + 16]]
    group = _Group("be", at + 1)
    if word in VERB_FORMS:
        group.verb = VERB_FORMS[word]
        return group
    if word in _PARTICIPLES:
        if at and words[at - 1].lower in COPULAS:
            return None
        group.at = at
        return group
    if word == "never":
        verb = lowers[1] if len(lowers) > 1 else ""
        if verb in VERB_FORMS or not verb.endswith("s"):
            return None
        group.verb, group.negated, group.at = base_of(verb), True, at + 2
        return group
    if word == "cannot":
        group.negated = group.able = True
    if word in _AUXILIARIES:
        return _auxiliary(lowers, at, group)
    return _copula(lowers, at, 1, group)


def _auxiliary(lowers: list[str], at: int, group: _Group) -> _Group | None:
    """ "does not", "can", "cannot" and the base form after them."""
    index = 1
    group.able = lowers[0].startswith("can")
    while index < len(lowers) and (lowers[index] in _DENYING or lowers[index].endswith("ly")):
        group.negated = group.negated or lowers[index] in _DENYING
        index += 1
    if lowers[index : index + 1] == ["be"]:
        return _copula(lowers, at, index + 1, group)
    if index >= len(lowers) or not lowers[index][0].isalpha():
        return None
    if lowers[index] != "have" and word_class_of(lowers[index]) is WordClass.CLOSED:
        return None
    group.verb, group.at = lowers[index], at + index + 1
    return group


def _copula(lowers: list[str], at: int, index: int, group: _Group) -> _Group | None:
    """What follows "is": denials, adverbs, "arranged to", "prevented from"."""
    while index < len(lowers):
        word = lowers[index]
        frequency = FREQUENCIES.at(lowers, index)
        able, unable = _ABLE.at(lowers, index), _UNABLE.at(lowers, index)
        if word in _DENYING:
            group.negated = not group.negated
            index += 1
        elif frequency is not None:
            group.take_frequency(frequency[0])
            group.adverbs = (*(each for each in group.adverbs if each != "only"), *_adverb(lowers[index]))
            index = frequency[1]
        elif lowers[index : index + 2] == ["to", "be"]:
            index += 2
        elif (able is not None or unable is not None) and _is_verb(lowers, (able or unable or (True, 0))[1]):
            index = (able or unable or (True, index))[1]
            group.able = True
            group.negated = group.negated != (unable is not None)
            return _arranged(lowers, at, index, group)
        elif word in _KEPT and index + 1 < len(lowers) and lowers[index + 1] not in _PREPOSITIONS:
            index += 1
        elif word in _PLAIN or word.endswith("ly"):
            group.adverbs = (*group.adverbs, word)
            index += 1
        else:
            break
    group.at = at + index
    if index < len(lowers) and lowers[index] in GERUNDS:
        group.verb, group.at = GERUNDS[lowers[index]], at + index + 1
    return group


def _is_verb(lowers: list[str], index: int) -> bool:
    """Whether a verb may stand there: not "arranged to the left of"."""
    if index >= len(lowers):
        return False
    closed = word_class_of(lowers[index]) is WordClass.CLOSED
    return not closed or lowers[index] in {"be", "being", "have", "having", "not"}


def _adverb(word: str) -> tuple[str, ...]:
    """The adverb of frequency if it also says how: "permanently fixed to"."""
    return (word,) if word == "permanently" else ()


def _arranged(lowers: list[str], at: int, index: int, group: _Group) -> _Group | None:
    """The verb after "configured to" or "prevented from"."""
    while index < len(lowers) and (lowers[index] in _DENYING or lowers[index].endswith("ly")):
        group.negated = group.negated != (lowers[index] in _DENYING)
        index += 1
    if index >= len(lowers):
        return None
    if lowers[index] in {"be", "being"}:
        return _copula(lowers, at, index + 1, group)
    verb = _NOMINALS.get(lowers[index], lowers[index])
    group.verb, group.at = GERUNDS.get(verb, verb), at + index + 1
    return group


def _complement(words: Sequence[Word], group: _Group) -> tuple[tuple[str, ...], int, str]:
    """The words that belong to the verb, where they end, and what follows them."""
    found: list[str] = []
    at = group.at
    while at < len(words) and len(found) < _MAX_COMPLEMENT:
        word = words[at].lower
        if word in _ENDING or (not word[0].isalnum() and word not in "-%°"):
            break
        found.append(word)
        at += 1
    only = next((i for i, word in enumerate(found[:-1]) if word == "only" and found[i + 1] in _TIMES), None)
    if found[-1:] == ["only"] and at < len(words) and words[at].lower in _TIMES:
        only = len(found) - 1
    if only is not None:
        found, at = found[:only], group.at + only
        group.take_frequency("sometimes")
    end = words[at - 1].end
    following = words[at].lower if at < len(words) else ""
    for index in range(max(0, len(found) - 5), len(found)):
        said = FREQUENCIES.at(found, index)
        if said is not None and said[1] == len(found):
            only = found[index - 1] == "only" if index else False
            found = found[: index - only]
            group.take_frequency(said[0])
            break
    return tuple(found), end, following


def at_times(text: str, statement: Statement) -> bool:
    """Whether the statement holds only under a condition. Between two that hold at one time a "while" is none, and
    what follows a statement that it holds at times says when."""
    end = statement.end
    if statement.frequency == "sometimes":
        return conditional(text, statement.start, end, end, but_while=statement.paired, ahead=False)
    return conditional(text, statement.start, end, end, but_while=statement.paired)


def staged(text: str, statement: Statement) -> bool:
    """Whether the words before speak of a condition, a state or an aim."""
    return not statement.paired and in_condition(text, statement.start)
