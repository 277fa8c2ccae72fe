"""Random histories from several connections at once, held after each step against plain Python.

`FUZZ_EXAMPLES` sets how many histories are played; each has up to thirty steps.
"""

import copy
import os
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from random import Random
from typing import Any, Final
from uuid import UUID

import pytest
from hypothesis import note, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from sqlalchemy import Connection, Engine, text
from sqlmodel import SQLModel

from ace.store import counts, endpoints, moves, reads
from ace.store.database import transact
from ace.store.tables import MOVES, Stage, State
from tests import factories, orders
from tests.orders import KINDS, RIVALS, Order
from tests.reference import Reference

HISTORIES: Final = int(os.environ.get("FUZZ_EXAMPLES", "40"))
ROWS: Final = """
SELECT id, state, lease, tries, examined, outages, due_at <= now() AS due, verdict, decided_by, error,
  failed_stage, moves,
  (SELECT coalesce(array_agg(number ORDER BY number), '{}') FROM examinations WHERE evaluation_id = e.id)
    AS kept,
  (SELECT array_agg(number ORDER BY number) FROM events WHERE evaluation_id = e.id) AS numbers,
  (SELECT jsonb_agg(jsonb_build_array(move, before, after, detail) ORDER BY number)
   FROM events WHERE evaluation_id = e.id) AS chain
FROM evaluations e"""
SAME: Final = (
    *("state", "lease", "tries", "examined", "outages", "due", "verdict", "decided_by", "error"),
    "failed_stage",
)

SEEDS: Final = st.integers(0, 2**32)
STEPS: Final = (
    *("alone", "alone", "race", "race", "race", "work", "work", "lose", "lose", "break_off"),
    *("submit_within", "fall_silent", "come_due", "recover"),
)


class Machine(RuleBasedStateMachine):
    """Clients, dispatchers and workers with good and bad manners, two of them at a time."""

    def __init__(self, db: Engine, seen: set[tuple[Any, ...]]) -> None:
        super().__init__()
        self.model = Reference(orders.MAX_TRIES)
        self.seen = seen
        self.clients = [db.connect(), db.connect()]
        self.watch = db.connect().execution_options(isolation_level="AUTOCOMMIT")
        self.pids = [
            client.exec_driver_sql("SELECT pg_backend_pid()").scalar_one() for client in self.clients
        ]
        self.elsewhere = ThreadPoolExecutor(1)
        for connection in (*self.clients, self.watch):
            connection.exec_driver_sql("SET synchronous_commit = off")
            connection.commit()
        for table in reversed(SQLModel.metadata.sorted_tables):
            self.watch.execute(table.delete())

    def teardown(self) -> None:
        self.elsewhere.shutdown()
        for connection in (*self.clients, self.watch):
            connection.close()

    @initialize(seed=SEEDS)
    def begin(self, seed: int) -> None:
        """Claims in many states, so that every move soon has something to take."""
        dice = Random(seed)
        for _ in range(3):
            self._give(orders.submit(self.model, dice))
        for step in (self.work, self.lose, self.work, self.work, self.lose, self.work, self.recover):
            step(dice)

    # One rule and not many: hypothesis leaves some rules out of every history, and all are needed to
    # bring a claim to its end. It chooses seeds and not arguments, because which of the due claims a
    # dispatch takes is left to the database, and with it what there is to choose from afterwards.
    @rule(step=st.sampled_from(STEPS), seed=SEEDS)
    def step(self, step: str, seed: int) -> None:
        """Something happens."""
        getattr(self, step)(Random(seed))

    def alone(self, dice: Random) -> None:
        """One client after the other."""
        self._give(self._any(dice))

    def submit_within(self, dice: Random) -> None:
        """A submission that is refused where too much would wait."""
        self._give(orders.submit(self.model, dice, backlog=dice.randint(0, 30)))

    def work(self, dice: Random) -> None:
        """What goes well: dispatched, taken up, and spoken of by the worker that did."""
        if token := self._taken_up(dice):
            fast = self.model.leases[token].stage is Stage.FAST
            self._give((orders.screen if fast else orders.examine)(self.model, dice, token=token))

    def lose(self, dice: Random) -> None:
        """What goes badly: dispatched, taken up, and nobody is heard of again."""
        if token := self._taken_up(dice):
            self._lapse(token)
            self._give(orders.expire(self.model, dice))

    def recover(self, dice: Random) -> None:
        """A client has a claim that failed run again."""
        failed = [id_ for id_, claim in self.model.claims.items() if claim.state is State.FAILED]
        if failed:
            self._give(orders.replay(self.model, dice, ids=[dice.choice(failed)]))

    def fall_silent(self, dice: Random) -> None:
        """Time passes for one lease."""
        if self.model.leases:
            self._lapse(dice.choice(list(self.model.leases)))

    def come_due(self, _: Random) -> None:
        """Time passes for what was put off."""
        self.watch.execute(text("UPDATE evaluations SET due_at = now() WHERE due_at > now()"))
        for claim in self.model.claims.values():
            claim.due = True

    def break_off(self, dice: Random) -> None:
        """A process dies in the middle of its transaction."""
        self._any(dice).run(self.clients[0])
        self.clients[0].rollback()

    def race(self, dice: Random) -> None:
        """The second begins while the first is open: what comes of it is what one after the other gives."""
        one = self._any(dice, RIVALS)
        two = one if dice.random() < 0.5 else self._any(dice, RIVALS)  # a message may come twice
        commits = dice.random() < 0.5
        answer = one.run(self.clients[0])
        running = self.elsewhere.submit(_committed, two, self.clients[1])
        self._until_it_waits(running)
        self.clients[0].commit() if commits else self.clients[0].rollback()
        pairs = [(one, answer), (two, running.result())] if commits else [(two, running.result())]
        self._explain(pairs)

    def _any(self, dice: Random, kinds: Sequence[Callable[[Reference, Random], Order]] = KINDS) -> Order:
        order = dice.choice(kinds)(self.model, dice)
        note(f"{order.told}")
        return order

    def _taken_up(self, dice: Random) -> UUID | None:
        stage = dice.choice([stage for stage in Stage if self.model.due(stage)] or list(Stage))
        answer = self._give(orders.dispatch(self.model, dice, stage=stage))
        leased = next(iter(answer[1]), None) if stage is Stage.SLOW else answer
        if leased is None:
            return None
        self._give(orders.start(self.model, dice, token=leased.token))
        return UUID(int=leased.token.int)

    def _lapse(self, token: UUID) -> None:
        sql = "UPDATE leases SET until = now() - interval '1 second' WHERE token = :token"
        self.watch.execute(text(sql), {"token": token})
        self.model.leases[token].lapsed = True

    def _give(self, order: Order) -> Any:
        answer = _committed(order, self.clients[0])
        order.book(self.model, answer, False)
        self.clients.reverse()
        self.pids.reverse()
        return answer

    def _until_it_waits(self, running: "Future[Any]") -> None:
        """Returns when the second client is done, or waits for a lock of the first."""
        sql = text("SELECT wait_event_type = 'Lock' FROM pg_stat_activity WHERE pid = :pid")
        while not running.done() and not self.watch.execute(sql, {"pid": self.pids[1]}).scalar_one():
            time.sleep(0.0005)

    def _explain(self, pairs: list[tuple[Order, Any]]) -> None:
        """Takes over the order of two transactions that explains their answers and what is stored."""
        faults = []
        for sequence in [pairs, pairs[::-1]][: len(pairs)]:
            model = copy.deepcopy(self.model)
            try:
                for order, answer in sequence:
                    order.book(model, answer, True)
                self._agree(model)
            except AssertionError as fault:
                faults.append(fault)
            else:
                self.model = model
                return
        raise ExceptionGroup("no order of the two explains what came of them", faults)

    @invariant()
    def nothing_else_is_stored(self) -> None:
        """After every step, the tables say what the model says."""
        self._agree(self.model)

    def _agree(self, model: Reference) -> None:
        rows = {row["id"]: row for row in self.watch.execute(text(ROWS)).mappings()}
        assert rows.keys() == model.claims.keys()
        for id_, claim in model.claims.items():
            row = rows[id_]
            assert {name: row[name] for name in SAME} == {name: getattr(claim, name) for name in SAME}
            assert [tuple(move) for move in row["chain"]] == claim.chain
            assert row["numbers"] == list(range(1, row["moves"] + 1))
            assert row["kept"] == list(range(1, claim.kept + 1))
            assert sum(move == "decide" for move, *_ in claim.chain) == (claim.state is State.DECIDED)
            self.seen.update(move[:3] for move in claim.chain)
        leases = self.watch.execute(text("SELECT token, stage, worker, until < now(), endpoint FROM leases"))
        assert {tuple(lease) for lease in leases} == {
            (token, lease.stage, lease.worker, lease.lapsed, lease.endpoint)
            for token, lease in model.leases.items()
        }
        self._agree_endpoints(model)
        assert {claim.lease for claim in model.claims.values() if claim.lease} <= model.leases.keys()
        self._agree_reads(model)

    def _agree_endpoints(self, model: Reference) -> None:
        outcomes = self.watch.execute(text("SELECT endpoint, token, error FROM outcomes"))
        assert Counter(map(tuple, outcomes)) == Counter(model.outcomes)
        shown = {one.state.name: one for one in endpoints.statuses(self.watch)}
        assert not model.learned or set(shown) == set(orders.ENDPOINTS)
        for name, one in shown.items():
            assert one.state.answers + sum(one.state.faults.values()) == model.learned[name]
            assert 1 <= one.state.slots <= one.state.most
            assert one.in_flight == sum(lease.endpoint == name for lease in model.leases.values())

    def _agree_reads(self, model: Reference) -> None:
        assert counts.state_counts(self.watch) == model.state_counts()
        for tenant in orders.TENANTS:
            assert counts.backlog(self.watch, tenant) == model.backlog(tenant)
        assert reads.settled(self.watch, [*model.claims, orders.NOBODY]) == model.settled()
        for token in model.issued[-2:]:
            found = factories.held(self.watch, token, max_chain_characters=100)
            claims = {id_: model.claims[id_] for id_ in model.held(token)}
            assert {one.evaluation_id: (one.examined, one.outages) for one in found} == {
                id_: (claim.examined, claim.outages) for id_, claim in claims.items()
            }


def _committed(order: Order, connection: Connection) -> Any:
    answer = order.run(connection)
    connection.commit()
    return answer


@pytest.mark.slow
def test_random_histories_end_as_the_model_says(db: Engine) -> None:
    seen: set[tuple[Any, ...]] = set()
    run_state_machine_as_test(
        lambda: Machine(db, seen),
        settings=settings(max_examples=HISTORIES, stateful_step_count=30),
    )
    assert {name for name, *_ in seen} == MOVES.keys()


def test_a_verdict_on_what_a_lease_does_not_hold_leaves_the_lease_alone(db: Engine) -> None:
    factories.submit(db)
    leased = factories.lease(db, Stage.FAST)
    assert leased is not None
    examination = factories.examination(leased.evaluations[0], "Pass")

    moved = transact(db, lambda connection: moves.examined(connection, leased.token, examination, actor="w"))

    with db.connect() as connection:
        tokens = connection.execute(text("SELECT token FROM leases")).scalars().all()
    assert (moved, tokens) == (False, [leased.token])


def test_priority_orders_within_a_tenant_that_shares_a_message(db: Engine) -> None:
    for priority in (1, 2):
        factories.submit(db, factories.new_filing(["A hook."] * 5, priority=priority))
    factories.submit(db, factories.new_filing(["A hook."], tenant="stranger"))

    leased = factories.lease(db, Stage.FAST, most=4)

    assert leased is not None
    with db.connect() as connection:
        taken = connection.execute(
            text("SELECT priority FROM evaluations WHERE tenant = :tenant AND state = 'screening'"),
            {"tenant": factories.TENANT},
        )
        assert set(taken.scalars()) == {1}
