"""The pages of operations and of the calibration: what they show and order, for whom, what they refuse."""

import re
from dataclasses import replace
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine, text

from ace import flow
from ace.desk import calibration, operations
from ace.gatekeeper.loading import SHIPPED_MODEL
from ace.routing.calibration import Calibration, ReliabilityBin
from ace.store import acts, jobs, moves, pauses, reads
from ace.store.database import transact
from ace.store.operating_tables import ALL_TENANTS, JobKind, Part, PauseKind
from ace.store.pauses import Order
from ace.store.scopes import DEFAULT_SCOPES, Scope
from ace.store.tables import Stage
from ace.workers.heartbeat import Heartbeat
from tests import factories, fakes
from tests.integration.desk.conftest import SignIn
from tests.integration.desk.outline import CLAIMS, EVIL, Outline, file, outline
from tests.integration.flow.test_dispatching import LIMITS

TENANT_ADMIN = (*DEFAULT_SCOPES, Scope.ADMIN)


def words(page: Outline) -> str:
    return re.sub(r"\s+", " ", page.text)


def links(page: Outline, part: str) -> list[str]:
    return [href for href in page.all("href") if part in href]


# Pauses


def test_a_tenant_is_paused_and_resumed_with_a_reason(signed_in: SignIn, db: Engine) -> None:
    desk = signed_in(*TENANT_ADMIN)
    file(desk, CLAIMS)
    (pause,) = links(outline(desk.get("/operations")), "/operations/pause?")
    form = outline(desk.get(pause))
    assert "No claim of office will be sent to a worker" in words(form)
    given = {"kind": "tenant", "name": "office", "drain": "yes", "reason": "wrong claims"}
    assert desk.post("/operations/pause", data=given).headers["location"] == "/operations"

    page = outline(desk.get("/operations"))
    assert "tenant office drained" in words(page)
    assert "wrong claims" in words(page)
    assert flow.dispatch(db, fakes.Broker(), LIMITS, actor="d").messages == 0
    (resume,) = links(page, "/resume")
    assert "wrong claims" in outline(desk.get(resume)).text
    assert desk.post(resume, data={"reason": "sorted out"}).status_code == 303
    after = outline(desk.get("/operations"))
    assert links(after, "/resume") == []
    assert "resume: tenant office sorted out" in words(after)
    assert desk.get(resume).status_code == 404
    assert flow.dispatch(db, fakes.Broker(), LIMITS, actor="d").messages > 0


def test_an_operator_pauses_what_all_share(signed_in: SignIn, db: Engine, work: Any) -> None:
    flow.dispatch(db, fakes.Broker(), LIMITS, actor="d")  # declares the endpoint
    desk = signed_in(*Scope)
    file(desk, CLAIMS)
    found = links(outline(desk.get("/operations")), "/operations/pause?")
    name = LIMITS.declared[0].name
    assert sorted(found) == sorted(
        [
            "/operations/pause?kind=tenant&name=office",
            f"/operations/pause?kind=endpoint&name={name}",
            "/operations/pause?kind=stage&name=fast",
            "/operations/pause?kind=stage&name=slow",
            "/operations/pause?kind=tenant&name=office",
        ]
    )
    for href in found:
        outline(desk.get(href))
    given = {"kind": "endpoint", "name": name, "drain": "no", "reason": "a new model"}
    assert desk.post("/operations/pause", data=given).status_code == 303
    reader = outline(signed_in().get("/operations"))
    assert "a new model" in words(reader)  # whoever waits may know why
    assert links(reader, "/resume") == []


def test_who_reads_sees_no_buttons_and_orders_nothing(signed_in: SignIn, db: Engine, work: Any) -> None:
    file(signed_in(), CLAIMS)
    work.fail("timeout")
    page = outline(signed_in(Scope.READ).get("/operations"))
    assert links(page, "/operations/") == []
    assert "Pause" not in page.text
    pause_id = uuid4()
    reader = signed_in(Scope.READ)
    for method, path in (
        ("GET", "/operations/pause?kind=tenant&name=office"),
        ("POST", "/operations/pause"),
        ("GET", f"/operations/pauses/{pause_id}/resume"),
        ("POST", f"/operations/pauses/{pause_id}/resume"),
        ("GET", "/operations/replay"),
        ("POST", "/operations/replay"),
        ("POST", f"/operations/jobs/{pause_id}/cancel"),
    ):
        answer = reader.request(method, path, data={"reason": "x"} if method == "POST" else None)
        assert answer.status_code == 403, path


@pytest.mark.parametrize("given", [{"kind": "stage", "name": "fast"}, {"kind": "tenant", "name": "stranger"}])
def test_an_admin_of_a_tenant_pauses_nothing_of_others(
    signed_in: SignIn, db: Engine, given: dict[str, str]
) -> None:
    answer = signed_in(*TENANT_ADMIN).post("/operations/pause", data={**given, "reason": "x"})
    assert answer.status_code == 403
    assert transact(db, pauses.in_force) == []


@pytest.mark.parametrize("reason", ["", "   ", "x" * 201])
def test_no_order_without_a_reason(signed_in: SignIn, db: Engine, reason: str) -> None:
    desk = signed_in(*Scope)
    pause = {"kind": "tenant", "name": "office", "reason": reason}
    for path, given in (("/operations/pause", pause), ("/operations/replay", {"reason": reason})):
        assert desk.post(path, data=given).status_code in {413, 422}
    assert transact(db, partial(acts.latest, tenant="office", limit=9)) == []


# Replays


def test_all_that_failed_with_one_error_are_replayed_as_a_job(
    desk: TestClient, db: Engine, work: Any
) -> None:
    file(desk, CLAIMS)
    work.fail("timeout")
    (replay,) = links(outline(desk.get("/operations")), "/operations/replay")
    form = outline(desk.get(replay))
    assert "2 claims failed without a verdict, error timeout" in words(form)
    answer = desk.post("/operations/replay", data={"error": "timeout", "reason": "the expert is back"})
    job = answer.headers["location"]
    shown = outline(desk.get(job))
    assert "running: 0 of 2 claims" in words(shown)
    assert shown.all("data-live") == ["always"]
    flow.dispatch(db, fakes.Broker(), LIMITS, actor="d")
    shown = outline(desk.get(job))
    assert "done: 2 of 2 claims" in words(shown)
    assert shown.all("data-live") == []
    page = words(outline(desk.get("/operations")))
    assert "done, 2 of 2 the expert is back" in page
    assert "No claim has failed" in page
    assert "There is nothing to replay" in outline(desk.get(replay)).text


def test_a_job_is_cancelled(desk: TestClient, db: Engine, work: Any) -> None:
    file(desk, CLAIMS)
    work.fail("timeout")
    job = desk.post("/operations/replay", data={"reason": "by mistake"}).headers["location"]
    assert desk.post(f"{job}/cancel", data={"reason": "too early"}).headers["location"] == job
    assert "cancelled: 0 of 2 claims" in words(outline(desk.get(job)))
    flow.dispatch(db, fakes.Broker(), LIMITS, actor="d")
    assert set(factories.states(db).values()) == {"failed"}


def test_a_re_evaluation_is_shown_as_what_it_is(desk: TestClient, db: Engine, work: Any) -> None:
    file(desk, CLAIMS)
    work.decide()
    order = Order("office", "key:1", "a new model")
    ordered = partial(jobs.order, given=order, which=reads.Filter(), kind=JobKind.REEVALUATE)
    job = transact(db, ordered)
    shown = words(outline(desk.get(f"/operations/jobs/{job}")))
    assert "Re-evaluation of decided claims" in shown
    assert "running: 0 of 2 claims" in shown


# Others


def test_nothing_of_another_tenant_is_shown_or_ordered(signed_in: SignIn, db: Engine, work: Any) -> None:
    ours = signed_in(*TENANT_ADMIN)
    file(ours, CLAIMS)
    work.fail("timeout")
    ours.post("/operations/pause", data={"kind": "tenant", "name": "office", "reason": "our secret"})
    job = ours.post("/operations/replay", data={"reason": "our secret"}).headers["location"]
    (resume,) = links(outline(ours.get("/operations")), "/resume")
    theirs = signed_in(*TENANT_ADMIN, tenant="stranger")
    assert "our secret" not in theirs.get("/operations").text
    assert "0 claims failed" in words(outline(theirs.get("/operations/replay")))
    for method, path in (("GET", job), ("POST", f"{job}/cancel"), ("GET", resume), ("POST", resume)):
        answer = theirs.request(method, path, data={"reason": "x"} if method == "POST" else None)
        assert answer.status_code == 404, path
        assert "our secret" not in answer.text
    assert [row["name"] for row in transact(db, pauses.in_force)] == ["office"]
    assert "running" in outline(ours.get(job)).text


@pytest.mark.parametrize(
    "path",
    [
        "/operations/pause",
        f"/operations/pauses/{UUID(int=1)}/resume",
        "/operations/replay",
        f"/operations/jobs/{UUID(int=1)}/cancel",
    ],
)
def test_no_other_site_can_order_anything(signed_in: SignIn, db: Engine, path: str) -> None:
    desk = signed_in(*Scope)
    given = {"kind": "tenant", "name": "office", "reason": "x"}
    for headers in (
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
    ):
        answer = desk.post(path, data=given, headers=headers)
        assert answer.status_code == 403
        assert "another site" in answer.text
    assert transact(db, pauses.in_force) == []


def test_reasons_and_names_never_become_markup(signed_in: SignIn, db: Engine) -> None:
    desk = signed_in(*Scope)
    words_of_evil = EVIL[:150]
    given = {"kind": "tenant", "name": words_of_evil, "reason": words_of_evil}
    assert desk.post("/operations/pause", data=given).status_code == 404  # no tenant has this name
    order = Order(ALL_TENANTS, "cli:ops", words_of_evil)
    begin = partial(pauses.begin, order=order, kind=PauseKind.TENANT, name=words_of_evil, drain=False)
    transact(db, begin)
    page = outline(desk.get("/operations"))  # which refuses active content
    assert words_of_evil in page.text
    for href in [*links(page, "/resume"), f"/operations/replay?docket={words_of_evil}"]:
        outline(desk.get(href))


def test_the_last_hour_is_drawn_with_its_numbers(desk: TestClient, db: Engine, work: Any) -> None:
    file(desk, CLAIMS)
    work.decide()
    transact(db, moves.compact_tallies)
    page = outline(desk.get("/operations"))
    assert [attrs["class"] for tag, attrs in page.tags if tag == "rect"] == ["rail", "s-gatekeeper"]
    assert "2 claims by the gatekeeper, 0 by the expert" in words(page)


def screened_by(db: Engine, calibration: str) -> None:
    with db.begin() as connection:
        connection.execute(text("UPDATE evaluations SET calibration = :id"), {"id": calibration})


def test_the_experts_share_is_that_of_the_calibration_in_force(
    desk: TestClient, db: Engine, work: Any
) -> None:
    record = Calibration.load(SHIPPED_MODEL / "calibration.json")
    file(desk, "\n".join(f"{number}. A bracket comprising a plate." for number in range(1, 41)))
    work.decide()
    transact(db, moves.compact_tallies)

    # Given verdicts by the calibration before
    page = words(outline(desk.get("/operations")))
    assert "The calibration in force has screened no claim in the last hour. It expects 20" in page
    assert "these claims differ" not in page

    screened_by(db, record.id)
    page = words(outline(desk.get("/operations")))
    assert (
        "Of the last 40 claims that the calibration in force has screened in this hour, 0 % went"
        in page.replace("\N{NO-BREAK SPACE}", " ")
    )
    assert "these claims differ" in page
    assert "not what the calibration expects" in page


def test_a_record_that_never_asks_expects_nothing_of_the_expert(
    desk: TestClient, db: Engine, work: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operations, "record_shown", lambda _: replace(fakes.CALIBRATION, escalation=0.0))
    file(desk, CLAIMS)
    work.decide()
    transact(db, moves.compact_tallies)
    shown = words(outline(desk.get("/operations")))
    assert "2 claims by the gatekeeper" in shown
    assert "The calibration expects" not in shown


def test_workers_and_tenants_are_shown_to_operators(signed_in: SignIn, db: Engine) -> None:
    file(signed_in(), CLAIMS)
    leased = factories.lease(db, Stage.FAST)
    assert leased is not None
    transact(db, partial(moves.start, token=leased.token, worker="fast@machine:1", lease_seconds=60))
    Heartbeat(db, Part.GATEKEEPER, "fast@machine:1").begin()
    Heartbeat(db, Part.EXPERT_WORKER, "slow@machine:2").begin()

    page = words(outline(signed_in(*Scope).get("/operations")))

    assert "gatekeeper worker fast@machine:1" in page
    assert "2 claims in 1 message since" in page
    assert "expert worker slow@machine:2" in page
    assert "nothing: idle" in page
    assert "No dispatcher is running: nothing is sent to workers." in page
    assert "office 2 not moving 0 –" in page
    reader = signed_in(*TENANT_ADMIN).get("/operations").text
    assert "fast@machine:1" not in reader
    assert "No dispatcher is running" in reader


def test_nothing_needs_attention_only_if_every_part_runs_and_nothing_is_paused(
    signed_in: SignIn, db: Engine
) -> None:
    desk = signed_in(*Scope)
    assert "Nothing needs attention" not in desk.get("/operations").text
    for part in Part:
        Heartbeat(db, part, f"{part}@machine:1").begin()
    assert "Nothing needs attention" in desk.get("/operations").text

    order = Order(ALL_TENANTS, "cli:ops", "night shift")
    transact(db, partial(pauses.begin, order=order, kind=PauseKind.TENANT, name="other", drain=False))
    page = words(outline(desk.get("/operations")))
    assert "Nothing needs attention" not in page
    assert "Tenant other has been paused for 0 s: none of its claims is sent to a worker." in page
    assert "Nothing needs attention" in signed_in(*TENANT_ADMIN).get("/operations").text  # it is not theirs


def test_a_queue_shows_its_rate_and_when_it_will_be_empty(desk: TestClient, db: Engine, work: Any) -> None:
    file(desk, CLAIMS)
    work.decide()
    transact(db, moves.compact_tallies)
    with db.begin() as connection:  # two minutes at 100 a minute
        connection.execute(
            text(
                "UPDATE decided_by_minute SET total = 200,"
                " minute = date_trunc('minute', now()) - '2 min'::interval"
            )
        )
    file(desk, "\n".join(f"{number}. A bracket comprising a plate." for number in range(1, 61)))
    assert "not moving" in desk.get("/operations").text  # nobody works on it
    for part in Part:
        Heartbeat(db, part, f"{part}@machine:1").begin()
    page = words(outline(desk.get("/operations")))
    assert re.search(r"wait for the gatekeeper 60 \d+ s (6[7-9]|[78]\d|9\d|100) about \d+ s", page)


def test_an_operators_acts_are_shown_to_operators_alone(signed_in: SignIn, db: Engine) -> None:
    order = Order(ALL_TENANTS, "cli:ops", "night shift")
    begin = partial(pauses.begin, order=order, kind=PauseKind.TENANT, name="other", drain=False)
    transact(db, begin)
    assert "night shift" in signed_in(*Scope).get("/operations").text
    assert "night shift" not in signed_in(*TENANT_ADMIN).get("/operations").text


# Calibration


def test_the_calibration_says_what_another_tau_would_do(desk: TestClient) -> None:
    page = outline(desk.get("/calibration"))
    record = Calibration.load(SHIPPED_MODEL / "calibration.json")
    assert f"tau = {record.tau:.3f}" in page.text
    drawn = [attrs["class"] for tag, attrs in page.tags if tag == "path"]
    assert drawn[:8] == 2 * ["grid", "curve", "dot stands", "dot tried"]
    assert "Reliability by probability" in {attrs.get("aria-label") for _, attrs in page.tags}
    none, half = (words(outline(desk.get("/calibration", params={"escalation": e}))) for e in (0, 50))
    escalated = round(1_000 * record.escalation)
    assert f"go to the expert {escalated} 0" in none
    assert "of its wrong verdicts, seen by the expert" in none
    assert f"go to the expert {escalated} 500" in half
    for escalation in ("-1", "1000", "nan", "x"):
        assert desk.get("/calibration", params={"escalation": escalation}).status_code == 422


def test_reliability_is_drawn_with_its_table_if_the_record_holds_it(
    desk: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    bins = (ReliabilityBin(0.0, 0.066667, 900, 0.02, 0.01), ReliabilityBin(0.933333, 1.0, 100, 0.97, 0.88))
    record = replace(Calibration.load(SHIPPED_MODEL / "calibration.json"), reliability=bins)
    monkeypatch.setattr(calibration, "calibration_of", lambda settings: record)
    page = outline(desk.get("/calibration"))
    dots = [attrs for tag, attrs in page.tags if tag == "path" and attrs["class"] == "dot"]
    assert [dot["stroke-width"] for dot in dots] == ["18.0", "6.0"]
    assert "0–7 % 900 2.0 % 1.0 %" in words(page)
    assert "93–100 % 100 97.0 % 88.0 %" in words(page)


def test_the_calibration_wants_the_scope_read(signed_in: SignIn) -> None:
    assert signed_in(Scope.SUBMIT).get("/calibration").status_code == 403
