"""Servers that answer nobody, and claims that no server answers, with a real client and a database.

Nothing fails while the server answers nobody, its breaker opens, and all is decided once it is well. A claim
whose own request always fails ends `failed` with its reason, and the breaker stays closed.
"""

import logging
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Final
from uuid import UUID

import pytest
from sqlalchemy import Engine, text

from ace import flow
from ace.expert.client.control import ControlledExpert
from ace.expert.client.expert_client import ExpertClient
from ace.expert.client.handling import handling_of
from ace.expert.pacing.learning import learn
from ace.store import endpoints, moves
from ace.store.database import transact
from ace.store.tables import Stage
from ace.types.endpoints import ONLY
from ace_lab.simulator.server import Simulator
from tests import factories, fakes

LIMITS: Final = flow.DispatchLimits(
    fast_lease_seconds=60,
    slow_lease_seconds=60,
    message_budget_tokens=10_000,
    message_max_claims=100,
    fast_waiting_messages=4,
    expert_slots=4,
    max_tries=3,
)
POISON: Final = "zirconium"
SOUND: Final = "A hook comprising a plate."
POISONOUS: Final = f"A hook comprising a plate of {POISON}."
ROUNDS: Final = 60

# What the server does in place of an answer, and the kind under which it is known.
SICK: Final[dict[str, tuple[dict[str, Any], str]]] = {
    "an unpaid bill": ({"status": 402, "body": {"error": "payment required"}}, "refused"),
    "another method": ({"status": 405}, "refused"),
    "a conflict": ({"status": 409, "body": {"error": "the model is starting"}}, "refused"),
    "gone": ({"status": 410}, "refused"),
    "locked": ({"status": 423}, "refused"),
    "not for this country": ({"status": 451, "body": "<html>451</html>"}, "refused"),
    "a status that nobody knows": ({"status": 499}, "refused"),
    "a paused model": ({"status": 400, "body": {"error": "the endpoint is paused"}}, "validation"),
    "a loading model": ({"status": 400, "body": {"error": "model is loading"}}, "validation"),
    "a quota of tokens": ({"status": 400, "body": {"error": "not enough tokens left today"}}, "too_long"),
    "a field it does not know": ({"status": 422, "body": {"error": "response_format"}}, "validation"),
    "a request that is too large for its proxy": ({"status": 413}, "too_long"),
    "accepted": ({"status": 202}, "unavailable"),
    "no content": ({"status": 204}, "unavailable"),
    "not implemented": ({"status": 501}, "unavailable"),
    "a page of a proxy": ({"status": 530, "body": "<html>"}, "unavailable"),
    "a server error": ({"status": 500, "body": {"error": "CUDA error"}}, "incomplete"),
    "a redirect": ({"status": 302, "headers": {"location": "https://login.example/"}}, "redirected"),
    "an error with 200": (
        {"status": 200, "body": {"error": {"code": 429}}},
        "unavailable",
    ),
    "no choices": ({"status": 200, "body": {"choices": []}}, "unavailable"),
    "a list": ({"status": 200, "body": []}, "unavailable"),
    "a page with 200": ({"status": 200, "body": "<html>log in</html>"}, "unavailable"),
    "an empty body": ({"status": 200, "body": ""}, "unavailable"),
    "null for content": (
        {"status": 200, "body": {"choices": [{"message": {"content": None}, "finish_reason": "stop"}]}},
        "empty",
    ),
    "prose": ({"content": "I am sorry, but I cannot do that."}, "schema"),
    "JSON in a fence": ({"content": '```json\n{"verdict": "Pass"}\n```'}, "schema"),
    "another object": ({"content": '{"verdict": "Pass"}'}, "schema"),
    "answers that are cut off": ({"fault": "truncated"}, "truncated"),
    "another language": ({"fault": "language"}, "language"),
    "silence": ({"fault": "hang"}, "timeout"),
    "a byte now and then": ({"fault": "drip"}, "dripping"),
    "a cut connection": ({"fault": "reset"}, "reset"),
    "a wrong token": ({"fault": "unauthorised"}, "unauthorised"),
}


@contextmanager
def served(step: dict[str, Any], ill: Callable[[str], bool]) -> Iterator[ControlledExpert]:
    """An expert whose server gives this in place of an answer, to messages for which it is ill."""

    def answer(body: dict[str, Any]) -> dict[str, Any]:
        return step if ill(body["messages"][-1]["content"]) else {}

    with Simulator(answer=answer, slots=4).run() as simulator:
        client = ExpertClient(
            simulator.url,
            dialect="auto",
            timeout_seconds=0.5,
            sleep=lambda _: None,
            rng=random.Random(1),
        )
        try:
            yield ControlledExpert(client, ONLY)
        finally:
            client.close()


def escalated(db: Engine, *texts: str) -> list[UUID]:
    """A filing whose claims all wait for the expert."""
    (accepted,) = factories.submit(db, factories.new_filing(list(texts)))
    while leased := factories.lease(db, Stage.FAST):
        said = factories.verdicts(leased.evaluations, escalate=True)
        transact(db, partial(moves.screened, token=leased.token, screened=said, actor="t"))
    return [id_ for _, id_ in accepted.evaluations]


def one_round(db: Engine, expert: ControlledExpert) -> None:
    """What is put off is due; a dispatcher sends what it may, and a worker examines it."""
    with db.begin() as connection:
        connection.execute(text("UPDATE evaluations SET due_at = now() WHERE state = 'escalated'"))
        connection.execute(text("UPDATE endpoints SET until = now() WHERE until IS NOT NULL"))
    broker = fakes.Broker()
    flow.dispatch(db, broker, LIMITS, actor="d", rng=random.Random(1))
    for _, leased in broker.sent:
        flow.examine(
            db,
            leased.token,
            {ONLY: expert},
            fakes.holding,
            checks=fakes.Checks(),
            lease_seconds=60,
            worker="w",
            rng=random.Random(1),
        )


def rows(db: Engine, sql: str) -> list[Any]:
    with db.connect() as connection:
        return list(connection.execute(text(sql)).all())


def breaker(db: Engine) -> str:
    learned = partial(learn, rng=random.Random(1))
    transact(db, partial(endpoints.settle, declared=LIMITS.declared, learn=learned))
    return str(rows(db, "SELECT breaker FROM endpoints")[0][0])


@pytest.mark.parametrize(
    ("name", "claims"),
    [*((name, 12) for name in SICK), ("an unpaid bill", 1), ("prose", 1), ("silence", 1), ("no choices", 1)],
)
def test_a_server_that_answers_nobody_fails_nothing(
    db: Engine, name: str, claims: int, caplog: pytest.LogCaptureFixture
) -> None:
    step, kind = SICK[name]
    escalated(db, *[SOUND] * claims)
    well = threading.Event()
    with served(step, lambda _: not well.is_set()) as expert:
        with caplog.at_level(logging.WARNING):
            for _ in range(12):
                one_round(db, expert)

        # Then nothing has failed or been spent, and the breaker is open and says why, once
        assert breaker(db) != "closed"
        assert rows(db, "SELECT DISTINCT state, examined FROM evaluations") == [("escalated", 0)]
        assert rows(db, "SELECT last_fault FROM endpoints") == [(kind,)]
        opened = [record for record in caplog.records if record.name == "ace.flow.dispatching"]
        assert [record.__dict__["fault"] for record in opened] == [kind]
        assert len([record for record in caplog.records if record.name == "ace.expert.client.control"]) <= 1

        # and once it is well, everything is decided
        well.set()
        for _ in range(claims + 4):
            one_round(db, expert)
    assert rows(db, "SELECT DISTINCT state FROM evaluations") == [("decided",)]
    assert breaker(db) == "closed"


@pytest.mark.parametrize(
    ("name", "others"),
    [*((name, 0) for name in (*SICK, "overload")), ("an unpaid bill", 6), ("prose", 6), ("silence", 6)],
)
def test_a_claim_that_no_server_answers_fails_with_its_reason(db: Engine, name: str, others: int) -> None:
    step, kind = {**SICK, "overload": ({"status": 429}, "overloaded")}[name]
    poisonous, *sound = escalated(db, POISONOUS, *[SOUND] * others)
    with served(step, lambda message: POISON in message) as expert:
        for _ in range(ROUNDS if kind != "overloaded" else 3 * ROUNDS):
            one_round(db, expert)
            if factories.states(db)[poisonous] == "failed":
                break
        states = factories.states(db)
        assert states[poisonous] == "failed"
        failed = rows(db, "SELECT error, examined FROM evaluations WHERE state = 'failed'")
        assert failed == [(kind, handling_of(kind).examinations)]
        for _ in range(others):
            one_round(db, expert)
    assert {factories.states(db)[id_] for id_ in sound} <= {"decided"}
    assert breaker(db) == "closed"
