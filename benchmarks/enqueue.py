"""How fast claims are accepted, and how long one submission takes while others come in.

`store_claims_per_second` is what the store accepts by itself, in one thread: filings of twenty claims,
fifty at a time, each batch durable when it is accepted. `http_claims_per_second` is one upload of
NDJSON to `POST /v1/filings/bulk`, from its first byte to the last answer. `post_…_ms` are single
`POST /v1/filings` on a timetable, each measured from when it was due; `…_at_work` are the same while a
dispatcher and a null gatekeeper, as nice as in `ace up`, decide what comes in. Until then API, PostgreSQL
and Redis run and no worker does. All over loopback, against a real `ace serve`; the load comes from this
process.
"""

import asyncio
import time
from typing import Final

from ace import flow
from ace.local.stack import WORKER_NICENESS
from benchmarks import loads
from benchmarks.figures import options_of, say, tell
from benchmarks.filings import CLAIMS_PER_FILING, batches, body
from benchmarks.rig import DISPATCHER, Api, Database, Rig, gatekeepers

TENANT: Final = "bench"
WARM_UP_SECONDS: Final = 2


def into_store(database: Database, claims: int) -> float:
    """Claims a second through `flow.submit`."""
    filings = list(batches(claims))
    began = time.perf_counter()
    for batch in filings:
        flow.submit(database.db, batch, actor="bench")
    return claims / (time.perf_counter() - began)


def over_http(api: Api, claims: int) -> float:
    """Claims a second through one bulk upload. Raises ValueError where a line was refused."""
    lines = [body(number) for number in range(claims // CLAIMS_PER_FILING)]
    seconds, accepted = asyncio.run(loads.upload(api.port, api.keys[TENANT], lines))
    if accepted != len(lines):
        raise ValueError(f"{accepted} of {len(lines)} lines were accepted")
    return claims / seconds


def posts(api: Api, *, rate: float, seconds: float, claims: int) -> loads.Answers:
    """Single submissions on a timetable, after a short one that does not count."""
    contents = [loads.post(api.keys[TENANT], body(number, claims=claims)) for number in range(100)]
    loads.on_timetable(api.port, list(loads.cycle(contents, int(rate * WARM_UP_SECONDS))), rate=rate)
    return loads.on_timetable(api.port, list(loads.cycle(contents, int(rate * seconds))), rate=rate)


def main() -> None:
    """The command line."""
    parser = options_of(__doc__)
    parser.add_argument("--claims", type=int, default=100_000, help="claims in bulk, each way")
    parser.add_argument("--rate", type=float, default=200, help="single submissions a second")
    parser.add_argument("--seconds", type=float, default=20, help="how long they are sent, each time")
    parser.add_argument(
        "--post-claims", type=int, default=CLAIMS_PER_FILING, help="claims in a single submission"
    )
    options = parser.parse_args()
    claims = max(1, options.claims // CLAIMS_PER_FILING) * CLAIMS_PER_FILING
    single = {"rate": options.rate, "seconds": options.seconds, "claims": options.post_claims}
    figures: dict[str, float | str] = {"claims": claims, "post_claims": options.post_claims}
    with Rig() as rig:
        say(f"{claims} claims into the store")
        figures["store_claims_per_second"] = into_store(rig.database("store"), claims)
        say(f"{claims} claims over HTTP")
        with rig.api(bulk := rig.database("bulk"), TENANT) as api:
            into_store(bulk, CLAIMS_PER_FILING)
            figures["http_claims_per_second"] = over_http(api, claims)
        work = rig.database("work")
        with rig.api(work, TENANT) as api:
            say(f"{options.rate:g} submissions a second, nobody at work")
            figures |= posts(api, **single).figures("post")
            with (
                rig.running(work.environment, gatekeepers(1), niceness=WORKER_NICENESS),
                rig.running(work.environment, {"dispatcher": DISPATCHER}),
            ):
                rig.wait_drained(work)
                say(f"{options.rate:g} submissions a second, with a dispatcher and a gatekeeper")
                figures |= posts(api, **single).figures("post", "_at_work")
                rig.wait_drained(work)
    tell(figures, as_json=options.json)


if __name__ == "__main__":
    main()
