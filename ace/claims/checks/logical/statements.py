"""Statements of a claim: which thing does, is or has what, whether that is denied, and how often it holds.

"the rotor never touches the casing", "the rotor is arranged not to touch the casing" and, in a sentence whose
subject is already named, "but does not touch the casing" all come out as the same statement.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise
from operator import itemgetter

from ace.claims.checks.logical.chain import kept_with_set
from ace.claims.checks.logical.subjects import (
    StatementSubject,
    brought_about,
    clause_start,
    conditional,
    in_condition,
    is_known,
    subject_before,
)
from ace.claims.checks.logical.verb_groups import (
    BEGINNING,
    PARTICIPLES,
    PREPOSITIONS,
    QUALIFYING,
    VerbGroup,
    adverbs_before,
    complement_of,
    verb_group,
)
from ace.claims.language.expressions import Expressions
from ace.claims.language.lexicon import EXACT
from ace.claims.language.noun_phrases import Determiner, phrases_of
from ace.claims.language.tables import table, word_list
from ace.claims.language.words import Word, kept_by_text, lemma, words_of
from ace.claims.reading import Reading

MAX_READ = 150
"""Statements read in one claim, from its beginning: keeps the work linear in its length."""

_JOINING = word_list("statements", "joining")
_BESIDE = word_list("statements", "beside")
_PRONOUNS = frozenset({"it", "they"})
_RELATIVE = frozenset({"that", "which"})
_NOT_STATED = frozenset({"if", "or", "when", "where", "whether", "which"})
_AIM = re.compile(r"\b(?:so|such)\sthat\s\Z")
_TOGETHER = {("all",), ("both",), ("each",)}
_OF_ALL = {(), ("of",), ("the",)}
_DENIED = {"none": "all", "not_all": "some"}
"""Scopes of what is denied: the scope of the denial."""


@dataclass(frozen=True, slots=True)
class Statement:
    """`subject` does `verb` ("be" for what it is) with the words of `complement`, which begin at words[first]
    of the claim and end at text[end].

    `able` is true for what it can do or is arranged for, `frequency` "always", "sometimes" or "", `scope`
    "all", "some" or "" by how many of the things it holds for. `relative` says that the subject is qualified
    by it ("a rotor that turns"), `elided` that it stands earlier in the sentence, `beside` that it follows a
    "while", `paired` that it and its neighbour hold at one time, `open_end` that an alternative follows.
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


@kept_with_set
def statements(_reading: Reading, text: str) -> tuple[Statement, ...]:
    """The statements of a text about things that it or another claim has named."""
    found = tuple(
        each
        for each in islice(_statements(text), MAX_READ)
        if not each.brings_in or brought_in_once(text, each.subject.words)
    )
    paired = _paired(text, found)
    return (
        tuple(replace(each, paired=True) if each.first in paired else each for each in found)
        if paired
        else found
    )


def brought_in_once(text: str, name: tuple[str, ...]) -> bool:
    """Whether only one thing of this name is brought in, so that what is said is said of "the" thing."""
    names: _Names | None = _brought_in(text)
    for word in name:
        if names is None:
            return False
        names = names.longer.get(word)
    return names is not None and names.count == 1


@dataclass(slots=True)
class _Names:
    """How many things are brought in whose names begin with the same words, and those with one word more."""

    count: int = 0
    longer: dict[str, _Names] = field(default_factory=dict)


@kept_by_text
def _brought_in(text: str) -> _Names:
    """The names of all things that a text brings in. Made once: many statements ask."""
    every = _Names()
    for phrase in phrases_of(text):
        if phrase.determiner in {Determiner.INDEFINITE, Determiner.NUMBER}:
            names = every
            names.count += 1
            for word in phrase.words:
                names = names.longer.setdefault(lemma(word), _Names())
                names.count += 1
    return every


_WHILE = re.compile(r"\b(?:while|whilst|whereas|but)\b")
_LONGEST_LINK = 24
"""Characters between two statements that one word may join."""


def _paired(text: str, said: Sequence[Statement]) -> frozenset[int]:
    """Where the statements begin of which a "while" or "but" puts two side by side, of the same thing."""
    found: set[int] = set()
    for one, other in pairwise(said):
        same = other.elided or one.subject.words == other.subject.words
        near = one.end <= other.start <= one.end + _LONGEST_LINK
        if same and near and (other.beside or _WHILE.search(text, one.end, other.start)):
            found.update((one.first, other.first))
    return frozenset(found)


def _statements(text: str) -> Iterator[Statement]:
    words = words_of(text)
    last: Statement | None = None
    after = 0
    for at in [index for index, lower in enumerate(map(itemgetter(0), words)) if lower in _OF_INTEREST]:
        if at < after:
            continue
        if words[at].lower in _CUTTING:
            last = None
            continue
        found = _statement(text, words, at, last)
        if found is not None:
            last = found
            yield found
            after = found.first


_CUTTING = frozenset({".", ":", ";", "characterized", "where", "whereby", "wherein"})
"""Marks and words after which the subject of an earlier statement is no longer meant."""
_OF_INTEREST = _CUTTING | BEGINNING


def _statement(text: str, words: Sequence[Word], at: int, last: Statement | None) -> Statement | None:
    group = verb_group(words, at)
    left = adverbs_before(words, at, group) if group is not None else 0
    if group is None or left <= 0:
        return None
    each = _each_before(words, left)
    left -= each
    before = words[left - 1].lower
    elided = before in _JOINING or before in _BESIDE or before in _PRONOUNS
    qualifying = words[at].lower in QUALIFYING
    bare = each > 0 or qualifying or _needs_no_article(words, at, group)
    found = None if qualifying and elided else _subject(text, words, left, last, bare=bare)
    if found is None:
        return None
    subject, scope = found
    if scope in _DENIED:
        group.negated, scope = not group.negated, _DENIED[scope]
    complement, end, following = complement_of(words, group)
    if each or _says_all(group, complement):
        complement = complement[each == 0 :]
        scope = scope or "all"
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
        before in _RELATIVE or (qualifying and not subject.definite),
        elided,
        before in _BESIDE,
        _goes_on_with_or(following, complement),
        scope,
    )


def _each_before(words: Sequence[Word], left: int) -> int:
    """How many of the words before words[left] are the "each" of "(the hooks,) each (having)"."""
    if left < 2 or words[left - 1].lower != "each" or words[left - 2].lower == "and":
        return 0
    return 1 + (words[left - 2].lower == ",")


def _goes_on_with_or(following: str, complement: tuple[str, ...]) -> bool:
    ratio = any(word.isdigit() for word in complement)
    return following in {"or", "and/or"} or (following == "/" and not ratio)


def _needs_no_article(words: Sequence[Word], at: int, group: VerbGroup) -> bool:
    """Whether what is said there may be said of a thing without "the"."""
    present = group.at < len(words) and words[group.at].lower in _BEING_THERE
    return words[at].lower in PARTICIPLES or group.verb in _MAKING_UP or present


def _says_all(group: VerbGroup, complement: tuple[str, ...]) -> bool:
    """ "(the hooks) are all coated"."""
    return group.verb == "be" and complement[:1] in _TOGETHER and complement[1:2] not in _OF_ALL


def _subject(
    text: str, words: Sequence[Word], left: int, last: Statement | None, *, bare: bool
) -> tuple[StatementSubject, str] | None:
    """Of what the group that begins at words[left] is said, and of how many such things."""
    before = words[left - 1].lower
    if before in _JOINING or before in _BESIDE or before in _PRONOUNS:
        return None if last is None else (last.subject, last.scope)
    if before in _RELATIVE:
        return _qualified(text, words, left)
    subject = subject_before(text, words[left].start)
    if (
        subject is None
        or (subject.head in _PORTIONS and not subject.definite)
        or subject.words in _WHOLES
        or not (bare or is_known(text, subject) or text.startswith("every ", subject.start))
    ):
        return _scoped(text, words, left)
    if subject.opener in _NOT_STATED or (
        subject.opener == "that" and not _AIM.search(text, max(0, subject.start - 12), subject.start)
    ):
        return None
    opens = text[subject.start : subject.start + 6].lower()
    if not opens.startswith(("each ", "every ", "all ")):
        return subject, ""
    return subject, "not_all" if subject.opener == "not" else "all"


def _qualified(text: str, words: Sequence[Word], left: int) -> tuple[StatementSubject, str] | None:
    """The rotor of "a rotor that turns"; not the casing of "a casing in which"."""
    named = words[left - 2].lower if left > 1 else ""
    if named in PREPOSITIONS or named in {"so", "such"} or not named[:1].isalnum():
        return None
    subject = subject_before(text, words[left - 1].start, through=frozenset())
    return None if subject is None else (subject, "")


_BEING_THERE = frozenset({"absent", "missing", "omitted", "present"})
_MAKING_UP = word_list("statements", "making_up")
_PORTIONS = frozenset({"part", "portion"})
_WHOLES = frozenset({("entirety",), ("neither",), ("none",), ("whole",)})
_SCOPES = Expressions(
    (each, how) for how, listed in table("statements")["scopes"].items() for each in listed.split()
)


def _scoped(text: str, words: Sequence[Word], left: int) -> tuple[StatementSubject, str] | None:
    """ "all of the lids", "at least one lid": the lid, and of how much of it."""
    subject = subject_before(text, words[left].start, through=frozenset())
    if subject is None:
        return None
    first = left
    while first > 0 and words[first - 1].start >= subject.start:
        first -= 1
    collected = first > 2 and words[first - 1].lower == "of" and words[first - 2].lower in _COLLECTING
    first -= collected and 2
    if words[first - 1].lower in EXACT:
        first -= 1
    for begin in range(max(0, first - _MAX_SCOPE_WORDS), first + 1):
        said = _SCOPES.at([word.lower for word in words[begin:left]])
        ends = begin + said[1] if said is not None else 0
        if said is not None and (ends in {first, first + 1} or (collected and ends == first - 1)):
            if begin and words[begin - 1].lower in PREPOSITIONS:
                return None  # the wires of "an end of each of the wires"
            return replace(subject, start=words[begin].start), said[0]
    return None


_COLLECTING = frozenset({"group", "number", "pair", "plurality", "series", "set"})
_MAX_SCOPE_WORDS = 6


def at_times(text: str, statement: Statement) -> bool:
    """Whether the statement holds only under a condition. Between two that hold at one time a "while" is
    none, and what follows a statement that it holds at times says when."""
    end = statement.end
    if _limited(statement):
        return True
    if statement.frequency == "sometimes":
        return conditional(text, statement.start, end, end, but_while=statement.paired, ahead=False)
    return conditional(text, statement.start, end, end, but_while=statement.paired)


_CONDITIONS = frozenset({"except", "if", "unless", "until", "when", "whenever", "while"})
_STATE_NAMES = frozenset({"condition", "configuration", "mode", "phase", "position", "state"})
_PLACES = frozenset({"area", "part", "portion", "region", "section", "segment", "zone"})
_FREE = {("devoid",), ("free",), ("without",)}
_OF_ALL_ONLY = {("all",), ("both",), ("each",), ("every",)}
_STATE_WORDS = 5
"""Words after "in" among which the name of a state is looked for."""
_HEDGES = word_list("statements", "hedges")


def _limited(statement: Statement) -> bool:
    """Whether its own words limit it: "contains zinc in a charged state", "no solvent other than water",
    "does not substantially contain"."""
    words = statement.complement
    if any(word in _CONDITIONS for word in words[1:]) or ("other", "than") in pairwise(words):
        return True
    if words[1:2] == ("by",) and words[2:3] and words[2].endswith("ing"):
        return True  # "is extended by pressing a button": what happens then
    if statement.negated and (words[:1] in _OF_ALL_ONLY or not _HEDGES.isdisjoint(statement.adverbs)):
        return True
    lacks = statement.negated or statement.verb == "lack" or words[:1] in _FREE
    names = _STATE_NAMES | _PLACES if lacks else _STATE_NAMES
    return any(
        word == "in" and not names.isdisjoint(words[at + 1 : at + _STATE_WORDS])
        for at, word in enumerate(words)
        if at
    )


def staged(text: str, statement: Statement) -> bool:
    """Whether the words before it in its clause speak of a condition, a state or an aim."""
    begin = clause_start(text, statement.start)
    if statement.paired:
        return False
    return in_condition(text, statement.start, begin) or brought_about(text, begin)
