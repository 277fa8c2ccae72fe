"""The verbs on a real database, with small stand-ins for broker, gatekeeper and expert."""

import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
import uvicorn
from sqlalchemy import Engine, text

from ace import flow
from ace.claims.analysis import analyse_claim
from ace.errors import ExpertPermanent, ExpertTransient, ModelError, Unavailable
from ace.expert.client.expert_client import ExpertClient
from ace.expert.client.handling import MAX_EXAMINATIONS
from ace.expert.examiner.server import create_app
from ace.expert.prompt.copt import PROMPTS
from ace.expert.prompt.rationale import Rationale
from ace.flow.analysing import RULES
from ace.flow.examining import AWAY_SECONDS
from ace.store.database import Listener
from ace.store.tables import Stage, State
from tests import factories, fakes
from tests.integration.flow.examining import examine_by
from tests.waiting import wait_for

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
    "A bracket comprising a plate on said hook.",
    "A bracket that is about long.",
    "A bracket that will crash.",
)
OTHER = "A bracket comprising a hook."  # as clear, and no duplicate
FAIL = Rationale(reasoning="Step 3 [Verdict]: it fails [ambiguity].", verdict="Fail")


def dispatched(db: Engine, broker: fakes.Broker) -> list[UUID]:
    """Tokens of the messages that one round published."""
    before = len(broker.sent)
    flow.dispatch(db, broker, LIMITS, actor="d")
    return [leased.token for _, leased in broker.sent[before:]]


def examine(db: Engine, token: UUID, *outcomes: Rationale | Exception) -> tuple[bool, fakes.Expert]:
    expert = fakes.Expert(list(outcomes))
    return examine_by(db, token, expert), expert


def escalated(db: Engine, broker: fakes.Broker, doubtful: str = DOUBTFUL) -> UUID:
    """The token of an escalated claim's message."""
    factories.submit(db, factories.new_filing([CLEAR, doubtful]))
    [fast] = dispatched(db, broker)
    factories.screen(db, fast, checks=fakes.Checks(stops="nothing does"))
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
        factories.screen(db, token)
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
        factories.screen(db, token, Broken())

    with db.begin() as connection:
        connection.execute(text("UPDATE leases SET until = now() - interval '1 second'"))
    flow.dispatch(db, fakes.Broker(down=False, untaken=99), LIMITS, actor="d")
    assert {(row["state"], row["tries"]) for row in rows(db)} == {("queued", 1)}


def test_a_message_whose_claims_were_all_cancelled_leaves_no_lease(db: Engine) -> None:
    accepted = factories.submit(db)[0]
    [token] = dispatched(db, fakes.Broker())
    flow.cancel(db, factories.TENANT, accepted.filing_id, actor="api")

    assert factories.screen(db, token) == 0

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

    assert factories.screen(db, token) == 3

    clear, failing, doubtful = rows(db)
    assert (clear["state"], clear["verdict"], clear["error_class"]) == ("decided", "Pass", None)
    assert (failing["state"], failing["verdict"], failing["error_class"]) == ("decided", "Fail", "antecedent")
    assert [row["ground"] for row in (clear, failing, doubtful)] == [None, "rejection", None]
    assert (doubtful["state"], doubtful["verdict"], doubtful["decided_by"]) == ("escalated", None, None)
    assert doubtful["u"] == pytest.approx(0.6931, abs=1e-4)
    assert all((row["tau"], row["score"]) == (0.3, "u") for row in (clear, failing, doubtful))
    assert all(row["doubt"] == row["u"] for row in (clear, failing, doubtful))
    assert clear["probabilities"][0] == pytest.approx(0.98)
    assert (clear["model"], clear["calibration"]) == ("model-1", "calibration-1")


ANALYSED = "SELECT filing_id, rules, claims FROM analyses"
SURE = "The bracket of claim 9, wherein a plate is flat."  # which does not exist: the rules are certain


def test_every_filing_keeps_its_analysis_clean_or_not(db: Engine) -> None:
    failing = "The bracket of claim 1, wherein said hook is bent."
    factories.submit(db, factories.new_filing([CLEAR, failing]), factories.new_filing([CLEAR]))
    [token] = dispatched(db, fakes.Broker())

    factories.screen(db, token)

    flawed, clean = sorted(rows(db, ANALYSED), key=lambda row: -len(row["claims"]))
    assert flawed["rules"] == clean["rules"] == RULES.rules
    assert (clean["claims"], flawed["claims"]["1"]) == ({"1": {}}, {})
    (finding,) = flawed["claims"]["2"]["findings"]
    assert failing[finding["start"] : finding["end"]] == "said hook"


@pytest.fixture
def examiner() -> Iterator[str]:
    """The URL of the structural examiner, in this process."""
    server = uvicorn.Server(uvicorn.Config(create_app(), host="127.0.0.1", port=0, log_config=None))
    thread = threading.Thread(target=server.run)
    thread.start()
    wait_for(lambda: server.started, "the examiner")
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()


@pytest.mark.parametrize("prompt", ["v1", "v2"])
def test_a_filing_is_analysed_once_for_all_that_look_at_it(
    db: Engine, monkeypatch: pytest.MonkeyPatch, examiner: str, prompt: str
) -> None:
    # Given a filing that two messages carry, of which two claims escalate, and one examination that fails
    made: list[int] = []

    def counted(reading: Any, claim: Any, *more: Any) -> Any:
        made.append(claim.number)
        return analyse_claim(reading, claim, *more)

    monkeypatch.setattr("ace.claim_work.analyse_claim", counted)
    monkeypatch.setattr("ace.claims.analysis.analyse_claim", counted)
    factories.submit(db, factories.new_filing([CLEAR, DOUBTFUL, SURE]))
    broker, small = fakes.Broker(), replace(LIMITS, message_max_claims=2, fast_waiting_messages=1)
    for _ in range(3):
        flow.dispatch(db, broker, small, actor="d")
        for token in [leased.token for stage, leased in broker.sent if stage is Stage.FAST]:
            factories.screen(db, token)  # those that were delivered before change nothing
    gone, token = [leased.token for stage, leased in broker.sent if stage is Stage.SLOW]
    examine(db, gone, ExpertPermanent("check_too_slow", "no", own=True))
    [failed] = [row["id"] for row in rows(db) if row["state"] == "failed"]
    flow.replay(db, factories.TENANT, [failed], limit=10, actor="api")

    # When the structural examiner examines them, and its answers are verified
    client = ExpertClient(examiner, prompt=PROMPTS[prompt])
    client.served()
    for one in (token, *dispatched(db, broker)):
        assert examine_by(db, one, client)
    client.close()

    # Then each claim was analysed once
    assert [row["decided_by"] for row in rows(db)] == ["gatekeeper", "expert", "expert"]
    assert [row["verdict"] for row in rows(db)] == ["Pass", "Pass", "Fail"]
    assert made == [1, 2, 3]


def test_a_very_long_set_is_analysed_claim_by_claim(db: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ace.flow.leased.CHECKED_SET_CHARACTERS", 50)
    factories.submit(db, factories.new_filing([CLEAR, FAILING, SURE]))
    [token] = dispatched(db, fakes.Broker())

    assert factories.screen(db, token) == 3

    assert [row["state"] for row in rows(db)] == ["decided", "decided", "escalated"]
    assert rows(db, ANALYSED) == []


def test_a_claim_on_which_a_rule_breaks_goes_up_and_the_others_go_through(
    db: Engine, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(reading: Any, claim: Any, *more: Any) -> Any:
        if claim.number == 2:
            raise RecursionError(claim.text)
        return analyse_claim(reading, claim, *more)

    monkeypatch.setattr("ace.claim_work.analyse_claim", broken)
    factories.submit(db, factories.new_filing([CLEAR, "A bracket comprising a bolt.", OTHER]))
    [token] = dispatched(db, fakes.Broker())

    assert factories.screen(db, token) == 3

    assert [row["state"] for row in rows(db)] == ["decided", "escalated", "decided"]
    (analysis,) = rows(db, ANALYSED)
    assert analysis["claims"]["2"]["failure"].startswith("RecursionError at test_flow.py:")
    assert CLEAR not in caplog.text


def test_a_claim_is_not_passed_beside_a_finding_of_which_the_rules_are_sure(db: Engine) -> None:
    factories.submit(db, factories.new_filing([CLEAR, SURE]))
    [token] = dispatched(db, fakes.Broker())

    factories.screen(db, token)

    clear, sure = rows(db)
    assert (clear["state"], clear["disputed"]) == ("decided", False)
    assert (sure["state"], sure["certain"]) == ("escalated", 0.9)
    assert sure["doubt"] < sure["tau"]

    # and where the expert passes it all the same, both sides are kept
    broker = fakes.Broker()
    [slow] = dispatched(db, broker)
    examine(db, slow, Rationale(reasoning="Step 3 [Verdict]: it passes.", verdict="Pass"))
    assert (rows(db)[1]["verdict"], rows(db)[1]["disputed"]) == ("Pass", True)
    (kept,) = rows(db, "SELECT disagreements FROM examinations")
    assert [one["kind"] for one in kept["disagreements"]] == ["contradicted"]
    assert "dependency.nonexistent" in kept["disagreements"][0]["against"]


ALONE = "A bracket comprising a plate that is said to be flat."


def test_a_fail_without_a_finding_is_disputed_and_says_what_it_is_about(db: Engine) -> None:
    factories.submit(db, factories.new_filing([ALONE, FAILING]))
    [token] = dispatched(db, fakes.Broker())

    factories.screen(db, token)

    alone, proved = rows(db)
    start, end = alone["span"]
    assert (alone["verdict"], alone["disputed"], ALONE[start:end]) == ("Fail", True, "said")
    assert (proved["verdict"], proved["disputed"], proved["span"]) == ("Fail", False, None)


@pytest.mark.parametrize("fault", [None, RuntimeError("no")])
def test_a_fail_with_neither_finding_nor_place_goes_up(db: Engine, fault: Exception | None) -> None:
    class Vague(fakes.Gatekeeper):
        def locate(self, inputs: Any, classes: Any) -> Any:
            if fault is not None:
                raise fault
            return [None] * len(inputs)

    factories.submit(db, factories.new_filing([ALONE, FAILING, CLEAR]))
    [token] = dispatched(db, fakes.Broker())

    factories.screen(db, token, Vague())

    assert [row["state"] for row in rows(db)] == ["escalated", "decided", "decided"]
    assert [row["span"] for row in rows(db)] == [None] * 3


def test_without_rules_nothing_is_analysed_and_the_gatekeeper_decides(db: Engine) -> None:
    factories.submit(db, factories.new_filing([CLEAR, SURE, ALONE]))
    [token] = dispatched(db, fakes.Broker())

    factories.screen(db, token, checks=None)

    assert [(row["verdict"], row["disputed"]) for row in rows(db)] == [
        ("Pass", False),
        ("Pass", False),
        ("Fail", False),
    ]
    assert rows(db, ANALYSED) == []


ENDLESS = "A bracket comprising an endless plate."
SETTLED = "SELECT count(*) AS n FROM events WHERE move IN ('decide', 'fail') GROUP BY evaluation_id"
QUARANTINED = "SELECT detail FROM events WHERE move = 'fail'"


def test_a_set_that_takes_too_long_to_check_is_quarantined_alone_and_the_others_go_on(db: Engine) -> None:
    factories.submit(
        db,
        factories.new_filing([CLEAR, ENDLESS], tenant="office"),
        factories.new_filing([CLEAR, FAILING], tenant="office"),
        factories.new_filing([CLEAR, DOUBTFUL], tenant="stranger"),
    )
    broker = fakes.Broker()
    [token] = dispatched(db, broker)

    moved = factories.screen(db, token)

    states = [(row["tenant"], row["state"], row["error"]) for row in rows(db)]
    assert states.count(("office", "failed", "check_too_slow")) == 2
    stranger = [state for tenant, state, _ in states if tenant == "stranger"]
    assert stranger == ["decided", "escalated"]
    left = [state for tenant, state, _ in states if tenant == "office" and state == "queued"]
    assert moved == 6 - len(left)

    for token in dispatched(db, broker):  # what was given back for its sake
        factories.screen(db, token)
    office = sorted((row["state"], row["error"]) for row in rows(db) if row["tenant"] == "office")
    assert office == [("decided", None)] * 2 + [("failed", "check_too_slow")] * 2
    assert {row["n"] for row in rows(db, SETTLED)} == {1}
    assert {row["tries"] for row in rows(db)} == {0}
    assert rows(db, "SELECT count(*) AS n FROM leases WHERE stage = 'fast'") == [{"n": 0}]
    assert rows(db, QUARANTINED) == [{"detail": "check_too_slow"}] * 2
    assert len(rows(db, ANALYSED)) == 2
    assert factories.illegal_chains(db) == []


def test_a_quarantined_claim_can_be_replayed(db: Engine) -> None:
    factories.submit(db, factories.new_filing([ENDLESS]))
    [token] = dispatched(db, fakes.Broker())
    assert factories.screen(db, token) == 1
    [failed] = rows(db)

    assert flow.replay(db, failed["tenant"], [failed["id"]], limit=1, actor="client") == [failed["id"]]

    assert rows(db)[0]["state"] == "queued"


def test_the_expert_is_not_asked_about_a_claim_whose_set_takes_too_long_to_check(db: Engine) -> None:
    # Given a claim that escalated under older rules, so that its filing is analysed again
    token = escalated(db, fakes.Broker(), DOUBTFUL.replace("long", "endless"))
    with db.begin() as connection:
        connection.execute(text("UPDATE analyses SET rules = 'ace-0.0.1'"))

    moved, expert = examine(db, token, FAIL)

    assert (moved, expert.asked) == (True, [])
    assert (rows(db)[1]["state"], rows(db)[1]["error"]) == ("failed", "check_too_slow")


def test_what_was_compared_with_tau_is_kept_whatever_it_is(db: Engine) -> None:
    other = replace(fakes.CALIBRATION, score="h6", tau=1.0)
    factories.submit(db, factories.new_filing([CLEAR, DOUBTFUL]))
    [token] = dispatched(db, fakes.Broker())

    factories.screen(db, token, fakes.Gatekeeper(calibration=other))

    for row in rows(db):
        assert (row["score"], row["doubt"]) == ("h6", row["h6"])
        assert (row["state"] == "escalated") == (row["doubt"] > row["tau"])
    assert rows(db)[1]["u"] < rows(db)[1]["tau"] < rows(db)[1]["doubt"]


def test_a_claim_that_breaks_scoring_goes_up_and_the_rest_go_through(db: Engine) -> None:
    factories.submit(db, factories.new_filing([CLEAR, BREAKING, OTHER]))
    [token] = dispatched(db, fakes.Broker())

    factories.screen(db, token)

    assert [row["state"] for row in rows(db)] == ["decided", "escalated", "decided"]
    assert (rows(db)[1]["u"], rows(db)[1]["doubt"]) == (None, None)
    assert rows(db)[1]["probabilities"] == [None] * 6


def test_the_gatekeeper_sees_the_claims_that_a_claim_depends_on(db: Engine) -> None:
    factories.submit(db)
    [token] = dispatched(db, fakes.Broker())
    gatekeeper = fakes.Gatekeeper()

    factories.screen(db, token, gatekeeper)

    third = next(one for one in gatekeeper.seen if one.number == 3)
    assert third.ancestors == (f"2. {factories.BRACKET[1]}", f"1. {factories.BRACKET[0]}")


def test_a_message_delivered_twice_moves_its_claims_once(db: Engine) -> None:
    factories.submit(db)
    [token] = dispatched(db, fakes.Broker())

    assert [factories.screen(db, token), factories.screen(db, token)] == [3, 0]
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
                assert factories.screen(db, fresh) == 1
            return super().score(inputs)

    assert factories.screen(db, stale, Slow()) == 0
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
    assert (decided["verdict"], decided["decided_by"], decided["error_class"], decided["examined"]) == (
        "Fail",
        "expert",
        "ambiguity",
        1,
    )
    assert decided["ground"] == "rejection"
    [kept] = rows(db, "SELECT * FROM examinations")
    assert kept["id"] == decided["examination_id"]
    assert (kept["reasoning"], kept["prompt_version"], kept["model"]) == (
        FAIL.reasoning,
        "copt-test",
        "expert-1",
    )


def test_a_passing_fault_is_deferred_and_kept(db: Engine) -> None:
    token = escalated(db, fakes.Broker())

    examine(db, token, ExpertTransient("schema", "no", own=True))

    doubtful = rows(db)[1]
    assert (doubtful["state"], doubtful["error"], doubtful["examined"]) == ("escalated", "schema", 1)
    assert doubtful["due_at"] > doubtful["updated_at"]
    assert rows(db, "SELECT number, error FROM examinations") == [{"number": 1, "error": "schema"}]
    assert dispatched(db, fakes.Broker()) == []


def test_a_lasting_fault_fails_until_it_is_replayed(db: Engine) -> None:
    broker = fakes.Broker()
    token = escalated(db, broker)
    examine(db, token, ExpertPermanent("check_too_slow", "no", own=True))
    failed = rows(db)[1]
    assert (failed["state"], failed["error"], failed["failed_stage"]) == ("failed", "check_too_slow", "slow")
    assert failed["examined"] == 1

    assert flow.replay(db, factories.TENANT, [failed["id"]], limit=10, actor="api") == [failed["id"]]

    [again] = dispatched(db, broker)
    examine(db, again, FAIL)
    assert rows(db)[1]["state"] == "decided"
    assert [row["number"] for row in rows(db, "SELECT number FROM examinations ORDER BY number")] == [1, 2]
    assert factories.illegal_chains(db) == []


@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize(
    "kind", ["schema", "validation", "unavailable", "refused", "timeout", "unauthorised"]
)
def test_a_claim_fails_for_its_own_faults_alone(db: Engine, kind: str, own: bool) -> None:
    broker = fakes.Broker()
    token = escalated(db, broker)
    for _ in range(MAX_EXAMINATIONS + 2):
        examine_by(db, token, fakes.FaultyExpert([FAIL], kind=kind, own=own))
        if rows(db)[1]["state"] == "failed":
            break
        flow.dispatch(db, broker, LIMITS, actor="d")
        time_passes(db)
        [token] = dispatched(db, broker)

    last = rows(db)[1]
    assert (last["state"], last["error"]) == ("failed" if own else "examining", kind)
    assert rows(db, "SELECT breaker FROM endpoints") == [{"breaker": "closed" if own else "half_open"}]


def test_the_dispatcher_holds_the_slots_of_the_expert(db: Engine) -> None:
    factories.submit(db, factories.new_filing([DOUBTFUL] * 5))
    broker = fakes.Broker()
    [fast] = dispatched(db, broker)
    factories.screen(db, fast)

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
    assert factories.screen(db, token) == 0
    assert {row["state"] for row in rows(db)} == {"cancelled"}
    assert factories.illegal_chains(db) == []


def test_a_replay_wakes_who_listens(db: Engine, postgres_url: str) -> None:
    examine(db, escalated(db, fakes.Broker()), ExpertPermanent("check_too_slow", "no", own=True))
    listener = Listener(postgres_url, name="tests")
    assert not listener.wait(0)  # it listens from now on

    flow.replay(db, factories.TENANT, [rows(db)[1]["id"]], limit=10, actor="api")

    assert listener.wait(10)
    listener.close()
