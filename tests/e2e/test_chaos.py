"""A slice of `make chaos`: every kind of fault at least once, and an audit that finds nothing."""

import json
import subprocess
import sys

from tests.chaos.plan import PROFILES
from tests.chaos.run import MUST_BE_ZERO

SEED = 112
CLAIMS = 4_000
KILLS = 10
SECONDS = 40


def test_under_every_fault_no_claim_is_lost_stuck_or_decided_twice() -> None:
    command = ["--profile", "all", "--claims", CLAIMS, "--kills", KILLS, "--seconds", SECONDS, "--seed", SEED]
    done = subprocess.run(
        [sys.executable, "-m", "tests.chaos", *map(str, command), "--json"],
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    told = f"seed {SEED}\n{done.stderr}\n{done.stdout}"
    figures = json.loads((done.stdout or "{}").splitlines()[-1])

    assert done.returncode == 0, told
    assert {name: figures[name] for name in MUST_BE_ZERO} == dict.fromkeys(MUST_BE_ZERO, 0), told
    assert figures["accepted"] >= CLAIMS, told
    assert figures["kills"] == KILLS, told
    assert set(figures["faults"]) == {beat.fault for beat in PROFILES["all"]}, told
    assert figures["failed_poison"] == figures["poison_sent"] > 0, told
    assert figures["stale_writes_rejected"] > 0, told
