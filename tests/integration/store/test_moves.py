"""Every move against a real database: which states it takes, and that tokens fence it."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from uuid import UUID, uuid4

import pytest
from sqlalchemy import Connection, Engine, text

from ace.claims.chains import kept_set
from ace.store import counts, moves, reads
from ace.store.database import transact
from ace.store.tables import MOVES, Stage, State
from ace.types.rules_version import RulesVersion
from tests import factories


def put(db: Engine, state: State, token: UUID, *, failed_stage: str = "fast") -> UUID:
    """One evaluation in `state`, with a lease where a worker would hold one."""
    evaluation = factories.submit(db, factories.new_filing(["A hook."]))[0].evaluations[0][1]
    running = {State.SCREENING: "fast", State.EXAMINING: "slow"}.get(state)
    with db.begin() as connection:
        connection.execute(
            text(
                "UPDATE evaluations SET state = :state, lease = :lease, failed_stage = :stage WHERE id = :id"
            ),
            {
                "state": state,
                "lease": token if running else None,
                "stage": failed_stage if state is State.FAILED else None,
                "id": evaluation,
            },
        )
        if running:
            connection.execute(
                text(
                    "INSERT INTO leases (token, stage, worker, started_at, until)"
                    " VALUES (:token, :stage, 't', now(), now() + interval '1 minute')"
                ),
                {"token": token, "stage": running},
            )
        moves.recount(connection)
    return evaluation


def filing_of(connection: Connection, evaluation: UUID) -> UUID:
    return connection.execute(
        text("SELECT filing_id FROM evaluations WHERE id = :id"), {"id": evaluation}
    ).scalar_one()


def counted(db: Engine) -> dict[tuple[str, str], int]:
    """What the tallies say."""
    with db.connect() as connection:
        return counts.state_counts(connection)


def standing(db: Engine) -> dict[tuple[str, str], int]:
    """What is there."""
    with db.connect() as connection:
        rows = connection.execute(
            text("SELECT state, coalesce(decided_by, ''), count(*) FROM evaluations GROUP BY 1, 2")
        )
        return {(state, by): count for state, by, count in rows}


def lapse(connection: Connection, token: UUID) -> None:
    connection.execute(
        text("UPDATE leases SET until = now() - interval '1 second' WHERE token = :token"),
        {"token": token},
    )


Move = Callable[[Connection, UUID, UUID], object]


def expired(connection: Connection, _evaluation: UUID, token: UUID) -> object:
    lapse(connection, token)
    return moves.expire(connection, max_tries=3, actor="t")


# move -> (what it does, the states it may take, whether it needs the token)
TABLE: dict[str, tuple[Move, dict[State, State], bool]] = {
    "dispatch fast": (
        lambda c, _e, _t: moves.lease_due(
            c, bound=9, lease_seconds=9, budget_tokens=99, max_claims=9, max_tries=3, actor="t"
        ),
        {State.QUEUED: State.SCREENING},
        False,
    ),
    "dispatch slow": (
        lambda c, _e, _t: factories.lease_slow(c, seconds=9),
        {State.ESCALATED: State.EXAMINING},
        False,
    ),
    "decide fast": (
        lambda c, e, t: moves.screened(c, t, factories.verdicts([e]), actor="t"),
        {State.SCREENING: State.DECIDED, State.EXAMINING: State.ESCALATED},  # the latter gives back
        True,
    ),
    "escalate": (
        lambda c, e, t: moves.screened(c, t, factories.verdicts([e], escalate=True), actor="t"),
        {State.SCREENING: State.ESCALATED, State.EXAMINING: State.ESCALATED},
        True,
    ),
    "decide slow": (
        lambda c, e, t: moves.examined(c, t, factories.examination(e, "Pass"), actor="t"),
        {State.EXAMINING: State.DECIDED},
        True,
    ),
    "defer": (
        lambda c, e, t: moves.deferred(
            c,
            t,
            factories.examination(e, error="timeout"),
            delay_seconds=5,
            own=True,
            actor="t",
        ),
        {State.EXAMINING: State.ESCALATED},
        True,
    ),
    "fail": (
        lambda c, e, t: moves.failed(c, t, factories.examination(e, error="schema"), actor="t"),
        {State.EXAMINING: State.FAILED},
        True,
    ),
    "release": (
        lambda c, _e, t: moves.release(c, [t], actor="t", worker="t"),
        {State.SCREENING: State.QUEUED, State.EXAMINING: State.ESCALATED},
        True,
    ),
    "expire": (
        expired,
        {State.SCREENING: State.QUEUED, State.EXAMINING: State.ESCALATED},
        True,
    ),
    "replay": (
        lambda c, e, _t: moves.replay(c, factories.TENANT, [e], actor="t"),
        {State.FAILED: State.QUEUED},
        False,
    ),
    "cancel": (
        lambda c, e, _t: moves.cancel(c, factories.TENANT, filing_of(c, e), actor="t"),
        {before: State.CANCELLED for before in State if before not in {State.DECIDED, State.CANCELLED}},
        False,
    ),
}


@pytest.mark.parametrize("fresh", [True, False], ids=["fresh token", "stale token"])
@pytest.mark.parametrize("state", list(State))
@pytest.mark.parametrize("name", list(TABLE))
def test_a_move_takes_its_states_and_no_other(db: Engine, name: str, state: State, fresh: bool) -> None:
    move, allowed, fenced = TABLE[name]
    token = uuid4()
    evaluation = put(db, state, token)

    transact(db, lambda connection: move(connection, evaluation, token if fresh else uuid4()))

    expected = allowed.get(state, state) if fresh or not fenced else state
    assert factories.states(db)[evaluation] == expected
    with db.connect() as connection:
        events = connection.execute(
            text("SELECT move, before, after FROM events WHERE evaluation_id = :id ORDER BY number"),
            {"id": evaluation},
        ).all()
    assert counted(db) == standing(db)
    assert len(events) == (2 if expected is not state else 1)
    if expected is not state:
        assert (events[-1].before, events[-1].after) == (state, expected)
        assert (state, expected) in MOVES[events[-1].move]


def test_a_submission_stores_claims_with_their_ancestors_and_queues_each(db: Engine) -> None:
    accepted = factories.submit(db)[0]

    leased = factories.lease(db, Stage.FAST)

    assert leased is not None
    assert set(leased.evaluations) == {id_ for _, id_ in accepted.evaluations}
    with db.connect() as connection:
        held = factories.held(connection, leased.token)
    third = next(one for one in held if one.claim.number == 3)
    assert third.claim.text == factories.BRACKET[2]
    assert third.claim.ancestors == (f"2. {factories.BRACKET[1]}", f"1. {factories.BRACKET[0]}")


def test_a_known_key_answers_as_the_first_time_and_another_body_conflicts(db: Engine) -> None:
    first, twin = factories.submit(db, factories.new_filing(key="k"), factories.new_filing(key="k"))
    again, other, foreign = factories.submit(
        db,
        factories.new_filing(key="k"),
        factories.new_filing(key="k", body_hash=b"other"),
        factories.new_filing(key="k", tenant="elsewhere"),
    )

    assert first.created
    assert not twin.created
    assert (twin.filing_id, twin.evaluations) == (first.filing_id, first.evaluations)
    assert (again.filing_id, again.conflict) == (first.filing_id, False)
    assert other.conflict
    assert foreign.created


def test_the_budget_bounds_a_message_but_never_starves_a_long_claim(db: Engine) -> None:
    long = "A hook " + "that is bent " * 500 + "."
    factories.submit(db, factories.new_filing([long, *["A hook with a plate that is bent."] * 3], priority=1))

    sizes = []
    while leased := factories.lease(db, Stage.FAST, budget=35):
        sizes.append(len(leased.evaluations))

    assert sizes == [1, 2, 1]


def test_urgent_filings_go_first(db: Engine) -> None:
    factories.submit(db, factories.new_filing(priority=5))
    urgent = factories.submit(db, factories.new_filing(priority=0))[0]

    leased = factories.lease(db, Stage.FAST, most=3)

    assert leased is not None
    assert set(leased.evaluations) == {id_ for _, id_ in urgent.evaluations}


def test_a_message_is_taken_up_once(db: Engine) -> None:
    factories.submit(db)
    leased = factories.lease(db, Stage.FAST)
    assert leased is not None

    answers = [
        transact(db, partial(moves.start, token=leased.token, worker=name, lease_seconds=9))
        for name in ("one", "two")
    ]

    assert answers == [True, False]


def test_a_claim_that_loses_three_workers_is_quarantined_alone(db: Engine) -> None:
    factories.submit(db)
    messages = []
    for _ in range(2):  # a claim whose worker was lost once goes with others that were
        together = factories.lease(db, Stage.FAST)
        assert together is not None
        messages.append((len(together.evaluations), together.alone))
        lose_worker(db, together)

    alone = []
    while leased := factories.lease(db, Stage.FAST):
        alone.append(leased)
    for leased in alone[1:]:
        transact(
            db,
            lambda c, leased=leased: moves.screened(
                c, leased.token, factories.verdicts(leased.evaluations), actor="t"
            ),
        )
    lose_worker(db, alone[0])

    assert messages == [(3, False), (3, False)]
    assert [(len(leased.evaluations), leased.alone) for leased in alone] == [(1, True)] * 3
    assert sorted(factories.states(db).values()) == ["decided", "decided", "failed"]
    assert factories.illegal_chains(db) == []


def test_what_a_living_worker_took_up_is_released_by_nobody_else(db: Engine) -> None:
    factories.submit(db)
    leased = factories.lease(db, Stage.FAST)
    assert leased is not None
    transact(db, lambda c: moves.start(c, leased.token, worker="alive", lease_seconds=60))

    released = [
        transact(db, partial(moves.release, tokens=[leased.token], actor="t", worker=worker))
        for worker in (None, "other", "alive")
    ]

    assert released == [0, 0, 3]


def analysed(db: Engine, token: UUID, made: str, rules: str = "r-1") -> None:
    """Somebody with this token keeps an analysis of the only filing."""
    with db.begin() as connection:
        filing = connection.execute(text("SELECT id FROM filings")).scalar_one()
        analyses = moves.Analyses({filing: made}, RulesVersion(rules, "US"))
        moves.keep_analyses(connection, token, analyses)


def kept(db: Engine) -> list[tuple[str, object]]:
    """The analyses in the database, with what they were made with."""
    with db.connect() as connection:
        rows = connection.execute(text("SELECT rules, claims FROM analyses ORDER BY rules"))
        return [(rules, claims) for rules, claims in rows]


def test_an_analysis_is_kept_once_for_each_version_of_the_rules_and_never_changed(db: Engine) -> None:
    factories.submit(db)
    leased = factories.lease(db, Stage.FAST)
    assert leased is not None

    for made, rules in (('{"1": {}}', "r-1"), ('{"2": {}}', "r-1"), ('{"3": {}}', "r-2")):
        analysed(db, leased.token, made, rules)

    assert kept(db) == [("r-1", {"1": {}}), ("r-2", {"3": {}})]


def test_who_lost_the_lease_keeps_no_analysis(db: Engine) -> None:
    factories.submit(db)
    leased = factories.lease(db, Stage.FAST)
    assert leased is not None

    analysed(db, uuid4(), "{}")
    transact(db, partial(moves.release, tokens=[leased.token], actor="t"))
    analysed(db, leased.token, "{}")

    assert kept(db) == []


def test_a_worker_is_given_the_analysis_that_is_stored_or_else_the_set(db: Engine) -> None:
    factories.submit(db)
    leased = factories.lease(db, Stage.FAST)
    assert leased is not None
    version = RulesVersion("r-1", "US")

    def taken(version: RulesVersion | None, characters: int = 10_000) -> reads.Taken:
        read = partial(reads.taken, max_chain_characters=1_000, max_set_characters=characters)
        return transact(db, partial(read, token=leased.token, version=version))

    (claims,) = taken(version).sets.values()
    assert claims == list(enumerate(factories.BRACKET, 1))
    assert taken(version, 10).sets == taken(None).sets == {}

    analysed(db, leased.token, '{"1": {"failure": "one"}, "3": {"failure": "three"}}')
    known, another = taken(version), taken(RulesVersion("r-2", "US"))
    assert known.sets == {}
    assert {one.claim.number: one.analysis for one in known.held} == {
        1: {"failure": "one"},
        2: None,
        3: {"failure": "three"},
    }
    assert {one.claim for one in known.held} == {one.claim for one in another.held}
    assert [one.analysis for one in another.held] == [None] * 3
    assert len(another.sets) == 1


def test_a_claim_that_is_not_pending_is_kept_and_not_evaluated(db: Engine) -> None:
    texts = (*factories.BRACKET[:2], "The bracket of claim 2, wherein the plate has two holes.")
    claims = kept_set([(1, texts[0]), (2, "(Canceled)"), (3, texts[2])])
    (accepted,) = factories.submit(db, replace(factories.new_filing(), claims=claims))

    assert [number for number, _ in accepted.evaluations] == [1, 3]
    leased = factories.lease(db, Stage.FAST)
    assert leased is not None
    held = transact(db, partial(factories.held, token=leased.token))
    assert {one.claim.number: one.claim.ancestors for one in held} == {1: (), 3: ("2. (Canceled)",)}
    assert {one.total for one in held} == {3}
    assert counted(db) == standing(db) == {("screening", ""): 2}


def test_a_worker_frozen_in_its_move_holds_up_nobody(db: Engine) -> None:
    factories.submit(db)
    stuck = factories.lease(db, Stage.FAST)
    factories.submit(db)
    silent = factories.lease(db, Stage.FAST)
    assert stuck is not None
    assert silent is not None
    with db.connect() as frozen:
        moves.screened(frozen, stuck.token, factories.verdicts(stuck.evaluations), actor="t")
        with db.begin() as connection:
            connection.execute(
                text("UPDATE leases SET until = now() - interval '1 second' WHERE token = :t"),
                {"t": silent.token},
            )
        taken_back = transact(db, lambda c: moves.expire(c, max_tries=3, actor="t"))

        assert taken_back == 3
        frozen.commit()
    assert sorted(factories.states(db).values()) == ["decided"] * 3 + ["queued"] * 3


@pytest.mark.parametrize(("away_seconds", "expired"), [(5, 0), (0.5, 3)], ids=["long", "short"])
def test_workers_get_the_time_of_an_outage_back_and_no_more(
    db: Engine, away_seconds: float, expired: int
) -> None:
    factories.submit(db)
    leased = factories.lease(db, Stage.FAST)
    assert leased is not None

    def work(connection: Connection) -> tuple[int, bool]:
        moves.start(connection, leased.token, worker="w", lease_seconds=9)
        lapse(connection, leased.token)  # a second ago
        for _ in range(3):
            moves.extend_leases(connection, Stage.FAST, lease_seconds=9, away_seconds=away_seconds / 3)
        beyond = connection.execute(text("SELECT bool_or(until > now() + interval '9 s') FROM leases"))
        return moves.expire(connection, max_tries=3, actor="t"), beyond.scalar_one()

    assert transact(db, work) == (expired, False)


def test_a_message_that_nobody_took_up_counts_no_try(db: Engine) -> None:
    factories.submit(db, factories.new_filing(["A hook."]))
    for _ in range(5):
        leased = factories.lease(db, Stage.FAST)
        assert leased is not None
        transact(db, lambda c, token=leased.token: expired(c, token, token))

    assert set(factories.states(db).values()) == {State.QUEUED}


def test_a_replay_goes_back_to_the_stage_that_failed(db: Engine) -> None:
    evaluation = put(db, State.FAILED, uuid4(), failed_stage="slow")

    replayed = [
        transact(db, lambda c: moves.replay(c, factories.TENANT, [evaluation], actor="t")) for _ in range(2)
    ]

    assert replayed == [[evaluation], []]
    assert factories.states(db)[evaluation] == State.ESCALATED


def test_another_tenant_moves_nothing(db: Engine) -> None:
    evaluation = put(db, State.FAILED, uuid4())

    with db.begin() as connection:
        assert moves.replay(connection, "elsewhere", [evaluation], actor="t") == []
        filing = filing_of(connection, evaluation)
        assert moves.cancel(connection, "elsewhere", filing, actor="t") == []


def lose_worker(db: Engine, leased: moves.Leased) -> None:
    """A worker takes the message up and is never heard of again."""

    def work(connection: Connection) -> None:
        assert moves.start(connection, leased.token, worker="lost", lease_seconds=9)
        lapse(connection, leased.token)
        moves.expire(connection, max_tries=3, actor="t")

    transact(db, work)
