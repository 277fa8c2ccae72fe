"""Deliveries from the deciding move to the receiver: every event arrives, whatever the receiver does."""

import json
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import Engine, text
from standardwebhooks import Webhook

from ace import flow
from ace.store import moves, pending, webhooks
from ace.store.database import transact
from ace.store.tables import WEBHOOKS, Stage
from ace.types.notices import NoticeKind
from ace.webhooks import signing
from ace.webhooks.addresses import networks_of
from ace.webhooks.sending import Reach, Receiver
from tests import factories, tls
from tests.factories import MASTER
from tests.fakes import Broker
from tests.integration.flow.test_dispatching import LIMITS
from tests.receivers import Reply, Sent, receiving

REACH = Reach(http=True, networks=networks_of("127.0.0.0/8"), timeout_seconds=2.0)
AT_ONCE = (0.0,) * 9


@contextmanager
def holding(token: UUID) -> Iterator[None]:
    yield


def made(db: Engine, url: str, *kinds: NoticeKind, tenant: str = factories.TENANT) -> tuple[UUID, str]:
    """A webhook with one secret: its id, and the secret as its owner has it."""
    id_ = factories.webhook(db, tenant, url=url)
    with db.begin() as connection:
        if kinds:
            webhooks.change(connection, tenant, id_, {"events": kinds}, actor="t")
        secret_id = connection.execute(
            text("SELECT id FROM webhook_secrets WHERE webhook_id = :id"), {"id": id_}
        ).scalar_one()
    return id_, signing.shown(signing.secret_of(MASTER, secret_id))


def decide(db: Engine, *, fail: bool = False) -> list[UUID]:
    """Decides everything that is queued."""
    moved: list[UUID] = []
    while leased := factories.lease(db, Stage.FAST):
        said = factories.verdicts(leased.evaluations, fail=fail)
        transact(db, partial(moves.screened, token=leased.token, screened=said, actor="w"))
        moved.extend(leased.evaluations)
    return moved


def drain(
    db: Engine, *, rounds: int = 200, reach: Reach = REACH, schedule: tuple[float, ...] = AT_ONCE
) -> None:
    """Dispatches and delivers until nothing is due."""
    broker, rng = Broker(), random.Random(1)
    for _ in range(rounds):
        broker.sent.clear()
        flow.dispatch(db, broker, LIMITS, actor="d")
        messages = [leased for queue, leased in broker.sent if queue == WEBHOOKS]
        for leased in messages:
            flow.deliver(
                db,
                token=leased.token,
                reached=partial(Receiver, reach=reach),
                masters=[MASTER],
                holding=holding,
                lease_seconds=60,
                worker="w",
                schedule=schedule,
                rng=rng,
            )
        if not messages:
            return
    raise AssertionError("deliveries never end")


def rows(db: Engine, sql: str, **given: Any) -> list[dict[str, Any]]:
    with db.connect() as connection:
        return [dict(row) for row in connection.execute(text(sql), given).mappings()]


def deliveries(db: Engine) -> list[dict[str, Any]]:
    return rows(db, "SELECT * FROM deliveries ORDER BY number")


def kinds(came: list[Sent]) -> list[str]:
    return [json.loads(one.body)["type"] for one in came]


def test_what_is_decided_arrives_signed_and_without_words(db: Engine) -> None:
    with receiving() as receiver:
        _, secret = made(db, receiver.url)
        (accepted,) = factories.submit(db)
        decided = decide(db, fail=True)
        drain(db)

    assert kinds(receiver.came) == ["evaluation.decided"] * 3 + ["filing.settled"]
    for sent in receiver.came:
        Webhook(secret).verify(sent.body, sent.headers)
        assert "plate" not in sent.body.decode()
        assert len(sent.body) < 1_000
    told = [json.loads(one.body)["data"] for one in receiver.came]
    told[:3] = sorted(told[:3], key=lambda data: int(data["claim"]))
    assert {one["evaluation"] for one in told[:3]} == {str(id_) for id_ in decided}
    assert told[0] == {
        "evaluation": told[0]["evaluation"],
        "filing": str(accepted.filing_id),
        "claim": 1,
        "verdict": "Fail",
        "error_class": "antecedent",
        "link": f"/v1/evaluations/{told[0]['evaluation']}",
    }
    assert told[3] == {"filing": str(accepted.filing_id), "link": f"/v1/filings/{accepted.filing_id}"}
    assert {one["state"] for one in deliveries(db)} == {"delivered"}
    assert rows(db, "SELECT * FROM leases WHERE stage = 'webhooks'") == []


def test_without_a_webhook_there_is_no_delivery_and_the_feed_goes_on(db: Engine) -> None:
    factories.submit(db)
    decide(db)
    with receiving() as receiver:
        made(db, receiver.url, tenant="stranger")
        drain(db)
    assert receiver.came == []
    assert deliveries(db) == []
    assert [row["number"] for row in rows(db, "SELECT number FROM notices ORDER BY number")] == [1, 2, 3, 4]
    assert rows(db, "SELECT * FROM outbox") == []


def test_a_webhook_gets_the_kinds_that_it_names(db: Engine) -> None:
    with receiving() as receiver:
        made(db, receiver.url, NoticeKind.SETTLED)
        factories.submit(db)
        decide(db)
        drain(db)
    assert kinds(receiver.came) == ["filing.settled"]


def test_a_filing_is_told_of_each_time_that_it_settles(db: Engine) -> None:
    with receiving() as receiver:
        made(db, receiver.url, NoticeKind.SETTLED, NoticeKind.FAILED)
        factories.submit(db, factories.new_filing(factories.BRACKET[:1]))
        for _ in range(2):
            leased = factories.lease(db, Stage.FAST)
            assert leased is not None
            stopped = dict.fromkeys(leased.evaluations, "check_too_slow")
            transact(db, partial(moves.quarantined, token=leased.token, stopped=stopped, actor="w"))
            transact(db, partial(moves.start, token=leased.token, worker="w", lease_seconds=9))
            transact(db, partial(moves.release, tokens=[leased.token], actor="w", worker="w"))
            drain(db)
            drain(db)
            flow.replay(db, factories.TENANT, list(leased.evaluations), limit=9, actor="t")
        decide(db)
        drain(db)
    assert kinds(receiver.came) == ["evaluation.failed", "filing.settled"] * 2 + ["filing.settled"]
    assert json.loads(receiver.came[0].body)["data"]["error"] == "check_too_slow"


def sometimes(rng: random.Random) -> Callable[[Sent], Reply]:
    """A receiver with every fault that passes."""
    faults = [
        Reply(500),
        Reply(503, {"Retry-After": "0"}),
        Reply(429, {"Retry-After": "0"}),
        Reply(302, {"Location": "http://127.0.0.1:1/elsewhere"}),
        Reply(reset=True),
        Reply(404, body=b"x" * 100_000),
        Reply(200, body=b"y" * 100_000),
        Reply(204),
        Reply(204),
    ]
    return lambda _: rng.choice(faults)


def test_every_event_arrives_at_a_receiver_that_fails_most_of_the_time(db: Engine) -> None:
    with receiving(sometimes(random.Random(7))) as receiver:
        _, secret = made(db, receiver.url)
        for number in range(10):
            factories.submit(db, factories.new_filing(docket=f"D-{number}"))
        decide(db)
        drain(db, rounds=2_000, schedule=(0.0,) * 99)

    assert {one["state"] for one in deliveries(db)} == {"delivered"}
    assert {one["id"] for one in rows(db, "SELECT id FROM notices")} == {UUID(id_) for id_ in receiver.ids()}
    assert len(set(receiver.ids())) == 40 < len(receiver.came)
    bodies: dict[str, set[bytes]] = {}
    for sent in receiver.came:
        Webhook(secret).verify(sent.body, sent.headers)
        bodies.setdefault(sent.id, set()).add(sent.body)
    assert all(len(same) == 1 for same in bodies.values())  # duplicates differ in nothing but the time


def test_the_schedule_ends_and_a_replay_begins_it_again(db: Engine) -> None:
    with receiving(lambda _: Reply(500)) as receiver:
        id_, _ = made(db, receiver.url, NoticeKind.SETTLED)
        factories.submit(db)
        decide(db)
        drain(db)
        (spent,) = deliveries(db)
        assert (spent["state"], spent["tried"], len(receiver.came)) == ("failed", 10, 10)
        assert [one["status"] for one in spent["attempts"]] == [500] * 10

        receiver.reply = lambda _: Reply(200)
        replay = partial(
            webhooks.replay, tenant=factories.TENANT, webhook_id=id_, event_id=spent["event_id"], actor="t"
        )
        assert transact(db, replay) is True
        assert transact(db, replay) is False
        drain(db)
    (again,) = deliveries(db)
    assert (again["state"], again["tried"], len(again["attempts"])) == ("delivered", 1, 11)
    assert len(set(receiver.ids())) == 1


def test_410_disables_and_the_other_webhooks_are_told(db: Engine) -> None:
    with receiving(lambda _: Reply(410)) as gone, receiving() as other:
        id_, _ = made(db, gone.url)
        made(db, other.url, NoticeKind.DISABLED)
        factories.submit(db)
        decide(db)
        drain(db)
    assert len(gone.came) == 1
    assert json.loads(other.came[0].body)["data"] == {
        "webhook": str(id_),
        "reason": "gone",
        "link": f"/v1/webhooks/{id_}",
    }
    (webhook,) = rows(db, "SELECT * FROM webhooks WHERE disabled_by = 'gone'")
    assert webhook["id"] == id_
    assert {one["state"] for one in deliveries(db) if one["webhook_id"] == id_} == {"failed"}


@pytest.mark.parametrize(("days", "disabled"), [(4.9, False), (5.1, True)])
def test_five_days_without_success_disable(db: Engine, days: float, disabled: bool) -> None:
    with receiving(lambda _: Reply(500)) as receiver:
        made(db, receiver.url, NoticeKind.SETTLED)
        with db.begin() as connection:
            connection.execute(
                text("UPDATE webhooks SET failing_since = now() - make_interval(secs => :seconds)"),
                {"seconds": days * 86_400},
            )
        factories.submit(db)
        decide(db)
        drain(db, schedule=(3_600.0,))
    (webhook,) = rows(db, "SELECT * FROM webhooks")
    assert (webhook["disabled_by"] == "failing") is disabled
    told = rows(db, "SELECT error FROM notices WHERE kind = 'endpoint.disabled'")
    assert told == ([{"error": "failing"}] if disabled else [])


def test_a_success_ends_the_days_without_one(db: Engine) -> None:
    with receiving() as receiver:
        made(db, receiver.url)
        with db.begin() as connection:
            connection.execute(text("UPDATE webhooks SET failing_since = now() - interval '9 days'"))
        factories.submit(db)
        decide(db)
        drain(db)
    (webhook,) = rows(db, "SELECT * FROM webhooks")
    assert (webhook["failing_since"], webhook["disabled_at"]) == (None, None)


def test_retry_after_is_obeyed_for_the_delivery_and_the_webhook(db: Engine) -> None:
    with receiving(lambda _: Reply(429, {"Retry-After": "600"})) as receiver:
        made(db, receiver.url)
        factories.submit(db)
        decide(db)
        drain(db)
    assert len(receiver.came) == 1
    (row,) = rows(db, "SELECT extract(epoch FROM paused_until - now()) AS pause FROM webhooks")
    assert 590 < row["pause"] <= 600
    waits = rows(db, "SELECT extract(epoch FROM due_at - now()) AS wait FROM deliveries ORDER BY number")
    assert [one["wait"] > 590 for one in waits] == [True, False, False, False]


def test_a_receiver_that_is_slow_is_left_after_the_time_for_an_answer(db: Engine) -> None:
    left = threading.Event()
    with receiving(lambda _: Reply(after=partial(left.wait, 60))) as receiver:
        made(db, receiver.url, NoticeKind.SETTLED)
        factories.submit(db)
        decide(db)
        drain(db, schedule=(), reach=Reach(http=True, networks=REACH.networks, timeout_seconds=0.1))
        left.set()
    (one,) = deliveries(db)
    assert one["attempts"][0]["fault"] == "timeout"


def test_wrong_tls_gets_nothing_and_everything_once_it_is_right(db: Engine, tmp_path: Path) -> None:
    authority = tls.authority(tmp_path, "hooks")
    certificate = tls.context(authority.signs("other.example"))
    loopback = networks_of("127.0.0.0/8, ::1/128")
    reach = Reach(networks=loopback, ca_file=authority.file, timeout_seconds=5.0)
    with receiving(trusted=certificate) as receiver:
        id_, secret = made(db, receiver.url, NoticeKind.SETTLED)
        factories.submit(db)
        decide(db)
        drain(db, schedule=(), reach=reach)
        (failed,) = deliveries(db)
        assert (failed["state"], failed["attempts"][0]["fault"]) == ("failed", "tls")
        assert receiver.came == []

        authority.signs("localhost").configure_cert(certificate)
        replay = partial(
            webhooks.replay, tenant=factories.TENANT, webhook_id=id_, event_id=failed["event_id"], actor="t"
        )
        assert transact(db, replay) is True
        drain(db, reach=reach)
    (sent,) = receiver.came
    Webhook(secret).verify(sent.body, sent.headers)
    assert sent.id == str(failed["event_id"])


def test_a_lost_worker_costs_a_repetition(db: Engine) -> None:
    with receiving() as receiver:
        made(db, receiver.url, NoticeKind.SETTLED)
        factories.submit(db)
        decide(db)
        broker = Broker()
        flow.dispatch(db, broker, LIMITS, actor="d")
        flow.dispatch(db, broker, LIMITS, actor="d")
        assert [queue for queue, _ in broker.sent] == [WEBHOOKS]
        with db.begin() as connection:
            connection.execute(
                text("UPDATE leases SET until = now() - interval '1 second', started_at = now()")
            )
        drain(db)
    assert kinds(receiver.came) == ["filing.settled"]


def test_a_webhook_gets_another_message_beside_the_first_if_that_takes_long(
    db: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moves.deliveries, "DELIVERIES_IN_A_MESSAGE", 1)
    lease = partial(moves.lease_deliveries, bound=32, lease_seconds=60)

    def older(seconds: float) -> None:
        with db.begin() as connection:
            connection.execute(
                text("UPDATE leases SET made_at = made_at - make_interval(secs => :seconds)"),
                {"seconds": seconds},
            )

    id_, _ = made(db, "https://example.org/hook")
    factories.submit(db)
    decide(db)
    transact(db, moves.number_notices)
    assert len(transact(db, lease)) == 1
    assert transact(db, lease) == []
    assert not transact(db, pending.look).webhooks
    older(1.1)
    assert transact(db, pending.look).webhooks
    assert len(transact(db, lease)) == 1
    assert transact(db, lease) == []
    older(1.1)
    with db.begin() as connection:
        connection.execute(text("UPDATE webhooks SET failing_since = now() WHERE id = :id"), {"id": id_})
    assert transact(db, lease) == []


def test_what_cannot_be_published_is_due_again(db: Engine) -> None:
    with receiving() as receiver:
        made(db, receiver.url, NoticeKind.SETTLED)
        factories.submit(db)
        decide(db)
        with pytest.raises(Exception, match="down"):
            flow.dispatch(db, Broker(fails_to_publish=True), LIMITS, actor="d")
        assert rows(db, "SELECT * FROM leases WHERE stage = 'webhooks'") == []
        drain(db)
    assert len(receiver.came) == 1
