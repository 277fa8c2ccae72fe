"""What the logical checks read in a claim is read once for a set, and kept no longer than its reading."""

import gc
import weakref
from collections.abc import Callable

from ace.claims.checks import flaws_of
from ace.claims.checks.logical import check
from ace.claims.checks.logical.chain import kept_with_set
from ace.claims.readers import read_text
from ace.claims.reading import Reading

TEXT = (
    "1. A press consisting of a frame and a rigid ram above the frame, wherein the ram is 5 to 9 cm long.\n"
    "2. The press of claim 1, wherein the ram is flexible and is below the frame, further comprising a lid."
)


def _reading() -> Reading:
    return Reading(read_text(TEXT, partial=True))


def _counted() -> tuple[list[str], Callable[[Reading, str], int]]:
    """A function that is kept with the set, and the texts it was really called with."""
    calls: list[str] = []

    @kept_with_set
    def length(_reading: Reading, text: str) -> int:
        calls.append(text)
        return len(text)

    return calls, length


def test_a_text_is_read_once_for_each_reading() -> None:
    calls, length = _counted()
    first, second = _reading(), _reading()
    for reading in (first, second, first):
        assert length(reading, TEXT) == length(reading, TEXT) == len(TEXT)
    assert len(calls) == 2


def test_the_end_of_one_reading_leaves_what_another_keeps() -> None:
    calls, length = _counted()
    first, second = _reading(), _reading()
    for reading in (first, second):
        length(reading, TEXT)
    del reading, second
    length(first, TEXT)
    assert len(calls) == 2


def test_a_reading_and_what_it_keeps_go_at_once() -> None:
    reading = _reading()
    assert [flaw for claim in reading.claims for flaw in flaws_of(reading, claim)]
    gone = weakref.ref(reading)
    gc.disable()
    try:
        del reading
        assert gone() is None
    finally:
        gc.enable()


def test_a_set_read_again_after_another_is_done_has_the_same_flaws() -> None:
    def flaws() -> list[tuple[int, int]]:
        reading = _reading()
        return [(flaw.start, flaw.end) for claim in reading.claims for flaw in check(reading, claim)]

    assert flaws() == flaws()
