"""Claim sets of our own, as many as wanted: one pattern, every name in it another in each."""

import re
from itertools import cycle, islice

from ace.claims.model import Claim, ClaimSet
from ace.claims.references.claim_references import parents_of
from ace_lab.data.sources import SourceSet

PATTERN = {
    1: "A rotor comprising a rigid spindle, a flange, and a tank, wherein the tank holds from 2 to 9 liters "
    "of water, the spindle has a length of at least 12 cm, and the flange carries a first clamp and a "
    "second clamp.",
    2: "The rotor of claim 1, further comprising a filter (20) that is mounted in the spindle.",
    3: "The rotor of claim 2, wherein the filter has an outer ring and a transparent window, and the window "
    "is arranged above the tank.",
    4: "The rotor of claim 3, wherein the ring is connected to the flange; and the window covers the filter.",
    5: "The rotor of claim 4, wherein the window is heated to at least 40 minutes of sunlight.",
    6: "The rotor of claim 1 or 2, wherein the first clamp touches the tank.",
    7: "A method of watering a plant, comprising: filling a vessel with water; tilting the vessel by an "
    "angle between 10 and 35 degrees, wherein the angle is measured by a sensor.",
    8: "The method of claim 7, wherein the sensor is mounted on the vessel.",
    9: "The method of claim 8, further comprising cleaning the sensor with a brush made of hair.",
    10: "The method of claim 9, wherein the brush is mounted on the vessel and the hair touches the sensor.",
}
NAMES = re.compile(
    r"\b(?:rotor|spindle|flange|tank|clamp|filter|ring|window|vessel|sensor|plant|brush|hair)\b"
)
THINGS = tuple(
    """
    lever gear pump valve bolt nut screw plate shaft wheel hinge latch hook spring lamp lens mirror prism coil
    magnet pipe hose nozzle funnel bucket basket drawer shelf cabinet table chair saddle pedal chain belt
    pulley crank piston cylinder gasket bearing bushing collar sleeve socket plug cable wire fuse relay timer
    clock dial needle blade knife fork spoon cup bowl jar bottle cork lid cap rim spout handle grip strap
    buckle zipper button
    """.split()  # noqa: SIM905  (a list of seventy quoted words hides what it says)
)


def claim_texts(family: int) -> dict[int, str]:
    """The claims of one family by number."""
    names = sorted(set(NAMES.findall(" ".join(PATTERN.values()))))
    step = 1 + family // len(THINGS) % 5
    chosen = dict(zip(names, islice(cycle(THINGS), family * 7, None, step), strict=False))
    return {number: NAMES.sub(lambda name: chosen[name[0]], text) for number, text in PATTERN.items()}


def source_set(family: int) -> SourceSet:
    """One family as the builder reads it."""
    claims = (Claim(number, text, parents_of(text, number)) for number, text in claim_texts(family).items())
    return SourceSet(f"US{family}", "ours", ClaimSet(tuple(claims)), f"US{family}")


def source_sets(count: int) -> list[SourceSet]:
    """So many families."""
    return [source_set(family) for family in range(count)]
