"""The audit finds what it is there to find: each harm is done to a healthy database by hand."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
import redis
from sqlalchemy import Engine, text

from ace.expert.prompt.copt import PROMPTS
from ace.store import moves
from ace.store.database import transact
from ace.store.tables import Stage
from tests import factories
from tests.chaos import audit
from tests.chaos.faults import Loss
from tests.chaos.load import Ledger

ONE = "(SELECT min(id::text)::uuid FROM evaluations)"
ZEROS = {"lost": 0, "stuck": 0, "not_promised": 0, "failed_innocent": 0, "double": 0, "illegal": 0}

HARMS = {
    "a claim is gone": (f"DELETE FROM evaluations WHERE id = {ONE}", {"lost": 1}),
    "a verdict is gone": (f"UPDATE evaluations SET verdict = NULL WHERE id = {ONE}", {"lost": 1}),
    "a claim waits for ever": (
        f"UPDATE evaluations SET state = 'queued' WHERE id = {ONE}",
        {"stuck": 1, "illegal": 1},
    ),
    "a verdict is given twice": (
        f"""INSERT INTO events (evaluation_id, number, move, before, after, actor)
        SELECT id, moves + 1, 'decide', 'screening', 'decided', 'late' FROM evaluations WHERE id = {ONE}""",
        {"double": 1, "illegal": 1},
    ),
    "a filing was stored that nobody was told of": (
        """INSERT INTO filings (id, tenant, docket, priority, metadata, claim_count, body_hash)
        VALUES (gen_random_uuid(), 'office', 'D-2', 5, '{}', 1, '')""",
        {"not_promised": 1},
    ),
    "an event is missing": (f"DELETE FROM events WHERE evaluation_id = {ONE} AND number = 2", {"illegal": 1}),
    "a move is no move": (
        f"UPDATE events SET move = 'jump' WHERE evaluation_id = {ONE} AND number = 2",
        {"illegal": 1},
    ),
    "a claim is decided without an event": (
        f"DELETE FROM events WHERE evaluation_id = {ONE} AND number = 3",
        {"illegal": 1},
    ),
    "a harmless claim is called poison": (
        f"UPDATE evaluations SET state = 'failed', error = 'poison' WHERE id = {ONE}",
        {"failed_innocent": 1, "illegal": 1},
    ),
}


@pytest.fixture
def ledger(db: Engine) -> Ledger:
    """One filing of three claims, accepted and decided."""
    (accepted,) = factories.submit(db)
    leased = factories.lease(db, Stage.FAST)
    assert leased is not None
    transact(db, lambda c: moves.start(c, leased.token, worker="w", lease_seconds=60))
    verdicts = factories.verdicts(leased.evaluations)
    transact(db, lambda c: moves.screened(c, leased.token, verdicts, actor="w"))
    evaluations = {str(id_): False for _, id_ in accepted.evaluations}
    return Ledger(filings={str(accepted.filing_id)}, evaluations=evaluations)


def found(db: Engine, ledger: Ledger) -> dict[str, int]:
    """The figures of the audit that the harms touch."""
    with db.connect() as connection:
        figures = {**audit.stored(connection, ledger), **audit.chains(connection)}
    return {name: figures[name] for name in ZEROS}


def test_a_healthy_database_is_found_healthy(db: Engine, ledger: Ledger) -> None:
    assert found(db, ledger) == ZEROS


@pytest.mark.parametrize("harm", HARMS)
def test_every_harm_is_found(db: Engine, ledger: Ledger, harm: str) -> None:
    statement, expected = HARMS[harm]
    with db.begin() as connection:
        connection.execute(text(statement))

    assert found(db, ledger) == {**ZEROS, **expected}


SOUND = {
    "raw": '{"reasoning": "Step 3: none.", "verdict": "Pass"}',
    "verdict": "Pass",
    "reasoning": "Step 3: none.",
    "version": PROMPTS["v1"].version,
}
RATIONALES: dict[str, tuple[dict[str, str], int]] = {
    "as asked for": ({}, 0),
    "of another shape": ({"raw": '{"reasoning": "Step 3: none.", "verdict": "Pass", "more": 1}'}, 1),
    "no JSON": ({"raw": "Pass"}, 1),
    "for another verdict": ({"raw": '{"reasoning": "Step 3: none.", "verdict": "Fail"}'}, 1),
    "told otherwise": ({"reasoning": "Step 3: some."}, 1),
    "to no prompt of ours": ({"version": "copt-v0-0"}, 1),
    "to a prompt that asks for more": ({"version": PROMPTS["v2"].version}, 1),
}


@pytest.mark.parametrize("answer", RATIONALES)
def test_a_rationale_is_what_was_asked_for_and_what_was_made_of_it(
    db: Engine, ledger: Ledger, answer: str
) -> None:
    changed, invalid = RATIONALES[answer]
    with db.begin() as connection:
        connection.execute(text(f"UPDATE evaluations SET decided_by = 'expert' WHERE id = {ONE}"))
        assert audit.rationales(connection) == {"rationales": 1, "rationales_invalid": 1}
        connection.execute(
            text(
                "INSERT INTO examinations"
                " (id, evaluation_id, number, prompt_version, seconds, verdict, reasoning, raw)"
                f" VALUES (gen_random_uuid(), {ONE}, 1, :version, 1, :verdict, :reasoning, :raw)"
            ),
            {**SOUND, **changed},
        )
        found = audit.rationales(connection)

    assert found == {"rationales": 1, "rationales_invalid": invalid}


def test_leases_and_messages_that_are_left_are_counted(db: Engine, broker_url: str) -> None:
    factories.submit(db)
    factories.lease(db, Stage.FAST)
    with redis.Redis.from_url(broker_url) as broker:
        broker.delete(*Stage)  # another test may have ended with a message in a queue
        broker.lpush("slow", "{}")
        with db.connect() as connection:
            left = audit.left_over(connection, broker_url)
        broker.delete("slow")

    assert left == {"leases_left": 1, "queue_left": 1}


def test_a_takeover_is_timed_from_the_loss_before_it(db: Engine) -> None:
    (accepted,) = factories.submit(db)
    ((_, first), *_) = accepted.evaluations
    expired = datetime(2026, 11, 20, 12, 0, 30, tzinfo=UTC)
    with db.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO events (evaluation_id, number, at, move, before, after, actor, detail)"
                " VALUES (:id, 2, :at, 'expire', 'screening', 'queued', 'd', 'fast@here:7')"
            ),
            {"id": first, "at": expired},
        )
    at = expired.timestamp()
    losses = [
        Loss("fast@here:7", at - 20),
        Loss("fast@here:7", at - 3),
        Loss("fast@here:7", at - 2, until=at - 1),  # it woke up before
        Loss("fast@here:7", at + 5),
        Loss("slow@here:8", at),
    ]

    with db.connect() as connection:
        ((stage, seconds),) = audit.takeovers(connection, losses)
    assert stage is Stage.FAST
    assert seconds == pytest.approx(3.0)


@pytest.mark.parametrize(("seconds", "expected"), [([], None), ([4.0], 4.0), ([*range(1, 101)], 99)])
def test_p99_is_by_nearest_rank(seconds: list[float], expected: float | None) -> None:
    assert audit.p99(seconds) == expected


def test_stale_writes_are_summed_over_logs_and_torn_lines_passed_over(tmp_path: Path) -> None:
    line = '{"message": "verdict came too late", "rejected": %d}\n'
    (tmp_path / "a.log").write_text(line % 3 + '{"message": "other", "rejected": 9}\n' + (line % 4)[:40])
    (tmp_path / "b.log").write_text("no JSON: verdict came too late\n" + line % 5)

    assert audit.stale_writes(tmp_path) == 8
