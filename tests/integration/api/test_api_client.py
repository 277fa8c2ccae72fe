"""The client that we ship, on a real socket: reviews, reports, orders, webhooks and what it hears."""

from collections.abc import Iterator
from typing import Any

import pytest

from patent_ace_client import Client, FindingRef, NotFound, Span
from tests.integration.flow.test_delivering import drain

pytestmark = pytest.mark.slow

CLAIMS = ["A bracket comprising a plate and the hook.", "The bracket of claim 1, being flat."]
URL = "https://docketing.example/ace"
SINCE = "2026-01-01T00:00:00Z"


@pytest.fixture
def client(live: str, key: str) -> Iterator[Client]:
    with Client(live, key) as client:
        yield client


def test_verdicts_are_reviewed_and_reported(client: Client, work: Any) -> None:
    filing = client.submit("P-1", CLAIMS)
    work.decide()
    first, second = filing.wait(60)
    assert client.draw_sample(1, since=SINCE) == 2
    assert [one.probability for one in client.review_queue("audit")] == [1, 1]

    span = Span(start=33, end=41)
    of_verdict = client.review(first.id, "disagree", label="antecedent", span=span, reason="No hook.")
    place = FindingRef(rule="antecedent.no_basis", start=33, end=41)
    of_finding = client.review(first.id, "agree", finding=place, blind=True, seconds=2.5)
    assert [one.evaluation for one in client.review_queue("audit")] == [second.id]
    newest, oldest = client.reviews(evaluation=first.id)
    assert (newest.id, newest.finding, newest.blind, newest.seconds) == (of_finding, place, True, 2.5)
    assert (oldest.id, oldest.label, oldest.span, oldest.reason) == (
        *(of_verdict, "antecedent", span),
        "No hook.",
    )
    assert [one.id for one in client.filings(reviewed="disagree")] == [filing.id]
    assert client.filings(reviewed="adjudicated").all() == []

    assert client.report(filing.id, "docx").startswith(b"PK")
    assert b"P-1" in client.report(filing.id)


def test_work_is_paused_and_replayed(client: Client, work: Any) -> None:
    pause = client.pause("tenant", "office", reason="wrong claims")
    assert client.pauses() == [pause]
    assert (client.resume(pause.id, reason="over"), client.resume(pause.id, reason="over")) == (True, False)
    assert [one.act for one in client.acts()] == ["resume", "pause"]

    client.submit("P-1", CLAIMS)
    assert [(one.tenant, one.queued) for one in client.backlogs()] == [("office", 2)]
    work.fail("timeout")
    assert client.workers() == []
    assert (client.count_job(error="timeout"), client.count_job(error="unreachable")) == (2, 0)
    job = client.order_job(error="timeout", reason="the expert was away")
    assert (job.state, job.matched, job.filter) == ("running", 2, {"error": "timeout"})
    assert client.jobs() == [job]
    assert client.cancel_job(job.id, reason="not yet").state == "cancelled"
    assert client.job(job.id).ended_at is not None


def test_webhooks_come_change_and_go(client: Client) -> None:
    made = client.make_webhook(URL, events=["filing.settled"])
    assert made.secret not in repr(made)
    assert (made.url, made.events, made.enabled) == (URL, ("filing.settled",), True)
    assert client.change_webhook(made.id, enabled=False, description="docketing").disabled_by == "owner"
    assert client.rotate_webhook_secret(made.id).secret != made.secret
    (found,) = client.webhooks()
    assert found == client.webhook(made.id)
    assert (found.description, len(found.secrets)) == ("docketing", 2)
    assert client.deliveries(made.id, state="failed").all() == []
    assert client.replay_deliveries(made.id, since=SINCE) == 0
    with pytest.raises(NotFound):
        client.replay_delivery(made.id, made.id)
    assert (client.delete_webhook(made.id), client.delete_webhook(made.id)) == (True, False)


def test_what_happens_is_heard(client: Client, work: Any) -> None:
    (begin,) = client.notices(start="latest")
    assert begin.events == ()
    hints = client.hints(seconds=60)
    next(hints)  # the first comes at once
    filing = client.submit("P-1", CLAIMS)
    next(hints)
    hints.close()

    work.decide()
    drain(work.db)
    page = next(client.notices(cursor=begin.next, wait_seconds=30))
    assert [one.type for one in page.events] == ["evaluation.decided"] * 2 + ["filing.settled"]
    assert page.events[-1].data.filing == filing.id
    assert [one.events for one in client.notices(cursor=page.next)] == [()]
    assert list(client.hints(filing=filing.id, seconds=1)) == [None]
