"""`ace ops`: what an operator sees and orders on the command line, against a real database."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from sqlalchemy import Engine
from typer.testing import CliRunner, Result

from ace import flow
from ace.cli import app
from ace.store import acts, jobs, moves, reads
from ace.store.database import transact
from ace.store.operating_tables import ALL_TENANTS, Part
from ace.store.pauses import Order
from ace.store.tables import Stage
from ace.workers.heartbeat import Heartbeat
from tests import factories, fakes
from tests.integration.flow.test_dispatching import LIMITS

Ops = Callable[..., Result]


@pytest.fixture
def ops(db: Engine) -> Ops:
    url = db.url.set(drivername="postgresql").render_as_string(hide_password=False)

    def run(*arguments: str) -> Result:
        return CliRunner().invoke(app, ["ops", *arguments], env={"ACE_DATABASE_URL": url})

    return run


def told(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_pause_status_and_resume(ops: Ops, db: Engine) -> None:
    factories.submit(db)
    assert ops("pause", "stage", "fast", "--reason", "an upgrade").exit_code == 0
    assert flow.dispatch(db, fakes.Broker(), LIMITS, actor="d").messages == 0

    shown = told(ops("status", "--json"))
    assert shown["states"] == {"queued": 3}
    assert [(one["kind"], one["name"], one["reason"]) for one in shown["pauses"]] == [
        ("stage", "fast", "an upgrade")
    ]
    assert [one["tenant"] for one in shown["backlogs"]] == ["office"]
    assert "an upgrade" in ops("status").stdout

    assert told(ops("resume", "stage", "fast", "--reason", "done", "--json"))["paused"] is False
    assert ops("resume", "stage", "fast", "--reason", "done").exit_code == 2
    shown = transact(db, partial(acts.latest, tenant=ALL_TENANTS, limit=9))
    assert [row["act"] for row in shown] == ["resume", "pause"]
    assert all(row["actor"].startswith("cli:") for row in shown)


def test_a_drain_says_what_is_still_in_hand(ops: Ops, db: Engine) -> None:
    factories.submit(db)
    leased = factories.lease(db, Stage.FAST)
    assert leased is not None
    transact(db, partial(moves.start, token=leased.token, worker="worker-1", lease_seconds=60))
    Heartbeat(db, Part.EXPERT_WORKER, "slow@machine:2").begin()
    listed = told(ops("workers", "--json"))["workers"]
    assert [(one["name"], one["claims"]) for one in listed] == [("slow@machine:2", 0), ("worker-1", 3)]
    shown = ops("workers").stdout
    assert "worker-1" in shown
    assert "slow@machine:2" in shown

    waiting = ops("drain", "tenant", "office", "--reason", "moving it", "--timeout", "0", "--json")
    assert (waiting.exit_code, json.loads(waiting.stdout)["in_hand"]) == (6, 3)
    said = factories.verdicts(leased.evaluations)
    transact(db, partial(moves.screened, token=leased.token, screened=said, actor="w"))
    assert told(ops("drain", "tenant", "office", "--reason", "moving it", "--json"))["in_hand"] == 0


def test_jobs_of_all_tenants_are_listed(ops: Ops, db: Engine) -> None:
    for tenant in ("office", "other"):
        order = Order(tenant, "key:1", "the expert is back")
        transact(db, partial(jobs.order, given=order, which=reads.Filter()))
    assert [one["tenant"] for one in told(ops("jobs", "--json"))["jobs"]] == ["other", "office"]
    assert "the expert is back" in ops("jobs").stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("pause", "planet", "x", "--reason", "r"), "stage, tenant, endpoint"),
        (("pause", "stage", "medium", "--reason", "r"), "fast, slow"),
        (("pause", "endpoint", "nobody", "--reason", "r"), "none"),
        (("pause", "stage", "fats", "--reason", "r"), "did you mean 'fast'?"),
        (("pause", "tenant", "offcie", "--reason", "r"), "did you mean 'office'?"),
        (("drain", "tenant", "planet", "--reason", "r"), "once it has a key or a filing"),
        (("pause", "stage", "fast", "--reason", "  "), "a reason is needed"),
    ],
)
def test_what_is_not_there_is_refused(ops: Ops, db: Engine, arguments: tuple[str, ...], words: str) -> None:
    factories.submit(db)
    refused = ops(*arguments)
    assert refused.exit_code == 2
    assert words in refused.output
    assert told(ops("status", "--json"))["pauses"] == []


def test_lists_without_rows_say_so_in_the_place_of_headings(ops: Ops) -> None:
    assert ops("status").stdout.split("\n\n") == [
        "No claims yet. File some: ace submit claims.txt --wait",
        "No tenant has claims on their way.",
        "No expert is known: the dispatcher has not run yet.",
        "Nothing is paused.\n",
    ]
    assert ops("workers").stdout == "No dispatcher and no worker is running.\n"
    assert ops("jobs").stdout == "No job has been ordered.\n"


def test_the_status_names_what_is_missing_and_how_long_the_queues_take(ops: Ops, db: Engine) -> None:
    factories.submit(db)
    shown = told(ops("status", "--json"))
    assert shown["missing"] == [
        "no dispatcher is running",
        "no gatekeeper is running",
        "no expert-worker is running",
    ]
    assert shown["outlook"]["queued"] == {
        "claims": 3,
        "paused": 0,
        "per_minute": 0.0,
        "minutes": None,
    }
    assert "not moving" in ops("status").stdout
    for part in Part:
        Heartbeat(db, part, f"{part}@machine:1").begin()
    assert told(ops("status", "--json"))["missing"] == []


@pytest.mark.parametrize(("kind", "name"), [("stage", "fast"), ("tenant", "office")])
def test_claims_that_a_pause_holds_are_not_said_to_be_done_soon(
    ops: Ops, db: Engine, kind: str, name: str
) -> None:
    factories.submit(db)
    assert ops("pause", kind, name, "--reason", "an upgrade").exit_code == 0
    outlook = told(ops("status", "--json"))["outlook"]["queued"]
    assert (outlook["claims"], outlook["paused"], outlook["minutes"]) == (3, 3, None)
    (line,) = [line for line in ops("status").stdout.splitlines() if line.startswith("queued")]
    assert line.split()[-1] == "paused"


def test_a_second_pause_says_what_is_in_force(ops: Ops, db: Engine) -> None:
    factories.submit(db)
    ops("pause", "stage", "fast", "--reason", "an upgrade")
    again = ops("pause", "stage", "fast", "--reason", "something else")
    assert again.exit_code == 0
    assert "is paused already, by cli:" in again.stdout
    assert "an upgrade. Nothing changed." in again.stdout
