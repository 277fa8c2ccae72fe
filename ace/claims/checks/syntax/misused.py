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


MISUSED: dict[str, Look] = {
    **dict.fromkeys(("comprised", "consists"), Look(_after_comprised, _OBJECT)),
    **dict.fromkeys(
        ("is", "are", "which", "that"), Look(_after_which, frozenset({"comprising", "consisting"}))
    ),
    "plurality": Look(_after_plurality),
}
"""What to look at behind which word."""
