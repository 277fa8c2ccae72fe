"""A claim set of 100 claims for pictures of the desk: three independent claims, chains, and a few defects.

Made up; no patent contains it.
"""

from collections.abc import Iterator
from typing import Final

_APPARATUS: Final = (
    "A dispenser for a viscous medium, comprising: a reservoir that holds the medium; a pump having an inlet"
    " that is connected to the reservoir, and an outlet; a nozzle that is connected to the outlet by a supply"
    " line; and a controller configured to drive the pump."
)
_METHOD: Final = (
    "A method of dispensing a viscous medium, the method comprising: filling a reservoir with the medium;"
    " driving a pump that conveys the medium from the reservoir through a supply line; measuring a pressure"
    " in the supply line; and stopping the pump when the pressure exceeds a limit."
)
_SYSTEM: Final = (
    "A filling system comprising a conveyor for containers, a dispensing head above the conveyor, a reservoir"
    " that holds a viscous medium, and a control unit that is configured to move the dispensing head along"
    " the conveyor."
)
_BASES: Final = {1: ("dispenser", _APPARATUS), 41: ("method", _METHOD), 81: ("filling system", _SYSTEM)}
# What a claim adds, and what the claim after it says of that.
_ADDED: Final = (
    ("a heater that surrounds the reservoir", "the heater comprises a resistance wire"),
    ("a temperature sensor in the reservoir", "the temperature sensor is a thermistor"),
    ("a check valve upstream of the pump", "the check valve has a spring and a ball"),
    ("a filter that retains particles of more than 50 µm", "the filter is made of sintered steel"),
    ("a display that shows how much of the medium is left", "the display is a touch screen"),
    ("a stirrer in the reservoir", "the stirrer turns at 30 to 60 revolutions per minute"),
    ("a bypass line that leads back to the reservoir", "the bypass line contains a throttle"),
    (
        "a radio module that reports a fault of the pump",
        "the radio module is switched off between two reports",
    ),
    ("a lid that closes the reservoir", "the lid has a vent that is covered by a membrane"),
    ("a strain gauge that weighs the reservoir", "the strain gauge is glued to a bracket of the reservoir"),
)
_DEFECTIVE: Final = {
    7: "The dispenser of claim 6, wherein the drip tray is removable.",
    18: "The dispenser of claim 17, wherein the supply line is substantially thin.",
    23: "The dispenser of claim 123, wherein the pump is a gear pump.",
    36: "The dispenser of claim 1, wherein the pump conveys 5 ml per stroke and at most 2 ml per stroke.",
    52: "The method of claim 51, wherein the second pressure is measured by the strain gauge",
    67: "The method of claim 67, further comprising cleaning the supply line.",
    74: "The method of any of claims 41 to 73 and 12, wherein the limit is preferably 6 bar.",
    88: "The filling system of claim 87, wherein the conveyor belt runs and and stops in turn.",
    95: "The filling system of claim 94, wherein said gripper holds one of the containers.",
}


def _claims() -> Iterator[str]:
    base = 1
    for number in range(1, 101):
        if number in _BASES:
            base = number
            yield _BASES[number][1]
        elif number in _DEFECTIVE:
            yield _DEFECTIVE[number]
        else:
            again, at = divmod((number - base - 1) // 2, len(_ADDED))
            kind, (added, said) = _BASES[base][0], _ADDED[at]
            if (number - base) % 2:
                yield f"The {kind} of claim {base + 2 * again}, further comprising {_step(kind)}{added}."
            else:
                yield f"The {kind} of claim {number - 1}, wherein {said}."


def _step(kind: str) -> str:
    return "providing " if kind == "method" else ""


HUNDRED_CLAIMS: Final = "\n".join(f"{number}. {claim}" for number, claim in enumerate(_claims(), start=1))
