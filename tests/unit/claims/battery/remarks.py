"""Remarks: sets that have one, and twins that look similar and have not this one. Nobody finds a defect in"
" them."""

from typing import NamedTuple


class RemarkRow(NamedTuple):
    """In `text`, the remark `kind` is made on claim number `claim`, at `quote`; in `twin` it is not made."""

    name: str
    kind: str
    text: str
    claim: int
    quote: str
    twin: str


PRESS = "1. A press comprising a frame and a ram movable in the frame."

ROWS: tuple[RemarkRow, ...] = (
    RemarkRow(
        "means with a function",
        "means_plus_function",
        f"{PRESS}\n2. The press of claim 1, further comprising means for lubricating the ram.",
        2,
        "means for lubricating",
        f"{PRESS}\n2. The press of claim 1, further comprising a lubricator, by means of which the ram"
        f" slides.",
    ),
    RemarkRow(
        "means after its function",
        "means_plus_function",
        "1. A cart comprising a bed, a wheel and a braking means.",
        1,
        "a braking means",
        "1. A cart comprising a bed, a wheel and a braking means, the braking means comprising a shoe.",
    ),
    RemarkRow(
        "means to do something",
        "means_plus_function",
        "1. A cart comprising a bed, a wheel and a means to brake the wheel.",
        1,
        "a means to brake",
        "1. A cart comprising a bed and a wheel, which means that the cart rolls.",
    ),
    RemarkRow(
        "means that is configured",
        "means_plus_function",
        "1. A cart comprising a bed, a wheel and means which are adapted to brake the wheel.",
        1,
        "means which are adapted to brake",
        "1. A cart comprising a bed, a wheel and a brake which is adapted to brake the wheel.",
    ),
    RemarkRow(
        "a step for a function",
        "means_plus_function",
        "1. A method of tanning a hide, comprising a step for removing hair from the hide.",
        1,
        "a step for removing",
        "1. A method of tanning a hide, comprising a step of removing hair from the hide.",
    ),
    RemarkRow(
        "a module for a function",
        "nonce_word",
        "1. A register comprising a drawer and a module for counting coins.",
        1,
        "a module for counting",
        "1. A register comprising a drawer and a circuit for counting coins.",
    ),
    RemarkRow(
        "a unit named after its function",
        "nonce_word",
        "1. A register comprising a drawer and a detection unit adapted to recognize a coin.",
        1,
        "a detection unit adapted to recognize",
        "1. A register comprising a drawer and a central processing unit adapted to recognize a coin.",
    ),
    RemarkRow(
        "a mechanism whose structure is stated later",
        "nonce_word",
        "1. A register comprising a drawer and a mechanism for opening the drawer.",
        1,
        "a mechanism for opening",
        "1. A register comprising a drawer and a mechanism for opening the drawer, wherein the mechanism"
        " comprises a spring.",
    ),
    RemarkRow(
        "a part of a method's surroundings",
        "nonce_word",
        "1. A register comprising a member for holding a coin.",
        1,
        "a member for holding",
        "1. A method of counting coins, comprising placing a coin on a member for holding.",
    ),
    RemarkRow(
        "nothing but a means",
        "single_means",
        "1. A device comprising a means for focusing light.",
        1,
        "a means for focusing light",
        "1. A device comprising a lens and means for focusing light.",
    ),
    RemarkRow(
        "made by the method of another claim",
        "product_by_process",
        "1. A method of baking a brick, comprising drying a brick and heating the brick.\n"
        "2. A brick produced by the method of claim 1.",
        2,
        "produced by the method",
        "1. A method of baking a brick, comprising drying a brick produced by the method of casting.",
    ),
    RemarkRow(
        "shaped by an act",
        "product_by_process",
        "1. A spoon comprising a bowl formed by stamping a sheet.",
        1,
        "formed by stamping a",
        "1. A spoon comprising a bowl formed by a housing.",
    ),
    RemarkRow(
        "a group",
        "markush",
        "1. A rope comprising a fibre selected from the group consisting of hemp and flax.",
        1,
        "selected from the group consisting of",
        "1. A rope comprising a fibre of hemp, the fibre being selected by length.",
    ),
    RemarkRow(
        "an improvement",
        "jepson",
        "1. In a hive of the type having a box and a lid, wherein the improvement comprises a scale under"
        " the box.",
        1,
        "the improvement comprises",
        "1. A hive comprising a box, a lid and a scale that shows an improvement.",
    ),
    RemarkRow(
        "a process and a device",
        "mixed_preamble",
        "1. A process and a machine for grinding corn, comprising a stone.",
        1,
        "process and a machine",
        "1. A machine and a stone for grinding corn, comprising a shaft.",
    ),
    RemarkRow(
        "a thing after a method",
        "mixed_set",
        "1. A method of grinding corn, comprising rotating a stone.\n2. A mill comprising a stone.",
        2,
        "mill",
        "1. A mill comprising a stone.\n2. The mill of claim 1, further comprising a hopper.",
    ),
    RemarkRow(
        "a part of the surroundings",
        "preamble_basis",
        "1. A method of repairing a pipe, comprising cleaning the pipe.",
        1,
        "a pipe",
        "1. A method of repairing a pipe, comprising injecting a resin.",
    ),
    RemarkRow(
        "a number left out",
        "numbering",
        f"{PRESS}\n3. The press of claim 1, wherein the ram is hollow.",
        3,
        "The press of",
        f"{PRESS}\n2. (Canceled)\n3. The press of claim 1, wherein the ram is hollow.",
    ),
    RemarkRow(
        "a set that begins with two",
        "numbering",
        PRESS.replace("1.", "2."),
        2,
        "A press comprising",
        PRESS,
    ),
)
