"""What the logical checks read in a claim is kept no longer than its set."""

import gc
from collections.abc import Callable
from typing import Any

from ace.claims.checks.logical import check
from ace.claims.checks.logical.attributes import stated_attributes as attributes
from ace.claims.checks.logical.relations import relations
from ace.claims.checks.logical.stated_quantities import quantities_of, stated_quantities
from ace.claims.checks.logical.transitions import body_of
from ace.claims.readers import read_text
from ace.claims.reading import Reading

KEPT: tuple[Callable[..., Any], ...] = (attributes, relations, quantities_of, stated_quantities, body_of)
TEXT = (
    "1. A press consisting of a frame and a rigid ram above the frame, wherein the ram is 5 to 9 cm long.\n"
    "2. The press of claim 1, wherein the ram is flexible and is below the frame, further comprising a lid."
)


def _sizes() -> list[int]:
    return [read.cache_info().currsize for read in KEPT]  # type: ignore[attr-defined]


def test_nothing_of_a_claim_outlives_its_reading() -> None:
    gc.collect()
    reading = Reading(read_text(TEXT, partial=True))
    found = [flaw for claim in reading.claims for flaw in check(reading, claim)]
    assert found
    assert sum(_sizes()) > 0
    del reading
    gc.collect()
    assert _sizes() == [0] * len(KEPT)


def test_a_set_read_again_after_another_is_done_has_the_same_flaws() -> None:
    def flaws() -> list[tuple[int, int]]:
        reading = Reading(read_text(TEXT, partial=True))
        return [(flaw.start, flaw.end) for claim in reading.claims for flaw in check(reading, claim)]

    assert flaws() == flaws()
