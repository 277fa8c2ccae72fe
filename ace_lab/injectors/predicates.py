"""Logical defects in whole predicates: two statements of known elements that exclude each other.

The first stands in the parent or in the same claim, the second in the claim; the span is the second.
"""

from random import Random

from ace.claims.model import Claim, ClaimSet
from ace_lab.injectors.edit_sites import appended, known
from ace_lab.injectors.edits import Injection, Injector, Lexicon, with_text

LABEL = "logical"

MOTIONS = (
    ("is fixed in place", "rotates about an axis"),
    ("is stationary", "slides back and forth"),
    ("is rotatably mounted", "cannot rotate"),
    ("is immovable", "is configured to move"),
    ("oscillates", "is at rest"),
)
POSSESSIONS = (
    ("has a plurality of openings", "is free of openings"),
    ("comprises a coating", "is devoid of any coating"),
    ("includes a seal", "has no seal"),
    ("contains a filler", "does not contain any filler"),
    ("is provided with a groove", "lacks a groove"),
    ("has a window", "is windowless"),
)
COUNTS = (
    ("has exactly two arms", "has five arms"),
    ("comprises only one slot", "comprises a plurality of slots"),
    ("is formed in one piece", "is assembled from two separate parts"),
    ("is a single unitary piece", "consists of several separate sections"),
)
MATERIALS = (
    ("is made of steel", "is made of plastic"),
    ("is formed entirely of glass", "is fabricated from copper"),
    ("is composed of polyethylene", "is formed of stainless steel"),
    ("is made of aluminum", "contains no metal"),
)
RELATIONS = (
    ("surrounds the {other}", "is located inside the {other}"),
    ("is in contact with the {other}", "is spaced apart from the {other}"),
    ("is attached to the {other}", "is detached from the {other}"),
    ("is at an upper end of the {other}", "is at a lower end of the {other}"),
    ("extends through the {other}", "does not extend through the {other}"),
    ("is integral with the {other}", "is detachable from the {other}"),
)
FREQUENCIES = (
    ("is always closed", "is sometimes open"),
    ("rotates continuously", "rotates only occasionally"),
    ("is heated at all times", "is never heated"),
    ("is permanently active", "is only intermittently active"),
)
EFFECTS = (
    ("allows a flow of fluid", "prevents a flow of fluid"),
    ("blocks all light", "is transparent"),
    ("increases a pressure", "decreases a pressure"),
    ("has a circular cross-section", "has a square cross-section"),
    ("is hermetically sealed", "is open to the atmosphere"),
)
VALUES = (
    ("is maintained at a temperature of {} to {} °C", "is maintained at {} °C"),
    ("operates at a frequency of {} to {} Hz", "operates at {} Hz"),
    ("is pressurized to {} to {} bar", "is pressurized to {} bar"),
    ("has a width of at least {} mm but no more than {} mm", "has a width of {} mm"),
    ("is stirred for {} to {} minutes", "is stirred for {} minutes"),
    ("has a viscosity of {} to {} mPa·s at 25 °C", "has a viscosity of {} mPa·s at 25 °C"),
    ("is {} to {} mm thick", "is {} mm thick"),
    ("comprises {} to {} parts by weight of a binder", "comprises {} parts by weight of the binder"),
    ("has a weight ratio of {}:1 to {}:1", "has a weight ratio of {}:1"),
)
RATES = (
    ("is administered once daily", "is administered three times per day"),
    ("is applied at least twice per week", "is applied once per month"),
)
GROUPS = (
    ("comprises a metal selected from the group consisting of copper, silver and gold", "the metal is zinc"),
    (
        "contains a solvent selected from the group consisting of water, ethanol and acetone",
        "the solvent is toluene",
    ),
    (
        "has a shape selected from the group consisting of a circle, a square and a star",
        "the shape is a hexagon",
    ),
    ("comprises a salt chosen from sodium chloride and calcium chloride", "the salt is magnesium sulfate"),
)
SHARES = (
    "comprises {} wt% to 70 wt% of a resin, 45 wt% to 55 wt% of a filler and 10 wt% of a pigment",
    "comprises at least {} wt% of water and at least 60 wt% of an oil",
)


def motion_opposed(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "the lever is fixed in place … the lever rotates about an axis"."""
    return _opposed(claims, claim, rng, MOTIONS, "motion_opposed")


def possession_denied(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "the lever has a window … the lever is windowless"."""
    return _opposed(claims, claim, rng, POSSESSIONS, "possession_denied")


def count_changed(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "the lever has exactly two arms … the lever has five arms"."""
    return _opposed(claims, claim, rng, COUNTS, "count_changed")


def material_changed(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "the lever is made of steel … the lever is made of plastic"."""
    return _opposed(claims, claim, rng, MATERIALS, "material_changed")


def relation_denied(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "the lever surrounds the rod … the lever is located inside the rod"."""
    return _opposed(claims, claim, rng, RELATIONS, "relation_denied")


def frequency_changed(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "the lever is always closed … the lever is sometimes open"."""
    return _opposed(claims, claim, rng, FREQUENCIES, "frequency_changed")


def effect_undone(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "the lever allows a flow of fluid … the lever prevents a flow of fluid"."""
    return _opposed(claims, claim, rng, EFFECTS, "effect_undone")


def value_missed(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "the lever is maintained at 20 to 30 °C … the lever is maintained at 70 °C"."""
    low = rng.randint(4, 40)
    values = [
        (first.format(low, low * 2), second.format(low * rng.choice((3, 4, 6)))) for first, second in VALUES
    ]
    return _opposed(claims, claim, rng, (*values, *RATES), "value_missed")


def group_left(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "a metal selected from the group consisting of copper, silver and gold … the metal is zinc"."""
    return _opposed(claims, claim, rng, GROUPS, "group_left")


def shares_beyond_all(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "the lever comprises at least 50 wt% of water and at least 60 wt% of an oil"."""
    names = known(claims, claim)
    if not names:
        return None
    clause = f"wherein the {rng.choice(names)} {rng.choice(SHARES).format(rng.randint(48, 65))}"
    return appended(claims, claim, clause, LABEL, "shares_beyond_all")


def _opposed(
    claims: ClaimSet, claim: Claim, rng: Random, pairs: tuple[tuple[str, str], ...], subtype: str
) -> Injection | None:
    """Two predicates of one element: in the parent and the claim, or both in the claim."""
    parent = claims.get(claim.parents[0]) if len(claim.parents) == 1 else None
    holder = parent if parent is not None and parent.number < claim.number and rng.random() < 0.7 else claim
    names = known(claims, holder)
    if len(names) < 2:
        return None
    name, other = rng.sample(names, 2)
    first, second = (said.format(other=other) for said in rng.choice(pairs))
    second = second if second.startswith("the ") else f"the {name} {second}"
    if holder is claim:
        joined = rng.choice((", and wherein ", " and ", ", but "))
        start = f"wherein the {name} {first}{joined}"
        found = appended(claims, claim, start + second, LABEL, subtype)
        return found and Injection(
            found.claims, claim.number, LABEL, subtype, found.start + len(start), found.end
        )
    stated = appended(claims, holder, f"wherein the {name} {first}", LABEL, "")
    found = appended(claims, claim, f"wherein {second}", LABEL, "")
    if stated is None or found is None:
        return None
    both = with_text(found.claims, holder.number, stated.claims[holder.number].text)
    return Injection(both, claim.number, LABEL, subtype, found.start, found.end)


PREDICATES: tuple[Injector, ...] = (
    motion_opposed,
    possession_denied,
    count_changed,
    material_changed,
    relation_denied,
    frequency_changed,
    effect_undone,
    value_missed,
    group_left,
    shares_beyond_all,
)
