"""How long one tenant waits while another's bulk is worked off, and how long its own urgent claims do.

Tenant A uploads a bulk; until the last claim of it has its verdict, tenant B files single claims now
and then (`other_tenant_delay_…`), and so does A itself with priority 0 (`urgent_delay_…`). Delays are
what a client sees, from sending the POST to the verdict, fetched with `Prefer: wait`; `idle_delay_…` is
the same without a bulk. Measured once around the null model, and once, as `shipped_…`, around the
shipped model and the structural expert: there single claims are ones that the gatekeeper decides by
itself, and `shipped_expert_delay_…` are B's claims that the expert must examine, behind A's.
"""

import asyncio
import itertools
import json
import time
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from sqlalchemy import text

from ace.claims.readers import read_text
from ace.local import samples
from ace.processes import free_port
from benchmarks import loads
from benchmarks.figures import options_of, percentile, say, tell
from benchmarks.filings import CLAIMS_PER_FILING, INDEPENDENT, body
from benchmarks.rig import DISPATCHER, EXPERT_WORKER, GATEKEEPER, Api, Database, Rig, gatekeepers

BULK: Final = "tenant-a"
OTHER: Final = "tenant-b"
PAUSE_SECONDS: Final = 0.1  # between two single claims of one kind
IDLE_ROUNDS: Final = 20
LONGEST_SECONDS: Final = 900


class Single(NamedTuple):
    """Single claims of one kind: the name of their delay, who files them, how urgent, which."""

    name: str
    tenant: str
    priority: int
    texts: Sequence[str]


async def delay(connection: loads.Connection, api: Api, single: Single, claim: str) -> tuple[float, str]:
    """Seconds from the POST of one claim to its verdict, and who gave it."""
    key = api.keys[single.tenant]
    content = {"docket": "one", "claims": [{"text": claim}], "priority": single.priority}
    began = time.perf_counter()
    _, accepted = await connection.ask(loads.post(key, json.dumps(content).encode()))
    path = f"/v1/evaluations/{json.loads(accepted)['evaluations'][0]['id']}"
    while True:
        _, answer = await connection.ask(loads.request("GET", path, key, prefer="wait=30"))
        found = json.loads(answer)
        if found["decided_by"]:
            return time.perf_counter() - began, str(found["decided_by"])
        if found["state"] == "failed":
            raise ValueError("a single claim failed")


async def idle(api: Api, single: Single, rounds: int) -> list[tuple[float, str]]:
    """Delays with nothing else to do, one claim after the other."""
    connection = loads.Connection(api.port)
    texts = itertools.islice(itertools.cycle(single.texts), rounds)
    delays = [await delay(connection, api, single, claim) for claim in texts]
    connection.close()
    return delays


async def beside_bulk(
    rig: Rig, database: Database, api: Api, lines: Sequence[bytes], singles: Sequence[Single]
) -> dict[str, list[float]]:
    """Delays of single claims by name, and under "bulk" how long the bulk took, from its first byte."""
    delays: dict[str, list[float]] = {single.name: [] for single in singles}
    over = asyncio.Event()

    async def keep_filing(single: Single) -> None:
        connection = loads.Connection(api.port)
        for claim in itertools.cycle(single.texts):
            if over.is_set():
                break
            seconds, _ = await delay(connection, api, single, claim)
            delays[single.name].append(seconds)
            await asyncio.sleep(PAUSE_SECONDS)
        connection.close()

    began = time.perf_counter()
    async with asyncio.TaskGroup() as tasks, asyncio.timeout(LONGEST_SECONDS):
        upload = tasks.create_task(loads.upload(api.port, api.keys[BULK], lines))
        for single in singles:
            tasks.create_task(keep_filing(single))
        _, accepted = await upload
        if accepted != len(lines):
            raise ValueError(f"{accepted} of {len(lines)} lines were accepted")
        while await asyncio.to_thread(_waits, database):
            rig.check()
            await asyncio.sleep(0.1)
        over.set()
    return {**delays, "bulk": [time.perf_counter() - began]}


def _waits(database: Database) -> bool:
    """Whether anything of the bulk is still due."""
    with database.db.connect() as connection:
        return any(
            connection.execute(
                text(f"SELECT EXISTS (SELECT FROM evaluations WHERE state = '{state}' AND tenant = :tenant)"),
                {"tenant": BULK},
            ).scalar_one()
            for state in ("queued", "escalated")
        )


def around_null(rig: Rig, claims: int, workers: int) -> dict[str, float]:
    """The bulk and the single claims around the null model."""
    database = rig.database("around_null")
    other = Single("other_tenant", OTHER, 5, [INDEPENDENT])
    urgent = Single("urgent", BULK, 0, [INDEPENDENT])
    lines = [body(number) for number in range(claims // CLAIMS_PER_FILING)]
    commands = {**gatekeepers(workers), "dispatcher": DISPATCHER}
    with rig.api(database, BULK, OTHER) as api, rig.running(database.environment, commands):
        rig.wait_for_workers(workers)
        quiet = [seconds for seconds, _ in asyncio.run(idle(api, other, IDLE_ROUNDS))]
        say(f"a bulk of {claims} claims around the null model")
        delays = asyncio.run(beside_bulk(rig, database, api, lines, [other, urgent]))
    return figures({**delays, "idle": quiet}, claims)


def around_shipped(rig: Rig, claims: int) -> dict[str, float]:
    """The same around the shipped model, whose doubts the expert examines."""
    database = rig.database("around_shipped")
    environment = {**database.environment, "ACE_EXPERT_URL": f"http://127.0.0.1:{(port := free_port())}"}
    sets = [read_text(sample.text).claims for sample in samples.load()]
    every = Single("idle", OTHER, 5, [claim.text for claims_of in sets for claim in claims_of])
    lines = _bulk(claims)
    commands = {
        "expert": ("-m", "ace", "expert", "serve", "--port", str(port)),
        "gatekeeper": GATEKEEPER,
        "expert-worker": EXPERT_WORKER,
        "dispatcher": DISPATCHER,
    }
    with rig.api(database, BULK, OTHER) as api, rig.running(environment, commands):
        rig.wait_for_workers(2)
        found = asyncio.run(idle(api, every, len(every.texts)))
        by = {claim: by for claim, (_, by) in zip(every.texts, found, strict=True)}
        clear = [claim for claim in by if by[claim] == "gatekeeper"]
        doubtful = [claim for claim in by if by[claim] == "expert"]
        singles = [Single("other_tenant", OTHER, 5, clear), Single("urgent", BULK, 0, clear)]
        singles += [Single("expert", OTHER, 5, doubtful)] if doubtful else []
        say(f"a bulk of {claims} claims around the shipped model")
        delays = asyncio.run(beside_bulk(rig, database, api, lines, singles))
    quiet = [seconds for seconds, by_whom in found if by_whom == "gatekeeper"]
    return {f"shipped_{name}": value for name, value in figures({**delays, "idle": quiet}, claims).items()}


def _bulk(claims: int) -> list[bytes]:
    """Lines of the samples, over and over, up to `claims` claims."""
    lines: list[bytes] = []
    count = 0
    for sample in itertools.cycle(samples.load()):
        if count >= claims:
            break
        lines.append(json.dumps({"docket": sample.docket, "claims": sample.text}).encode())
        count += len(read_text(sample.text).claims)
    return lines


def figures(delays: Mapping[str, Sequence[float]], claims: int) -> dict[str, float]:
    """Percentiles of each kind of delay, and how the bulk went."""
    (seconds,) = delays["bulk"]
    told: dict[str, float] = {"bulk_claims": claims, "bulk_claims_per_second": claims / seconds}
    for name, values in delays.items():
        if name != "bulk":
            told |= {
                f"{name}_delays": len(values),
                f"{name}_delay_p50_seconds": percentile(values, 0.5),
                f"{name}_delay_p99_seconds": percentile(values, 0.99),
                f"{name}_delay_max_seconds": max(values),
            }
    return told


def main() -> None:
    """The command line."""
    parser = options_of(__doc__)
    parser.add_argument("--claims", type=int, default=100_000, help="the bulk around the null model; 0: skip")
    parser.add_argument("--shipped-claims", type=int, default=10_000, help="around the shipped one; 0: skip")
    parser.add_argument("--workers", type=int, default=2, help="null gatekeeper workers")
    options = parser.parse_args()
    told: dict[str, float | str] = {}
    with Rig() as rig:
        if options.claims:
            told |= around_null(rig, options.claims, options.workers)
        if options.shipped_claims:
            told |= around_shipped(rig, options.shipped_claims)
    tell(told, as_json=options.json)


if __name__ == "__main__":
    main()
