"""Runs ACE under faults and audits it; beside it, if asked, plain Celery under the same kills.

python -m tests.chaos --profile workers --claims 10000 --kills 20
python -m tests.chaos --claims 100000 --kills 100 --mode both --json
"""

import argparse
import json
import random
import signal
import sys
from pathlib import Path
from typing import Any

from tests.chaos import peer
from tests.chaos.plan import PROFILES
from tests.chaos.run import Options, run

SECONDS_PER_KILL = 2.5  # two cores start a worker in about two seconds


def parsed() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--profile", choices=sorted(PROFILES), default="all", help="which faults")
    parser.add_argument("--mode", choices=("ace", "celery", "both"), default="ace", help="what runs")
    parser.add_argument("--claims", type=int, default=10_000, help="claims to file")
    parser.add_argument("--kills", type=int, default=40, help="workers to kill, where the profile kills any")
    parser.add_argument("--seconds", type=float, help="how long; default: 2.5 for each kill")
    parser.add_argument("--seed", type=int, help="repeats a run's plan; default: a new one")
    parser.add_argument("--gatekeeper", choices=("pretending", "shipped"), default="pretending")
    parser.add_argument("--data", type=Path, help="keep data and logs in this new folder")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    given = parser.parse_args()
    if given.data is not None and given.data.exists() and any(given.data.iterdir()):
        parser.error(f"{given.data} is not empty: the audit would find what is in there")
    return given


def main() -> int:
    """The process: 0 where ACE lost nothing and everything else held."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # leaves no process
    given = parsed()
    options = Options(
        profile=given.profile,
        claims=given.claims,
        kills=given.kills,
        seconds=given.seconds or SECONDS_PER_KILL * given.kills,
        seed=random.randrange(2**31) if given.seed is None else given.seed,
        shipped=given.gatekeeper == "shipped",
        folder=given.data,
        poison=min(5, max(1, given.claims // 2_000)),
    )
    figures: dict[str, Any] = run(options) if given.mode != "celery" else peer.run(options)
    if given.mode == "both":
        figures["celery"] = peer.run(options)
    print(json.dumps(figures) if given.json else "\n".join(f"{k:24}{v}" for k, v in figures.items()))
    return 0 if figures["ok"] else 1


if __name__ == "__main__":
    raise SystemExit(main())
