"""The budget of bytes: what one tenant may hold, what stays for the others, and that it comes back."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from ace.api.budget import Budget, Holding
from ace.api.spool import BATCH_BYTES, Pending, UploadLine
from ace.errors import TooMuch
from ace.settings import Settings


def test_tenant_holds_at_most_its_share() -> None:
    budget = Budget(300, 100)
    with budget.of("a") as one, budget.of("a") as other:
        one.add(60)
        other.add(40)
        with pytest.raises(TooMuch) as refused:
            one.add(1)
        assert (refused.value.limit, refused.value.code) == (100, "too_many_bytes")
        other.add(-1)
        one.add(1)
    assert (budget.held, budget.tenants) == (0, {})


def test_beside_a_tenant_that_holds_all_it_may_another_may_hold_as_much() -> None:
    budget = Budget(300, 100)
    with budget.of("a") as one, budget.of("b") as other:
        one.add(100)
        other.add(100)


def test_who_comes_last_still_finds_room() -> None:
    budget = Budget(3_000, 1_000)
    holdings = [budget.of(str(number)) for number in range(10)]
    limits = [_filled(holding) for holding in holdings]
    assert limits == [1_000, 1_000, *[3_000] * 8]
    assert all(holding.bytes for holding in holdings)
    assert budget.held <= 3_000


def _filled(holding: Holding) -> float:
    """Holds as much as it may; the limit that it meets."""
    while True:
        try:
            holding.add(1)
        except TooMuch as refused:
            return refused.limit


def test_error_gives_everything_back() -> None:
    budget = Budget(300, 100)
    holding = budget.of("a")
    holding.add(50)
    with pytest.raises(ZeroDivisionError), holding:
        raise ZeroDivisionError
    assert (budget.held, budget.tenants) == (0, {})


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 2), st.integers(-60, 120)), max_size=40))
def test_sums_agree_whatever_happens(orders: list[tuple[str, int, int]]) -> None:
    budget = Budget(300, 100)
    holdings = {(tenant, number): budget.of(tenant) for tenant in "abc" for number in range(3)}
    for tenant, number, size in orders:
        holding = holdings[tenant, number]
        try:
            holding.add(max(size, -holding.bytes))
        except TooMuch:
            assert size > 0
        assert budget.held == sum(one.bytes for one in holdings.values()) <= 300
        assert max(budget.tenants.values(), default=0) <= 100
    for holding in holdings.values():
        holding.__exit__(None, None, None)
    assert (budget.held, budget.tenants) == (0, {})


def test_short_lines_cost_more_than_their_text() -> None:
    async def put(count: int) -> bool:
        pending = Pending()
        await pending.put([UploadLine(number, b"{}") for number in range(count)])
        try:
            async with asyncio.timeout(0):
                await pending.put([UploadLine(count, b"{}")])
        except TimeoutError:
            return False
        return True

    assert asyncio.run(put(10))
    assert not asyncio.run(put(BATCH_BYTES // 100))  # of 2 bytes each


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({"max_body_bytes": 20_000_000}, "tenant_buffered_bytes"),
        ({"tenant_buffered_bytes": 35_000_000}, "tenant_buffered_bytes"),
        ({"buffered_bytes": 100_000_000}, "buffered_bytes"),
    ],
)
def test_settings_leave_room_for_the_largest_body(given: dict[str, int], name: str) -> None:
    with pytest.raises(ValidationError, match=f"{name} must be at least"):
        Settings.model_validate(given)
