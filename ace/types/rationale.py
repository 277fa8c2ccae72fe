"""What a rationale states: defects in its own words, and the outcome of each kind of check."""

from enum import StrEnum
from typing import NamedTuple

from ace.claims.taxonomy import ErrorClass


class CheckOutcome(StrEnum):
    """The outcome of one kind of check."""

    SOUND = "sound"
    DEFECT = "defect"
    UNCLEAR = "unclear"


class StatedDefect(NamedTuple):
    """A defect as the expert states it. Prose names no law and may name no class (None)."""

    error_class: ErrorClass | None
    quote: str
    law: str = ""
    explanation: str = ""
