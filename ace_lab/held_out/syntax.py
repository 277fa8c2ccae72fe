"""Claims that are not one well-formed sentence (37 CFR 1.75; MPEP 608.01(m)): marks, brackets and words
missing or doubled, an extra or incomplete sentence, inconsistent reference numerals.
"""

from __future__ import annotations

import re
from random import Random

from ace.claims.model import Claim, ClaimSet
from ace_lab.held_out.edits import (
    Defect,
    DefectPlace,
    Injector,
    replaced,
    shuffled,
    with_text,
)
from ace_lab.held_out.elements import Elements
from ace_lab.held_out.words import NOUNS

_TRANSITION = re.compile(
    r",?\s(?:(?:which|that)\s)?(?:further\s)?(?:compris(?:es|ing)|consist(?:s|ing)(?:\sessentially)?\sof|"
    r"includ(?:es|ing)|characterized\sin\sthat)(?:\sthe\ssteps\sof)?:?\s"
)
_OTHER_TRANSITION = re.compile(
    r"[:;]|\b(?:wherein|whereby|having|has|contain\w+|compos\w+|the improvement)\b"
)
_CONTENT = re.compile(r"(?<=\s)(?P<word>[a-z]{4,})(?=[\s,;])")
_SMALL = re.compile(r"(?<=\s)(?:the|of|to|with|in|and|for|from|a|by)(?=\s)")
# A pair that is no label: "(i)" without its first half is the label "i)".
_PAIR = re.compile(r"\((?!\w{1,3}\))[^()]{2,60}\)|\[[^\[\]]{2,60}\]")
_JOINT = re.compile(r";(?= (?:an? |[a-z]+ing (?:an? |the )))")


def period_removed(claims: ClaimSet, rng: Random) -> Defect | None:
    """The final period is missing."""
    claim = shuffled(claims, rng)[:1]
    return _ended(claims, claim[0], "") if claim else None


def other_mark_for_period(claims: ClaimSet, rng: Random) -> Defect | None:
    """The claim ends in a comma, a semicolon, a colon or "and"."""
    claim = shuffled(claims, rng)[:1]
    return _ended(claims, claim[0], rng.choice((";", ",", ":", "; and", ", and"))) if claim else None


def sentence_added(claims: ClaimSet, rng: Random) -> Defect | None:
    """A second sentence follows the claim."""
    for claim in shuffled(claims, rng):
        noun = rng.choice(NOUNS)
        ending = rng.choice(
            (f"A {noun} is also provided.", "This makes it last longer.", "It is made of steel.")
        )
        edited = with_text(claims, claim.number, f"{claim.text} {ending}")
        start = len(claim.text) - 1
        return Defect(edited, (DefectPlace(claim.number, start, start + 2 + len(ending)),))
    return None


def sentence_cut_in_two(claims: ClaimSet, rng: Random) -> Defect | None:
    """A semicolon, or the comma before "wherein", becomes a period and a capital."""
    for claim in shuffled(claims, rng):
        joints = list(re.finditer(r"(?:;|,(?=\swherein\b))\s+(?P<word>[a-z]+)", claim.text))
        if joints:
            joint = rng.choice(joints)
            return replaced(claims, claim, *joint.span(), f". {joint['word'].capitalize()}")
    return None


def transition_removed(claims: ClaimSet, rng: Random) -> Defect | None:
    """ "A pump comprising a rotor" becomes "A pump a rotor"."""
    for claim in shuffled(claims, rng):
        found = _TRANSITION.search(claim.text)
        if found is None or claim.parents or _OTHER_TRANSITION.search(claim.text, 0, found.start()):
            continue
        text = claim.text[: found.start()] + " " + claim.text[found.end() :]
        edited = with_text(claims, claim.number, text)
        end = text.find(" ", found.start() + 3)
        return Defect(edited, (DefectPlace(claim.number, 0, max(end, found.start() + 2)),))
    return None


def limb_mark_removed(claims: ClaimSet, rng: Random) -> Defect | None:
    """ "a rotor; a shaft" becomes "a rotor a shaft"."""
    for claim in shuffled(claims, rng):
        joints = [match.start() for match in _JOINT.finditer(claim.text)]
        if len(joints) >= 2:
            at = rng.choice(joints)
            return _struck(claims, claim, at, at + 1)
    return None


def mark_doubled(claims: ClaimSet, rng: Random) -> Defect | None:
    """ ";" becomes ";;", ",;" or "; ;"."""
    for claim in shuffled(claims, rng):
        marks = list(re.finditer(r"(?<=[a-z])[;,:](?=\s[a-z])", claim.text))
        if marks:
            mark = rng.choice(marks)
            piece = rng.choice((mark.group() * 2, f"{mark.group()} {mark.group()}", f",{mark.group()}"))
            return replaced(claims, claim, *mark.span(), piece)
    return None


def bracket_dropped(claims: ClaimSet, rng: Random) -> Defect | None:
    """One of a pair of brackets is struck; where there is none, half a pair is put in."""
    sound = shuffled(claims, rng)
    for claim in sound:
        pairs = list(_PAIR.finditer(claim.text))
        if pairs:
            pair = rng.choice(pairs)
            at = rng.choice((pair.start(), pair.end() - 1))
            inner = (
                (pair.end() - 2, pair.end() - 1) if at == pair.start() else (pair.start(), pair.start() + 1)
            )
            defect = _struck(claims, claim, at, at + 1)
            return Defect(defect.claims, (*defect.places, DefectPlace(claim.number, *inner)))
    elements = [each for each in Elements(claims).taken_up if claims[each.claim].text.endswith(".")]
    if not elements:
        return None
    one = rng.choice(elements)
    piece = rng.choice((f" ({rng.randint(2, 99)}", f" {rng.randint(2, 99)})", f" [{rng.randint(2, 99)}"))
    return replaced(claims, claims[one.claim], one.end, one.end, piece)


def word_doubled(claims: ClaimSet, rng: Random) -> Defect | None:
    """ "of the rotor" becomes "of of the rotor" or "of the rotor rotor"."""
    for claim in shuffled(claims, rng):
        words = list((_SMALL if rng.random() < 0.5 else _CONTENT).finditer(claim.text))
        if words:
            word = rng.choice(words)
            return replaced(claims, claim, *word.span(), f"{word.group()} {word.group()}")
    return None


def broken_off(claims: ClaimSet, rng: Random) -> Defect | None:
    """The claim stops after a small word of its second half, with a period."""
    for claim in shuffled(claims, rng):
        places = [found for found in _SMALL.finditer(claim.text) if found.start() > len(claim.text) // 2]
        if places:
            place = rng.choice(places)
            edited = with_text(claims, claim.number, f"{claim.text[: place.end()]}.")
            return Defect(edited, (DefectPlace(claim.number, place.start(), place.end() + 1),))
    return None


def lower_case_start(claims: ClaimSet, rng: Random) -> Defect | None:
    """ "The pump" becomes "the pump"."""
    for claim in shuffled(claims, rng):
        if re.match(r"[A-Z][a-z]*\s", claim.text):
            first = claim.text.split(None, 1)[0]
            return replaced(claims, claim, 0, len(first), first.lower())
    return None


def numerals_disagree(claims: ClaimSet, rng: Random) -> Defect | None:
    """ "a rotor (12)" is taken up as "the rotor (14)"."""
    elements = Elements(claims)
    taken_up = list(elements.taken_up)
    rng.shuffle(taken_up)
    for one in taken_up:
        firsts = [each for each in elements.introduced if (each.claim, each.words) == (one.claim, one.words)]
        claim = claims[one.claim]
        if not firsts or firsts[0].end > one.start or re.search(r"\(\d+\)", claim.text):
            continue
        number = rng.randint(10, 80)
        first, second = f" ({number})", f" ({number + rng.randint(1, 9)})"
        text = claim.text[: one.end] + second + claim.text[one.end :]
        text = text[: firsts[0].end] + first + text[firsts[0].end :]
        edited = with_text(claims, claim.number, text)
        shift = len(first)
        places = (
            DefectPlace(claim.number, one.start + shift, one.end + shift + len(second)),
            DefectPlace(claim.number, firsts[0].start, firsts[0].end + shift),
        )
        return Defect(edited, places)
    return None


def _ended(claims: ClaimSet, claim: Claim, ending: str) -> Defect:
    text = claim.text[:-1] + ending
    edited = with_text(claims, claim.number, text)
    return Defect(edited, (DefectPlace(claim.number, max(0, len(text) - len(ending) - 1), len(text)),))


def _struck(claims: ClaimSet, claim: Claim, start: int, end: int) -> Defect:
    """text[start:end] is gone; the place is where it was, with a character on either side."""
    text = claim.text[:start] + claim.text[end:]
    edited = with_text(claims, claim.number, text)
    return Defect(edited, (DefectPlace(claim.number, max(0, start - 1), min(len(text), start + 2)),))


INJECTORS: tuple[Injector, ...] = (
    period_removed,
    other_mark_for_period,
    sentence_added,
    sentence_cut_in_two,
    transition_removed,
    limb_mark_removed,
    mark_doubled,
    bracket_dropped,
    word_doubled,
    broken_off,
    lower_case_start,
    numerals_disagree,
)
