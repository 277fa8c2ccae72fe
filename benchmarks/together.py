"""Whether claims of one filing reach a server of the expert one after the other, where its cache is warm.

So many tenants have filings that the gatekeeper doubts throughout, of `FILING_CLAIMS` claims each;
simulated servers with `SLOTS` slots answer after lognormal times, and one worker asks them. A server's
calls are taken in the order in which they began.

`…_consecutive` is the share of calls that follow a call of their own filing, `…_warm` the share whose
filing is among the server's last `SLOTS` calls, as many prefixes as any cache holds that can serve so
many at once. Neither can be more than `possible`, as each filing has a first call. `…_servers_per_filing`
is at best 1, `…_tenants_apart` how unequal the tenants' answers are when half of all are given: the most
less the least, as a share of an equal part.
"""

import contextlib
from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import groupby
from typing import Final

from sqlalchemy import text

from ace.store import moves
from ace.store.database import transact
from ace_lab.simulator.server import SimulatorProcess
from benchmarks.expert import escalate
from benchmarks.figures import options_of, say, tell
from benchmarks.filings import filing
from benchmarks.rig import DISPATCHER, EXPERT_WORKER, Rig

FILING_CLAIMS: Final = 6
SLOTS: Final = 8
RUNS: Final = ((1, 1), (1, 2), (4, 1), (4, 2), (16, 2))  # tenants, servers

Call = tuple[str, str, str]  # server, tenant, filing


def calls(rig: Rig, tenants: int, servers: int, claims: int) -> list[Call]:
    """Files for every tenant, has everything examined, and returns all calls as they began."""
    database = rig.database(f"together_{tenants}_{servers}")
    each = claims // tenants // FILING_CLAIMS
    for tenant in range(tenants):
        filings = [filing(number, tenant=f"t{tenant}", claims=FILING_CLAIMS) for number in range(each)]
        transact(database.db, partial(moves.submit, filings=filings, actor="bench"))
    escalate(database, 0)
    options = ("--slots", str(SLOTS), "--queue", "0", "--answers", "canned", "--latency", "lognormal:0.2,0.4")
    with contextlib.ExitStack() as running:
        urls = [running.enter_context(SimulatorProcess(*options)).url for _ in range(servers)]
        environment = {
            **database.environment,
            "ACE_EXPERT_URLS": ", ".join(f"s{number}={url}" for number, url in enumerate(urls)),
            "ACE_EXPERT_THREADS": str(SLOTS * servers),
            "ACE_EXPERT_SLOTS": str(SLOTS),
        }
        running.enter_context(
            rig.running(environment, {"expert-worker": EXPERT_WORKER, "dispatcher": DISPATCHER})
        )
        rig.wait_drained(database)
    with database.db.connect() as connection:
        rows = connection.execute(
            text("""
            SELECT endpoint, tenant, CAST(filing_id AS text) FROM examinations x
            JOIN evaluations e ON e.id = evaluation_id ORDER BY x.at - make_interval(secs => seconds)""")
        )
        return [tuple(row) for row in rows]


def figures(made: Sequence[Call]) -> dict[str, float]:
    """What the order of the calls was worth."""
    consecutive = warm = 0
    at_server = {
        server: [filing for _, _, filing in theirs]
        for server, theirs in groupby(sorted(made, key=lambda call: call[0]), key=lambda call: call[0])
    }
    for filings in at_server.values():
        for place, each in enumerate(filings):
            before = filings[max(0, place - SLOTS) : place]
            consecutive += before[-1:] == [each]
            warm += each in before
    filed = {each for _, _, each in made}
    half = Counter(tenant for _, tenant, _ in made[: len(made) // 2])
    tenants = {tenant for _, tenant, _ in made}
    given = [half[tenant] for tenant in tenants]
    return {
        "consecutive": consecutive / len(made),
        "warm": warm / len(made),
        "possible": 1 - len(filed) / len(made),
        "servers_per_filing": sum(len(set(filings)) for filings in at_server.values()) / len(filed),
        "tenants_apart": (max(given) - min(given)) * len(tenants) / sum(given),
    }


def main() -> None:
    """The command line."""
    parser = options_of(__doc__)
    parser.add_argument("--claims", type=int, default=480, help="claims of each run, of all its tenants")
    options = parser.parse_args()
    told: dict[str, float] = {}
    with Rig() as rig:
        for tenants, servers in RUNS:
            say(f"{tenants} tenants, {servers} servers")
            found = figures(calls(rig, tenants, servers, options.claims))
            told |= {f"tenants_{tenants}_servers_{servers}_{name}": value for name, value in found.items()}
    tell(dict(told), as_json=options.json)


if __name__ == "__main__":
    main()
