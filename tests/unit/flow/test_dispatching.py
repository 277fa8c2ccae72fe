"""The limits of dispatching: which endpoints there are, and how many examinations they take."""

from dataclasses import replace

from ace.flow import DispatchLimits
from ace.store.endpoints import Declared
from ace.types.endpoints import ONLY

LIMITS = DispatchLimits(
    fast_lease_seconds=10,
    slow_lease_seconds=10,
    message_budget_tokens=10_000,
    message_max_claims=100,
    fast_waiting_messages=4,
    expert_slots=3,
    max_tries=3,
)


def test_without_named_endpoints_there_is_one_with_all_slots() -> None:
    assert LIMITS.declared == (Declared(ONLY, 1.0, 3),)
    assert LIMITS.slots == 3


def test_named_endpoints_have_slots_of_their_own() -> None:
    named = (Declared("east", 1.0, 4), Declared("west", 2.0, 5))
    limits = replace(LIMITS, endpoints=named)
    assert limits.declared == named
    assert limits.slots == 9
