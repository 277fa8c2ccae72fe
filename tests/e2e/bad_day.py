"""One bad day of a stack, through which claims go that all hold one word: `bad_day`.

Refused bodies, rows that cannot be stored, killed processes, connections that are cut.
"""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import redis
from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError, IntegrityError

from ace.local import samples
from ace.local.stack import Child, Stack
from ace.store.database import connect_engine, transact
from patent_ace_client import ApiError, Client, File
from tests import factories
from tests.e2e.watching import Watch
from tests.waiting import wait_for

WORD = "zirconquilt"  # nothing else here would write it
UNSTORABLE = "unstorable"  # claims that the database is made to refuse say so
FINAL = ["decided", "failed", "cancelled"]


@dataclass
class Left:
    """What the day left behind."""

    folder: Path
    watch: Watch
    key: str  # shown once, by the command line
    stack_key: str  # of the stack itself, kept in stack.json while it runs
    admitted: str  # shown once, over HTTP
    secrets: dict[str, str] = field(default_factory=dict)  # those of the stack and of a webhook, by name
    answers: dict[str, bytes] = field(default_factory=dict)  # to what was refused or went wrong
    places: dict[str, bytes] = field(default_factory=dict)  # what a visitor finds
    ids: list[str] = field(default_factory=list)
    deciders: dict[str | None, int] = field(default_factory=dict)
    modes: dict[str, int] = field(default_factory=dict)  # of the files that hold secrets


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def numbered(*texts: str) -> list[dict[str, Any]]:
    return [{"number": number, "text": words} for number, words in enumerate(texts, start=1)]


def bad_day(stack: Stack, left: Left) -> None:
    """Everything that may happen to a stack while claims go through it."""
    db = connect_engine(stack.environment["ACE_DATABASE_URL"], name="tests")
    with Client(stack.url, left.key) as api:
        caught_writing(db, api, left)
        settle(db)
        look_up(api, left)
        refuse(stack, left)
        with rows_refused(db):
            unstorable = {"docket": "x", "claims": numbered(f"A {WORD} that is {UNSTORABLE}.")}
            left.answers["a fault of ours"] = post(stack, left.key, unstorable)
            with contextlib.suppress(IntegrityError):  # by the tables' owner, to whom rows are quoted
                factories.submit(db, factories.new_filing([f"A {WORD} that is {UNSTORABLE}."]))
            submit(api, left)
            wait_for(lambda: complains(left, "expert-worker-0"), "an answer of the expert that is refused")
        for name in ("expert", "gatekeeper-0", "expert-worker-0", "dispatcher"):
            submit(api, left)
            kill(stack, name)
        settle(db)
        cut_off(db, api, left)
        settle(db)
    by = text("SELECT decided_by, count(*) FROM evaluations GROUP BY 1")
    left.deciders = dict(row for row in transact(db, lambda connection: connection.execute(by).all()))
    db.dispose()


def submit(api: Client, left: Left) -> None:
    """Every sample, with the word in each claim and in the metadata. Some of the claims are doubtful."""
    lines = []
    for sample in samples.load():
        claims = re.split(r"(?m)^\d+\.\s+", sample.text)[1:]
        texts = [f"{claim.strip().removesuffix('.')}, wherein a {WORD} is there." for claim in claims]
        filing = {"docket": sample.docket, "claims": numbered(*texts), "metadata": {"note": WORD}}
        lines.append(json.dumps(filing).encode() + b"\n")
    for answer in api.submit_lines(lines):
        left.ids += [one["id"] for one in answer.get("evaluations", [])]


def caught_writing(db: Engine, api: Client, left: Left) -> None:
    """A submission that has to wait for its table, so that the watch is sure to see its statement."""
    with ThreadPoolExecutor(1) as pool, db.begin() as connection:
        connection.execute(text("LOCK TABLE claims IN SHARE MODE"))
        held = pool.submit(submit, api, left)
        wait_for(lambda: any("INTO claims" in seen for seen in left.watch.asked.copy()), "the statement")
        connection.rollback()
        held.result()


def look_up(api: Client, left: Left) -> None:
    """Whoever may know the word asks what rules say of it: of filed claims, and of claims not filed."""
    for id_ in left.ids[:50]:
        api.findings(id_)
    checked = api.check(File(f"1. A lamp comprising a {WORD} {WORD} plate.".encode()))
    found = [finding for claim in checked.claims for finding in claim.findings]
    assert any(WORD in (finding.quote or "") for finding in found)


def settle(db: Engine) -> None:
    """Waits until every evaluation is final."""
    waiting = text("SELECT count(*) FROM evaluations WHERE NOT state = ANY(:final)")

    def settled() -> bool:
        with contextlib.suppress(DBAPIError), db.connect() as connection:
            return int(connection.execute(waiting, {"final": FINAL}).scalar_one()) == 0
        return False

    wait_for(settled, "verdicts on all claims", seconds=180)


def complains(left: Left, name: str) -> bool:
    """Whether this process of the stack has logged that a message broke it."""
    return b"message failed" in (left.folder / "logs" / f"{name}.log").read_bytes()


def post(stack: Stack, key: str, body: Any, **headers: str) -> bytes:
    """A submission as it is, and all of its answer."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    given = {**bearer(key), "Content-Type": "application/json", **headers}
    answer = httpx.post(f"{stack.url}/v1/filings", headers=given, content=content, timeout=60)
    return f"{answer.status_code} {answer.headers}".encode() + answer.content


def refuse(stack: Stack, left: Left) -> None:
    """Bodies, headers and addresses that hold the word and are refused."""
    claims = numbered(f"A {WORD}.")
    for name, body in {
        "no claim": {"docket": "x", "claims": numbered("", WORD * 10)},
        "long claim": {"docket": "x", "claims": numbered(WORD * 10_000)},
        "long docket": {"docket": WORD * 100, "claims": claims},
        "wrong type": {"docket": "x", "claims": [{"number": WORD, "text": WORD}]},
        "text that is none": {"docket": "x", "claims": numbered(f"{WORD}\x00")},
        "half a character": f'{{"docket": "x", "claims": "1. A {WORD} \\ud800"}}'.encode(),
        "numbered wrongly": {"docket": "x", "claims": f"7. A {WORD}.\n\n7. A {WORD}.\n"},
        "priority": {"docket": "x", "claims": claims, "priority": WORD},
        "metadata": {"docket": "x", "claims": claims, "metadata": {"a": [WORD] * 10_000}},
        "no JSON": f'{{"docket": "{WORD}", "claims": [{WORD}'.encode(),
        "no UTF-8": WORD.encode() + b"\xff\xfe",
        "nested": b"[" * 5_000 + WORD.encode(),
        "huge": {"docket": "x", "claims": numbered(WORD * 900_000)},
    }.items():
        left.answers[name] = post(stack, left.key, body)
    for name, (media, content) in {
        "file of no text": ("text/plain", WORD.encode() + b"\xff\xfe"),
        "file of no XML": ("application/xml", f"<claims><claim num='1'>{WORD}".encode()),
        "file with an entity": (
            "text/xml",
            f"<!DOCTYPE c [<!ENTITY {WORD} '{WORD}'>]><c>&{WORD};</c>".encode(),
        ),
        "file of no claim": ("text/plain", f"1. (Canceled)\n{WORD[:3]}\x00".encode()),
    }.items():
        for path in ("/v1/filings?docket=x", "/v1/check?threshold=2"):
            headers = {**bearer(left.key), "Content-Type": media}
            answer = httpx.post(f"{stack.url}{path}", headers=headers, content=content)
            left.answers[f"{name} to {path}"] = (
                f"{answer.status_code} {answer.headers}".encode() + answer.content
            )
    left.answers["media type"] = post(stack, left.key, WORD.encode(), **{"Content-Type": f"text/{WORD}"})
    left.answers["no key"] = post(stack, f"ace_{WORD}", {"docket": "x", "claims": claims})
    left.answers["wrong secret"] = post(stack, left.key[:-1] + "x", {"docket": "x", "claims": claims})
    left.answers["bad header"] = post(
        stack, left.key, {"docket": "x", "claims": claims}, **{"Idempotency-Key": WORD * 50}
    )
    for path in (
        f"/v1/filings/{WORD}",
        f"/v1/evaluations?verdict={WORD}",
        f"/v1/evaluations?cursor={WORD}",
        f"/{WORD}",
    ):
        answer = httpx.get(f"{stack.url}{path}", headers=bearer(left.key))
        left.answers[path.replace(WORD, "…")] = answer.content
    bulk = f'{{"docket": "x", "claims": "1. A {WORD}\\u0000"}}\n{{"{WORD[:3]}\n'.encode()
    headers = {**bearer(left.key), "Content-Type": "application/x-ndjson"}
    left.answers["bulk"] = httpx.post(f"{stack.url}/v1/filings/bulk", headers=headers, content=bulk).content
    with socket.create_connection(("127.0.0.1", int(stack.url.rpartition(":")[2]))) as raw:
        raw.sendall(f"{WORD} {WORD}\r\n{WORD}\r\n\r\n".encode())
        raw.settimeout(5)
        with raw.makefile("rb") as answer_to_none:
            left.answers["no HTTP"] = answer_to_none.read()


@contextlib.contextmanager
def rows_refused(db: Engine) -> Iterator[None]:
    """While this lasts, some rows cannot be stored, and PostgreSQL's complaint quotes them whole."""
    rules = {"claims": f"text NOT LIKE '%{UNSTORABLE}%'", "examinations": "raw IS NULL"}
    for table, rule in rules.items():
        alter(db, f"ALTER TABLE {table} ADD CONSTRAINT broken CHECK ({rule}) NOT VALID")
    yield
    for table in rules:
        alter(db, f"ALTER TABLE {table} DROP CONSTRAINT broken")


def alter(db: Engine, sql: str) -> None:
    transact(db, lambda connection: connection.execute(text(sql)))


def kill(stack: Stack, name: str) -> None:
    """SIGKILL, in the middle of its work."""
    (child,) = [child for child in stack.children if child.name == name]
    process = wait_for(lambda: alive(child), f"{name} to be alive")
    os.kill(process.pid, signal.SIGKILL)


def alive(child: Child) -> "subprocess.Popen[bytes] | None":
    """The process of a child, while it lives."""
    return child.process if child.process is not None and child.process.poll() is None else None


def cut_off(db: Engine, api: Client, left: Left) -> None:
    """Connections are ended, then one of PostgreSQL's processes is killed and takes all others along."""
    ours = "SELECT {} FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"

    def busy() -> int:
        with contextlib.suppress(DBAPIError), db.connect() as connection:
            latest = text(ours.format("pid") + " ORDER BY state_change DESC LIMIT 1")
            return int(connection.execute(latest).scalar() or 0)
        return 0

    submit(api, left)
    with db.connect() as connection:
        connection.execute(text(ours.format("pg_terminate_backend(pid)")))
    with contextlib.suppress(ApiError):
        submit(api, left)
    os.kill(wait_for(busy, "somebody who asks PostgreSQL"), signal.SIGKILL)
    with contextlib.suppress(ApiError):
        submit(api, left)


def look_around(stack: Stack, left: Left) -> None:
    """What a visitor would find while the stack still runs."""
    with redis.Redis.from_url(stack.redis.operator_url) as broker:
        dumped = b"".join(broker.dump(key) or b"" for key in broker.scan_iter())
    left.places |= {
        "metrics": httpx.get(f"{stack.url}/metrics").content,
        "readiness": httpx.get(f"{stack.url}/readyz").content,
        "keys of Redis": dumped,
        "stack.json": (left.folder / "stack.json").read_bytes(),
        "key": (left.folder / "key").read_bytes(),
    }
    left.modes = {
        name: (left.folder / name).stat().st_mode & 0o777 for name in ("stack.json", "key", "secret")
    }
