"""Elements that change their name (MPEP 2173.05(e), 608.01(o)): a new name downstream, a compound cut short,
a changed head, a lost letter, initials that nothing explains, a lost "a", an element left to another claim.
"""

from __future__ import annotations

import re
from random import Random

from ace.claims.model import Claim, ClaimSet
from ace.claims.references.claim_references import parents_of
from ace_lab.held_out.edits import (
    Defect,
    DefectPlace,
    before,
    limbs,
    only_reference,
    replaced,
    shuffled,
    with_text,
)
from ace_lab.held_out.elements import Named, a, mentions_of, unheard
from ace_lab.held_out.mistakes.family import about, among, elements_of, fresh, introduced, subject
from ace_lab.held_out.words import NOUNS

_HEADS = ("member", "element", "unit", "assembly", "device", "body", "arrangement", "part")
_VERBS = ("guiding", "holding", "cleaning", "supporting", "controlling", "adjusting", "feeding", "covering")
_OTHER_HEADS = (
    "bracket",
    "gauge",
    "spindle",
    "cartridge",
    "flange",
    "tray",
    "hatch",
    "pedal",
    "spool",
    "knob",
)
_LIMB = re.compile(
    r"(?:\(?[a-z]{1,3}\)\s)?"
    r"(?P<element>an? (?P<noun>(?!plurality|pair|series)[a-z-]{4,}(?: (?!wherein|where)[a-z-]{4,}){0,2}?))"
    r"(?=[,;.]| (?:that|which|for|to|in|on|of|with|configured|having|coupled|connected|mounted|disposed|"
    r"arranged|adapted|operable|comprising|including)\b)"
)


def renamed_downstream(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "a lever" is later "the tilting member". Twin: it has the new name from the beginning."""
    one = _nameable(claims, rng)
    if one is None:
        return None
    noun, *_ = fresh(claims, rng)
    name = rng.choice((f"{noun} {rng.choice(_HEADS)}", noun, f"{rng.choice(_VERBS)} {noun}"))
    if not wrong:
        return _everywhere(claims, one, name)
    later = [each for each in mentions_of(claims, one.words) if each.claim == one.claim]
    last = later[-1]
    return replaced(claims, claims[last.claim], last.start, last.end, f"{last.article} {name}")


def compound_cut_short(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "a kettle holding bracket", and then "the kettle". Twin: "the bracket"."""
    noun, head = fresh(claims, rng)[0], fresh(claims, rng, among=_OTHER_HEADS)[0]
    verb = rng.choice(_VERBS)
    thing = rng.choice((f"{noun} {verb} {head}", f"{noun} {head}", f"{noun}-{verb} {head}"))
    phrase = f"the {noun if wrong else head}"
    return introduced(claims, rng, a(thing), about(rng, phrase, "{other}"), phrase)


def head_changed(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "the upper lever" becomes "the upper hatch". Twin: "a ribbed upper lever" is "the upper lever"."""
    noun, other = fresh(claims, rng, 2)
    word, more = rng.sample(("tapered", "knurled", "slotted", "enameled", "perforated", "galvanized"), 2)
    if wrong:
        qualified = [each for each in elements_of(claims).taken_up if len(each.words) > 1]
        one = among(claims, rng, qualified)
        if one is not None and rng.random() < 0.7:
            name = " ".join((*one.written[:-1], other))
            return replaced(claims, claims[one.claim], one.start, one.end, f"{one.article} {name}")
    phrase = f"the {word} {other if wrong else noun}"
    thing = a(f"{word} {noun}" if wrong else f"{more}, {word} {noun}")
    return introduced(claims, rng, thing, about(rng, phrase, "{other}"), phrase)


def letter_wrong(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """One "the lever" becomes "the levr", "the levver" or "the lewer". Twin: a lever (12) is "the lever"."""
    one = among(claims, rng, [each for each in elements_of(claims).taken_up if len(each.head) > 6])
    if one is None:
        return None
    at = rng.randint(2, len(one.head) - 2)
    if not wrong:
        numeral = f"{one.article} {one.name} ({rng.randint(100, 900)})"
        return replaced(claims, claims[one.claim], one.start, one.end, numeral)
    head = one.written[-1]
    letter = rng.choice([each for each in "bdgmprtv" if each != head[at]])
    head = rng.choice(
        (head[:at] + head[at + 1 :], head[:at] + head[at] + head[at:], head[:at] + letter + head[at + 1 :])
    )
    if head == one.written[-1] or any(head.lower() in claim.text.lower() for claim in claims):
        return None
    name = " ".join((*one.written[:-1], head))
    return replaced(claims, claims[one.claim], one.start, one.end, f"{one.article} {name}")


def initials_unexplained(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "a fast data lever, wherein the FDL": nobody said what it is. Twin: "a fast data lever (FDL)"."""
    noun, *_ = fresh(claims, rng)
    first, second = rng.choice(
        (("dynamic", "load"), ("optical", "signal"), ("remote", "access"), ("fast", "data"))
    )
    initials = "".join(word[0].upper() for word in (first, second, noun))
    if any(initials in claim.text for claim in claims):
        return None
    thing = a(f"{first} {second} {noun}") + ("" if wrong else f" ({initials})")
    phrase = f"the {initials}"
    return introduced(claims, rng, thing, about(rng, phrase, "{other}"), phrase)


def limb_made_definite(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """A limb "a lever" becomes "the lever", though nothing was said of it. Twin: "at least one lever"."""
    places: list[tuple[Claim, int, re.Match[str]]] = []
    for claim in shuffled(claims, rng):
        for limb in limbs(claim):
            found, at = _LIMB.match(limb["limb"] + "."), limb.start("limb")
            if found and unheard(found["noun"].split()[-1], before(claims, claim.number, at)):
                places.append((claim, at, found))
    if not places:
        return None
    claim, at, found = rng.choice(places)
    piece = f"{rng.choice(('the', 'said')) if wrong else 'at least one'} {found['noun']}"
    return replaced(claims, claim, at + found.start("element"), at + found.end("element"), piece)


def left_to_another_claim(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """The reference skips the parent that introduced the lever. Twin: it skips one that is not needed."""
    for claim in shuffled(claims, rng):
        edited = _past_its_parent(claims, claim)
        if edited is None:
            continue
        lost = _lost(claims, edited, claim)
        if wrong and lost:
            return Defect(edited, lost)
        if not wrong and _needs_nothing(edited, edited[claim.number]):
            return Defect(edited, (DefectPlace(claim.number, 0, len(edited[claim.number].text)),))
    return None


def _past_its_parent(claims: ClaimSet, claim: Claim) -> ClaimSet | None:
    """The set in which the claim refers to its parent's parent, if all three are to one thing."""
    reference = only_reference(claim)
    parent = claims.get(claim.parents[0]) if reference else None
    if reference is None or parent is None or len(parent.parents) != 1 or parent.parents[0] >= claim.number:
        return None
    names = [subject(claims, each) for each in (claim.number, parent.number)]
    if names[0] is None or names[0] != names[1] or claims.get(parent.parents[0]) is None:
        return None
    start, end = reference.span("number")
    return with_text(claims, claim.number, claim.text[:start] + str(parent.parents[0]) + claim.text[end:])


def _lost(claims: ClaimSet, edited: ClaimSet, claim: Claim) -> tuple[DefectPlace, ...]:
    """Where the claim, as edited, takes up what its old parent or those above that introduced."""
    own = {each.words for each in elements_of(claims).taken_up if each.claim == claim.number}
    above = claims[claim.parents[0]]
    known = before(claims, above.number, len(above.text))
    return tuple(
        each.place
        for words in sorted(own)
        for each in mentions_of(edited, words)
        if each.claim == claim.number
        and unheard(each.head, before(edited, each.claim, each.start))
        and not unheard(each.head, known)
    )


def _needs_nothing(claims: ClaimSet, claim: Claim) -> bool:
    """Whether each long word of each definite phrase of the claim is said above it or before it there."""
    for found in re.finditer(r"\b(?:the|said) (?P<words>[\w-]+(?: [\w-]+){0,2})", claim.text):
        heard = before(claims, claim.number, found.start())
        words = found["words"].split()
        whole = " ".join(words[:2]).lower() if len(words) > 1 and len(words[1]) > 3 else words[0]
        if whole not in heard or any(len(word) > 3 and unheard(word, heard) for word in words):
            return False
    return True


def _nameable(claims: ClaimSet, rng: Random) -> Named | None:
    """An element taken up in the claim that introduces it, whose name's words are said of nothing else."""
    elements = elements_of(claims)
    said = " ".join(claim.text for claim in claims).lower()
    found = []
    for one in elements.introduced:
        later = [each for each in mentions_of(claims, one.words) if each.claim == one.claim]
        stem = re.escape(one.head[: max(4, len(one.head) - 2)])
        alone = len(re.findall(stem, said)) == len(re.findall(rf"\b{re.escape(one.name.lower())}\b", said))
        if later and one.start > 0 and alone:
            found.append(one)
    return among(claims, rng, found)


def _everywhere(claims: ClaimSet, one: Named, name: str) -> Defect | None:
    """The element has another name in all claims; the places are its mentions in the claim that has it."""
    if one.name.split()[0].lower() in NOUNS:
        return None
    article = re.compile(rf"\b(?P<article>[Aa]n?) {re.escape(one.name)}\b", re.IGNORECASE)
    bare = re.compile(rf"\b{re.escape(one.name)}\b", re.IGNORECASE)
    texts = {claim.number: bare.sub(name, article.sub(a(name), claim.text)) for claim in claims}
    edited = ClaimSet(
        tuple(
            Claim(each.number, texts[each.number], parents_of(texts[each.number], each.number))
            for each in claims
        )
    )
    places = re.finditer(rf"\b(?:an?|the|said) {re.escape(name)}\b", texts[one.claim], re.IGNORECASE)
    return Defect(edited, tuple(DefectPlace(one.claim, *place.span()) for place in places))


EDITS = (
    renamed_downstream,
    compound_cut_short,
    head_changed,
    letter_wrong,
    initials_unexplained,
    limb_made_definite,
    left_to_another_claim,
)
