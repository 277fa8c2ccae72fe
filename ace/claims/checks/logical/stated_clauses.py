"""Statements as runs of meanings: "the siren sounds if the door is forced" as siren, sound, if, door, force.

No verb is looked for: a statement is what follows the name of a thing up to a mark or conjunction, without
articles, copulas and words of place ("located"), so that "a gate over the channel" and "the gate is arranged
over the channel" are the same. A condition that stands before it is read behind it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import dropwhile, islice
from operator import attrgetter
from typing import NamedTuple

from ace.claims.checks.logical.chain import kept_with_set
from ace.claims.checks.logical.meanings import (
    ACTS,
    CONDITION,
    EXCLUDED,
    FREQUENCY,
    WITH_OPPOSITES,
    Meaning,
    Token,
    meaning_in,
    meaning_of,
    tokens_of,
)
from ace.claims.checks.logical.subjects import (
    DETERMINERS,
    brought_about,
    clause_start,
    conditional,
    in_condition,
    shares_condition,
)
from ace.claims.language.lexicon import NOUN_VERBS, VERBS
from ace.claims.language.noun_phrases import Determiner, Phrase, WordClass, phrases_of, word_class_of
from ace.claims.language.tables import word_list
from ace.claims.language.verb_forms import third_person
from ace.claims.language.words import Word, root, words_of
from ace.claims.reading import Reading

ADDING = word_list("minimal_pairs", "adding")
"""Words that add a statement to what is known, and not against it."""
_OPEN = word_list("minimal_pairs", "open")
_LIMITING = word_list("minimal_pairs", "limiting")
_THIRD_PERSONS = ACTS | frozenset(map(third_person, (*EXCLUDED, *NOUN_VERBS, *VERBS)))
NEGATION = "negation"
"""The dimension on which a statement and its denial differ."""
_MAX_READ = 600
"""Tokens read in one claim, from its beginning: keeps the work linear in its length."""
_WAYS = frozenset({"by", "through", "using", "via"})
"""What may follow a denial and limit it: "is not attached by glue"."""
_MAX_TOKENS = 24
_MIN_TOKENS = 2
_MAX_ENDS = 3
"""Places at which a statement may end before its mark: at an "and", before a "by"."""


class Clause(NamedTuple):
    """A statement, text[start:end]: its tokens, whether it is denied, how often it holds, and whether it says
    in which way it comes about."""

    tokens: tuple[Token, ...]
    denied: bool
    frequency: str
    start: int
    end: int
    way: bool = False

    @property
    def key(self) -> tuple[str, ...]:
        """What two statements have in common that differ in opposites alone."""
        return tuple(each.key for each in self.tokens)

    @property
    def meaning(self) -> Meaning:
        """What the statement may exclude."""
        return meaning_of(self.tokens, turned=self.denied or bool(self.frequency))

    def differences(self, other: Clause) -> list[str] | None:
        """The dimensions on which two statements of one key exclude each other; None if one of their words
        does not exclude but differs."""
        found = [] if self.denied == other.denied else [NEGATION]
        frequencies = {self.frequency, other.frequency}
        if frequencies == {"always", "sometimes"}:
            found.append(FREQUENCY)
        elif "sometimes" in frequencies and found:
            return None
        for mine, theirs in zip(self.tokens, other.tokens, strict=True):
            dimension = mine.opposes(theirs)
            if dimension is None:
                return None
            if dimension:
                found.append(dimension)
        return found


def clauses_of(reading: Reading, text: str, phrases: Iterable[Phrase]) -> Iterator[tuple[Phrase, Clause]]:
    """The statements that begin with some phrases of a text, each with its phrase."""
    words = words_of(text)
    return (
        (phrase, clause)
        for phrase in phrases
        for clause in _from(text, words, _tokens(reading, text), phrase)
        if not shares_condition(text, clause.start, clause.end)
    )


@kept_with_set
def _tokens(_reading: Reading, text: str) -> Sequence[Token]:
    return list(islice(tokens_of([word.lower for word in words_of(text)]), _MAX_READ))


@kept_with_set
def meaning(_reading: Reading, text: str) -> Meaning:
    """What the statements of a text may exclude, or be excluded by."""
    return meaning_in([word.lower for word in words_of(text)])


def determined(text: str) -> Iterator[Phrase]:
    """The phrases of a text with which a statement may begin."""
    return (
        phrase
        for phrase in phrases_of(text)
        if phrase.determiner is not Determiner.NONE and ADDING.isdisjoint(phrase.opening)
    )


@kept_with_set
def phrases_by_root(reading: Reading, text: str) -> Mapping[str, Sequence[Phrase]]:
    """The phrases with which a statement may begin, by the root of its first token: that of the thing, or of
    what is done to it."""
    words, tokens = words_of(text), _tokens(reading, text)
    found: dict[str, list[Phrase]] = {}
    for phrase in determined(text):
        step = _step(words, tokens, bisect_left(tokens, phrase.first, key=_first_word), phrase)
        begins = (phrase.first,) if step is None else (phrase.first, step.first)
        for each in {root(words[at].lower) for at in begins}:
            found.setdefault(each, []).append(phrase)
    return found


_first_word = attrgetter("first")


def _from(text: str, words: Sequence[Word], tokens: Sequence[Token], phrase: Phrase) -> Iterator[Clause]:
    """The statements that begin with a phrase, the shortest first. "Drying the film in air" is read as "the
    film is dried in air" and as "the drying is in air"."""
    at = bisect_left(tokens, phrase.first, key=_first_word)
    none = "no" in phrase.opening
    ahead = _fronted(tokens, at - none, phrase)
    start = words[ahead[0].first].start if ahead else phrase.start
    begin = clause_start(text, start)
    if in_condition(text, start, begin) or brought_about(text, begin):
        return
    last = _name_end(words, phrase)
    name = [Token(root(word.lower), phrase.first, last) for word in words[phrase.first : last]]
    name[0] = name[0]._replace(denies=none)
    behind = bisect_left(tokens, last, key=_first_word)
    yield from _ending_variously(words, tokens, behind, name, ahead, phrase.start)
    if not ahead:
        yield from _moving(text, words, tokens[behind : behind + 1], name, phrase.start)
    step = _step(words, tokens, at, phrase)
    if step is None:
        return
    act = Token(root(words[step.first].lower), step.first, step.last)
    for before in ((*name, step), (act,)):
        yield from _ending_variously(words, tokens, behind, before, (), words[step.first].start)


def _name_end(words: Sequence[Word], phrase: Phrase) -> int:
    """The index after the name of a thing, without a verb that the phrase takes for a noun: "the mirror
    oscillates"."""
    verbs = (at for at in range(phrase.first + 1, phrase.last) if words[at].lower in _THIRD_PERSONS)
    return next(verbs, phrase.last)


def _moving(
    text: str, words: Sequence[Word], following: Sequence[Token], name: Sequence[Token], start: int
) -> Iterator[Clause]:
    """ "The drum rotates" of "the drum rotates about an axis", which is then not stationary."""
    for act in following:
        after = words[act.last].lower if act.last < len(words) else ""
        near = act.first - name[-1].last <= _MAX_ABLE and words[act.first].lower in ACTS
        if not near or after in DETERMINERS:  # what is moved is another thing
            return
        end = words[act.last - 1].end
        if not conditional(text, start, words[name[-1].last - 1].end, end):
            yield Clause((*name, act), False, "", start, end)


_MAX_ABLE = 4
"""Words between a thing and its motion: "that is configured to"."""


def _step(words: Sequence[Word], tokens: Sequence[Token], at: int, phrase: Phrase) -> Token | None:
    """The gerund before a phrase, whose words begin at tokens[at]: the "drying" of "drying the film"."""
    step = tokens[at - 1] if at else None
    if step is None or step.last + len(phrase.opening) != phrase.first:
        return None
    return step if word_class_of(words[step.first].lower) is WordClass.ING else None


def _ending_variously(
    words: Sequence[Word],
    tokens: Sequence[Token],
    at: int,
    before: Sequence[Token],
    ahead: Sequence[Token],
    start: int,
) -> Iterator[Clause]:
    """The statements of the tokens `before` and of those from tokens[at] to each place where it may end."""
    run = list(before)
    ends = 0
    for token in tokens[at : at + _MAX_TOKENS]:
        word = words[token.first].lower
        if word in _OPEN:
            return
        if token.ends or word in _LIMITING:
            clause = _clause(run, ahead, start, words) if len(run) > len(before) else None
            if word == "only":
                if clause is not None:
                    yield clause._replace(frequency="sometimes")
                continue
            in_part = clause is not None and clause.denied and _denies_in_part(words, run[0], token)
            if clause is not None and not in_part and not _goes_on_with_condition(words, token):
                way = word in _WAYS or any(words[each.first].lower in _WAYS for each in run)
                yield clause._replace(way=True) if way else clause
            ends += 1
            if ends > _MAX_ENDS or (token.ends and word != "and"):
                return
        if not token.ends:
            run.append(token)


def _denies_in_part(words: Sequence[Word], first: Token, mark: Token) -> bool:
    """Whether a denial leaves a part of what it denies: "not attached by glue", "not both zinc and tin"."""
    if words[mark.first].lower in _WAYS:
        return True
    return words[mark.first].lower == "and" and any(
        word.lower == "both" for word in words[first.first : mark.first]
    )


def _fronted(tokens: Sequence[Token], at: int, phrase: Phrase) -> Sequence[Token]:
    """The condition before a phrase: "when the door is forced, the siren"."""
    comma = at - 1
    if comma < 1 or not tokens[comma].ends or tokens[comma].last != phrase.first - len(phrase.opening):
        return ()
    begin = comma
    while begin > 0 and comma - begin < _MAX_TOKENS and not tokens[begin - 1].ends:
        begin -= 1
    found = tokens[begin:comma]
    return found if found and found[0].at(CONDITION) is not None else ()


def _goes_on_with_condition(words: Sequence[Word], mark: Token) -> bool:
    """Whether a condition follows the mark at which a statement ends."""
    found = WITH_OPPOSITES.at([word.lower for word in words[mark.last : mark.last + 4]])
    return found is not None and any(pole.dimension == CONDITION for pole in found[0])


def _denies_condition(tokens: Sequence[Token]) -> bool:
    """Whether it is the condition that is denied, which makes another case: "when no door is forced"."""
    behind = dropwhile(lambda each: each.at(CONDITION) is None, tokens)
    return any(each.denies for each in behind)


def _clause(run: Sequence[Token], ahead: Sequence[Token], start: int, words: Sequence[Word]) -> Clause | None:
    """The statement of some tokens and of those of the condition before it; None if they are too few."""
    whole = (*run, *ahead)
    if _denies_condition(run) or _denies_condition(ahead):
        return None
    plain = tuple(each for each in whole if each.root and each.at(FREQUENCY) is None)
    if not run or len(plain) < _MIN_TOKENS:
        return None
    frequency = next((str(how) for each in run if (how := each.at(FREQUENCY)) is not None), "")
    denied = sum(each.denies for each in whole) % 2 == 1
    return Clause(plain, denied, frequency, start, words[max(each.last for each in run) - 1].end)
