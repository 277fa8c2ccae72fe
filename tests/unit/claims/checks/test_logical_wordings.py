"""Defects of logic in the words that drafters use, and twins of them in which nothing is wrong."""

import pytest

from ace.claims.checks.logical import check
from ace.claims.model import Claim, ClaimSet
from ace.claims.reading import Reading
from ace.claims.references.claim_references import parents_of

CONTRADICTIONS = [
    (
        (
            "A rack comprising a frame and a plurality of hooks, wherein each of the plurality of hooks "
            "includes a spring."
        ),
        "The rack of claim 1, wherein only a single one of the plurality of hooks includes a spring.",
    ),
    (
        (
            "A rack comprising a plurality of hooks, wherein each hook carries a sensor, and wherein not "
            "all hooks carry a sensor."
        ),
    ),
    (
        "A rack comprising a plurality of hooks, wherein no hook touches the frame.",
        "The rack of claim 1, wherein at least two of the hooks touch the frame.",
    ),
    (
        (
            "A rack comprising a plurality of hooks, wherein the hooks are all coated, and wherein some "
            "of the hooks are uncoated."
        ),
    ),
    (
        (
            "A rack comprising a plurality of hooks, wherein neither of the hooks is magnetic, and "
            "wherein both of the hooks are magnetic."
        ),
    ),
    ("A device comprising a frame having two arms, wherein the frame has four arms.",),
    ("A device comprising two wheels, wherein the number of wheels is four.",),
    (
        "A device comprising two wheels.",
        "The device of claim 1, wherein all four wheels are driven.",
    ),
    (
        "A device comprising exactly two wheels.",
        "The device of claim 1, wherein the wheels are three in number.",
    ),
    (
        "A device comprising a single motor.",
        "The device of claim 1, wherein the device comprises two motors.",
    ),
    (
        "A device comprising no more than two wheels.",
        "The device of claim 1, wherein the device has five wheels.",
    ),
    ("A device comprising a pair of rollers, wherein the pair of rollers comprises three rollers.",),
    (
        "A device comprising a stack of five layers.",
        "The device of claim 1, wherein the stack consists of three layers.",
    ),
    (
        "A kit comprising a solvent, the solvent being water, ethanol or acetone.",
        "The kit of claim 1, wherein the solvent is hexane.",
    ),
    (
        (
            "A lamp, wherein the material of the shade is selected from the group consisting of glass, "
            "paper and silk."
        ),
        "The lamp of claim 1, wherein the material of the shade is wool.",
    ),
    (
        (
            "A tool comprising a blade, wherein a shape of the blade is selected from the group "
            "consisting of a circle, a square and a triangle."
        ),
        "The tool of claim 1, wherein the shape of the blade is a hexagon.",
    ),
    (
        "A polymer comprising a monomer selected from the group consisting of styrene and ethylene.",
        "The polymer of claim 1, wherein the monomer is propylene or ethylene.",
    ),
    (
        (
            "A controller configured to open a valve when a temperature exceeds a threshold, wherein the "
            "controller is configured to close the valve when the temperature exceeds the threshold."
        ),
    ),
    (
        (
            "A method comprising: if the value is above the threshold, increasing the speed; and if the "
            "value is above the threshold, decreasing the speed."
        ),
    ),
    (
        (
            "A device comprising a processor configured to accept the message if the checksum matches, "
            "and to reject the message if the checksum matches."
        ),
    ),
    (
        (
            "A device, wherein the motor runs whenever the door is closed, and the motor stops whenever "
            "the door is closed."
        ),
    ),
    (
        "A kit consisting of a knife and a fork.",
        "The kit of claim 1, and a spoon.",
    ),
    (
        "A kit consisting of a knife and a fork.",
        "The kit of claim 1, including a spoon.",
    ),
    (
        "A composition which consists of water and salt.",
        "The composition of claim 1, wherein a dye is added to the composition.",
    ),
    (
        "An alloy consisting of iron, carbon and chromium.",
        "The alloy of claim 1, containing nickel.",
    ),
    ("A device comprising an arm, wherein the arm is immovable, and wherein the arm swings to and fro.",),
    (
        "A device comprising a drum, wherein the drum is held stationary.",
        "The device of claim 1, wherein the drum is rotated by a motor.",
    ),
    (
        "A device comprising a plate, wherein the plate is non-movable.",
        "The device of claim 1, wherein the plate reciprocates.",
    ),
    (
        "A device comprising a fan, wherein the fan always runs.",
        "The device of claim 1, wherein the fan occasionally stops.",
    ),
    (
        "A device comprising a fan, wherein the fan runs at all times.",
        "The device of claim 1, wherein the fan only runs intermittently.",
    ),
    ("A pump with a flow rate no less than 20 l/min, wherein the flow rate is under 10 l/min.",),
    ("A pump having a mass of a minimum of 10 kg and a maximum of 5 kg.",),
    ("A tube, wherein the tube is at least 20 mm wide and at most 10 mm wide.",),
    (
        "A mixture comprising water and salt in a ratio of 10:1.",
        "The mixture of claim 1, wherein the ratio of water to salt is 2:1.",
    ),
    (
        "A mixture having a volume ratio of oil to water from 2:1 to 4:1.",
        "The mixture of claim 1, wherein the volume ratio of oil to water is 1:1.",
    ),
    (
        "A method comprising heating the mixture.",
        "The method of claim 1, wherein the mixture is not heated.",
    ),
    (
        "A method comprising a step of washing the plate.",
        "The method of claim 1, wherein the plate is never washed.",
    ),
    (
        "A device comprising a motor coupled to a shaft.",
        "The device of claim 1, wherein the motor is not coupled to the shaft.",
    ),
    (
        "A device comprising a pump connected to a tank.",
        "The device of claim 1, wherein the pump is disconnected from the tank.",
    ),
    (
        "A tube made of copper.",
        "The tube of claim 1, wherein the tube is made of glass.",
    ),
    (
        "A device comprising a tube formed from steel.",
        "The device of claim 1, wherein the tube consists of rubber.",
    ),
    (
        "A device comprising a one-piece body.",
        "The device of claim 1, wherein the body is assembled from a first part and a second part.",
    ),
    (
        "A device comprising a unitary body.",
        "The device of claim 1, wherein the body consists of several pieces.",
    ),
]

SOUND = [
    (
        "A rack comprising a plurality of hooks, wherein each hook is coated.",
        "The rack of claim 1, wherein only one of the hooks is magnetic.",
    ),
    (
        "A rack comprising a plurality of hooks, wherein at least one of the hooks is coated.",
        "The rack of claim 1, wherein none of the hooks is magnetic.",
    ),
    (
        "A rack comprising a plurality of hooks, wherein each hook has a slot.",
        "The rack of claim 1, wherein at least one of the hooks has a slot.",
    ),
    (
        "A rack comprising a plurality of hooks, wherein at least one of the hooks has a slot.",
        "The rack of claim 1, wherein only one of the hooks has a slot.",
    ),
    (
        "A device comprising two wheels and a frame.",
        ("The device of claim 1, further comprising two further wheels, wherein the four wheels are driven."),
    ),
    (
        "A device comprising two wheels.",
        "The device of claim 1, comprising three wheels.",
    ),
    ("A device comprising a first wheel and two rear wheels, wherein the three wheels are driven.",),
    (
        "A device comprising at least two wheels.",
        "The device of claim 1, wherein the device has four wheels.",
    ),
    (
        "A device comprising a plurality of wheels.",
        "The device of claim 1, wherein the number of wheels is four.",
    ),
    (
        (
            "A device comprising three wheels, wherein two of the three wheels are driven and the two "
            "wheels are steered."
        ),
    ),
    (
        ("A device comprising a fastener selected from the group consisting of a screw, a rivet and a bolt."),
        "The device of claim 1, wherein the fastener is a screw.",
    ),
    (
        ("A device comprising a fastener selected from the group consisting of a screw, a rivet and a bolt."),
        "The device of claim 1, wherein the fastener is a steel bolt.",
    ),
    (
        "A device comprising a fastener selected from the group consisting of screws, rivets and bolts.",
        "The device of claim 1, wherein the fastener is removable.",
    ),
    (
        (
            "A device, wherein the motor runs when the door is closed, and the motor stops when the door "
            "is open."
        ),
    ),
    (
        (
            "A device, wherein the lamp is on when the sensor detects motion, and the lamp is off when "
            "the sensor detects no motion."
        ),
    ),
    (
        "A paste consisting of flour and water.",
        "The paste of claim 1, wherein the flour comprises gluten.",
    ),
    (
        "A paste comprising flour and water.",
        "The paste of claim 1, further comprising salt.",
    ),
    ("A device comprising a plate fixed to a shaft, wherein the shaft rotates.",),
    (
        (
            "A device comprising a plate, wherein the plate is stationary in a first position and rotates"
            " in a second position."
        ),
    ),
    (
        "A device comprising a fan, wherein the fan always runs when the door is open.",
        "The device of claim 1, wherein the fan sometimes runs when the door is closed.",
    ),
]


def defective(texts: tuple[str, ...]) -> list[int]:
    claims = ClaimSet(
        tuple(Claim(number, text, parents_of(text, number)) for number, text in enumerate(texts, start=1))
    )
    reading = Reading(claims)
    return [claim.number for claim in claims if list(check(reading, claim))]


@pytest.mark.parametrize("texts", CONTRADICTIONS, ids=lambda texts: texts[-1][-40:])
def test_the_last_claim_contradicts_itself_or_what_it_inherits(texts: tuple[str, ...]) -> None:
    assert defective(texts) == [len(texts)]


@pytest.mark.parametrize("texts", SOUND, ids=lambda texts: texts[-1][-40:])
def test_what_only_looks_like_it_does_not(texts: tuple[str, ...]) -> None:
    assert not defective(texts)
