"""What a rationale states: defects in its own words, and the outcome of each kind of check."""

from enum import StrEnum
from typing import NamedTuple

from ace.claims.taxonomy import ErrorClass


class CheckOutcome(StrEnum):
    """What one kind of check made of the claim."""

    SOUND = "sound"
    DEFECT = "defect"
    UNCLEAR = "unclear"


class StatedDefect(NamedTuple):
    """A defect as the expert states it; prose names no law and may leave the class open (None)."""

    error_class: ErrorClass | None
    quote: str
    law: str = ""
    explanation: str = ""
