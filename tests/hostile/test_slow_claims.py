"""A set that is slow to check, in a message with others: it is quarantined, and they are decided."""

from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from ace.settings import Settings
from tests import factories
from tests.e2e.test_workers import dispatching, process
from tests.hostile.slow import LONG_CLAIM, MARKER
from tests.waiting import wait_for

pytestmark = pytest.mark.slow

CHECK_SECONDS = 0.03
"""Many times what the short claims take, and a fraction of what the long one does."""

FAILED = "SELECT tenant, claim_number, error, failed_stage FROM evaluations WHERE state = 'failed'"
OUTCOMES = "SELECT count(*) FROM events WHERE move IN ('decide', 'escalate', 'fail') GROUP BY evaluation_id"
LOST = "SELECT count(*) FROM events WHERE move = 'expire' AND detail IS NOT NULL"  # by a worker


@pytest.fixture
def settings(postgres_url: str, broker_url: str) -> Settings:
    return Settings.model_validate(
        {
            "database_url": postgres_url,
            "broker_url": broker_url,
            "fast_lease_seconds": 1,
            "check_seconds": CHECK_SECONDS,
        }
    )


def test_a_slow_set_is_quarantined_alone_with_the_reason(
    settings: Settings, db: Engine, tmp_path: Path
) -> None:
    texts = ["A hook comprising a plate.", LONG_CLAIM, "The hook of claim 1, wherein said plate is flat."]
    factories.submit(
        db,
        factories.new_filing(texts, tenant="hostile"),
        *(factories.new_filing(texts[::2], tenant="office") for _ in range(5)),
    )
    log = tmp_path / "log"

    def settled() -> bool:
        return not {"queued", "screening"} & set(factories.states(db).values())

    with dispatching(settings, db), process(settings, "-m", "ace", "worker", "fast", log=log):
        wait_for(settled, "a quarantine and ten verdicts or escalations", seconds=180)

    with db.connect() as connection:
        failed = connection.execute(text(FAILED)).all()
        outcomes = connection.execute(text(OUTCOMES)).scalars().all()
        lost = connection.execute(text(LOST)).scalar_one()
    assert sorted(failed) == [("hostile", number, "check_too_slow", "fast") for number in (1, 2, 3)]
    assert outcomes == [1] * 13
    assert lost == 0
    assert factories.illegal_chains(db) == []
    assert "check_too_slow" in log.read_text()
    assert MARKER not in log.read_text()
