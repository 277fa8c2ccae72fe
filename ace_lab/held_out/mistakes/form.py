"""Marks and joints of a claim (37 CFR 1.75; MPEP 608.01(m)): no "and" before the last limb, marks lost or
doubled, a period inside, "wherein" or "comprising" lost, half a bracket, a numeral for two things.
"""

from __future__ import annotations

import re
from random import Random

from ace.claims.model import Claim, ClaimSet
from ace_lab.held_out.edits import Defect, DefectPlace, body_start, replaced, shuffled
from ace_lab.held_out.elements import a
from ace_lab.held_out.mistakes.family import adding, among, elements_of, fresh, site, somewhere

_LIMB_START = r"(?:\(?[a-z]{1,3}\)\s)?(?:an?|one or more|at least one|[a-z]+ing (?:the|an?))\s"
_LAST_LIMB = re.compile(rf"(?P<mark>[;,])\sand\s(?P<limb>{_LIMB_START}[^;.]{{3,400}})\.\Z")
_LIMB_MARK = re.compile(rf"(?<=\w)(?P<mark>[;,])(?=\s{_LIMB_START})")
_TRANSITION = re.compile(
    r",?\s(?:(?:which|that)\s)?(?:comprising|including|comprises|includes):?\s(?=(?:an?|one|at)\s)"
)
_OTHER_TRANSITION = re.compile(
    r"[:;]|\b(?:compris|consist|includ|contain|having|has|wherein|whereby|improvement)"
)
_WHEREIN = re.compile(r", wherein (?=(?:the|said|each) )")


def no_word_before_the_last(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "a rotor; a shaft; and a lid." loses its "and". Twin: "as well as"."""
    for claim in shuffled(claims, rng):
        found = _LAST_LIMB.search(claim.text)
        if (
            found is None
            or _earlier_limbs(claim, found) < 1
            or (found["mark"] == "," and " and " in found["limb"])
        ):
            continue
        joint = "" if wrong else "as well as "
        start, end = found.start("mark"), found.start("limb")
        shown = min(len(found["limb"]), 40)
        defect = replaced(claims, claim, start, end, f"{found['mark']} {joint}")
        return Defect(defect.claims, (DefectPlace(claim.number, start, start + 2 + len(joint) + shown),))
    return None


def mark_between_limbs_lost(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "a rotor; a shaft; and a lid" becomes "a rotor a shaft; and a lid". Twin: limbs on own lines."""
    for claim in shuffled(claims, rng):
        marks = [found for found in _LIMB_MARK.finditer(claim.text) if ":" in claim.text[: found.start()]]
        marks = [found for found in marks if found["mark"] == ";"] or marks
        if len(marks) < 2:
            continue
        found = rng.choice(marks)
        end = found.end()
        defect = replaced(claims, claim, found.start(), end, "" if wrong else f"{found['mark']}\n")
        if not wrong:
            text = f"{claim.text[:end]}\n{claim.text[end + 1 :]}"
            defect = replaced(claims, claim, 0, len(claim.text), text)
        return Defect(defect.claims, (DefectPlace(claim.number, max(0, found.start() - 12), end + 12),))
    return None


def two_marks_at_the_end(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "the lid.." or "the lid;.". Twin: "the lid (12)."."""
    for claim in shuffled(claims, rng):
        if re.search(r"[a-z]{3,}\.\Z", claim.text):
            end = len(claim.text)
            piece = (
                rng.choice(("..", ";.", ",.", ". .", ".;", ":.")) if wrong else f" ({rng.randint(100, 900)})."
            )
            return replaced(claims, claim, end - 1, end, piece)
    return None


def period_for_a_comma(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """A comma or semicolon becomes a period. Twin: the period of "approx."."""
    if not wrong:
        found = site(claims, rng)
        said = rng.choice(("approx. 5 mm", "max. 40 mm", "min. 3 mm"))
        clause = f"wherein the {found.name} is {said} away" if found else ""
        return somewhere(claims, rng, found.claim.number, clause, said) if found else None
    for claim in shuffled(claims, rng):
        marks = list(re.finditer(r"(?<=[a-z]{3})[,;](?=\s(?:an?|the|wherein|and|which)\s[a-z])", claim.text))
        if marks:
            mark = rng.choice(marks)
            defect = replaced(claims, claim, *mark.span(), ".")
            return Defect(defect.claims, (DefectPlace(claim.number, mark.start() - 3, mark.end() + 8),))
    return None


def wherein_lost(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "The pump of claim 1, the lid is round". Twin: "in which the lid is round"."""
    for claim in shuffled(claims, rng):
        found = _WHEREIN.search(claim.text)
        if claim.parents and found is not None and found.start() < body_start(claim) + 3:
            piece = ", " if wrong else rng.choice((", in which ", " wherein ", " where "))
            defect = replaced(claims, claim, *found.span(), piece)
            return Defect(defect.claims, (DefectPlace(claim.number, 0, found.start() + len(piece) + 12),))
    return None


def transition_lost(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "A lamp comprising a socket" becomes "A lamp a socket". Twin: "A lamp having a socket"."""
    for claim in shuffled(claims, rng):
        found = _TRANSITION.search(claim.text)
        if claim.parents or found is None or _OTHER_TRANSITION.search(claim.text[: found.start()]):
            continue
        piece = rng.choice((" ", ", ")) if wrong else rng.choice((", having ", ", which includes "))
        defect = replaced(claims, claim, *found.span(), piece)
        return Defect(defect.claims, (DefectPlace(claim.number, 0, found.start() + len(piece) + 8),))
    return None


def half_a_bracket(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "the lever (12 is". Twin: "the lever (12) is"."""
    one = among(claims, rng, [each for each in elements_of(claims).taken_up if len(each.words) < 3])
    if one is None or re.search(r"\(\d", claims[one.claim].text):
        return None
    number = rng.randint(10, 99)
    piece = (
        rng.choice((f"({number}", f"{number})", f"[{number}", f"({number}]", f"(({number})"))
        if wrong
        else f"({number})"
    )
    return replaced(claims, claims[one.claim], one.end, one.end, f" {piece}")


def one_numeral_for_two(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "a lever (12) and a knob (12)". Twin: "a lever (12) and a knob (14)"."""
    found, (one, other, *_) = site(claims, rng), fresh(claims, rng, 2)
    if found is None or any(re.search(r"\(\d+\)", claim.text) for claim in claims):
        return None
    first = rng.randint(10, 90)
    second = first if wrong else first + rng.randint(2, 9)
    number = found.claim.number
    things = f"{a(one)} ({first}) and {a(other)} ({second})"
    return somewhere(claims, rng, number, adding(claims, number, things), things)


def _earlier_limbs(claim: Claim, last: re.Match[str]) -> int:
    """The limbs before the last that the same mark ends."""
    before = claim.text[: last.start()]
    return len(re.findall(rf"{re.escape(last['mark'])}\s{_LIMB_START}", before))


EDITS = (
    no_word_before_the_last,
    mark_between_limbs_lost,
    two_marks_at_the_end,
    period_for_a_comma,
    wherein_lost,
    transition_lost,
    half_a_bracket,
    one_numeral_for_two,
)
