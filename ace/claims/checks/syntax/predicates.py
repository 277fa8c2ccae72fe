"""Clauses without a verb or with one too many, and verbs that do not agree with their subject."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Final

from ace.claims.checks.syntax.rules import RULE
from ace.claims.checks.syntax.verbs import FORMS, Form
from ace.claims.checks.syntax.words import COUNTED_TOGETHER
from ace.claims.findings import Flaw
from ace.claims.language.lexicon import ARTICLES, FINITE, OBJECT_OPENERS
from ace.claims.language.noun_phrases import (
    Determiner,
    Phrase,
    WordClass,
    phrase_before,
    phrases_of,
    word_class_of,
)
from ace.claims.language.words import Word, is_plural, word_start, words_of

_AGREES_ONE: Final = frozenset({"are", "have", "were", "comprise", "include", "consist", "contain"})
_AGREES_MANY: Final = frozenset({"is", "has", "was", "comprises", "includes", "consists", "contains"})
_AGREEING: Final = _AGREES_ONE | _AGREES_MANY | FINITE
_WHEREIN: Final = frozenset({"wherein", "whereby"})
_MAX_REPORTED: Final = 4


def predicates(text: str) -> Iterator[Flaw]:
    """The first few flaws of the verbs of a claim.

    Signals: "clause" for no verb, "verbs" for two, "agreement" for one in the wrong number.
    """
    words = words_of(text)
    found = 0
    for at, word in enumerate(words):
        flaw = None
        if word.lower in _WHEREIN:
            flaw = _without_verb(text, words, at) or _second_verb(words, at)
        elif word.lower == "that" and _lower(words, at - 1) in _RESULTS:
            flaw = _without_verb(text, words, at)
        elif word.lower in _AGREEING:
            flaw = _disagreement(text, words, at)
        if flaw is not None and found < _MAX_REPORTED:
            found += 1
            yield flaw


_SURELY_VERBS: Final = (
    _AGREES_ONE
    | _AGREES_MANY
    | frozenset(
        [
            "be",
            "can",
            "cannot",
            "could",
            "did",
            "do",
            "does",
            "had",
            "may",
            "might",
            "must",
            "shall",
            "should",
            "will",
            "would",
        ]
    )
)
_STATING: Final = frozenset(["=", "<", ">", "≤", "≥", "≦", "≧", "≠", "~", "∈", "≈", "±"])
_VERB_CLASSES: Final = frozenset({WordClass.GLUED, WordClass.MAYBE_FINITE, WordClass.VERB})
_VERB_ENDINGS: Final = ("ates", "ifies", "ises", "izes")
_RELATIVE: Final = frozenset(
    [
        "because",
        "how",
        "if",
        "that",
        "unless",
        "until",
        "what",
        "when",
        "where",
        "whether",
        "which",
        "while",
        "who",
        "whom",
        "whose",
    ]
)
_CLAUSE_ENDS: Final = frozenset({";", ":", "wherein", "whereby", "whereupon"})
_CLAUSE_OPENERS: Final = OBJECT_OPENERS - frozenset({"from", "if", "into", "to"})
_MAX_CLAUSE: Final = 120
_ADDING: Final = frozenset({"comprising", "consisting", "containing", "having", "including"})
_AFTER_SUBJECT: Final = frozenset({"about", "as", "based", "between"})
_RELATIVE_AFTER_SUBJECT: Final = frozenset({"that", "which"})
_RESULTS: Final = frozenset({"so", "such"})


def _without_verb(text: str, words: Sequence[Word], at: int) -> Flaw | None:
    """ "wherein the rotor comprising a hub": no word of the clause behind words[at] can be its verb."""
    begin = at + 1 + (words[at + 1 : at + 2] != [] and _lower(words, at + 1) == ",")
    if (
        _lower(words, begin) not in _CLAUSE_OPENERS
        and word_class_of(_lower(words, begin)) is not WordClass.ING
    ):
        return None
    behind = _behind_subject(text, words, begin)
    if behind is None:
        return None
    after = _lower(words, behind + (_lower(words, behind) == "further"))
    whole = after in _ADDING or (after == "to" and _is_infinitive(_lower(words, behind + 1)))
    end = _end_without_verb(words, behind if whole else begin)
    if end is None or behind >= end:
        return None
    if not whole and after not in _RELATIVE_AFTER_SUBJECT:
        joined = word_class_of(after) is WordClass.PARTICIPLE or after in _AFTER_SUBJECT
        if _lower(words, end) == ":" or not joined:
            return None
    last = words[min(end, at + 14) - 1].end
    return _flaw(words[at].start, last, "This clause has no verb.", "clause")


def _is_infinitive(word: str) -> bool:
    return word == "be" or FORMS.get(word) is Form.BASE


def _end_without_verb(words: Sequence[Word], begin: int) -> int | None:
    """Where the clause ends that begins at words[begin]; None if it has a verb, or goes on for too long.

    A verb behind "that" and its like belongs to them.
    """
    waiting = 0
    for here in range(begin, min(begin + _MAX_CLAUSE, len(words))):
        word = words[here].lower
        if word in _CLAUSE_ENDS or (word == "," and _opens_another(words, here + 1)):
            return here
        if word == ".":
            return here if here == len(words) - 1 else None
        if word in _RELATIVE:
            waiting += 1
        elif _may_be_verb(words, here):
            if not waiting:
                return None
            waiting -= 1
    return None


def _opens_another(words: Sequence[Word], at: int) -> bool:
    """Whether a clause about another thing may begin here: "and the rim is"."""
    if _lower(words, at) != "and" or _lower(words, at + 1) not in ARTICLES:
        return False
    behind = (_lower(words, here) for here in range(at + 2, at + _SUBJECT_WORDS))
    return next((word in _OF_ONE_THING for word in behind if word in _SURELY_VERBS or word in ",;."), False)


_OF_ONE_THING: Final = frozenset({"comprises", "has", "includes", "is", "was"})
_SUBJECT_WORDS: Final = 8


def _may_be_verb(words: Sequence[Word], at: int) -> bool:
    """Whether a word may be the verb of a clause, by its lists, its ending or what stands around it."""
    word, before, after = words[at].lower, _lower(words, at - 1), _lower(words, at + 1)
    kind = word_class_of(word)
    if (
        word in _SURELY_VERBS
        or word[:-1] in _AGREES_MANY
        or word in _STATING
        or kind is WordClass.FINITE
        or word.endswith(_VERB_ENDINGS)
    ):
        return True
    if before == "to" or before in ARTICLES:
        return False
    if kind in _VERB_CLASSES:
        return True
    if kind is WordClass.NOUN_VERB and is_plural(before):
        return True
    if kind in _HEADS:
        return (is_plural(word) or is_plural(before)) and _may_be_governed(after)
    return kind is WordClass.PARTICIPLE and after in ARTICLES


_GOVERNED: Final = frozenset(
    {WordClass.CLOSED, WordClass.LY, WordClass.NUMBER, WordClass.ING, WordClass.ORDINAL}
)


def _may_be_governed(word: str) -> bool:
    return word in OBJECT_OPENERS or (
        word not in {"", "and", "of", "or"} and word_class_of(word) in _GOVERNED
    )


def _behind_subject(text: str, words: Sequence[Word], begin: int) -> int | None:
    """The index after the noun phrases, joined by "of", with which the clause begins."""
    phrases = phrases_of(text)
    index = bisect_left(phrases, words[begin].start, key=attrgetter("start"))
    if word_class_of(words[begin].lower) is WordClass.ING:
        index += index < len(phrases) and phrases[index].last == begin + 1
    while index < len(phrases) and _lower(words, phrases[index].last) == "of":
        index += 1
    return phrases[index].last if index < len(phrases) else None


_STATES: Final = frozenset(
    ["are", "comprise", "comprises", "contain", "contains", "has", "include", "includes", "is"]
)
_MAY_FOLLOW: Final = _RELATIVE | frozenset(
    {"after", "and", "as", "before", "but", "either", "it", "or", "there", "time", "times", "to"}
)
_MAX_BETWEEN: Final = 30


def _second_verb(words: Sequence[Word], at: int) -> Flaw | None:
    """ "wherein the probe is a rod is hollow": two verbs of one subject with nothing to join them."""
    first: int | None = None
    for here in range(at + 2, min(at + _MAX_BETWEEN, len(words))):
        word = words[here].lower
        if not word[0].isalnum() or word in _MAY_FOLLOW or word in _WHEREIN:
            return None
        if word not in _STATES:
            continue
        if first is not None:
            between = _lower(words, first + 1)
            named = between in ARTICLES or word_class_of(between) is WordClass.OPEN
            if not named or here < first + 3:
                return None
            return _flaw(words[first].start, words[here].end, "The clause has a verb too many.", "verbs")
        first = here
    return None


_COLLECTS: Final = frozenset({"of", "one"})
_OPENS_CLAUSE: Final = frozenset({"wherein", "whereby", "that", ";", ":", "if", "when", "where", "while"})
_HEADS: Final = frozenset({WordClass.OPEN, WordClass.NOUN_VERB})


def _disagreement(text: str, words: Sequence[Word], at: int) -> Flaw | None:
    """ "wherein the rotor are": the verb words[at] and the subject of its clause, one noun phrase."""
    verb = words[at]
    phrase = phrase_before(phrases_of(text), at)
    if phrase is None or phrase.last != at or phrase.determiner < Determiner.INDEFINITE or phrase.numeral:
        return None
    first = bisect_left(words, phrase.start, key=word_start)
    opener = _lower(words, first - 1)
    wish = opener == "if" and verb.lower == "were"
    if opener not in _OPENS_CLAUSE or wish or text[phrase.end - 1].isupper():
        return None
    if not _COLLECTS.isdisjoint(phrase.opening) or not _disagrees(phrase, verb.lower):
        return None
    one = phrase.words[-1]
    why = f"The verb “{verb.lower}” does not agree with “{one}”."
    return _flaw(phrase.end - len(one), verb.end, why, "agreement")


def _disagrees(phrase: Phrase, verb: str) -> bool:
    head = phrase.words[-1]
    if phrase.determiner is Determiner.NUMBER or head in COUNTED_TOGETHER or len(head) < 4:
        return False
    if not head.isalpha() or word_class_of(head) not in _HEADS:
        return False
    if is_plural(head):
        return verb not in _AGREES_ONE and head[-1] == "s" and head[-2] not in "uis"
    return verb in _AGREES_ONE and head[-1] not in "sa" and not head.endswith(("ae", "i"))


def _lower(words: Sequence[Word], at: int) -> str:
    return words[at].lower if 0 <= at < len(words) else "."


def _flaw(start: int, end: int, why: str, signal: str) -> Flaw:
    return Flaw(RULE["ungrammatical"], start, end, why, None, (signal,))
