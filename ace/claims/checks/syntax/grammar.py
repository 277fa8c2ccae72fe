"""Words that do not fit together: doubled articles, transitions or verbs, a lost preposition, "a" for "an".

Each looks at a word and the few after it, and only where grammar leaves no other reading. predicates.py reads
whole clauses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice, pairwise

from ace.claims.checks.syntax.complements import COMPLEMENTS, TWO_READINGS
from ace.claims.checks.syntax.lost_words import LOST
from ace.claims.checks.syntax.misused import MISUSED, takes_no_of
from ace.claims.checks.syntax.places import Look, Place
from ace.claims.checks.syntax.predicates import AGREEING, THIRD_PERSONS, disagreement, without_verb
from ace.claims.checks.syntax.words import NO_NOUN, TWO_OBJECTS
from ace.claims.findings import Fix, Flaw
from ace.claims.language.lexicon import NOUN_VERBS, NOUNS_ED, VERBS
from ace.claims.language.words import root, words_of

_MAX_REPORTED = 6


def ungrammatical(text: str) -> Iterator[Flaw]:
    """The first few places of a claim where words do not fit together.

    Signals: "article", "transition", "verbs", "prepositions", "participle", "relative", "to", "clause",
    "agreement", "an", "lost" for a word that is missing, "complement" for a verb in another form than
    the word before it demands.
    """
    found = chain(_side_by_side(text), without_verb(text))
    yield from islice(found, _MAX_REPORTED)


def _side_by_side(text: str) -> Iterator[Flaw]:
    words = words_of(text)
    for at, (first, second) in enumerate(pairwise(words)):
        found = _LOOKS.get(first[0])
        if found is None:
            continue
        seconds, looks = found
        if seconds and second[0] not in seconds:
            continue
        if second.start - first.end != 1 or not text[first.start : first.end].islower():
            continue
        for look in looks:
            if look.may_find(second.lower) and (flaw := look.at(Place(text, words, at))) is not None:
                yield flaw
                break


_NO_SECOND_ARTICLE = {
    "a": {"the", "an", "each", "said", "these", "this", "every", "its", "their"},
    "an": {"the", "a", "each", "said", "this", "every", "its", "their"},
    "the": {"a", "an", "its", "their", "this", "these", "every"},
    "said": {"a", "an", "the", "its", "their", "this", "these", "each"},
}
# Behind "the a" these, and single letters, say that "a" stands for something.
_NAMED_BY_A_LETTER = frozenset(
    {"and", "or", "axis", "value", "direction", "side", "plane", "dimension", "type", "level", "component"}
    | {"parameter", "priori", "posteriori"}
)
_NO_AN = frozenset({"also", "each", "into", "over", "only"})
_WANTS_AN = re.compile(r"(?:[aio]|e(?!u|w))(?!nd|re|ll|ne\b|nce\b|ne-|ui)[a-z]{3,}(?:-[a-z]+)*\Z").match
_WANTS_A = re.compile(r"[bcdfgjklmnpqrstvwyz]{1,3}[aeiouy][a-z]{2,}(?:-[a-z]+)*\Z").match


def _after_article(place: Place) -> Flaw | None:
    """ "the a rotor", "a apparatus"; not "the a axis"."""
    article, second = place.word(), place.word(1)
    if second in _NO_SECOND_ARTICLE[article]:
        third = place.word(2)
        if (
            len(third) < 3
            or not third.replace("-", "").isalpha()
            or third in _NAMED_BY_A_LETTER
            or not place.written(1).islower()
        ):
            return None
        return place.flaw(f"Two articles stand side by side: “{article} {second}”.", "article")
    if article not in _RIGHT or second in _NO_AN:
        return None
    wants = _WANTS_AN if article == "a" else _WANTS_A
    if not wants(place.written(1)) or place.word(-1) in _BEFORE_LETTERS:
        return None
    word = place.words[place.at]
    if word.start and place.text[word.start - 1] != " ":
        return None
    right = _RIGHT[article]
    why = f"“{right}” and not “{article}” stands before “{second}”."
    return place.flaw(why, "an", fix=Fix(word.start, word.end, right))


_RIGHT = {"a": "an", "an": "a"}
# Behind one of these a letter is a name: "the a axis", "step a".
_BEFORE_LETTERS = frozenset({"the", "said", "step", "steps", ".", "/", "-", "(", "'", "’"})

_VERBS = frozenset({"is", "are", "was", "were", "has", "have"})
_NO_SECOND_VERB = _VERBS | {"does", "comprises", "comprise", "includes", "contains", "consists"}


def _after_verb(place: Place) -> Flaw | None:
    """ "is has", "the rotor are"."""
    doubled = place.word(1) in _NO_SECOND_VERB and place.word(1) != place.word() and place.word(2) != ","
    if not doubled or place.word() not in _VERBS:
        return disagreement(*place)
    return place.flaw(f"Two verbs stand side by side: “{place.word()} {place.word(1)}”.", "verbs")


def _after_third_person(place: Place) -> Flaw | None:
    """ "the elements receives"."""
    return disagreement(*place)


_TRANSITIONS = frozenset(
    {"comprising", "comprises", "including", "includes", "having", "containing", "contains"}
)


def _after_transition(place: Place) -> Flaw | None:
    """ "comprising including", "comprises consisting of"."""
    second = place.word(1)
    doubled = second in _TRANSITIONS or (second, place.word(2)) == ("consisting", "of")
    if second == "of":
        return takes_no_of(place)
    if not doubled or second == place.word():
        return disagreement(*place)
    return place.flaw(f"Two transitions stand side by side: “{place.word()} {second}”.", "transition")


_BEFORE_OF = frozenset({"to", "with", "from", "by", "for", "in", "on", "at", "into", "onto"})
_PHRASAL = frozenset({"lock", "plug", "power", "switch", "turn"})
_BEFORE_TO = frozenset({"of", "with", "by", "at", "for"})
_ARTICLES = frozenset({"the", "said", "a", "an"})
_DEFINITE = frozenset({"the", "said"})


def _after_preposition(place: Place) -> Flaw | None:
    """ "with of the", "of to the"."""
    first, second, third = place.word(), place.word(1), place.word(2)
    doubled = (second == "of" and first in _BEFORE_OF and third in _ARTICLES) or (
        second == "to" and first in _BEFORE_TO and third in _DEFINITE
    )
    if place.word(-1) in _PHRASAL and first in {"in", "on"} and place.word(-2) in _ARTICLES:
        return None  # "the turn on of the switch"
    why = f"Two prepositions stand side by side: “{first} {second}”."
    return place.flaw(why, "prepositions") if doubled else None


_BOUND = frozenset(
    {"connected", "coupled", "attached", "secured", "mounted", "joined", "fastened", "affixed", "disposed"}
    | {
        "located",
        "positioned",
        "situated",
        "arranged",
        "bolted",
        "fitted",
        "glued",
        "installed",
        "linked",
        "placed",
        "welded",
    }
)
_BE = frozenset({"is", "are", "being", "be", "been", "further"})
_INVERTS = frozenset(
    {
        "which",
        "there",
        "whom",
        "where",
        "has",
        "have",
        "having",
        "thereto",
        "thereon",
        "therein",
        "not",
        "to",
        "and",
    }
    | {"or", "is", "are", "be", "being", "been", ""}
)
_FRONTED = re.compile(
    r"(?:[,;:]|\b(?:wherein|whereby|and|that))\s(?:to|on|in|at|between|within|over|under|above|below|from|around|adjacent"
    r"|along|with|by|inside)\b[^,;:]{0,120}\Z"
)
_FRONTED_CHARACTERS = 140
_PLACED = frozenset(
    {"distance", "predetermined", "certain", "first", "given", "manner", "way", "short", "fixed", "same"}
)


def _after_bound(place: Place) -> Flaw | None:
    """ "is connected the housing", "a rotor coupled the shaft"; not "on which is mounted a rotor"."""
    if place.word(1) not in _ARTICLES or place.word(2) in _PLACED:
        return None
    behind = -2 if place.word(-1).endswith("ly") else -1
    be = place.word(behind) in _BE
    noun = place.word(behind - 1 if be else behind)
    if noun in _INVERTS or noun.endswith("ly") or (noun in NO_NOUN and not be) or not noun[0].isalpha():
        return None
    start = place.words[place.at].start
    if _FRONTED.search(place.text, max(0, start - _FRONTED_CHARACTERS), start):
        return None
    return place.flaw(f"A preposition is missing after “{place.word()}”.", "participle")


def _after_be(place: Place) -> Flaw | None:
    """ "is generated the gas"; not "is given a key"."""
    doubled = _after_verb(place)
    done = place.word(1)
    if doubled is not None or done in _BOUND or not done.endswith("ed") or place.word(2) not in _ARTICLES:
        return doubled
    if root(done) in TWO_OBJECTS or done in _CALLED or done in NOUNS_ED or done.endswith("eed"):
        return None
    return _after_bound(place._replace(at=place.at + 1))


_CALLED = frozenset(
    {"called", "denoted", "designated", "dubbed", "labeled", "labelled", "referred", "termed"}
)


_AFTER_CONSISTING = frozenset({"of", "in", "at", "or", "and", "with", "therein", "either", "just"})


def _after_consisting(place: Place) -> Flaw | None:
    """ "the group consisting copper and tin"; in "consisting ofcopper" the text has lost a space."""
    second = place.word(1)
    glued = second.startswith("of") and not second.startswith("off")
    if (
        second in _AFTER_CONSISTING
        or glued
        or second.endswith("ly")
        or not (second[0].isalnum() or second == "(")
    ):
        return None
    return place.flaw("“of” is missing after “consisting”.", "participle", last=0)


_COMPARED = frozenset({"than", "to", "as", "from", "with"})


def _after_relative(place: Place) -> Flaw | None:
    """ "information that received by the server"; not "other than that received by"."""
    done = place.word(1)
    if not done.endswith("ed") or place.word(2) != "by" or place.word(3) not in _ARTICLES | {"one", "means"}:
        return None
    if place.word(-1) in _COMPARED:
        return None
    return place.flaw(f"A verb is missing after “{place.word()}”.", "relative")


_ABLE = frozenset(
    {
        "configured",
        "adapted",
        "arranged",
        "operable",
        "designed",
        "configurable",
        "operative",
        "programmed",
        "able",
        "structured",
    }
)
_OBJECTS = _ARTICLES | {"at", "one", "each", "all", "any"}


def _after_able(place: Place) -> Flaw | None:
    """ "configured receive a signal"; "the configured control unit" is a name."""
    verb, before = place.word(1), place.word(-1)
    if (
        verb not in VERBS
        and verb not in {"be", "have"}
        and not (verb in NOUN_VERBS and place.word(2) in _OBJECTS)
    ):
        return None
    if before in NO_NOUN and before not in _BE:
        return None
    at = place.words[place.at + 1].start
    return place.flaw(f"“to” is missing before “{verb}”.", "to", fix=Fix(at, at, "to "))


_FITTING: dict[str, Look] = {
    **dict.fromkeys(_BEFORE_OF | _BEFORE_TO, Look(_after_preposition, frozenset({"of", "to"}))),
    **dict.fromkeys(AGREEING | _VERBS, Look(_after_verb)),
    **dict.fromkeys(("is", "are"), Look(_after_be)),
    **dict.fromkeys(THIRD_PERSONS, Look(_after_third_person)),
    **dict.fromkeys(_TRANSITIONS, Look(_after_transition)),
    **dict.fromkeys(_BOUND, Look(_after_bound, _ARTICLES)),
    **dict.fromkeys(_ABLE, Look(_after_able)),
    **{article: Look(_after_article, frozenset(second)) for article, second in _NO_SECOND_ARTICLE.items()},
    "a": Look(_after_article, letters="aeiost"),
    "an": Look(_after_article, letters="abcdfgjklmnpqrstvwyz"),
    "consisting": Look(_after_consisting),
    "that": Look(_after_relative),
    "which": Look(_after_relative),
}


def _looks_behind(word: str) -> tuple[frozenset[str], tuple[Look, ...]]:
    """What must follow a word behind which only certain words are wrong, and what to look at behind it."""
    looks = tuple(
        looks[word] for looks in (MISUSED, _FITTING, LOST, COMPLEMENTS, TWO_READINGS) if word in looks
    )
    always = any(not look.seconds for look in looks)
    return frozenset() if always else frozenset().union(*(look.seconds for look in looks)), looks


_LOOKS = {
    word: _looks_behind(word) for word in {**MISUSED, **_FITTING, **LOST, **COMPLEMENTS, **TWO_READINGS}
}
