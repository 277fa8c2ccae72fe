"""What a worker counts, and how it is shown; every metric of the table is shown by somebody."""

import urllib.request
from typing import Any

import pytest
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import Engine

from ace.errors import NotConfigured
from ace.metrics import DISPATCHER, SHOWN_BY, WORKERS
from ace.processes import free_port
from ace.settings import Settings
from ace.store.database import connect_engine
from ace.store.tables import Stage
from ace.workers.metrics import TENANTS, Backlog, WorkMetrics, count_dropped, registry_of, serve
from ace.workers.models import Loaded
from ace.workers.monitor import Monitor
from tests import factories, fakes


def shown(registry: CollectorRegistry) -> dict[str, Any]:
    families = text_string_to_metric_families(generate_latest(registry).decode())
    return {family.name: family for family in families}


def values(registry: CollectorRegistry, sample: str) -> dict[tuple[str, ...], float]:
    return {
        tuple(label for _, label in sorted(one.labels.items())): one.value
        for family in shown(registry).values()
        for one in family.samples
        if one.name == sample
    }


def test_a_worker_shows_what_it_did() -> None:
    seen = WorkMetrics("gatekeeper")
    count_dropped(seen.registry)("fast")
    seen.of(Loaded(fakes.Gatekeeper()))
    seen.took_up(Stage.FAST, [0.2, 3])
    seen.judged(6, 2, 3, 0.4)  # and a test
    seen.decided("gatekeeper", {("Fail", "syntax"): 1, ("Pass", None): 2}, [1.5, 0.25, 4])
    seen.decided("expert", {("Pass", None): 1}, [90])
    seen.failed("schema")

    registry = seen.registry
    assert values(registry, "ace_queue_wait_seconds_sum") == {("fast",): 3.2}
    assert values(registry, "ace_screened_claims_total") == {("escalated",): 2, ("decided",): 3}
    assert values(registry, "ace_decisions_total") == {
        ("gatekeeper", "syntax", "Fail"): 1,
        ("gatekeeper", "", "Pass"): 2,
        ("expert", "", "Pass"): 1,
    }
    assert values(registry, "ace_filing_to_verdict_seconds_sum") == {("gatekeeper",): 5.75, ("expert",): 90}
    assert values(registry, "ace_failures_total") == {("schema",): 1}
    assert values(registry, "ace_dropped_messages_total") == {("fast",): 1}
    assert values(registry, "ace_gatekeeper_batch_claims_sum") == {(): 6}
    assert values(registry, "ace_gatekeeper_batch_seconds_count") == {(): 1}
    assert values(registry, "ace_calibrated_escalation") == {("calibration-1",): 0.2}
    assert set(shown(registry)) - {"ace_build_info"} >= {one.name for one in SHOWN_BY[WORKERS]} - {
        "ace_build_info"
    }


def test_a_dispatcher_shows_the_backlog_of_few_tenants(db: Engine) -> None:
    many = [factories.new_filing(tenant=f"office-{at:02}") for at in range(TENANTS + 3)]
    factories.submit(db, *many, factories.new_filing(tenant="office-00"))
    registry = registry_of("dispatcher")
    registry.register(Backlog(db))
    monitor = Monitor(db, Settings(_env_file=None))
    registry.register(monitor)
    assert set(shown(registry)) == {"ace_build_info", "ace_backlog_claims"}  # nothing of a look before it
    monitor.look()
    found = values(registry, "ace_backlog_claims")
    assert found["office-00",] == 6
    assert found["other",] == 9
    assert len(found) == TENANTS + 1
    assert set(shown(registry)) == {one.name for one in SHOWN_BY[DISPATCHER]}


def test_without_a_database_there_is_no_backlog() -> None:
    registry = registry_of("dispatcher")
    engine = connect_engine("postgresql://nobody@127.0.0.1:1/none", name="tests")
    registry.register(Backlog(engine))
    assert values(registry, "ace_backlog_claims") == {}
    engine.dispose()


def test_metrics_are_served_on_their_port_and_a_taken_one_is_named() -> None:
    settings = Settings(metrics_port=free_port())
    serve(settings, registry_of("dispatcher"))
    with urllib.request.urlopen(f"http://127.0.0.1:{settings.metrics_port}/metrics") as answer:
        assert b'ace_build_info{part="dispatcher"' in answer.read()
    with pytest.raises(NotConfigured, match=r"ACE_METRICS_PORT: 127\.0\.0\.1:\d+ cannot be had: "):
        serve(settings, registry_of("dispatcher"))


def test_without_a_port_nothing_is_served() -> None:
    serve(Settings(), registry_of("dispatcher"))
