"""What the logical checks read in a claim is read once for a set, and kept no longer than its reading."""

import gc
import weakref
from collections.abc import Callable

import pytest

from ace.claims.checks import flaws_of
from ace.claims.checks.logical import attributes, check, relations
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


@pytest.mark.parametrize(
    ("stated", "module", "compared"),
    [
        ("the lid is open", attributes, "Attribute"),
        ("the lid is above the arm", relations, "Relation"),
    ],
)
def test_what_a_claim_says_again_is_compared_once(
    monkeypatch: pytest.MonkeyPatch, stated: str, module: object, compared: str
) -> None:
    # Given a chain of claims, each of which says the same many times
    said = ", ".join([stated] * 30)
    text = "1. A box comprising a lid and an arm.\n" + "\n".join(
        f"{number}. The box of claim {number - 1}, wherein {said}." for number in range(2, 10)
    )
    calls: list[object] = []
    excludes = getattr(module, compared).excludes

    def counted(one: object, other: object) -> object:
        calls.append(one)
        return excludes(one, other)

    monkeypatch.setattr(getattr(module, compared), "excludes", counted)
    # When the claims are checked, then each statement is compared with one of each ancestor and one before
    reading = Reading(read_text(text, partial=True))
    for claim in reading.claims:
        list(module.contradictions(reading, claim))  # type: ignore[attr-defined]
    assert len(calls) <= 30 * sum(range(1, 9))
