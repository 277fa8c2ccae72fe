"""Plans and loads are what their seed makes of them; the agenda tries again what could not happen."""

import random

import pytest

from tests.chaos.faults import Faults
from tests.chaos.load import parcels
from tests.chaos.plan import PROFILES, Agenda, plan
from tests.chaos.worker import POISON


@pytest.mark.parametrize("profile", PROFILES)
def test_a_plan_has_every_fault_of_its_profile_within_its_time(profile: str) -> None:
    planned = plan(profile, kills=7, seconds=30, rng=random.Random(1))

    assert {fault for _, fault in planned} == {beat.fault for beat in PROFILES[profile]}
    assert all(0 <= second < 30 for second, _ in planned)
    assert sum(fault == "kill_worker" for _, fault in planned) in {0, 7}
    assert all(callable(getattr(Faults, fault)) for _, fault in planned)


def test_the_same_seed_makes_the_same_run() -> None:
    def made(seed: int) -> tuple[object, object]:
        faults = plan("all", kills=5, seconds=30, rng=random.Random(seed))
        return faults, list(parcels(500, 2, random.Random(seed)))

    assert made(1) == made(1)
    assert made(1) != made(2)


@pytest.mark.parametrize(("claims", "poison"), [(1, 1), (50, 0), (3_000, 4)])
def test_parcels_hold_the_claims_asked_for(claims: int, poison: int) -> None:
    made = list(parcels(claims, poison, random.Random(1)))
    texts = [claim["text"] for parcel in made for filing in parcel.filings for claim in filing["claims"]]

    assert claims <= len(texts) == sum(parcel.claims for parcel in made)
    assert sum(POISON in text for text in texts) == poison
    assert len({parcel.key for parcel in made}) == len(made)


def test_what_cannot_happen_yet_happens_later() -> None:
    agenda, answers, happened = Agenda(), iter([False, False, True]), []

    def act() -> bool:
        happened.append("tried")
        return next(answers)

    agenda.at(0, act)
    agenda.run(lambda: agenda.empty, seconds=60)

    assert len(happened) == 3
