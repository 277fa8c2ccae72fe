"""How long one tenant's polls take while another keeps having claims checked that are much work.

Each poll is a GET of the list of evaluations on a connection that stays open, one after the other with a
short pause; `idle_…` is the same with nobody else there. The other tenant sends the largest set that the
rules accept, and one whose claims are mostly white space, on several connections at once.
"""

import asyncio
import itertools
import json
import time
from collections.abc import Sequence
from typing import Final

from benchmarks import loads
from benchmarks.figures import options_of, percentile, say, tell
from benchmarks.rig import Api, Rig, resident_mb

HOSTILE: Final = "tenant-a"
OTHER: Final = "tenant-b"
CONNECTIONS: Final = 4
PAUSE_SECONDS: Final = 0.01


def slow_sets() -> list[bytes]:
    """Bodies of checks that are as much work as may be asked for."""
    nouns = [f"plate {first}{second}" for first, second in itertools.product("abcdefghij", "klmnopqrst")]
    claims = [f"A bracket comprising {', '.join(f'a {noun}' for noun in nouns)}."]
    for number in range(2, 1_000):
        said = " and ".join(f"said {nouns[(number + n) % len(nouns)]} is flat" for n in range(5))
        claims.append(f"The bracket of claim {number - 1 if number % 5 else 1}, wherein {said}.")
    blank = ["A bracket comprising a plate."]
    blank += [f"The bracket of claim 1{' ' * 45_000}wherein the plate is flat."] * 3
    return [json.dumps({"claims": [{"text": text} for text in texts]}).encode() for texts in (claims, blank)]


async def poll(api: Api, seconds: float) -> list[float]:
    """How long each poll of the other tenant took."""
    connection = loads.Connection(api.port)
    took: list[float] = []
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        began = time.perf_counter()
        await connection.ask(loads.request("GET", "/v1/evaluations", api.keys[OTHER]))
        took.append(time.perf_counter() - began)
        await asyncio.sleep(PAUSE_SECONDS)
    connection.close()
    return took


async def check(api: Api, bodies: Sequence[bytes], over: asyncio.Event) -> int:
    """Sends one set after the other until it is over; returns how many were answered."""
    connection = loads.Connection(api.port)
    answered = 0
    for content in itertools.cycle(bodies):
        if over.is_set():
            break
        await connection.ask(
            loads.request("POST", "/v1/check", api.keys[HOSTILE], content, content_type="application/json")
        )
        answered += 1
    connection.close()
    return answered


async def beside_checks(api: Api, seconds: float) -> tuple[list[float], int]:
    """The polls, and how many checks were answered meanwhile."""
    over = asyncio.Event()
    checks = [asyncio.create_task(check(api, slow_sets(), over)) for _ in range(CONNECTIONS)]
    took = await poll(api, seconds)
    over.set()
    return took, sum(await asyncio.gather(*checks))


def main() -> None:
    """The command line."""
    parser = options_of(__doc__)
    parser.add_argument("--seconds", type=float, default=30, help="how long to poll, with and without")
    options = parser.parse_args()
    with Rig() as rig:
        database = rig.database("hostile")
        with rig.api(database, HOSTILE, OTHER) as api:
            say("polls alone")
            idle = asyncio.run(poll(api, options.seconds))
            say("polls beside slow checks")
            took, answered = asyncio.run(beside_checks(api, options.seconds))
            resident = resident_mb(rig.pids()["api"])
    figures: dict[str, float | str] = {"checks": answered, "api_mb": resident}
    for name, times in (("idle_poll", idle), ("poll", took)):
        figures |= {f"{name}_p{share}_ms": 1_000 * percentile(times, share / 100) for share in (50, 99)}
        figures[f"{name}_max_ms"] = 1_000 * max(times)
    tell(figures, as_json=options.json)


if __name__ == "__main__":
    main()
