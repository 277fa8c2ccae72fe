"""What each module of rules costs, in milliseconds of processor time for one claim set.

Reads real claim sets (not part of the project). Every N-th complete set is checked once without a profiler,
for the whole time, and once with one, for its division: own time, that of the functions of a file, without
what they call elsewhere. What the checks share (words, noun phrases, the reference graph) stands beside them.
"""

import cProfile
import json
import pstats
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import ace
from ace import claim_work
from ace.claims.analysis import check_set
from ace.claims.model import ClaimSet
from ace_lab.data.filed_sets import read_filed
from benchmarks.claims import DATA
from benchmarks.figures import options_of, say

_ROOT = Path(ace.__file__).parent / "claims"
_EVERY = 25


def costs(sets: Sequence[ClaimSet]) -> dict[str, Any]:
    """Milliseconds of processor time per set: in all, and by module of `ace.claims`, the costliest first."""
    began = time.thread_time()
    for claims in sets:
        check_set(claims)
    took = (time.thread_time() - began) * 1_000
    profile = cProfile.Profile()
    for claims in sets:
        profile.runcall(check_set, claims)
    own: Counter[str] = Counter()
    for (file, _, _), (_, _, seconds, _, _) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
        own[_module(file)] += seconds
    whole = sum(own.values())
    per_set = took / max(1, len(sets))
    return {
        "sets": len(sets),
        "ms_per_set": round(per_set, 2),
        "by_module": {name: round(per_set * share / whole, 3) for name, share in own.most_common()},
    }


def _module(file: str) -> str:
    """The module of `ace.claims`; "python" for all others, built-in functions among them."""
    path = Path(file)
    return path.relative_to(_ROOT).as_posix() if path.is_relative_to(_ROOT) else "python"


def _table(shown: Mapping[str, Any]) -> Iterator[str]:
    yield f"{shown['ms_per_set']} ms of processor time per set, {shown['sets']} sets"
    yield from (f"  {name:44}{ms:>9.3f}" for name, ms in shown["by_module"].items())


def main() -> int:
    """`python -m benchmarks.rule_costs`."""
    parser = options_of(__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="JSON lines of claim sets, plain or gzipped")
    parser.add_argument("--every", type=int, default=_EVERY, help="only every N-th complete set")
    options = parser.parse_args()
    complete = [filed for filed in read_filed(options.data) if filed.complete]
    sets = [filed.claims() for filed in complete[:: options.every]]
    if sys.stderr.isatty():
        say(f"{len(sets)} sets")
    claim_work.warm()
    shown = costs(sets)
    print(json.dumps(shown) if options.json else "\n".join(_table(shown)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
