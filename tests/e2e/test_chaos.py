"""A slice of `make chaos`: every kind of fault at least once, and an audit that finds nothing."""

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.chaos.plan import PROFILES
from tests.chaos.run import MUST_BE_ZERO
from tests.chaos.simulated import FAULTS, MOST_CALLS_PER_SUCCESS

pytestmark = pytest.mark.slow

SEED = 112  # of its first hundreds of simulated calls, a fifth fail
CLAIMS = 2_000
KILLS = 5
SECONDS = 20
LONGEST_SECONDS = 1_800  # bounds a run on a busy machine, and measures nothing: an idle one takes 100


def driven(*command: object) -> tuple[dict[str, Any], str]:
    """The figures of a run that must have held, and everything it told."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.chaos", *map(str, command), "--seed", str(SEED), "--json"],
        capture_output=True,
        text=True,
        timeout=LONGEST_SECONDS,
        check=False,
    )
    told = f"seed {SEED}\n{done.stderr}\n{done.stdout}"
    figures = json.loads((done.stdout or "{}").splitlines()[-1])
    assert done.returncode == 0, told
    assert {name: figures[name] for name in MUST_BE_ZERO} == dict.fromkeys(MUST_BE_ZERO, 0), told
    assert set(figures["faults"]) == {beat.fault for beat in PROFILES[figures["profile"]]}, told
    return figures, told


def test_under_every_fault_no_claim_is_lost_stuck_or_decided_twice() -> None:
    figures, told = driven("--profile", "all", "--claims", CLAIMS, "--kills", KILLS, "--seconds", SECONDS)

    assert figures["accepted"] >= CLAIMS, told
    assert figures["kills"] == KILLS, told
    assert figures["failed_poison"] == figures["poison_sent"] > 0, told
    assert figures["takeovers"] > 0, told  # of the worker that was frozen with a message in hand, at least


def test_with_an_expert_that_fails_every_fifth_call_it_holds_too_and_little_is_asked_twice() -> None:
    figures, told = driven("--profile", "simulator", "--claims", 1_200, "--kills", 4, "--seconds", 8)

    calm, stormy = figures["calm"], figures["under_kills"]
    assert figures["rationales"] == calm["successes"] + stormy["successes"] > 80, told
    assert calm["calls_per_success"] <= MOST_CALLS_PER_SUCCESS, told
    assert 0.75 * FAULTS < calm["faulty_share"] < 1.25 * FAULTS, told
