"""Ambiguity: what is done with a thing in a claim to the thing, steps that do not exist, pointers to figures.

MPEP 2173.05(p)(II), (e) and (s). Every edit adds a clause at the end of a claim. They serve to fit
confidences; no data set is built with them yet.
"""

import re
from random import Random

from ace.claims.language.subject_matter import subject_of
from ace.claims.model import Claim, ClaimSet
from ace_lab.injectors.edit_sites import appended, taken_up
from ace_lab.injectors.edits import Injection, Injector, Lexicon, chain_text

LABEL = "ambiguity"
_DEEDS = (
    "wherein the user presses the {}",
    "wherein an operator removes the {}",
    "wherein the {} is turned by the user",
    "wherein the user then inserts the {}",
    "wherein, in use, a person grips the {}",
    "and the operator places the {} on a table",
    "wherein patients swallow the {}",
    "the user holding the {} in one hand",
)
_STEPS = (
    "further comprising the step of heating the {}",
    "further comprising a step of cleaning the {}",
    "further comprising turning the {}",
)
_CITED = (
    "wherein step {} is repeated",
    "wherein step ({}) takes one hour",
    "wherein the {{}} is cooled after step {})",
    "wherein steps ({}) and (m) are carried out together",
)
_POINTERS = (
    "wherein the {} is as shown in FIG. 2",
    "wherein the {} is formed as described in the specification",
    "wherein the {} is according to Example 3",
    "wherein the {} is listed in Table 4",
    "substantially as described herein",
)
_LABELLED = re.compile(r"\(?\b[a-z]\)|\bsteps?\s\(?[a-z0-9]\b")


def deed_in_thing(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """A person acts in a claim to a thing."""
    return _of_thing(claims, claim, rng, _DEEDS, "deed_in_thing")


def step_in_thing(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """A step of a method in a claim to a thing."""
    return _of_thing(claims, claim, rng, _STEPS, "step_in_thing")


def step_unknown(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """A method without labels refers to "step d)"."""
    subject = subject_of(claim.text)
    if subject is None or not subject.category.activity:
        return None
    if _LABELLED.search(claim.text) or _LABELLED.search(chain_text(claims, claim.number)):
        return None
    clause = rng.choice(_CITED).format(rng.choice("cdefgh"))
    return _with_element(claims, claim, rng, clause, "step_unknown")


def points_elsewhere(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """A figure, a table or the description stands for a feature."""
    return _with_element(claims, claim, rng, rng.choice(_POINTERS), "points_elsewhere")


def _of_thing(
    claims: ClaimSet, claim: Claim, rng: Random, clauses: tuple[str, ...], subtype: str
) -> Injection | None:
    subject = subject_of(claim.text)
    if subject is None or not subject.category.thing:
        return None
    return _with_element(claims, claim, rng, rng.choice(clauses), subtype)


def _with_element(claims: ClaimSet, claim: Claim, rng: Random, clause: str, subtype: str) -> Injection | None:
    """The clause, about an element that the claim has taken up, at its end."""
    elements = taken_up(claims, claim)
    if not elements:
        return None
    return appended(claims, claim, clause.replace("{}", rng.choice(elements).text), LABEL, subtype)


MIXED_CLAIMS: tuple[Injector, ...] = (deed_in_thing, step_in_thing, step_unknown, points_elsewhere)
"""Each is tried as often as any injector of `INJECTORS` when confidences are fitted."""
