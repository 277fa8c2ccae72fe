"""Claim sets of our own for the injectors: plain, dependent, with ranges, opposites and brackets."""

from ace.claims.model import Claim, ClaimSet
from ace.claims.references.claim_references import parents_of
from ace_lab.injectors.edits import Lexicon

TEXTS = {
    1: "A watering can comprising a rigid spout, a handle, and a tank, wherein the tank holds from 2 to 9 "
    "liters of water and the spout has a length of at least 12 cm.",
    2: "The watering can of claim 1, further comprising a filter (20) that is mounted in the spout.",
    3: "The watering can of claim 2, wherein the filter has an outer ring and a transparent window, and the "
    "window is arranged above the tank.",
    4: "The watering can of claim 3, wherein the ring is connected to the handle; and the window covers the "
    "filter.",
    5: "The watering can of claim 4, wherein the window is heated to at least 40 minutes of sunlight.",
    6: "A method of watering a plant, comprising: filling a vessel with water; tilting the vessel by an "
    "angle between 10 and 35 degrees, wherein the angle is measured by a sensor.",
    7: "The method of claim 6, wherein the sensor is mounted on the vessel.",
}

SET = ClaimSet(tuple(Claim(number, text, parents_of(text, number)) for number, text in TEXTS.items()))

LEXICON = Lexicon(("gearbox", "antibody", "routing table", "photodiode", "ledger", "turbine blade"))
