"""Every fault of the expert through a real worker, PostgreSQL and Redis: what it is taken for, what
becomes of the claim, and how often the server is asked."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any, Final, NamedTuple
from uuid import UUID

import pytest
from sqlalchemy import Engine, text

from ace import flow
from ace.expert.client.handling import HANDLING, Blame
from ace.expert.prompt.copt import PROMPTS
from ace.processes import stop_process
from ace.settings import Settings
from ace.store import endpoints, moves
from ace.store.database import Listener, transact
from ace.store.tables import Stage
from ace.workers import dispatcher
from ace.workers.app import CeleryBroker, make_app
from ace_lab.simulator.faults import PASSING, Fault
from ace_lab.simulator.server import Simulator
from tests import factories
from tests.waiting import wait_for

pytestmark = pytest.mark.slow

CALL_SECONDS: Final = 2.0
ATTEMPTS: Final = 3
THREADS: Final = 4
RETRY_AFTER_SECONDS: Final = 30


class Told(NamedTuple):
    """What the first examination comes to under a fault that everybody meets. `calls` are those for the claim
    and for the control question."""

    kind: str
    calls: int
    waits: float = 0  # seconds, at least


MATRIX: Final[dict[Fault, Told]] = {
    Fault.OVERLOADED: Told("overloaded", 1),
    Fault.OVERLOADED_WAIT: Told("overloaded", 1, waits=RETRY_AFTER_SECONDS),
    Fault.UNAVAILABLE: Told("unavailable", 2 * ATTEMPTS),
    Fault.VALIDATION: Told("validation", 2),
    Fault.TOO_LONG: Told("too_long", ATTEMPTS + 1),  # half of the chain, then none of it
    Fault.UNAUTHORISED: Told("unauthorised", 2),
    Fault.GENERATION: Told("generation", ATTEMPTS),
    Fault.INCOMPLETE: Told("incomplete", ATTEMPTS),
    Fault.REFUSED: Told("unreachable", 1),  # the others find nobody there
    Fault.RESET: Told("reset", ATTEMPTS),
    Fault.CLOSED: Told("reset", ATTEMPTS),
    Fault.HANG: Told("timeout", 1),
    Fault.DRIP: Told("dripping", 1),
    Fault.ENDLESS: Told("oversized", 2),
    Fault.BOMB: Told("encoded", 2),
    Fault.GARBAGE: Told("schema", 2),
    Fault.SCHEMA: Told("schema", 2),
    Fault.WHITESPACE: Told("whitespace", 4),  # once more, sampled afresh
    Fault.TRUNCATED: Told("truncated", 4),  # once more, with twice the tokens
    Fault.LANGUAGE: Told("language", 4),
    Fault.EMPTY: Told("empty", 2),
}


@pytest.fixture(scope="module")
def simulator() -> Iterator[Simulator]:
    with Simulator(
        slots=THREADS, refused_seconds=4.0, retry_after_seconds=RETRY_AFTER_SECONDS
    ).run() as running:
        yield running


@pytest.fixture(scope="module")
def settings(postgres_url: str, broker_url: str, simulator: Simulator) -> Settings:
    return Settings.model_validate(
        {
            "database_url": postgres_url,
            "broker_url": broker_url,
            "expert_url": simulator.url,
            "expert_dialect": "tgi",
            "expert_slots": THREADS,
            "expert_threads": THREADS,
            "expert_attempts": ATTEMPTS,
            "expert_timeout_seconds": CALL_SECONDS,
            "expert_budget_seconds": 30,
            "shutdown_grace_seconds": 0.3,
        }
    )


@pytest.fixture(scope="module", autouse=True)
def worker(settings: Settings) -> Iterator[None]:
    """An expert worker in a process of its own."""
    running = subprocess.Popen(
        [sys.executable, "-m", "ace", "worker", "slow"],
        env={**os.environ, **settings.environment()},
        stderr=subprocess.DEVNULL,
    )
    try:
        yield
    finally:
        stop_process(running, seconds=20)


def dispatch_once(settings: Settings, db: Engine) -> int:
    """One round of dispatching: learns what came of examinations, and sends what is due."""
    return flow.dispatch(
        db, CeleryBroker(make_app(settings)), dispatcher.limits(settings), actor="d"
    ).messages


@contextmanager
def dispatching(settings: Settings, db: Engine) -> Iterator[None]:
    """A dispatcher in a thread."""
    assert settings.database_url is not None
    stop, listener = threading.Event(), Listener(settings.database_url.get_secret_value(), name="tests")
    thread = threading.Thread(
        target=dispatcher.run,
        args=(db, CeleryBroker(make_app(settings)), listener, dispatcher.limits(settings)),
        kwargs={"waiting_seconds": 0.3, "poll_seconds": 0.02, "actor": "d", "stop": stop},
    )
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
        listener.close()


def submit(db: Engine, claims: int, *, escalate: Collection[int] = range(1, 10)) -> list[UUID]:
    """Claims of one filing after the other, a chain of nine in each; those that wait for the expert."""
    texts = ["A hook with a plate."] + [
        f"The hook of claim {n}, wherein the plate is flat." for n in range(1, 9)
    ]
    filings = [factories.new_filing(texts[: claims - number]) for number in range(0, claims, len(texts))]
    numbers = {id_: number for one in factories.submit(db, *filings) for number, id_ in one.evaluations}
    while leased := factories.lease(db, Stage.FAST):
        up = [numbers[id_] in escalate for id_ in leased.evaluations]
        said = replace(factories.verdicts(leased.evaluations), escalate=up)
        transact(db, partial(moves.screened, token=leased.token, screened=said, actor="t"))
    return [id_ for id_, number in numbers.items() if number in escalate]


def time_passes(db: Engine) -> None:
    """What was put off for seconds is due, and what was given up may be tried."""
    with db.begin() as connection:
        connection.execute(
            text(
                "UPDATE evaluations SET due_at = now()"
                " WHERE state = 'escalated' AND due_at BETWEEN now() AND now() + interval '1 hour'"
            )
        )
        connection.execute(text("UPDATE endpoints SET until = now() WHERE until > now()"))


def rows(db: Engine, statement: str, **values: Any) -> list[Any]:
    with db.connect() as connection:
        return list(connection.execute(text(statement), values).all())


def decided(db: Engine, *claims: UUID) -> bool:
    """Whether all of them are, after some more time has passed."""
    time_passes(db)
    states = factories.states(db)
    return all(states[claim] == "decided" for claim in claims)


def invalid(db: Engine) -> list[str]:
    """Answers kept with a verdict that do not say it in the form that was asked for."""
    prompts = {prompt.version: prompt for prompt in PROMPTS.values()}
    kept = rows(
        db, "SELECT raw, verdict, prompt_version, reasoning FROM examinations WHERE verdict IS NOT NULL"
    )
    assert kept
    wrong = []
    for raw, verdict, version, reasoning in kept:
        rationale = prompts[version].parse(raw, "stop")
        if (rationale.verdict, rationale.reasoning) != (verdict, reasoning) or not json.loads(raw):
            wrong.append(raw)
    return wrong


def test_the_matrix_is_whole() -> None:
    assert MATRIX.keys() == set(Fault)
    assert {told.kind for told in MATRIX.values()} == HANDLING.keys() - {"redirected", "untrusted", "refused"}


@pytest.mark.parametrize("fault", list(Fault))
def test_a_fault_is_told_harms_no_other_claim_and_is_over_when_it_is_over(
    db: Engine, settings: Settings, simulator: Simulator, fault: Fault
) -> None:
    told, handling = MATRIX[fault], HANDLING[MATRIX[fault].kind]
    (claim,) = submit(db, 3, escalate={3})
    simulator.follow({"fault": fault.value, "times": 10**6})
    before = simulator.stats()["calls"]

    # Nobody dispatches until all has been looked at: nothing is asked again meanwhile.
    assert dispatch_once(settings, db) == 1
    first_examination(db, simulator, claim, told, before)
    dispatch_once(settings, db)
    with db.connect() as connection:
        (at,) = endpoints.statuses(connection)
    simulator.follow()
    with dispatching(settings, db):
        wait_for(lambda: decided(db, claim), "the verdict")

    assert at.state.last_fault == told.kind
    assert (str(at.state.breaker) != "closed") == (handling.blame is Blame.OPERATOR)
    assert (at.state.slots < THREADS) == (handling.blame is Blame.LOAD)
    assert invalid(db) == []
    assert factories.illegal_chains(db) == []


def first_examination(db: Engine, simulator: Simulator, claim: UUID, told: Told, before: int) -> None:
    wait_for(lambda: rows(db, "SELECT FROM examinations"), "an examination")
    calls = simulator.stats()["calls"] - before
    ((kind, endpoint),) = rows(db, "SELECT error, endpoint FROM examinations")
    ((state, error, examined, waits),) = rows(
        db,
        "SELECT state, error, examined, extract(epoch FROM due_at - updated_at)"
        " FROM evaluations WHERE id = :id",
        id=claim,
    )
    assert (kind, error, state, endpoint) == (told.kind, told.kind, "escalated", "expert")
    assert calls == told.calls
    assert examined == 0
    assert waits >= told.waits


def test_with_a_fault_in_every_fifth_call_all_is_decided_and_little_is_asked_twice(
    db: Engine, settings: Settings, simulator: Simulator
) -> None:
    every_fifth = [{"n": 5 * n, "fault": PASSING[n % len(PASSING)].value} for n in range(1, 200)]
    simulator.follow(*every_fifth)
    before = simulator.stats()["calls"]
    claims = submit(db, 90)

    with dispatching(settings, db):
        wait_for(lambda: decided(db, *claims), "all verdicts", seconds=180)
    simulator.follow()

    # 1 / (1 - 1/5) calls for an answer, and at most one control question for every fault.
    assert (simulator.stats()["calls"] - before) / len(claims) <= 1.25 * (1 + 1 / 5)
    assert invalid(db) == []
    assert factories.illegal_chains(db) == []
    assert rows(db, "SELECT FROM leases WHERE stage = 'slow'") == []
