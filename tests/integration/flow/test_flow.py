"""The verbs on a real database, with small stand-ins for broker, gatekeeper and expert."""

import random
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import Engine, text

from ace import flow
from ace.errors import ExpertPermanent, ExpertTransient, ModelError, Unavailable
from ace.expert.prompt.rationale import Rationale
from ace.flow.examining import AWAY_SECONDS
from ace.store.database import Listener
from ace.store.tables import Stage, State
from ace.types.endpoints import ONLY
from tests import factories, fakes

LIMITS = flow.DispatchLimits(
    fast_lease_seconds=10,
    slow_lease_seconds=10,
    message_budget_tokens=10_000,
    message_max_claims=100,
    fast_waiting_messages=4,
    expert_slots=2,
    max_tries=3,
)
CLEAR, FAILING, DOUBTFUL, BREAKING = (
    "A bracket comprising a plate.",
    "A bracket comprising said hook.",
    "A bracket that is about long.",
    "A bracket that will crash.",
)
FAIL = Rationale(reasoning="Step 3 [Verdict]: it fails [ambiguity].", verdict="Fail")


def dispatched(db: Engine, broker: fakes.Broker) -> list[UUID]:
    """Tokens of the messages that one round published."""
    before = len(broker.sent)
    flow.dispatch(db, broker, LIMITS, actor="d")
    return [leased.token for _, leased in broker.sent[before:]]


def screen(
    db: Engine,
    token: UUID,
    gatekeeper: fakes.Gatekeeper | None = None,
    *,
    checks: fakes.Checks | None = None,
) -> int:
    return flow.screen(
        db,
        token,
        gatekeeper or fakes.Gatekeeper(),
        fakes.holding,
        checks=checks or fakes.Checks(),
        model_lock=nullcontext(),
        lease_seconds=10,
        worker="w",
    )


def examine(db: Engine, token: UUID, *outcomes: Rationale | Exception) -> tuple[bool, fakes.Expert]:
    expert = fakes.Expert(list(outcomes))
    experts = {ONLY: expert}
    moved = flow.examine(
        db,
        token,
        experts,
        fakes.holding,
        checks=fakes.Checks(),
        lease_seconds=10,
        worker="w",
        rng=random.Random(1),
    )
    return moved, expert


def escalated(db: Engine, broker: fakes.Broker, doubtful: str = DOUBTFUL) -> UUID:
    """The token of an escalated claim's message."""
    factories.submit(db, factories.new_filing([CLEAR, doubtful]))
    [fast] = dispatched(db, broker)
    screen(db, fast, checks=fakes.Checks(stops="nothing does"))
    [slow] = dispatched(db, broker)
    return slow


def rows(
    db: Engine, statement: str = "SELECT * FROM evaluations ORDER BY claim_number"
) -> list[Mapping[str, Any]]:
    with db.connect() as connection:
        return [dict(row) for row in connection.execute(text(statement)).mappings()]


def test_a_round_publishes_one_message_of_what_is_due(db: Engine) -> None:
    accepted = flow.submit(db, [factories.new_filing()], actor="api")[0]
    broker = fakes.Broker()

    flow.dispatch(db, broker, LIMITS, actor="d")

    [(stage, leased)] = broker.sent
    assert stage is Stage.FAST
    assert set(leased.evaluations) == {id_ for _, id_ in accepted.evaluations}


def test_messages_that_wait_are_bounded_whatever_the_backlog(db: Engine) -> None:
    factories.submit(db, *[factories.new_filing([CLEAR] * 50) for _ in range(20)])
    broker = fakes.Broker()

    for _ in range(3):
        flow.dispatch(db, broker, LIMITS, actor="d")

    assert len(broker.sent) == LIMITS.fast_waiting_messages


def test_messages_that_nobody_takes_are_bounded_too(db: Engine) -> None:
    factories.submit(db, *[factories.new_filing([CLEAR] * 50) for _ in range(20)])
    broker = fakes.Broker(untaken=LIMITS.fast_waiting_messages)

    assert flow.dispatch(db, broker, LIMITS, actor="d").messages == 0

    assert {row["moves"] for row in rows(db)} == {1}


def test_several_dispatchers_hold_the_bound_together(db: Engine) -> None:
    factories.submit(db, factories.new_filing([DOUBTFUL] * 30))
    broker = fakes.Broker()
    for token in dispatched(db, broker):
        screen(db, token)
    brokers = [fakes.Broker() for _ in range(4)]

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda one: flow.dispatch(db, one, LIMITS, actor="d"), brokers))

    assert sum(len(one.sent) for one in brokers) == LIMITS.expert_slots


def test_a_broken_gatekeeper_says_so_and_leaves_its_claims_to_their_lease(db: Engine) -> None:
    class Broken(fakes.Gatekeeper):
        def score(self, inputs: Any) -> Any:
            raise RuntimeError("the device is gone")

    factories.submit(db)
    [token] = dispatched(db, fakes.Broker())

    with pytest.raises(ModelError, match="RuntimeError"):
        screen(db, token, Broken())

    with db.begin() as connection:
        connection.execute(text("UPDATE leases SET until = now() - interval '1 second'"))
    flow.dispatch(db, fakes.Broker(down=False, untaken=99), LIMITS, actor="d")
    assert {(row["state"], row["tries"]) for row in rows(db)} == {("queued", 1)}


def test_a_message_whose_claims_were_all_cancelled_leaves_no_lease(db: Engine) -> None:
    accepted = factories.submit(db)[0]
    [token] = dispatched(db, fakes.Broker())
    flow.cancel(db, factories.TENANT, accepted.filing_id, actor="api")

    assert screen(db, token) == 0

    assert rows(db, "SELECT * FROM leases") == []


def time_passes(db: Engine) -> None:
    """Whatever was put off is due, and what was given up may be tried."""
    with db.begin() as connection:
        connection.execute(text("UPDATE evaluations SET due_at = now()"))
        connection.execute(text("UPDATE endpoints SET until = now() WHERE until IS NOT NULL"))


def waits_for(db: Engine, token: UUID, broker: fakes.Broker, kind: str, times: int) -> list[float]:
    """How long a claim is put off by each fault of this kind in turn."""
    waits = []
    for _ in range(times):
        examine(db, token, ExpertTransient(kind, "no"))
        waits.append((rows(db)[1]["due_at"] - rows(db)[1]["updated_at"]).total_seconds())
        flow.dispatch(db, broker, LIMITS, actor="d")  # learns of it
        time_passes(db)
        [token] = dispatched(db, broker)
    return waits


def test_an_expert_that_is_busy_is_left_alone_ever_longer(db: Engine) -> None:
    broker = fakes.Broker()

    waits = waits_for(db, escalated(db, broker), broker, "overloaded", 6)

    assert waits[-1] > 10 * waits[0]
    assert rows(db)[1]["examined"] == 0


def test_an_expert_that_is_away_is_waited_for_by_the_breaker_and_not_by_each_claim(db: Engine) -> None:
    broker = fakes.Broker()

    waits = waits_for(db, escalated(db, broker), broker, "unavailable", 12)

    assert max(waits) <= AWAY_SECONDS
    assert rows(db)[1]["examined"] == 0
    assert rows(db, "SELECT breaker FROM endpoints") == [{"breaker": "half_open"}]


def test_claims_that_could_not_be_published_are_given_back(db: Engine) -> None:
    factories.submit(db)
    broker = fakes.Broker(fails_to_publish=True)

    with pytest.raises(Unavailable):
        flow.dispatch(db, broker, LIMITS, actor="d")

    assert set(factories.states(db).values()) == {State.QUEUED}
    assert rows(db, "SELECT * FROM leases") == []


def test_an_unreachable_broker_leases_nothing(db: Engine) -> None:
    factories.submit(db)

    with pytest.raises(Unavailable):
        flow.dispatch(db, fakes.Broker(down=True), LIMITS, actor="d")

    assert {row["moves"] for row in rows(db)} == {1}


def test_the_gatekeeper_decides_what_is_clear_and_escalates_what_is_not(db: Engine) -> None:
    factories.submit(db, factories.new_filing([CLEAR, FAILING, DOUBTFUL]))
    [token] = dispatched(db, fakes.Broker())

    assert screen(db, token) == 3

    clear, failing, doubtful = rows(db)
    assert (clear["state"], clear["verdict"], clear["error_class"]) == ("decided", "Pass", None)
    assert (failing["state"], failing["verdict"], failing["error_class"]) == ("decided", "Fail", "antecedent")
    assert (doubtful["state"], doubtful["verdict"], doubtful["decided_by"]) == ("escalated", None, None)
    assert doubtful["u"] == pytest.approx(0.6931, abs=1e-4)
    assert all((row["tau"], row["score"]) == (0.3, "u") for row in (clear, failing, doubtful))
    assert all(row["doubt"] == row["u"] for row in (clear, failing, doubtful))
    assert clear["probabilities"][0] == pytest.approx(0.98)
    assert (clear["model"], clear["calibration"]) == ("model-1", "calibration-1")


FOUND = "SELECT claim_number, found FROM findings JOIN evaluations ON id = evaluation_id ORDER BY 1"


def test_what_fails_or_goes_up_keeps_its_findings_and_what_is_clear_has_none(db: Engine) -> None:
    factories.submit(
        db, factories.new_filing([CLEAR, "The bracket of claim 1, wherein said hook is bent.", DOUBTFUL])
    )
    [token] = dispatched(db, fakes.Broker())

    screen(db, token)

    failing, doubtful = rows(db, FOUND)
    assert (failing["claim_number"], doubtful["claim_number"]) == (2, 3)
    (finding,) = [one for one in failing["found"] if one["class"] == "antecedent"]
    text_of_it = "The bracket of claim 1, wherein said hook is bent."
    assert text_of_it[finding["start"] : finding["end"]] == "said hook"


def test_a_very_long_set_is_decided_without_findings(db: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ace.flow.screening.CHECKED_SET_CHARACTERS", 50)
    factories.submit(db, factories.new_filing([CLEAR, FAILING]))
    [token] = dispatched(db, fakes.Broker())

    assert screen(db, token) == 2

    assert rows(db, FOUND) == []


def test_a_rule_that_breaks_holds_up_no_verdict(db: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise RecursionError

    monkeypatch.setattr("ace.flow.checking.findings_on", broken)
    factories.submit(db, factories.new_filing([FAILING]))
    [token] = dispatched(db, fakes.Broker())

    assert screen(db, token) == 1

    assert [row["verdict"] for row in rows(db)] == ["Fail"]
    assert rows(db, FOUND) == []


ENDLESS = "A bracket comprising an endless plate."
SETTLED = "SELECT count(*) AS n FROM events WHERE move IN ('decide', 'fail') GROUP BY evaluation_id"
QUARANTINED = "SELECT detail FROM events WHERE move = 'fail'"


def test_a_claim_that_takes_too_long_to_check_is_quarantined_alone_and_the_others_go_on(db: Engine) -> None:
    factories.submit(
        db,
        factories.new_filing([CLEAR, ENDLESS, FAILING], tenant="office"),
        factories.new_filing([CLEAR, DOUBTFUL], tenant="stranger"),
    )
    broker = fakes.Broker()
    [token] = dispatched(db, broker)

    moved = screen(db, token)

    states = [(row["tenant"], row["state"], row["error"]) for row in rows(db)]
    assert ("office", "failed", "check_too_slow") in states
    stranger = [state for tenant, state, _ in states if tenant == "stranger"]
    assert stranger == ["decided", "escalated"]
    left = [state for tenant, state, _ in states if tenant == "office" and state == "queued"]
    assert moved == 5 - len(left)

    for token in dispatched(db, broker):  # what was given back for its sake
        screen(db, token)
    office = sorted((row["state"], row["error"]) for row in rows(db) if row["tenant"] == "office")
    assert office == [("decided", None), ("decided", None), ("failed", "check_too_slow")]
    assert {row["n"] for row in rows(db, SETTLED)} == {1}
    assert {row["tries"] for row in rows(db)} == {0}
    assert rows(db, "SELECT count(*) AS n FROM leases WHERE stage = 'fast'") == [{"n": 0}]
    assert rows(db, QUARANTINED) == [{"detail": "check_too_slow"}]
    assert factories.illegal_chains(db) == []


def test_a_set_that_takes_too_long_to_check_is_decided_without_findings(db: Engine) -> None:
    # The chain of the second claim is short, the set is not.
    factories.submit(db, factories.new_filing([ENDLESS, FAILING]))
    broker = fakes.Broker()
    for _ in range(2):
        for token in dispatched(db, broker):
            screen(db, token)

    assert [row["state"] for row in rows(db)] == ["failed", "decided"]
    assert rows(db, FOUND) == []


def test_a_quarantined_claim_can_be_replayed(db: Engine) -> None:
    factories.submit(db, factories.new_filing([ENDLESS]))
    [token] = dispatched(db, fakes.Broker())
    assert screen(db, token) == 1
    [failed] = rows(db)

    assert flow.replay(db, failed["tenant"], [failed["id"]], limit=1, actor="client") == [failed["id"]]

    assert rows(db)[0]["state"] == "queued"


def test_the_expert_is_not_asked_about_a_claim_that_takes_too_long_to_check(db: Engine) -> None:
    token = escalated(db, fakes.Broker(), DOUBTFUL.replace("long", "endless"))

    moved, expert = examine(db, token, FAIL)

    assert (moved, expert.asked) == (True, [])
    assert (rows(db)[1]["state"], rows(db)[1]["error"]) == ("failed", "check_too_slow")


def test_what_was_compared_with_tau_is_kept_whatever_it_is(db: Engine) -> None:
    other = replace(fakes.CALIBRATION, score="h6", tau=1.0)
    factories.submit(db, factories.new_filing([CLEAR, DOUBTFUL]))
    [token] = dispatched(db, fakes.Broker())

    screen(db, token, fakes.Gatekeeper(calibration=other))

    for row in rows(db):
        assert (row["score"], row["doubt"]) == ("h6", row["h6"])
        assert (row["state"] == "escalated") == (row["doubt"] > row["tau"])
    assert rows(db)[1]["u"] < rows(db)[1]["tau"] < rows(db)[1]["doubt"]


def test_a_claim_that_breaks_scoring_goes_up_and_the_rest_go_through(db: Engine) -> None:
    factories.submit(db, factories.new_filing([CLEAR, BREAKING, CLEAR]))
    [token] = dispatched(db, fakes.Broker())

    screen(db, token)

    assert [row["state"] for row in rows(db)] == ["decided", "escalated", "decided"]
    assert (rows(db)[1]["u"], rows(db)[1]["doubt"]) == (None, None)
    assert rows(db)[1]["probabilities"] == [None] * 6


def test_the_gatekeeper_sees_the_claims_that_a_claim_depends_on(db: Engine) -> None:
    factories.submit(db)
    [token] = dispatched(db, fakes.Broker())
    gatekeeper = fakes.Gatekeeper()

    screen(db, token, gatekeeper)

    third = next(one for one in gatekeeper.seen if one.number == 3)
    assert third.ancestors == (f"2. {factories.BRACKET[1]}", f"1. {factories.BRACKET[0]}")


def test_a_message_delivered_twice_moves_its_claims_once(db: Engine) -> None:
    factories.submit(db)
    [token] = dispatched(db, fakes.Broker())

    assert [screen(db, token), screen(db, token)] == [3, 0]
    assert factories.illegal_chains(db) == []


def test_a_worker_whose_lease_was_taken_over_moves_nothing(db: Engine) -> None:
    factories.submit(db)
    broker = fakes.Broker()
    [stale] = dispatched(db, broker)

    class Slow(fakes.Gatekeeper):
        """Thinks so long that another worker takes its message over and decides it."""

        def score(self, inputs: Any) -> Any:
            with db.begin() as connection:
                connection.execute(text("UPDATE leases SET until = now() - interval '1 second'"))
            # A try was counted, so that every claim travels alone now.
            for fresh in dispatched(db, broker):
                assert screen(db, fresh) == 1
            return super().score(inputs)

    assert screen(db, stale, Slow()) == 0
    assert {row["state"] for row in rows(db)} == {"decided"}
    assert rows(db, "SELECT count(*) AS n FROM events WHERE move = 'decide'") == [{"n": 3}]
    assert factories.illegal_chains(db) == []


def test_the_expert_decides_and_its_examination_is_kept(db: Engine) -> None:
    token = escalated(db, fakes.Broker())

    moved, expert = examine(db, token, FAIL)

    assert moved
    [(claim, total)] = expert.asked
    assert (claim.number, total) == (2, 2)
    decided = rows(db)[1]
    assert (decided["verdict"], decided["decided_by"], decided["error_class"]) == (
        "Fail",
        "expert",
        "ambiguity",
    )
    [kept] = rows(db, "SELECT * FROM examinations")
    assert kept["id"] == decided["examination_id"]
    assert (kept["reasoning"], kept["prompt_version"], kept["model"]) == (
        FAIL.reasoning,
        "copt-test",
        "expert-1",
    )


def test_a_passing_fault_is_deferred_and_kept(db: Engine) -> None:
    token = escalated(db, fakes.Broker())

    examine(db, token, ExpertTransient("schema", "no"))

    doubtful = rows(db)[1]
    assert (doubtful["state"], doubtful["error"], doubtful["examined"]) == ("escalated", "schema", 1)
    assert doubtful["due_at"] > doubtful["updated_at"]
    assert rows(db, "SELECT number, error FROM examinations") == [{"number": 1, "error": "schema"}]
    assert dispatched(db, fakes.Broker()) == []


def test_a_lasting_fault_fails_until_it_is_replayed(db: Engine) -> None:
    broker = fakes.Broker()
    token = escalated(db, broker)
    examine(db, token, ExpertPermanent("validation", "no"))
    failed = rows(db)[1]
    assert (failed["state"], failed["error"], failed["failed_stage"]) == ("failed", "validation", "slow")

    assert flow.replay(db, factories.TENANT, [failed["id"]], limit=10, actor="api") == [failed["id"]]

    [again] = dispatched(db, broker)
    examine(db, again, FAIL)
    assert rows(db)[1]["state"] == "decided"
    assert [row["number"] for row in rows(db, "SELECT number FROM examinations ORDER BY number")] == [1, 2]
    assert factories.illegal_chains(db) == []


@pytest.mark.parametrize(("kind", "ends"), [("schema", "failed"), ("unreachable", "escalated")])
def test_attempts_are_spent_by_bad_answers_and_not_by_an_outage(db: Engine, kind: str, ends: str) -> None:
    broker = fakes.Broker()
    token = escalated(db, broker)
    for _ in range(30):
        examine(db, token, ExpertTransient(kind, "no"))
        if rows(db)[1]["state"] == "failed":
            break
        flow.dispatch(db, broker, LIMITS, actor="d")
        time_passes(db)
        [token] = dispatched(db, broker)
    else:
        examine(db, token, ExpertTransient(kind, "no"))

    assert rows(db)[1]["state"] == ends


def test_the_dispatcher_holds_the_slots_of_the_expert(db: Engine) -> None:
    factories.submit(db, factories.new_filing([DOUBTFUL] * 5))
    broker = fakes.Broker()
    [fast] = dispatched(db, broker)
    screen(db, fast)

    slow = dispatched(db, broker)
    assert len(slow) == LIMITS.expert_slots
    assert dispatched(db, broker) == []

    examine(db, slow[0], FAIL)
    assert len(dispatched(db, broker)) == 1


def test_a_cancelled_claim_is_never_decided(db: Engine) -> None:
    accepted = factories.submit(db)[0]
    [token] = dispatched(db, fakes.Broker())

    cancelled = flow.cancel(db, factories.TENANT, accepted.filing_id, actor="api")

    assert len(cancelled) == 3
    assert screen(db, token) == 0
    assert {row["state"] for row in rows(db)} == {"cancelled"}
    assert factories.illegal_chains(db) == []


def test_a_replay_wakes_who_listens(db: Engine, postgres_url: str) -> None:
    examine(db, escalated(db, fakes.Broker()), ExpertPermanent("validation", "no"))
    listener = Listener(postgres_url, name="tests")
    assert not listener.wait(0)  # it listens from now on

    flow.replay(db, factories.TENANT, [rows(db)[1]["id"]], limit=10, actor="api")

    assert listener.wait(10)
    listener.close()
