"""Whose claim is examined next, and where."""

import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from uuid import UUID

import pytest

from ace.store.assignment import FreeEndpoint, WaitingClaim, assign

FILINGS = [UUID(int=number) for number in range(1, 61)]


def due(filing: int, number: int, tenant: str = "office", **more: object) -> WaitingClaim:
    values = {"priority": 5, "in_flight": 0, "failed_at": None} | more
    return WaitingClaim(UUID(int=filing * 1_000 + number), tenant, FILINGS[filing], number, **values)  # type: ignore[arg-type]


def offers(*rooms: int, weights: Sequence[float] = (1, 1, 1), on_trial: str = "") -> list[FreeEndpoint]:
    return [
        FreeEndpoint(name, weight, room, name == on_trial)
        for name, weight, room in zip("abc", weights, rooms, strict=False)
    ]


def dealt(
    line: Sequence[WaitingClaim], at: list[FreeEndpoint], most: int = 100, seed: int = 0
) -> list[tuple[WaitingClaim, str]]:
    return [(one.claim, one.endpoint) for one in assign(line, at, maximum=most, rng=random.Random(seed))]


def home(filing: int, *others: FreeEndpoint) -> str:
    [(_, name)] = dealt([due(filing, 1)], list(others) or offers(9, 9, 9))
    return name


def at_home(name: str) -> list[int]:
    """Filings whose home is this one of three."""
    return [filing for filing in range(len(FILINGS)) if home(filing) == name]


def test_the_claims_of_a_filing_go_to_one_endpoint_in_their_order() -> None:
    line = [due(filing, number) for number in (3, 1, 2) for filing in range(20)]
    random.Random(1).shuffle(line)

    given = dealt(line, offers(60, 60, 60))

    assert [(claim.filing, claim.number) for claim, _ in given] == sorted(
        (claim.filing, claim.number) for claim in line
    )
    went: dict[UUID, set[str]] = defaultdict(set)
    for claim, name in given:
        went[claim.filing].add(name)
    assert all(len(names) == 1 for names in went.values())
    assert set().union(*went.values()) == {"a", "b", "c"}


@pytest.mark.parametrize("weights", [(1, 1, 1), (8, 1, 1), (1, 2, 3)])
def test_endpoints_are_home_to_filings_by_their_weight(weights: tuple[float, ...]) -> None:
    at = offers(900, 900, 900, weights=weights)
    homes = Counter(
        assign(
            [WaitingClaim(UUID(int=n), "t", UUID(int=n), 1, 5, 0, None)], at, maximum=1, rng=random.Random(0)
        )[0].endpoint
        for n in range(600)
    )
    for name, weight in zip("abc", weights, strict=True):
        assert homes[name] / 600 == pytest.approx(weight / sum(weights), abs=0.07)


def test_an_endpoint_that_goes_takes_only_its_own_filings_along() -> None:
    moved = [filing for filing in range(60) if home(filing) != home(filing, *offers(9, 9))]
    assert moved == at_home("c")


def test_a_free_slot_takes_the_first_claim_that_is_at_home_there() -> None:
    stranger, native = at_home("a")[0], at_home("b")[-1]
    line = [due(stranger, 1), due(native, 4), due(native, 3), due(native, 1, priority=6)]

    assert dealt(line, offers(0, 1)) == [(line[2], "b")]


def test_no_slot_stays_free_because_nobody_is_at_home_there() -> None:
    line = [due(at_home("a")[0], number) for number in (1, 2, 3)]

    assert dealt(line, offers(1, 2)) == [(line[0], "a"), (line[1], "b"), (line[2], "b")]


def test_what_is_more_urgent_goes_first_wherever_there_is_room() -> None:
    stranger, native = at_home("a")[-1], at_home("b")[0]
    line = [due(native, 1, priority=5), due(stranger, 1, priority=4)]

    assert dealt(line, offers(0, 1)) == [(line[1], "b")]


def test_the_tenant_with_the_fewest_on_their_way_is_next_and_they_end_up_even() -> None:
    line = [due(filing, 1, "busy", in_flight=4) for filing in range(10)]
    line += [due(filing, 1, "idle", in_flight=1) for filing in range(10, 20)]
    line += [due(filing, 1, "new") for filing in range(20, 22)]

    given = Counter(claim.tenant for claim, _ in dealt(line, offers(9)))

    assert given == {"new": 2, "idle": 5, "busy": 2}


def test_between_tenants_that_have_as_many_the_lot_decides() -> None:
    line = [due(filing, 1, f"tenant-{filing}") for filing in range(4)]

    served = {dealt(line, offers(1), seed=seed)[0][0].tenant for seed in range(40)}

    assert len(served) == 4


def test_a_claim_does_not_go_back_to_where_it_failed_unless_that_is_the_only_one() -> None:
    filing = at_home("a")[0]

    assert dealt([due(filing, 1, failed_at="a")], offers(1, 1, 1))[0][1] != "a"
    assert dealt([due(filing, 1, failed_at="a")], offers(1, 0, 0))[0][1] == "a"


@pytest.mark.parametrize("rooms", [(1,), (0, 1)])
def test_a_claim_that_failed_at_home_does_not_wait_behind_all_that_have_not(rooms: tuple[int, ...]) -> None:
    line = [due(filing, 1, failed_at="a" if filing == 0 else None) for filing in range(20)]

    assert dealt(line, offers(*rooms))[0][0] == line[0]


def test_an_endpoint_on_trial_is_given_one_claim_and_is_nobody_s_home() -> None:
    filing = at_home("b")[0]
    line = [due(filing, number) for number in (1, 2, 3)]

    given = dealt(line, offers(1, 9, 9, on_trial="a"))

    assert [name for _, name in given] == ["a", "b", "b"]


@pytest.mark.parametrize(
    ("line", "rooms", "most"), [(0, (5,), 5), (3, (), 5), (3, (0, 0), 5), (3, (5,), 0), (3, (-2,), 5)]
)
def test_without_claims_room_or_leave_nothing_is_dealt(line: int, rooms: tuple[int, ...], most: int) -> None:
    assert dealt([due(0, number) for number in range(line)], offers(*rooms), most) == []
