"""Words that a sentence cannot do without: "the of the rotor", "according the plan", "a portion the plate".

Each look stands behind a word that governs another, and finds what cannot follow it.
"""

from __future__ import annotations

from ace.claims.checks.syntax.places import Look, Place
from ace.claims.checks.syntax.words import GOVERNING, PARTS
from ace.claims.findings import Fix, Flaw
from ace.claims.language.lexicon import VERBS
from ace.claims.language.noun_phrases import WordClass, word_class_of
from ace.claims.language.words import is_plural

_ARTICLES = frozenset({"a", "an", "each", "said", "the"})
_NEVER_NOUN = frozenset(
    {"are", "comprise", "comprises", "comprising", "has", "have", "is", "of", "was", "were", "when", "where"}
    | {"whereby", "wherein", "which", "while"}
)
_BEFORE_NOUN = frozenset({"and", "between", "by", "from", "into", "through", "to", "with"})
_CLAUSES = frozenset({"are", "comprises", "has", "is", "whereby", "wherein"})
_RELATIVE = frozenset({"how", "that", "what", "where", "which", "who", "whom"})
_RELATIVE_WORDS = 12
"""Words before a preposition in which a relative pronoun may have taken its noun."""


def _noun(place: Place) -> Flaw | None:
    """ "the of the rotor", "the to the valve"; not "the from address"."""
    article, second = place.word(), place.word(1)
    if not place.written(1).islower() or (second in _BEFORE_NOUN and place.word(2) not in _ARTICLES):
        return None
    if (place.word(-1), place.word(2)) == (second, article):
        return None  # "of the of the" has a word too many
    return place.flaw(f"A noun is missing after “{article}”.", "lost")


def _link(place: Place) -> Flaw | None:
    """ "according the plan"."""
    word = place.word()
    wanted = GOVERNING[word]
    if place.word(-1) == "in" and word == "parallel":
        return None
    return _inserted(place, wanted)


_OWNERS = frozenset({"its", "their"})


def _of(place: Place) -> Flaw | None:
    """ "a portion the plate", unless the plate does something: "the end the plate rests on"."""
    article = next((behind for behind in (1, 2) if place.word(-behind) in _ARTICLES), None)
    if article is None:
        return None
    verbs = 0
    for ahead in range(2, _CLAUSE_WORDS):
        word = place.word(ahead)
        if not word[:1].isalnum():
            break
        verbs += word in _FINITE or word_class_of(word) in {WordClass.FINITE, WordClass.MAYBE_FINITE}
    if verbs > (place.word(-article - 1) in _OPENS_CLAUSE):
        return None
    at = place.words[place.at + 1].start
    return place.flaw(f"“of” is missing after “{place.word()}”.", "lost", fix=Fix(at, at, "of "))


_CLAUSE_WORDS = 9
"""Words in which the verb of a relative clause is looked for."""
_FINITE = frozenset({"are", "can", "has", "have", "is"})
_OPENS_CLAUSE = frozenset({";", "that", "whereby", "wherein"})


def _object(place: Place) -> Flaw | None:
    """ "connected to wherein", unless the noun stands before: "the part that it is connected to is"."""
    before = place.word(-1)
    if before.endswith("ed") and place.word() != "of":
        return None
    for behind in range(2, _RELATIVE_WORDS):
        if place.word(-behind) in _RELATIVE:
            return None
    if not before[:1].isalpha() or before in _ARTICLES or (place.word(1), before) == ("is", "need"):
        return None
    return place.flaw(f"A noun is missing after “{place.word()}”.", "lost")


def _than(place: Place) -> Flaw | None:
    """ "less or equal to", "is greater the threshold"."""
    if place.word(1) in _ARTICLES:
        compared = place.word(-1) in _BE and not place.word(2).endswith("er")  # "is larger the closer it is"
        return _inserted(place, "than") if compared else None
    if place.word(2) != "equal" or place.word(3) not in {"to", "than"}:
        return None
    at = place.words[place.at + 1].start
    return place.flaw("“than” is missing before “or equal to”.", "lost", fix=Fix(at, at, "than "))


_BE = frozenset({"are", "be", "being", "is"})


def _inserted(place: Place, wanted: str) -> Flaw:
    at = place.words[place.at + 1].start
    why = f"“{wanted}” is missing after “{place.word()}”."
    return place.flaw(why, "lost", fix=Fix(at, at, f"{wanted} "))


def _of_several(place: Place) -> Flaw | None:
    """ "a plurality holes", "a plurality elongated holes"; not "a plurality vote"."""
    if place.word(-1) != "a" or place.word(1) in _HAVING:
        return None
    for ahead in range(1, _WORDS_OF_A_NAME):
        word = place.word(ahead)
        if not word or word_class_of(word) not in _NAMING:
            return None
        if is_plural(word):
            return _inserted(place, "of")
    return None


_NAMING = frozenset({WordClass.OPEN, WordClass.ING, WordClass.PARTICIPLE, WordClass.NOUN_VERB})
_HAVING = frozenset({"being", "comprising", "having", "including"})
_WORDS_OF_A_NAME = 5


def _or_more(place: Place) -> Flaw | None:
    """ "one more processors", "one more of the holes"; not "at least one more of them", "one more times"."""
    counted = place.word(2)
    several = counted == "of" or (is_plural(counted) and counted != "times")
    return _inserted(place, "or") if several and place.word(-1) not in {"just", "least", "only"} else None


def _at_least(place: Place) -> Flaw | None:
    """ "at least of the holes"."""
    return _inserted(place, "one") if place.word(-1) == "at" else None


def _in_response(place: Place) -> Flaw | None:
    """ "in response detecting a key"; not "receiving a key and in response sending"."""
    before = place.word(-2)
    follows = _acts(place) and place.word(-1) == "in" and before not in _AND_THEN
    return _inserted(place, "to") if follows and not before.endswith("ing") else None


_AND_THEN = frozenset({"and", "or", "then"})


def _based(place: Place) -> Flaw | None:
    """ "based the signal", "based performing the search"; not "has based its decision"."""
    if place.word(-1) in _PERFECT:
        return None
    follows = place.word(1) in _ARTICLES | _OWNERS or (_acts(place) and place.word(2) in _ARTICLES)
    return _inserted(place, "on") if follows else None


_PERFECT = frozenset({"had", "has", "have", "having"})


def _acts(place: Place) -> bool:
    return word_class_of(place.word(1)) is WordClass.ING


def _selected(place: Place) -> Flaw | None:
    """ "selected the group consisting of"."""
    return _inserted(place, "from") if place.word(2) == "group" else None


_MAKE_ABLE = frozenset({"able", "adapted", "configured", "designed", "operable", "programmed"})


def _after_to(place: Place) -> Flaw | None:
    """ "configured to mounted on", "adapted to receives", "connected to wherein"."""
    verb = place.word(1)
    if verb in _CLAUSES:
        return _object(place)
    if place.word(-1) not in _MAKE_ABLE:
        return None
    if verb.endswith("ed") and verb not in VERBS and place.word(2) in _AFTER_PARTICIPLE:
        at = place.words[place.at + 1].start
        return place.flaw(f"“be” is missing before “{verb}”.", "lost", fix=Fix(at, at, "be "))
    return None


_AFTER_PARTICIPLE = frozenset({"at", "between", "by", "from", "in", "into", "on", "onto", "to", "with"})


_COMPARATIVES = frozenset(
    {"fewer", "greater", "higher", "larger", "less", "longer", "lower", "more", "smaller"}
)
_PREPOSITIONS = frozenset({"between", "by", "from", "into", "of", "with"})

LOST: dict[str, Look] = {
    **dict.fromkeys(("the", "said"), Look(_noun, _NEVER_NOUN | _BEFORE_NOUN)),
    **dict.fromkeys(GOVERNING, Look(_link, _ARTICLES | _OWNERS)),
    **dict.fromkeys(PARTS, Look(_of, frozenset({"said", "the"}))),
    **dict.fromkeys(_PREPOSITIONS, Look(_object, _CLAUSES)),
    "to": Look(_after_to),
    **dict.fromkeys(_COMPARATIVES, Look(_than, frozenset({"or"}) | _ARTICLES)),
    "plurality": Look(_of_several),
    "one": Look(_or_more, frozenset({"more"})),
    "least": Look(_at_least, frozenset({"of"})),
    "response": Look(_in_response),
    "based": Look(_based),
    "selected": Look(_selected, frozenset({"the"})),
}
"""What to look at behind which word."""
