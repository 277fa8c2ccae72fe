"""Words in a form that does not fit: "comprising of a lid", "comprised a lid", "a plurality lids"."""

from __future__ import annotations

from ace.claims.checks.syntax.places import Look, Place
from ace.claims.findings import Fix, Flaw
from ace.claims.language.noun_phrases import WordClass, word_class_of
from ace.claims.language.words import is_plural

_LISTED = frozenset({"a", "an", "at", "one", "the", "two", "three", ":"})
_OBJECT = frozenset({"a", "an", "at", "the"})
_AUXILIARIES = frozenset({"is", "are", "be", "being", "been", "has", "have"})


def takes_no_of(place: Place) -> Flaw | None:
    """ "comprising of a housing"."""
    if place.word() == "having" or place.word(2) not in _LISTED:
        return None
    return place.flaw(f"“{place.word()}” takes no “of”.", "transition")


def _after_comprised(place: Place) -> Flaw | None:
    """ "a pump comprised a housing", "a pump consists a housing"."""
    if place.word(-1) in _AUXILIARIES and place.word() == "comprised":
        return None
    wanted = "comprising" if place.word() == "comprised" else f"{place.word()} of"
    return place.flaw(f"“{wanted}” is meant by “{place.word()}”.", "transition")


def _after_which(place: Place) -> Flaw | None:
    """ "which comprising", "is comprising"."""
    return place.flaw(f"“{place.word()} {place.word(1)}” has no verb, or one too many.", "transition")


def _after_plurality(place: Place) -> Flaw | None:
    """ "a plurality blades"."""
    second = place.written(1)
    if not is_plural(second) or not second.isalpha() or word_class_of(second) is not WordClass.OPEN:
        return None
    at = place.words[place.at + 1].start
    return place.flaw("“of” is missing after “plurality”.", "lost", fix=Fix(at, at, "of "))


_OF_WHICH = frozenset({"all", "both", "each", "either", "neither", "one", "some"})
_STATES = frozenset({"being", "comprising", "consisting", "containing", "having", "including"})
_GOVERNED = frozenset({"a", "an", "at", "said", "the", "with"})
_HAVE_VERB = frozenset({"are", "comprises", "has", "have", "includes", "is"})
_CLAUSE_WORDS = 12


def _after_relative(place: Place) -> Flaw | None:
    """ "each of which containing a lens", "which having a lens"; not "by which rotating the lens"."""
    gerund, before = place.word(1), place.word(-1)
    if gerund in {"comprising", "consisting"}:
        return _after_which(place)
    if gerund not in _STATES and word_class_of(gerund) is not WordClass.ING:
        return None
    counted = before == "of" and place.word(-2) in _OF_WHICH
    if not counted and not (before == "," or (gerund in _STATES and word_class_of(before) is WordClass.OPEN)):
        return None
    if place.word(2) not in _GOVERNED and gerund not in _STATES:
        return None
    for ahead in range(2, _CLAUSE_WORDS):
        if not place.word(ahead)[:1].isalnum():
            break
        if place.word(ahead) in _HAVE_VERB:
            return None
    return place.flaw(f"“{place.word()} {gerund}” has no verb.", "relative")


MISUSED: dict[str, Look] = {
    **dict.fromkeys(("comprised", "consists"), Look(_after_comprised, _OBJECT)),
    **dict.fromkeys(("is", "are", "that"), Look(_after_which, frozenset({"comprising", "consisting"}))),
    **dict.fromkeys(("which", "who"), Look(_after_relative)),
    "plurality": Look(_after_plurality),
}
"""What to look at behind which word."""
