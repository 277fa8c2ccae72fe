"""The regular forms of verbs, by the rules of spelling: "touch", "touches", "touching", "touched"."""

from __future__ import annotations

from ace.claims.language.tables import table, word_list

_DOUBLING = word_list("statements", "doubling")
_IRREGULAR: dict[str, str] = table("statements")["irregular"]


def third_person(base: str) -> str:
    """ "touches" for "touch"."""
    if base == "have":
        return "has"
    if base.endswith("y") and base[-2:-1] not in "aeiou":
        return base[:-1] + "ies"
    return base + ("es" if base.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")


def gerund(base: str) -> str:
    """ "touching" for "touch"."""
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith(("ee", "ye", "oe")):
        return base[:-1] + "ing"
    return base + (base[-1] if base in _DOUBLING else "") + "ing"


def participle(base: str) -> str:
    """ "touched" for "touch"."""
    if base in _IRREGULAR:
        return _IRREGULAR[base]
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2:-1] not in "aeiou":
        return base[:-1] + "ied"
    return base + (base[-1] if base in _DOUBLING else "") + "ed"


def gerund_of(done: str) -> str:
    """ "drying" for the regular participle "dried"."""
    return done[:-3] + "ying" if done.endswith("ied") else done[:-2] + "ing"


def base_of(third: str) -> str:
    """ "touch" for "touches"; any other word as it is."""
    if third.endswith("ies") and len(third) > 4:
        return third[:-3] + "y"
    if third.endswith(("ches", "shes", "sses", "xes", "zzes")):
        return third[:-2]
    return third[:-1] if third.endswith("s") and not third.endswith("ss") else third


def forms_of(base: str) -> tuple[str, ...]:
    """The base form, the third person and the gerund, in which a claim says what a thing does."""
    return base, third_person(base), gerund(base)
