"""Clauses without a verb, and verbs that do not agree with their subject."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from operator import attrgetter

from ace.claims.checks.syntax.rules import RULE
from ace.claims.checks.syntax.words import COUNTED_TOGETHER
from ace.claims.findings import Flaw
from ace.claims.language.lexicon import FINITE, OBJECT_OPENERS
from ace.claims.language.noun_phrases import (
    Determiner,
    Phrase,
    WordClass,
    phrase_before,
    phrases_of,
    word_class_of,
)
from ace.claims.language.words import Word, is_plural, word_start, words_of

_WHEREIN = re.compile(r"wherein,?\s(?P<clause>(?:the|said|each|an?)\s[^.;:]{0,400})")
_NEXT_WHEREIN = re.compile(r"\bwhere(?:in|by|as|upon)\b")
_HAS_VERB = re.compile(
    r"\b(?:is|are|was|were|be|has|have|had|does|do|did|can|may|must|will|shall|could|should|would|might|cannot|being|having|comprises?|includes?"
    r"|consists?|contains?|composed|[a-z]+ize|[a-z]+ify|(?!(?:[a-z]*pl|subst?r|[gr]|st)ates?\b)[a-z]+ates?)\b|[=<>≤≥≦≧≠~∈≈±]|\bto\s[a-z]+\Z"
)


def without_verb(text: str) -> Iterator[Flaw]:
    """ "wherein the rotor made of brass": no word of the clause can be its verb."""
    for match in _WHEREIN.finditer(text):
        clause = match["clause"]
        follows = _NEXT_WHEREIN.search(clause)
        if follows is not None:
            clause = clause[: follows.start()]
        elif not _CLAUSE_ENDS.match(text, match.end()) and not _CONFIGURED.search(clause):
            continue
        clause = _before_next_clause(clause)
        if _HAS_VERB.search(clause) or not _lacks_verb(text, match.start("clause"), clause):
            continue
        end = match.start("clause") + len(clause.rstrip(" ,.\n"))
        yield _flaw(match.start(), min(end, match.start() + 80), "This clause has no verb.", "clause")


_AND_THE = re.compile(r",\sand\s(?:wherein\s)?(?:the|said|an?)\s(?P<next>[^,;]{0,80})")
_ONE_DOES = re.compile(r"(?:[a-z-]+\s){1,5}?(?:is|has|comprises|includes|was)\s")


def _before_next_clause(clause: str) -> str:
    """The part before a second clause about another thing: "the lid made of tin, and the rim is round"."""
    joint = _AND_THE.search(clause)
    if joint is None or _ONE_DOES.match(joint["next"]) is None:
        return clause
    return clause[: joint.start()]


_CONFIGURED = re.compile(r"\bconfigured\sto\Z")
_CLAUSE_ENDS = re.compile(r";|\.\s?\Z")
_VERBLESS = frozenset(
    {WordClass.PARTICIPLE, WordClass.ING, WordClass.NUMBER, WordClass.AFTER_NOUN, WordClass.LY}
)
_AFTER_SUBJECT = frozenset(
    {
        "a",
        "an",
        "the",
        "said",
        "about",
        "as",
        "at",
        "based",
        "between",
        "comprising",
        "consisting",
        "made",
        "on",
    }
)


def _lacks_verb(text: str, start: int, clause: str) -> bool:
    """Whether the subject at `start` is one thing, with no verb behind it nor later in the clause."""
    phrases, words = phrases_of(text), words_of(text)
    at = bisect_left(phrases, start, key=attrgetter("start"))
    if at == len(phrases) or phrases[at].start != start or phrases[at].last >= len(words):
        return False
    head = phrases[at]
    chained = words[head.last].lower == "of"
    while (
        words[phrases[at].last].lower == "of" and at + 1 < len(phrases) and phrases[at + 1].last < len(words)
    ):
        at += 1
    after = words[phrases[at].last].lower
    rest = text[phrases[at].end : start + len(clause)]
    if head.several or any(map(is_plural, head.words)):
        many = is_plural(head.words[-1]) and not any(map(is_plural, head.words[:-1]))
        done = word_class_of(after) is WordClass.PARTICIPLE
        return many and done and not phrases[at].cuts and not _may_have_verb(rest, several=True)
    if word_class_of(after) not in _VERBLESS and after not in _AFTER_SUBJECT:
        return False
    return not (chained and phrases[at].cuts) and not _may_have_verb(rest, several=chained)


def _may_have_verb(clause: str, *, several: bool = False) -> bool:
    words = ["", *clause.lower().replace(",", " ,").split(), ","]
    around = zip(words, words[1:], words[2:], strict=False)
    return any(_may_be_verb(*each) or (several and _may_be_base(*each)) for each in around)


def _may_be_governed(word: str) -> bool:
    return word in _GOVERNED or word_class_of(word) in {WordClass.LY, WordClass.ING}


def _may_be_base(before: str, word: str, after: str) -> bool:
    """Whether the word may be the verb of several things."""
    if before in OBJECT_OPENERS or before == "to":
        return False
    kind = word_class_of(word)
    return kind is WordClass.VERB or (
        kind in {WordClass.OPEN, WordClass.NOUN_VERB} and _may_be_governed(after) and not is_plural(word)
    )


def _may_be_verb(before: str, word: str, after: str) -> bool:
    """Whether the word may be the verb of one thing: a third person, or in "s" before what verbs govern."""
    kind = word_class_of(word)
    if kind in {WordClass.FINITE, WordClass.GLUED} or (
        kind is WordClass.MARK and word not in {",", "(", ")"}
    ):
        return True
    governs = before.endswith("ly") or after[0].isdigit() or _may_be_governed(after)
    return governs and kind in {WordClass.OPEN, WordClass.MAYBE_FINITE} and is_plural(word)


_GOVERNED = OBJECT_OPENERS | {
    *(
        "across",
        "along",
        "as",
        "around",
        "between",
        "beyond",
        "by",
        "down",
        "off",
        "on",
        "out",
        "over",
        "through",
    ),
    *("toward", "towards", "under", "up", "with", "within"),
}


_AGREES_ONE = frozenset({"are", "have", "were", "comprise", "include", "consist", "contain"})
_AGREES_MANY = frozenset({"is", "has", "was", "comprises", "includes", "consists", "contains"})
AGREEING = _AGREES_ONE | _AGREES_MANY
"""Verbs whose number shows."""
THIRD_PERSONS = FINITE - AGREEING
"""Further verbs that one thing alone is the subject of."""
_COLLECTS = re.compile(r"\sof\s")
_OPENS_CLAUSE = frozenset({"wherein", "whereby", "that", ";", ":", "if", "when", "where", "while"})
_HEADS = frozenset({WordClass.OPEN, WordClass.NOUN_VERB})


def disagreement(text: str, words: Sequence[Word], at: int) -> Flaw | None:
    """ "wherein the rotor are": the verb words[at] and the subject of its clause, one noun phrase."""
    verb = words[at]
    if verb.lower not in AGREEING and verb.lower not in THIRD_PERSONS:
        return None
    phrase = phrase_before(phrases_of(text), at)
    if phrase is None or phrase.last != at or phrase.determiner < Determiner.INDEFINITE or phrase.numeral:
        return None
    first = bisect_left(words, phrase.start, key=word_start)
    opener = words[first - 1].lower if first else ""
    if opener not in _OPENS_CLAUSE or _is_wish(words, at, opener) or text[phrase.end - 1].isupper():
        return None
    if _COLLECTS.search(text, phrase.start, phrase.end) or not _disagrees(phrase, verb.lower):
        return None
    one = phrase.words[-1]
    why = f"The verb “{verb.lower}” does not agree with “{one}”."
    return _flaw(phrase.end - len(one), verb.end, why, "agreement")


def _is_wish(words: Sequence[Word], at: int, opener: str) -> bool:
    """Whether the verb tells of what is not so: "if the rotor were to stop"."""
    return opener == "if" and words[at].lower == "were"


def _disagrees(phrase: Phrase, verb: str) -> bool:
    head = phrase.words[-1]
    if phrase.determiner is Determiner.NUMBER or head in COUNTED_TOGETHER or len(head) < 4:
        return False
    if not head.isalpha() or word_class_of(head) not in _HEADS:
        return False
    if is_plural(head):
        return verb not in _AGREES_ONE and head[-1] == "s" and head[-2] not in "uis"
    return verb in _AGREES_ONE and head[-1] not in "sa" and not head.endswith(("ae", "i"))


def _flaw(start: int, end: int, why: str, signal: str) -> Flaw:
    return Flaw(RULE["ungrammatical"], start, end, why, None, (signal,))
