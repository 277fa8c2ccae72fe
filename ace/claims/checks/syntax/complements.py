"""Verbs in another form than the word before them demands: "configured to rotating", "can rotates".

Which form each governing word demands stands in language/tables/complements.toml. Only forms that nothing
else can be are looked at: "drive" and "drives" may be nouns, so that an object must follow them.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from ace.claims.checks.syntax.places import Look, Place
from ace.claims.findings import Fix, Flaw
from ace.claims.language.lexicon import IRREGULAR, NOUN_VERBS, NOUNS_ED, OBJECT_OPENERS, VERBS
from ace.claims.language.noun_phrases import WordClass, word_class_of
from ace.claims.language.tables import word_groups, word_list
from ace.claims.language.verb_forms import gerund, third_person


class Form(Enum):
    """A form of a verb."""

    BASE = "base"
    THIRD = "third person"
    GERUND = "gerund"


_NO_VERB = word_list("complements", "no_verb")
_VERBS = VERBS - _NO_VERB - IRREGULAR - NOUNS_ED
_GERUNDS = dict.fromkeys(map(gerund, VERBS | NOUN_VERBS), Form.GERUND)
FORMS = {
    **_GERUNDS,
    **dict.fromkeys(map(third_person, _VERBS), Form.THIRD),
    **dict.fromkeys(_VERBS, Form.BASE),
}
"""The form of each verb in lower case that is in no other form, and no noun."""

_LIKELY = {
    WordClass.ING: Form.GERUND,
    WordClass.FINITE: Form.THIRD,
    WordClass.MAYBE_FINITE: Form.THIRD,
    WordClass.NOUN_VERB: Form.BASE,
}


def form_of(word: str, *, governs: bool) -> Form | None:
    """The form of a word that nothing else can be; or, if an object follows, that it has as a verb."""
    return FORMS.get(word) or (_LIKELY.get(word_class_of(word)) if governs else None)


_INFINITIVE = word_list("complements", "infinitive")
_OR_NOUN = word_list("complements", "infinitive_or_noun")
GOVERNS_BASE = _INFINITIVE | _OR_NOUN
"""Words that "to" and a base form follow."""
_MADE_TO = word_list("complements", "made_to")
_LOST_TO = word_list("complements", "lost_to")
_PASSIVE = word_list("complements", "lost_to_passive")
_BASE = word_list("complements", "base")
_GERUND = word_list("complements", "gerund")
_OF = word_list("complements", "gerund_of")
_PARTICIPLE = word_list("complements", "participle")

_OBJECT = OBJECT_OPENERS - {"to", "from", "into", "if", "at"} | {"at"}
_BOUND_BY = frozenset({"about", "at", "between", "by", "from", "in", "into", "on", "onto", "to", "with"})
_RELATIVE = frozenset({"how", "that", "what", "where", "which", "who", "whom", "whose"})
_RELATIVE_WORDS = 12
_OBJECT_WORDS = 9
_BE = frozenset({"are", "be", "been", "being", "is", "was", "were"})


def _verb(place: Place) -> int:
    """How far ahead the governed verb is: an adverb, or "not", may stand before it."""
    second = place.word(1)
    between = second == "not" or (word_class_of(second) is WordClass.LY if second else False)
    return 2 if between else 1


def _wrong(place: Place, ahead: int, wanted: str) -> Flaw:
    verb, governor = place.word(ahead), place.word()
    return place.flaw(f"“{governor}” takes {wanted}, not “{verb}”.", "complement", last=ahead)


def _stranded(place: Place) -> bool:
    """Whether the word may have its noun before it: "the shaft that it turns with receives"."""
    return any(place.word(-behind) in _RELATIVE for behind in range(1, _RELATIVE_WORDS))


def _governor(place: Place, among: frozenset[str], behind: int) -> bool:
    one, two = place.word(-behind), place.word(-behind - 1)
    return one in among or f"{two}_{one}" in among


def _after_to(place: Place) -> Flaw | None:
    """ "configured to rotating", "causes the motor to rotates a"; not "adapted to existing pipes"."""
    ahead = _verb(place)
    verb = place.word(ahead)
    governs = place.word(ahead + 1) in _OBJECT
    form = form_of(verb, governs=governs)
    if form in {None, Form.BASE}:
        return None
    wrong = _governor(place, _INFINITIVE, 1) or (
        governs and (_governor(place, _OR_NOUN, 1) or (form is Form.GERUND and _made(place)))
    )
    if FORMS.get(verb) is Form.THIRD and not _stranded(place):
        wrong |= governs or _governor(place, _OR_NOUN, 1)
    return _wrong(place, ahead, "a base form") if wrong else None


def _made(place: Place) -> bool:
    """Whether somebody is caused to do something: one noun phrase stands between the verb and "to"."""
    for behind in range(1, _OBJECT_WORDS):
        word = place.word(-behind)
        if word in _MADE_TO:
            return behind > 1
        if not word[:1].isalpha() or word in _BOUND_BY or word.endswith(("ed", "ing")):
            return False
    return False


def _after_modal(place: Place) -> Flaw | None:
    """ "can rotates", "does not comprises", "must is", "may rotating the"."""
    ahead = _verb(place)
    verb = place.word(ahead)
    governs = place.word(ahead + 1) in _OBJECT
    form = form_of(verb, governs=governs)
    gerund = form is Form.GERUND and governs and place.word() != "can"
    if form is Form.THIRD or gerund or (verb in _FINITE and place.word() not in {"does", "do"}):
        return place.flaw(f"“{place.word()}” takes another form of “{verb}”.", "verbs", last=ahead)
    return None


_FINITE = frozenset({"are", "has", "is"})


def _after_preposition(place: Place) -> Flaw | None:
    """ "by rotate the shaft", "after receives a key"."""
    ahead = _verb(place)
    form = FORMS.get(place.word(ahead))
    if form in {None, Form.GERUND} or place.word(ahead + 1) not in _OBJECT or _stranded(place):
        return None
    if place.word(-1).endswith("ed") and form is Form.THIRD:
        return None
    return _wrong(place, ahead, "a gerund")


def _after_of(place: Place) -> Flaw | None:
    """ "a step of rotate the shaft", "capable of rotates"."""
    ahead = _verb(place)
    form = FORMS.get(place.word(ahead))
    if place.word(-1) not in _OF or form in {None, Form.GERUND}:
        return None
    return _wrong(place, ahead, "a gerund")


def _after_auxiliary(place: Place) -> Flaw | None:
    """ "is connect to", "has receive a", "is receives the"."""
    ahead = _verb(place)
    form, after = FORMS.get(place.word(ahead)), place.word(ahead + 1)
    if form in {None, Form.GERUND} or place.word(-1) in {"can", "to"}:
        return None
    governs = after in _OBJECT or (form is Form.BASE and after in _BOUND_BY)
    if not governs or (form is Form.THIRD and _stranded(place)):
        return None
    return _wrong(place, ahead, "a participle")


def _lost_to(place: Place) -> Flaw | None:
    """ "so as afford", "is used determine the"."""
    verb = place.word(1)
    passive = place.word() in _PASSIVE and place.word(-1) in _BE
    if not (passive or _governor(place, _LOST_TO, 0)):
        return None
    base = FORMS.get(verb) is Form.BASE or verb in {"be", "have"}
    base |= verb in NOUN_VERBS and place.word(2) in _OBJECT
    base |= not passive and word_class_of(verb) in _BASES and place.word() in _NO_NOUN_AFTER
    if not base or (passive and place.word(2) not in _OBJECT):
        return None
    at = place.words[place.at + 1].start
    return place.flaw(f"“to” is missing before “{verb}”.", "to", fix=Fix(at, at, "to "))


_BASES = frozenset({WordClass.OPEN, WordClass.NOUN_VERB, WordClass.VERB})
_NO_NOUN_AFTER = frozenset({"as", "order"})  # behind "able", a word that no list has may be a noun


_ALIKE: dict[str, int] = {
    word: group for group, words in enumerate(word_groups("complements", "alike").values()) for word in words
}
_ALIKE_NEXT = _OBJECT | _BOUND_BY


def _two_readings(place: Place) -> Flaw | None:
    """ "is equivalent equal to": the old and the new word of an amendment, side by side."""
    first, second = place.word(), place.word(1)
    if first == second or _ALIKE.get(second) != _ALIKE[first] or place.word(2) not in _ALIKE_NEXT:
        return None
    why = f"“{first}” and “{second}” stand side by side; only one of them can be meant."
    return place.flaw(why, "verbs")


def _last_words(expressions: Iterable[str]) -> set[str]:
    return {each.rpartition("_")[2] for each in expressions}


COMPLEMENTS: dict[str, Look] = {
    **dict.fromkeys(_GERUND, Look(_after_preposition)),
    **dict.fromkeys(_PARTICIPLE, Look(_after_auxiliary)),
    **dict.fromkeys(_BASE, Look(_after_modal)),
    **dict.fromkeys(_last_words(_LOST_TO | _PASSIVE), Look(_lost_to)),
    "of": Look(_after_of),
    "to": Look(_after_to),
}
"""What to look at behind which word."""

TWO_READINGS = dict.fromkeys(_ALIKE, Look(_two_readings, frozenset(_ALIKE)))
"""Words beside which another of like meaning is one too many."""
