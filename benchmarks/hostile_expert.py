"""The memory of an expert worker whose server answers with far more than a rationale.

A simulated server sends a gigabyte, or half a gigabyte compressed to half a megabyte, in answer to every
question. `…_peak_mb` is the worker's maximum until it has had as many examinations as it has threads, or the
server's breaker has opened; `…_kinds` is what the examinations failed with, and `…_idle_mb` the worker's
memory before the first question.
"""

from typing import Final

import psutil
from sqlalchemy import Engine, text

from ace_lab.simulator.server import SimulatorProcess
from benchmarks.expert import escalate
from benchmarks.figures import options_of, say, tell
from benchmarks.filings import CLAIMS_PER_FILING
from benchmarks.rig import DISPATCHER, EXPERT_WORKER, Rig

CLAIMS: Final = 4
ATTACKS: Final = ("endless", "bomb")


def measure(rig: Rig, attack: str) -> dict[str, float | str]:
    """The figures of one attack."""
    database = rig.database(attack)
    escalate(database, CLAIMS_PER_FILING)
    with SimulatorProcess("--answers", "canned", "--fault", f"{attack}=1") as server:
        environment = {
            **database.environment,
            "ACE_EXPERT_URL": server.url,
            "ACE_EXPERT_SLOTS": str(CLAIMS),
            "ACE_EXPERT_THREADS": str(CLAIMS),
        }
        with rig.running(environment, {"expert-worker": EXPERT_WORKER}):
            rig.wait_for_workers(1)
            worker = psutil.Process(rig.pids()["expert-worker"])
            memory = [worker.memory_info().rss]

            with rig.running(environment, {"dispatcher": DISPATCHER}):
                rig.wait_until(
                    lambda: _over(database.db),
                    seconds=600,
                    what=f"{CLAIMS} examinations",
                    watch=lambda: memory.append(worker.memory_info().rss),
                )
    with database.db.connect() as connection:
        kinds = connection.execute(text("SELECT DISTINCT error FROM examinations ORDER BY error")).scalars()
        said = ", ".join(str(kind) for kind in kinds)
    return {
        f"{attack}_idle_mb": memory[0] / 1e6,
        f"{attack}_peak_mb": max(memory) / 1e6,
        f"{attack}_kinds": said,
    }


def _over(db: Engine) -> bool:
    with db.connect() as connection:
        statement = """
            SELECT (SELECT count(*) FROM examinations) >= :claims
                OR EXISTS (SELECT FROM endpoints WHERE breaker <> 'closed')"""
        return bool(connection.execute(text(statement), {"claims": CLAIMS}).scalar_one())


def main() -> None:
    """The command line."""
    options = options_of(__doc__).parse_args()
    figures: dict[str, float | str] = {}
    with Rig() as rig:
        for attack in ATTACKS:
            say(f"every answer is of the kind {attack}")
            figures |= measure(rig, attack)
    tell(figures, as_json=options.json)


if __name__ == "__main__":
    main()
