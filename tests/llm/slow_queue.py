"""The slow queue against an engine: dispatcher and expert worker as processes, and claims that wait."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any, Final

from sqlalchemy import Engine as Database
from sqlalchemy import text

from ace.claims.model import ClaimSet
from ace.processes import die_with_parent, stop_process
from ace.settings import Settings
from ace.store import moves
from ace.store.database import transact
from ace.store.tables import Stage
from tests import factories
from tests.llm.engines import KEY, SLOTS, Engine

MAX_TOKENS: Final = 1_024
OF_THE_ANSWER: Final = {"truncated", "whitespace", "schema", "language"}
"""What noise may be taken for: it is not English, and no schema on the wire bounds its strings."""


def settings_for(postgres_url: str, broker_url: str, engine: Engine, prompt: str, **more: Any) -> Settings:
    """Settings of ACE's processes that ask this engine; `more` are those that begin with `expert_`."""
    return Settings.model_validate(
        {
            "database_url": postgres_url,
            "broker_url": broker_url,
            "expert_url": engine.url,
            "expert_token": KEY,
            "expert_prompt": prompt,
            "expert_max_tokens": MAX_TOKENS,
            "expert_slots": SLOTS,
            "expert_threads": SLOTS,
            "shutdown_grace_seconds": 1,
            **{f"expert_{name}": value for name, value in more.items()},
        }
    )


@contextmanager
def working(settings: Settings) -> Iterator[None]:
    """An expert worker and a dispatcher, each in a process of its own."""
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "ace", *command],
            env={**os.environ, **settings.environment()},
            stderr=subprocess.DEVNULL,
            preexec_fn=die_with_parent,
        )
        for command in (["worker", "slow"], ["dispatch"])
    ]
    try:
        yield
    finally:
        for process in processes:
            stop_process(process, seconds=20)


def escalate(db: Database, claims: ClaimSet, *, docket: str = "D-1", only: int | None = None) -> None:
    """A filing whose claims all wait for the expert, or `only` this one."""
    factories.submit(db, replace(factories.new_filing(docket=docket), claims=claims))
    while leased := factories.lease(db, Stage.FAST):
        numbers = dict(rows(db, "SELECT id, claim_number FROM evaluations"))
        up = [only is None or numbers[each] == only for each in leased.evaluations]
        said = replace(factories.verdicts(leased.evaluations), escalate=up)
        transact(db, partial(moves.screened, token=leased.token, screened=said, actor="t"))


def rows(db: Database, statement: str) -> list[Any]:
    """What a query finds."""
    with db.connect() as connection:
        return list(connection.execute(text(statement)).all())


def all_settled(db: Database) -> bool:
    """Whether every claim is decided or has failed; what was put off is due at once."""
    time.sleep(0.1)
    with db.begin() as connection:
        connection.execute(text("UPDATE evaluations SET due_at = now() WHERE state = 'escalated'"))
    return set(factories.states(db).values()) <= {"decided", "failed"}
