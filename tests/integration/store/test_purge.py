"""Retention on a real database: what goes, what stays, and that nothing can get in between."""

import json
import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import Engine, text
from typer.testing import CliRunner

from ace.claims.findings import Fix
from ace.claims.model import ClaimInput
from ace.claims.taxonomy import ErrorClass
from ace.cli import app
from ace.errors import NotConfigured, Refused
from ace.expert.prompt.rationale import Rationale
from ace.expert.prompt.verification import verify
from ace.store import counts, moves, reads
from ace.store.database import connect_engine, transact
from ace.store.purge import PURGED_AT_ONCE, Purged, purge, purge_tests
from ace.store.tables import Stage
from ace.types.rationale import StatedDefect
from ace.types.tenants import TEST_HOURS, for_tests
from tests import factories

MARKER = "quillpurge"
TEXTS = [f"A {MARKER} comprising a plate.", f"The {MARKER} of claim 1, wherein the plate is flat."]
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
BETWEEN = datetime(2021, 1, 1, tzinfo=UTC)
MARKED = replace(factories.FINDING, explanation=f"'the {MARKER}' has no basis.", fix=Fix(0, 1, MARKER))


COLUMNS = (
    "claims.text",
    "examinations.raw",
    "examinations.reasoning",
    "examinations.findings",
    "examinations.disagreements",
    "analyses.claims",
    "findings.found",
    "filings.metadata",
)
TOLD = StatedDefect(ErrorClass.SYNTAX, f"no {MARKER}", f"law of {MARKER}", f"It has {MARKER}.")
DISPUTED = verify(
    Rationale(reasoning=MARKER, verdict="Fail", findings=(TOLD, TOLD)), ClaimInput(1, "A bracket.")
)


def filed(db: Engine, *, at: datetime = LONG_AGO, tenant: str = "office", key: str | None = None) -> UUID:
    """A filing of two claims with metadata, made at some time; nothing has happened to it yet."""
    new = factories.new_filing(TEXTS, tenant=tenant, docket=f"D-{MARKER}", key=key)
    new.details["note"] = MARKER
    (accepted,) = factories.submit(db, new)
    with db.begin() as connection:
        connection.execute(
            text("UPDATE filings SET created_at = :at WHERE id = :id"), {"at": at, "id": accepted.filing_id}
        )
    return accepted.filing_id


def run(db: Engine, outcome: str) -> None:
    """Brings everything that waits to its outcome."""
    while outcome == "cancelled" and (row := first(db, "SELECT filing_id, tenant FROM evaluations")):
        if not transact(db, partial(moves.cancel, tenant=row[1], filing_id=row[0], actor="t")):
            return
    while leased := factories.lease(db, Stage.FAST):
        start(db, leased)
        verdicts = factories.verdicts(leased.evaluations, escalate=outcome in {"expert", "failed"})
        factories.analyse(db, leased, MARKED)
        transact(db, partial(moves.screened, token=leased.token, screened=verdicts, actor="w"))
    while outcome in {"expert", "failed"} and (leased := factories.lease(db, Stage.SLOW)):
        start(db, leased)
        examination = factories.examination(
            leased.evaluations[0], "Fail", reasoning=MARKER, raw=f"{{{MARKER}}}", verified=DISPUTED
        )
        move = moves.examined if outcome == "expert" else moves.failed
        transact(db, partial(move, token=leased.token, examination=examination, actor="w"))


def start(db: Engine, leased: moves.Leased) -> None:
    transact(db, partial(moves.start, token=leased.token, worker="w", lease_seconds=60))


def first(db: Engine, sql: str, **given: Any) -> Any:
    with db.connect() as connection:
        return connection.execute(text(sql), given).first()


def texts_left(db: Engine) -> dict[str, int]:
    """How many rows of each column hold the marker."""
    return {
        column: first(
            db,
            f"SELECT count(*) FROM {column.split('.')[0]} WHERE {column.split('.')[1]}::text LIKE :marker",
            marker=f"%{MARKER}%",
        )[0]
        for column in COLUMNS
    }


AUDIT = """
SELECT
  jsonb_agg(jsonb_build_array(
    id, verdict, disputed, decided_by, probabilities, u, doubt, tau, model, calibration, error) ORDER BY id),
  (SELECT jsonb_agg(to_jsonb(x) - ARRAY['raw', 'reasoning', 'findings', 'disagreements'] || jsonb_build_array(
     jsonb_path_query_array(findings, '$[*].class'), jsonb_path_query_array(findings, '$[*].start'),
     jsonb_path_query_array(disagreements, '$[*].kind')) ORDER BY id) FROM examinations x),
  (SELECT jsonb_agg(jsonb_build_array(
     evaluation_id, jurisdiction, threshold, rules, at, one - 'explanation' - 'fix') ORDER BY evaluation_id)
   FROM findings CROSS JOIN jsonb_array_elements(found) AS one),
  (SELECT jsonb_agg(jsonb_build_array(
     filing_id, jurisdiction, rules, at, number, (claim -> 'findings' -> 0) - 'explanation' - 'fix')
     ORDER BY filing_id, number)
   FROM analyses CROSS JOIN jsonb_each(claims) AS c (number, claim))
FROM evaluations"""
NOTHING = dict.fromkeys(COLUMNS, 0)


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        ("decided", Purged(filings=1, claims=2)),
        ("expert", Purged(filings=1, claims=2, examinations=2)),
        ("failed", Purged(filings=1, claims=2, examinations=2, cancelled=2)),
        ("cancelled", Purged(filings=1, claims=2)),
    ],
)
def test_the_text_goes_and_the_audit_stays(db: Engine, outcome: str, expected: Purged) -> None:
    filing = filed(db)
    run(db, outcome)
    events, audit = first(db, "SELECT count(*) FROM events")[0], first(db, AUDIT)

    assert purge(db, BETWEEN, dry_run=True) == expected
    assert texts_left(db)["claims.text"] == 2
    assert purge(db, BETWEEN) == expected
    assert purge(db, BETWEEN) == Purged()

    assert texts_left(db) == NOTHING
    kept = first(
        db, "SELECT docket, claim_count, body_hash, purged_at FROM filings WHERE id = :id", id=filing
    )
    assert kept[:3] == (f"D-{MARKER}", 2, b"body")
    assert kept.purged_at is not None
    assert first(db, "SELECT count(*) FROM events")[0] == events + expected.cancelled
    assert factories.illegal_chains(db) == []
    assert first(db, AUDIT) == audit


def test_what_was_failed_can_never_be_replayed_again(db: Engine) -> None:
    filed(db)
    run(db, "failed")
    failed = list(factories.states(db))

    purge(db, BETWEEN)

    assert transact(db, partial(moves.replay, tenant="office", evaluations=failed, actor="t")) == []
    assert set(factories.states(db).values()) == {"cancelled"}
    last = first(db, "SELECT move, before, after, actor FROM events ORDER BY number DESC")
    assert last == ("cancel", "failed", "cancelled", "purge")
    assert transact(db, counts.state_counts) == {("cancelled", ""): 2}


def test_filings_that_are_too_new_or_still_open_are_left(db: Engine) -> None:
    old, new = filed(db), filed(db, at=BETWEEN)
    run(db, "failed")
    waiting = filed(db)
    partly = first(db, "SELECT id FROM evaluations WHERE filing_id = :id", id=old)[0]
    transact(db, partial(moves.replay, tenant="office", evaluations=[partly], actor="t"))

    counts = Purged(still_open=2)
    assert purge(db, BETWEEN, dry_run=True) == counts
    assert purge(db, BETWEEN) == counts

    assert texts_left(db)["claims.text"] == 6
    assert set(factories.states(db).values()) == {"failed", "queued", "escalated"}
    with db.connect() as connection:
        purged = connection.execute(text("SELECT id FROM filings WHERE purged_at IS NULL")).scalars()
        assert set(purged) == {old, new, waiting}


def test_one_tenant_alone(db: Engine) -> None:
    filed(db, tenant="office")
    other = filed(db, tenant="other")
    run(db, "decided")

    assert purge(db, BETWEEN, tenant="other") == Purged(filings=1, claims=2)
    assert purge(db, BETWEEN, tenant="nobody") == Purged()

    assert first(db, "SELECT id FROM filings WHERE purged_at IS NOT NULL") == (other,)
    assert texts_left(db)["claims.text"] == 2


def test_tests_go_after_a_day_and_nothing_else(db: Engine) -> None:
    tests, now = for_tests("office"), datetime.now(UTC)
    old = filed(db, at=now - timedelta(hours=TEST_HOURS, minutes=1), tenant=tests)
    filed(db, at=now - timedelta(hours=TEST_HOURS - 1), tenant=tests)
    filed(db)
    run(db, "decided")
    filed(db, tenant=tests)  # older than all others, and still open

    assert purge_tests(db) == Purged(filings=1, claims=2)
    assert purge_tests(db) == Purged()

    assert first(db, "SELECT id FROM filings WHERE purged_at IS NOT NULL") == (old,)
    assert texts_left(db)["claims.text"] == 6


def test_tests_that_failed_are_cancelled_and_go(db: Engine) -> None:
    filed(db, tenant=for_tests("office"))
    run(db, "failed")
    assert purge_tests(db) == Purged(filings=1, claims=2, examinations=2, cancelled=2)
    assert texts_left(db) == NOTHING


def test_many_tests_go_in_short_transactions(db: Engine) -> None:
    many(db, PURGED_AT_ONCE + 1, tenant=for_tests("office"))
    assert [purge_tests(db).filings for _ in range(3)] == [PURGED_AT_ONCE, 1, 0]


def test_a_purged_filing_reads_as_before_but_for_its_text(db: Engine) -> None:
    filing = filed(db, key="once")
    run(db, "expert")
    purge(db, BETWEEN)

    read = transact(db, partial(reads.filing, tenant="office", filing_id=filing))
    assert read is not None
    assert (read["metadata"], read["states"]) == ({}, {"decided": 2})
    first = json.loads(read["evaluations"])[0]["id"]
    one = transact(db, partial(reads.evaluation, tenant="office", evaluation_id=first))
    assert one is not None
    assert (one["verdict"], one["decided_by"], one["examination"]["reasoning"]) == ("Fail", "expert", None)
    # The same submission again is still known, and brings no text back.
    (again,) = factories.submit(db, factories.new_filing(TEXTS, key="once"))
    assert (again.filing_id, again.created) == (filing, False)
    assert texts_left(db) == NOTHING


def many(db: Engine, count: int, *, tenant: str = "office") -> None:
    """Decided filings of long ago."""
    texts = ([f"{words} No. {n}" for words in TEXTS] for n in range(count))
    factories.submit(db, *[factories.new_filing(each, tenant=tenant) for each in texts])
    with db.begin() as connection:
        connection.execute(text("UPDATE filings SET created_at = :at"), {"at": LONG_AGO})
    run(db, "decided")


class Killed(BaseException):
    """What ends a purge half-way."""


def test_a_purge_that_was_killed_goes_on_where_it_stopped(db: Engine) -> None:
    many(db, PURGED_AT_ONCE + 7)

    def kill(_: Purged) -> None:
        raise Killed

    with pytest.raises(Killed):
        purge(db, BETWEEN, progress=kill)
    assert texts_left(db)["claims.text"] == 2 * 7
    told: list[Purged] = []
    assert purge(db, BETWEEN, progress=told.append) == Purged(filings=7, claims=14)
    assert told == [Purged(filings=7, claims=14)]
    assert texts_left(db) == NOTHING


def test_two_purges_at_once_share_the_work(db: Engine) -> None:
    many(db, 3 * PURGED_AT_ONCE)

    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(lambda _: purge(db, BETWEEN), range(2))

    total = one + other
    assert (total.filings, total.claims) == (3 * PURGED_AT_ONCE, 6 * PURGED_AT_ONCE)
    assert texts_left(db) == NOTHING


def test_a_replay_that_is_under_way_keeps_its_text(db: Engine) -> None:
    filed(db)
    run(db, "failed")
    failed = list(factories.states(db))
    with db.begin() as connection:
        moves.replay(connection, "office", failed[:1], actor="t")
        # Not committed yet: the purge neither waits for it nor overtakes it.
        assert purge(db, BETWEEN) == Purged(still_open=1)

    assert texts_left(db)["claims.text"] == 2
    assert sorted(factories.states(db).values()) == ["escalated", "failed"]


def test_work_goes_on_beside_a_purge(db: Engine) -> None:
    many(db, 3 * PURGED_AT_ONCE)
    stop = threading.Event()

    def work() -> int:
        rounds = 0
        while not stop.is_set() or rounds == 0:
            factories.submit(db)
            run(db, "decided")
            rounds += 1
        return rounds

    with ThreadPoolExecutor(1) as pool:
        worker = pool.submit(work)
        purged = purge(db, BETWEEN)
        stop.set()
        rounds = worker.result()

    assert purged == Purged(filings=3 * PURGED_AT_ONCE, claims=6 * PURGED_AT_ONCE)
    assert set(factories.states(db).values()) == {"decided"}
    assert len(factories.states(db)) == 6 * PURGED_AT_ONCE + rounds * len(factories.BRACKET)
    assert factories.illegal_chains(db) == []


def removed_by_vacuum(db: Engine) -> list[str]:
    """How many row versions a vacuum removes from each table with text."""
    said: list[str] = []
    with db.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        driver: Any = connection.connection.driver_connection
        driver.add_notice_handler(lambda notice: said.append(notice.message_primary))
        connection.execute(
            text("VACUUM (VERBOSE, PROCESS_TOAST false) claims, examinations, filings, findings")
        )
    return re.findall(r"tuples: (\d+) removed", "\n".join(said))


def test_old_row_versions_and_statistics_are_cleaned_away(db: Engine) -> None:
    many(db, PURGED_AT_ONCE)
    with db.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("ANALYZE claims"))

    purge(db, BETWEEN)

    # Statistics of dead rows arrive late, so another vacuum says what the purge left to it.
    assert removed_by_vacuum(db) == ["0"] * 4
    quoted = "SELECT concat(most_common_vals, histogram_bounds) FROM pg_stats WHERE tablename = 'claims'"
    with db.connect() as connection:
        assert MARKER not in str(connection.execute(text(quoted)).all())


def test_the_future_is_not_purged(db: Engine) -> None:
    with pytest.raises(Refused, match="future"):
        purge(db, datetime.now(UTC) + timedelta(minutes=5))


def test_whoever_does_not_see_every_filing_is_told_so(db: Engine, postgres_url: str) -> None:
    filed(db)
    run(db, "decided")
    bound = connect_engine(postgres_url, name="bound", role="ace_api")

    with pytest.raises(NotConfigured, match="owns"):
        purge(bound, BETWEEN)

    bound.dispose()


@pytest.fixture
def command(db: Engine, postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[CliRunner]:
    """The command line on the test's database."""
    monkeypatch.setenv("ACE_DATABASE_URL", postgres_url)
    return CliRunner()


def test_the_command_counts_then_purges_and_tells_programs(db: Engine, command: CliRunner) -> None:
    filed(db)
    run(db, "failed")

    looked = command.invoke(app, ["purge", "--before", "2021-01-01", "--dry-run"])
    done = command.invoke(app, ["purge", "--before", "2021-01-01", "--yes", "--json"])

    assert "1 filing would be purged: 2 claims, 2 examinations; 2 failed" in looked.stdout
    told = json.loads(done.stdout)
    assert told.pop("seconds") > 0
    assert told == {"filings": 1, "claims": 2, "examinations": 2, "cancelled": 2, "still_open": 0}


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--before", "last year", "--yes"], "YYYY-MM-DD"),
        (["--before", "2999-01-01", "--yes"], "future"),
        (["--before", "2021-01-01"], "--yes"),
    ],
)
def test_the_command_refuses(db: Engine, command: CliRunner, arguments: list[str], complaint: str) -> None:
    filed(db)
    run(db, "decided")

    refused = command.invoke(app, ["purge", *arguments])

    assert refused.exit_code == 2
    assert complaint in refused.stderr
    assert texts_left(db)["claims.text"] == 2


@pytest.mark.parametrize(
    ("before", "goes"),
    [
        ("2020-06-01T12:01", True),
        ("2020-06-01T12:00", False),
        ("2020-06-01", False),
        ("2020-06-02", True),
        ("2020-06-01T13:01+01:00", True),
        ("2020-06-01T12:59+01:00", False),
    ],
)
def test_a_moment_without_a_zone_is_utc(db: Engine, command: CliRunner, before: str, goes: bool) -> None:
    filed(db, at=datetime(2020, 6, 1, 12, 0, tzinfo=UTC))
    run(db, "decided")

    done = command.invoke(app, ["purge", "--before", before, "--yes", "--json"])

    assert json.loads(done.stdout)["filings"] == int(goes)
