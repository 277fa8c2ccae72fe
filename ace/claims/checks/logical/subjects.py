"""What a statement is about: the noun phrase before a verb or a value, read with the one noun-phrase reader.

A shallow reading of a few words, made only where a trigger was found; when in doubt it finds none.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import itemgetter

from ace.claims.language.noun_phrases import Phrase, WordClass, phrase_before, phrases_of, word_class_of
from ace.claims.language.tables import table, word_list
from ace.claims.language.words import Word, kept_by_text, lemma, word_start, words_of

_MAX_QUALIFIERS = 12

_MEASURES = frozenset(table("quantities")["dimensions"])
DETERMINERS = word_list("logic", "determiners")
_DEFINITE = word_list("logic", "definite")
_ADVERBS = word_list("logic", "adverbs")
_PREPOSITIONS = word_list("logic", "prepositions")
_NOUNS = word_list("logic", "nouns")
_CONDITION = re.compile(
    r"""\b(?:when|whenever|if|while|whether|until|unless|once(?!\s(?:an?|daily|each|every|monthly|per|weekly)\b)|cases?|during|upon|response|responsive
        |determin(?:es|ing|ed|ation)|after|before|positions?|states?|modes?|configurations?|conditions?
        |as\slong|optionally|either|alternatively|can|may|could|detect(?:s|ed|ing)|judg(?:es|ed|ing)|verif(?:ies|ying)
        |compar(?:es|ing)|check(?:s|ing)
        |(?:assum|suppos|presum)(?:es|ed|ing)\sthat|(?:expects?|predicts?)\sthat|prevent(?:s|ing)|in\sorder|to\sbe|neither)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_AIM = re.compile(r"\b(?:such|so)\sthat\b", re.IGNORECASE)
_CONDITIONED = re.compile(
    r"\s?(?:and\s|then\s|that\s)?(?:when|whenever|if|while|once(?!\s(?:an?|daily|each|every|monthly|per|weekly)\b)|during|after|before|upon|until|unless|in\s(?:the|a|an|case|response)"
    r"|at\s(?:the|a)\stime|as\slong)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"[;:.wscWSC](?:(?<=[;:.])"
    r"|(?i:(?<=\bw)here|(?<=\bw)herein|(?<=\bw)hereby|(?<=\bs)uch\sthat|(?<=\bs)o\sthat"
    r"|(?<=\bc)haracterized\sin\sthat)\b)"
)
_COMMA = re.compile(",")
_UNNAMED = frozenset({WordClass.MARK, WordClass.NUMBER})
_END = re.compile(r"[;,:.]|\b(?:and|wherein|whereby)\b")


@dataclass(frozen=True, slots=True)
class StatementSubject:
    """A noun phrase: text[start:end], determiner included.

    `words` are its words in the singular, lower case, the head last; `of` those that follow with a
    preposition ("of the housing"), which tell two surfaces apart.
    """

    words: tuple[str, ...]
    of: tuple[str, ...]
    definite: bool
    start: int
    end: int
    opener: str

    @property
    def head(self) -> str:
        """The word that names the thing."""
        return self.words[-1]


def subject_before(text: str, at: int, *, through: frozenset[str] = _PREPOSITIONS) -> StatementSubject | None:
    """The noun phrase that ends right before `at`, or None. If one of the prepositions `through` leads to it,
    the phrase before that: of "the edge of the plate" the edge."""
    words = words_of(text)
    return _ending(words, phrases_of(text), bisect_left(words, at, key=word_start), (), through)


def _ending(
    words: Sequence[Word], phrases: Sequence[Phrase], end: int, of: tuple[str, ...], through: frozenset[str]
) -> StatementSubject | None:
    """The noun phrase that ends right before words[end], with what follows it in `of`."""
    while end > 0 and not of and _is_adverb(words[end - 1].lower):
        end -= 1
    phrase = phrase_before(phrases, end)
    if phrase is None:
        return None
    opener = words[phrase.first - 1].lower if phrase.first else ""
    determined = opener in DETERMINERS
    start = phrase.first - determined
    before = words[start - 1].lower if start else ""
    name = tuple(
        lemma(word.lower) for word in words[phrase.first : end] if word_class_of(word.lower) not in _UNNAMED
    )
    if not name:
        return None
    if 0 < len(of) < _MAX_QUALIFIERS and phrase_before(phrases, phrase.first):
        # "the layer disposed on the substrate": a participle, which the reader takes for a phrase of its own
        whole = _ending(words, phrases, phrase.first, (*name, *of), through)
        return whole and replace(whole, end=words[end - 1].end)
    link = _link(words, start, through)
    if link > 0 and len(of) < _MAX_QUALIFIERS:
        whole = _ending(words, phrases, link, (words[link].lower, *name, *of), through)
        return whole and replace(whole, end=words[end - 1].end)
    if of:
        name, of = _without_participle(name, of)
    name = _without_symbols(name)
    return StatementSubject(
        name,
        of,
        opener in _DEFINITE,
        words[start].start,
        words[end - 1].end,
        before if determined else opener,
    )


_OWNED = re.compile(r"\s(?:of|between|through|across|in|at|on|within)\s(?:the|said|each)\s", re.IGNORECASE)


_OWNERS = frozenset({("of",), ("between",), ("through",), ("across",)})


def is_known(text: str, subject: StatementSubject) -> bool:
    """Whether a phrase is definite by what it belongs to: "a length of the lever"."""
    return subject.definite or (
        (subject.of[:1] in _OWNERS or subject.head in _MEASURES)
        and _OWNED.search(text, subject.start, subject.end) is not None
    )


def _is_adverb(word: str) -> bool:
    return word in _ADVERBS or word.endswith("ly")


def _link(words: Sequence[Word], start: int, through: frozenset[str]) -> int:
    """Index of the preposition by which the phrase at `start` belongs to another one, or 0."""
    before = words[start - 1].lower if start else ""
    if before in through:
        return start - 1
    return _between(words, start) if before == "and" else 0


def _between(words: Sequence[Word], end: int) -> int:
    """Index of the "between" to whose second end the phrase at `end` belongs, or 0."""
    for index in range(end - 2, max(0, end - 12), -1):
        word = words[index].lower
        if word == "between":
            return index
        if not word[0].isalnum():
            break
    return 0


def _without_symbols(name: tuple[str, ...]) -> tuple[str, ...]:
    """The name without single letters at its end: "the target diameter D"."""
    while len(name) > 1 and len(name[-1]) == 1:
        name = name[:-1]
    return name


def _without_participle(
    words: tuple[str, ...], of: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """ "layer disposed" + "on substrate": the layer, and the rest of what tells it apart."""
    for index in range(1, len(words)):
        word = words[index]
        if word.endswith(("ed", "ing")) and word not in _NOUNS:
            return words[:index], (*words[index:], *of)
    return words, of


def same(one: StatementSubject, other: StatementSubject) -> bool:
    """Whether both name one element by the same words, and by the same part of it where both say."""
    return one.words == other.words and same_part(one, other)


def same_part(one: StatementSubject, other: StatementSubject) -> bool:
    """Whether what follows the nouns does not tell them apart."""
    return not one.of or not other.of or one.of == other.of


def conditional(
    text: str, start: int, stop: int, end: int, *, but_while: bool = False, ahead: bool = True
) -> bool:
    """Whether what is said of the phrase text[start:stop] in words that end at `end` holds only at
    times: "when …", "in the open position". The phrase itself is not looked at. With `but_while` no "while"
    counts within the sentence, and without `ahead` nothing counts that follows."""
    segment = clause = clause_start(text, start)
    previous = clause
    for match in _COMMA.finditer(text, clause, start):
        previous, segment = segment, match.end()
    return bool(
        _holds_at_times(text, segment, start, but_while=but_while)
        or _CONDITIONED.match(text, previous, segment)
        or _CONDITIONED.match(text, clause, start)
        or (ahead and _holds_at_times(text, stop, statement_end(text, end), but_while=but_while))
        or (ahead and (_BY_ACT.match(text, end) or shares_condition(text, start, end)))
    )


_BY_ACT = re.compile(r"\sby\s(?:[a-z]+ly\s)?[a-z]{3,}ing\s(?:an?|the|said)\s")
"""After "is extended": "by pressing a button", so that it is what happens then."""
_JOINED_WITH = re.compile(
    r"\sand\s(?:the|said)\s[^,;:.]{1,60}?\s(?:is|are)\s[^,;:.]{1,60}?\s"
    r"(?:when|whenever|if|while|during|until|unless|in\s(?:a|an|the)\s(?:(?:first|second|third|one|other)\s[a-z]+"
    r"|[a-z-]+\s(?:state|mode|position|phase|operation|period)))\b"
)
_COPULA = re.compile(r"\s(?:is|are)\s")


def shares_condition(text: str, start: int, end: int) -> bool:
    """Whether a condition behind a second statement may be meant of both: "the inlet is open and the outlet
    is closed during a purge"."""
    return _JOINED_WITH.match(text, end) is not None and _COPULA.search(text, start, end) is not None


_BRINGS_ABOUT = re.compile(
    r"(?<![\w-])(?!(?:has|is|comprises|includes|having|being|comprising|including)\b)[a-z]{2,}(?:s|ing)"
    r"\s(?:the|said|an?)\s[^,;:]{1,100}?\s(?:so|such)\sthat\s?\Z"
)


def brought_about(text: str, begin: int) -> bool:
    """Whether the clause that begins there is what an act brings about: "presses the pad such that"."""
    if not text.endswith("that", max(0, begin - 5), begin):
        return False
    return _BRINGS_ABOUT.search(text, max(0, begin - 140), begin) is not None


_METHOD = re.compile(r"(?:[\w-]+\s){0,8}?(?:method|process)\b", re.IGNORECASE)
_STEP = re.compile(
    r"(?:[;,]|\band|\bthen)\s(?:and\s)?(?:\(?[a-z0-9]{1,3}[).]\s)?(?:then\s)?[a-z]{3,}ing\s(?:the|said|an?)\s"
)


def step_between(text: str, one: int, other: int) -> bool:
    """Whether a step of a method stands between two places, so that what holds at one may have changed."""
    return (
        _METHOD.match(text) is not None and _STEP.search(text, min(one, other), max(one, other)) is not None
    )


def _holds_at_times(text: str, start: int, end: int, *, but_while: bool) -> bool:
    if not but_while:
        return _CONDITION.search(text, start, end) is not None
    return any(match.group().lower() not in _WHILE for match in _CONDITION.finditer(text, start, end))


_WHILE = frozenset({"while", "whilst", "whereas"})


def in_condition(text: str, start: int, begin: int = 0) -> bool:
    """Whether the 200 characters before `start`, but not before `begin`, speak of a condition, a state or an
    aim."""
    begin = max(begin, start - 200)
    return bool(_CONDITION.search(text, begin, start) or _AIM.search(text, begin, start))


_OR = re.compile(r"[;,)]\s?(?:or|and/or)\b|\balternatively\b", re.IGNORECASE)


def alternatives(text: str, one: int, other: int) -> bool:
    """Whether what is said at `one` and at `other` stands in two alternatives of one claim."""
    return _OR.search(text, min(one, other), max(one, other)) is not None


def clause_start(text: str, at: int) -> int:
    """Where the limb or wherein clause that holds `at` begins, at most 300 characters back."""
    begin = max(0, at - 300)
    clauses = _clauses(text)
    last = bisect_right(clauses, at, key=itemgetter(1)) - 1
    return clauses[last][1] if last >= 0 and clauses[last][0] >= begin else begin


@kept_by_text
def _clauses(text: str) -> list[tuple[int, int]]:
    """Where the marks and words stand that begin a limb or wherein clause."""
    return [match.span() for match in _CLAUSE.finditer(text)]


def statement_end(text: str, at: int) -> int:
    """Where the words that belong to the statement before `at` end: at a mark or a conjunction."""
    match = _END.search(text, at, min(len(text), at + 120))
    return match.start() if match else min(len(text), at + 120)
