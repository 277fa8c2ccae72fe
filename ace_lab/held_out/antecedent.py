"""Definite phrases without their basis (MPEP 2173.05(e)): a removed introduction, a name that was never
given, a number that does not agree, a second introduction of the same thing.
"""

from __future__ import annotations

import re
from random import Random

from ace.claims.model import ClaimSet
from ace_lab.held_out.edits import (
    Defect,
    DefectPlace,
    Injector,
    before,
    limbs,
    only_reference,
    replaced,
    shuffled,
    with_text,
)
from ace_lab.held_out.elements import Elements, Named, a, is_single, mentions_of, orphans, unheard
from ace_lab.held_out.words import MODIFIERS, NOUNS, ORDINALS


def introduction_made_definite(claims: ClaimSet, rng: Random) -> Defect | None:
    """The first "a lever" becomes "the lever"."""
    places = [
        each
        for each in Elements(claims).introduced
        if each.start > 3
        and not re.search(r"\b(?:as|is|are|be|being|such|by|or) $", claims[each.claim].text[: each.start])
        and unheard(each.head, before(claims, each.claim, each.start))
    ]
    if not places:
        return None
    one = rng.choice(places)
    article = rng.choice(("the", "said"))
    return replaced(claims, claims[one.claim], one.start, one.end, f"{article} {one.name}")


def introduction_deleted(claims: ClaimSet, rng: Random) -> Defect | None:
    """The limb "a lever mounted on the base;" is struck, while "the lever" stays."""
    elements = Elements(claims)
    for claim in shuffled(claims, rng):
        heads = {each.start: each for each in elements.introduced if each.claim == claim.number}
        for limb in list(limbs(claim))[:-1]:
            one = heads.get(limb.start("limb"))
            if one is None:
                continue
            text = claim.text[: limb.start()] + claim.text[limb.end() + 1 :]
            edited = with_text(claims, claim.number, text)
            lost = orphans(edited, mentions_of(edited, one.words))
            if lost:
                return Defect(edited, lost)
    return None


def introduction_renamed(claims: ClaimSet, rng: Random) -> Defect | None:
    """ "a lever" is introduced as "a gimbal", while "the lever" stays."""
    introduced = list(Elements(claims).introduced)
    rng.shuffle(introduced)
    for one in introduced:
        claim = claims[one.claim]
        noun = _fresh(claims, rng)
        text = claim.text[: one.start] + a(noun) + claim.text[one.end :]
        edited = with_text(claims, claim.number, text)
        lost = orphans(edited, mentions_of(edited, one.words))
        if lost and one.start > 0:
            return Defect(edited, lost)
    return None


def noun_replaced(claims: ClaimSet, rng: Random) -> Defect | None:
    """One "the lever" becomes "the gimbal"."""
    one = _any(Elements(claims).taken_up, rng)
    if one is None:
        return None
    return replaced(claims, claims[one.claim], one.start, one.end, f"{one.article} {_fresh(claims, rng)}")


def ordinal_changed(claims: ClaimSet, rng: Random) -> Defect | None:
    """One "the second lever" becomes "the sixth lever"."""
    counted = [each for each in Elements(claims).taken_up if each.words[0] in ("first", "second", "third")]
    one = _any([each for each in counted if len(each.words) > 1], rng)
    if one is None:
        return None
    said = " ".join(claim.text for claim in claims).lower()
    ordinal = next((word for word in rng.sample(ORDINALS, len(ORDINALS)) if word not in said), None)
    if ordinal is None:
        return None
    rest = " ".join(one.written[1:])
    return replaced(claims, claims[one.claim], one.start, one.end, f"{one.article} {ordinal} {rest}")


def ordinal_dropped(claims: ClaimSet, rng: Random) -> Defect | None:
    """One "the second lever" becomes "the lever", where there are two."""
    elements = Elements(claims)
    places = []
    for each in elements.taken_up:
        said = before(claims, each.claim, each.start)
        bare = " ".join(each.words[1:])
        if bare and all(f"{ordinal} {bare}" in said for ordinal in ("a first", "a second")):
            places += [each] if each.words[0] in ("first", "second") else []
    one = _any(places, rng)
    if one is None:
        return None
    return replaced(
        claims, claims[one.claim], one.start, one.end, f"{one.article} {' '.join(one.written[1:])}"
    )


def modifier_changed(claims: ClaimSet, rng: Random) -> Defect | None:
    """One "the upper lever" becomes "the ceramic lever"."""
    qualified = [each for each in Elements(claims).taken_up if len(each.words) > 1]
    one = _any([each for each in qualified if each.words[0] not in ("first", "second", "third")], rng)
    if one is None:
        return None
    modifier = _unheard_of(claims, MODIFIERS, rng)
    rest = " ".join(one.written[1:])
    return replaced(claims, claims[one.claim], one.start, one.end, f"{one.article} {modifier} {rest}")


def basis_on_another_branch(claims: ClaimSet, rng: Random) -> Defect | None:
    """The claim refers to a claim that does not introduce its element, past the one that does."""
    elements = Elements(claims)
    for claim in shuffled(claims, rng):
        reference = only_reference(claim)
        if reference is None:
            continue
        parent = claim.parents[0]
        family = set(claims.ancestors(claim.number))
        others = [
            other.number
            for other in claims
            if other.number < claim.number
            and other.number != parent
            and parent not in claims.ancestors(other.number)
            and family & {other.number, *claims.ancestors(other.number)}
        ]
        rng.shuffle(others)
        for other in others:
            start, end = reference.span("number")
            text = claim.text[:start] + str(other) + claim.text[end:]
            edited = with_text(claims, claim.number, text)
            own = {each.words for each in elements.taken_up if each.claim == claim.number}
            mentions = [each for words in own for each in mentions_of(edited, words)]
            lost = orphans(edited, [each for each in mentions if each.claim == claim.number])
            had = set(orphans(claims, [each for each in elements.taken_up if each.claim == claim.number]))
            if lost and not had:
                return Defect(edited, lost)
    return None


def basis_on_one_branch_only(claims: ClaimSet, rng: Random) -> Defect | None:
    """ "of claim 4" becomes "of claim 2 or 4", and only claim 4 introduces the element."""
    elements = Elements(claims)
    for claim in shuffled(claims, rng):
        reference = only_reference(claim)
        for other in claims.ancestors(claim.number)[1:] if reference else ():
            above = before(claims, other, len(claims[other].text))
            lost = [
                each
                for each in elements.taken_up
                if each.claim == claim.number
                and unheard(each.head, f"{above} {claim.text[: each.start].lower()}")
                and not unheard(each.head, before(claims, claim.number, each.start))
            ]
            if lost and reference is not None:
                piece = f"claim {other} or {claim.parents[0]}"
                defect = replaced(claims, claim, reference.start(), reference.end(), piece)
                shift = len(piece) - (reference.end() - reference.start())
                places = (DefectPlace(claim.number, each.start + shift, each.end + shift) for each in lost)
                return Defect(defect.claims, tuple(places))
    return None


def singular_to_plural(claims: ClaimSet, rng: Random) -> Defect | None:
    """ "a lever" was introduced, and one "the lever" becomes "the levers"."""
    places = [
        each
        for each in Elements(claims).taken_up
        if not each.head.endswith(("y", "x", "ch", "sh", "man", "a", "um"))
        and is_single(each.head, before(claims, each.claim, len(claims[each.claim].text)))
    ]
    one = _any(places, rng)
    if one is None:
        return None
    return replaced(claims, claims[one.claim], one.start, one.end, f"{one.article} {one.name}s")


def misspelt(claims: ClaimSet, rng: Random) -> Defect | None:
    """Two letters of one "the lever" change places."""
    one = _any([each for each in Elements(claims).taken_up if len(each.head) >= 6], rng)
    if one is None:
        return None
    head = one.written[-1]
    swaps = [at for at in range(1, len(head) - 2) if head[at] != head[at + 1]]
    at = rng.choice(swaps)
    head = head[:at] + head[at + 1] + head[at] + head[at + 2 :]
    name = " ".join((*one.written[:-1], head))
    return replaced(claims, claims[one.claim], one.start, one.end, f"{one.article} {name}")


def introduced_twice(claims: ClaimSet, rng: Random) -> Defect | None:
    """One "the lever" becomes "a lever" again, in the claim that introduced it."""
    elements = Elements(claims)
    first: dict[tuple[int, tuple[str, ...]], int] = {}
    for each in elements.introduced:
        first.setdefault((each.claim, each.words), each.start)
    places = [
        each
        for each in elements.taken_up
        if first.get((each.claim, each.words), each.start) < each.start
        and each.words[0] not in ORDINALS
        and is_single(each.head, before(claims, each.claim, len(claims[each.claim].text)))
    ]
    one = _any(places, rng)
    return None if one is None else replaced(claims, claims[one.claim], one.start, one.end, a(one.name))


def _any(places: list[Named], rng: Random) -> Named | None:
    return rng.choice(places) if places else None


def _fresh(claims: ClaimSet, rng: Random) -> str:
    return _unheard_of(claims, NOUNS, rng)


def _unheard_of(claims: ClaimSet, words: tuple[str, ...], rng: Random) -> str:
    said = " ".join(claim.text for claim in claims).lower()
    return next(word for word in rng.sample(words, len(words)) if unheard(word, said))


INJECTORS: tuple[Injector, ...] = (
    introduction_made_definite,
    introduction_deleted,
    introduction_renamed,
    noun_replaced,
    ordinal_changed,
    ordinal_dropped,
    modifier_changed,
    basis_on_another_branch,
    basis_on_one_branch_only,
    singular_to_plural,
    misspelt,
    introduced_twice,
)
