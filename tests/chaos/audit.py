"""What became of every accepted claim, asked of the database and of the API when all is healed.

Most checks are numbers that must be zero; `tests.chaos.run` says which.
"""

import json
import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import httpx
import jsonschema
import redis
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import Connection, Row, text

from ace.errors import ExpertTransient
from ace.expert.prompt.copt import PROMPTS, Prompt
from ace.store.auditing import audit
from ace.store.tables import FINAL, WEBHOOKS, Stage
from patent_ace_client import Client
from tests.chaos.faults import Loss
from tests.chaos.load import Ledger

ASKED_FILINGS: Final = 200
TOO_LATE: Final = "verdict came too late"

RATIONALES: Final = """
SELECT e.verdict AS decided, x.verdict, x.raw, x.reasoning, x.prompt_version
FROM (SELECT * FROM evaluations WHERE decided_by = 'expert') AS e
FULL JOIN (SELECT * FROM examinations WHERE verdict IS NOT NULL) AS x ON x.evaluation_id = e.id"""


def stored(connection: Connection, ledger: Ledger) -> dict[str, int]:
    """Accepted against stored: what is lost, what nobody was promised, what failed and why."""
    rows = connection.execute(text("SELECT id::text, state, verdict, error FROM evaluations")).all()
    kept = {row.id: row for row in rows}
    accepted = ledger.evaluations
    failed = [row for row in rows if row.state == "failed"]
    filings = set(connection.execute(text("SELECT id::text FROM filings")).scalars())
    verdictless = sum(row.state == "decided" and row.verdict is None for row in rows)
    return {
        "accepted": len(accepted),
        "lost": sum(id_ not in kept for id_ in accepted) + verdictless,
        "stuck": sum(row.state not in FINAL for row in rows),
        "not_promised": len(filings ^ ledger.filings) + sum(id_ not in accepted for id_ in kept),
        "poison_sent": sum(accepted.values()),
        "failed_poison": sum(row.error == "poison" and accepted.get(row.id, False) for row in failed),
        "failed_innocent": sum(row.error == "poison" and not accepted.get(row.id, False) for row in failed),
        "failed_spent": sum(row.error != "poison" for row in failed),
    }


def chains(connection: Connection) -> dict[str, int]:
    """What the database itself shows: verdicts given twice, and chains that no sequence of moves explains."""
    found = audit(connection)
    return {"double": found.twice, "illegal": found.illegal, "miscounted": found.miscounted}


def rationales(connection: Connection) -> dict[str, int]:
    """Verdicts of the expert, and how many have no answer behind them that is of the form asked for."""
    prompts = {prompt.version: prompt for prompt in PROMPTS.values()}
    rows = connection.execute(text(RATIONALES)).all()
    return {
        "rationales": len(rows),
        "rationales_invalid": sum(not _holds(prompts.get(row.prompt_version), row) for row in rows),
    }


def _holds(prompt: Prompt | None, row: Row[Any]) -> bool:
    """By the schema that was sent, by the parser, and by what was made of it."""
    try:
        if prompt is None:
            return False
        jsonschema.validate(json.loads(row.raw), prompt.schema)
        read = prompt.parse(row.raw, "stop")
    except (TypeError, ValueError, jsonschema.ValidationError, ExpertTransient):
        return False
    return (read.verdict, read.verdict, read.reasoning) == (row.decided, row.verdict, row.reasoning)


def left_over(connection: Connection, broker_url: str) -> dict[str, int]:
    """Leases and messages that nobody will ever take up."""
    leases = connection.execute(text("SELECT count(*) FROM leases")).scalar_one()
    return {"leases_left": leases, "queue_left": queued(broker_url)}


def queued(broker_url: str) -> int:
    """Messages in the queues; raises OSError where the broker is away."""
    try:
        with redis.Redis.from_url(broker_url, socket_timeout=5) as broker:
            return sum(int(broker.llen(str(queue))) for queue in (*Stage, WEBHOOKS))
    except redis.RedisError as error:
        raise OSError("redis is away") from error


def metrics_differ(connection: Connection, url: str) -> int:
    """States whose count in /metrics is not the one that counting the rows gives."""
    counted = connection.execute(
        text("SELECT state, coalesce(decided_by, '') AS by, count(*) FROM evaluations GROUP BY 1, 2")
    )
    rows = {(state, by): int(count) for state, by, count in counted}
    shown = {
        (sample.labels["state"], sample.labels["decided_by"]): int(sample.value)
        for family in text_string_to_metric_families(httpx.get(f"{url}/metrics", timeout=30).text)
        if family.name == "ace_evaluations"
        for sample in family.samples
        if sample.value
    }
    return sum(rows.get(key, 0) != shown.get(key, 0) for key in rows.keys() | shown.keys())


def http_differs(api: Client, ledger: Ledger, rng: random.Random) -> int:
    """Filings of which the API tells anything but that every claim is settled; a sample of them."""
    filings = sorted(ledger.filings)
    asked = [api.filing(id_) for id_ in rng.sample(filings, min(ASKED_FILINGS, len(filings)))]
    known = ledger.evaluations
    return sum(
        not filing.settled
        or any(one.id not in known for one in filing.evaluations)
        or any(one.verdict is None for one in filing.evaluations if one.state == "decided")
        for filing in asked
    )


def takeovers(connection: Connection, losses: Sequence[Loss]) -> list[tuple[Stage, float]]:
    """For each message of a lost worker, its stage and the seconds from the loss to its expiry."""
    expired = connection.execute(
        text("SELECT DISTINCT detail, at FROM events WHERE move = 'expire' AND detail IS NOT NULL")
    )
    found = []
    for worker, at in expired:
        lost_at = [
            loss.at for loss in losses if loss.worker == worker and loss.at <= at.timestamp() <= loss.until
        ]
        if lost_at:
            stage, _, _ = worker.partition("@")
            found.append((Stage(stage), at.timestamp() - max(lost_at)))
    return found


def p99(seconds: Iterable[float]) -> float | None:
    """The 99th percentile by nearest rank; None of nothing."""
    ordered = sorted(seconds)
    return round(ordered[-(-99 * len(ordered) // 100) - 1], 2) if ordered else None


def stale_writes(logs: Path) -> int:
    """Verdicts of workers that had lost their claims meanwhile, refused by the database."""
    rejected = 0
    for file in logs.glob("*.log"):
        with file.open(encoding="utf-8", errors="replace") as lines:
            rejected += sum(_rejected(line) for line in lines if TOO_LATE in line)
    return rejected


def _rejected(line: str) -> int:
    try:
        told: Any = json.loads(line)
    except ValueError:  # the process was killed while it wrote
        return 0
    return int(told.get("rejected", 0)) if told.get("message") == TOO_LATE else 0
