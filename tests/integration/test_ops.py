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
from ace.store.operating_tables import ALL_TENANTS
from ace.store.pauses import Order
from ace.store.tables import Stage
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
    assert told(ops("workers", "--json"))["workers"][0]["claims"] == 3
    assert "worker-1" in ops("workers").stdout

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
        (("pause", "stage", "fast", "--reason", "  "), "a reason is needed"),
    ],
)
def test_what_is_not_there_is_refused(ops: Ops, arguments: tuple[str, ...], words: str) -> None:
    refused = ops(*arguments)
    assert refused.exit_code == 2
    assert words in refused.output
