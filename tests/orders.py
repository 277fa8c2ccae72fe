"""Moves as orders: what a connection does, and what the reference makes of the answer.

Each function throws dice for the arguments of one move, good ones more often than bad ones: tokens
in force, of others, given back and never given; claims of the message, of other messages, of nobody.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, text

from ace.errors import TooMuch
from ace.expert.pacing.learning import learn
from ace.store import endpoints, moves
from ace.store.assignment import FreeEndpoint, WaitingClaim, assign
from ace.store.tables import Stage
from tests import factories
from tests.reference import Claim, Reference

MAX_TRIES: Final = 3
LONG_SECONDS: Final = 3_600  # nothing lapses or comes due by itself while a test runs
TENANTS: Final = ("office", "stranger")
WORKERS: Final = ("one", "two")
ENDPOINTS: Final = ("east", "west")
TEXTS: Final = ("A hook.", f"A hook {'that is bent ' * 20}.", f"A hook {'that is bent ' * 200}.")
NOBODY: Final = UUID(int=0)


@dataclass(frozen=True)
class Order:
    """`book(model, answer, raced)` raises AssertionError where the model would have answered otherwise.

    `raced` says that another transaction was open meanwhile; `told` names the move and its arguments.
    """

    told: tuple[Any, ...]
    run: Callable[[Connection], Any]
    book: Callable[[Reference, Any, bool], None]


def submit(_: Reference, dice: Random, *, backlog: int | None = None) -> Order:
    new = factories.new_filing(
        dice.choices(TEXTS, k=dice.randint(1, 4)),
        tenant=dice.choice(TENANTS),
        priority=dice.randint(0, 2),
        key=dice.choice([None, None, "k", "l"]),
        body_hash=dice.choice([b"body", b"body", b"other"]),
    )

    def run(connection: Connection) -> Any:
        try:
            (accepted,) = moves.submit(connection, [new], actor="client", backlog=backlog)
        except TooMuch:
            connection.rollback()  # as whoever owns the transaction does
            return None
        sizes = connection.execute(
            text("SELECT id, size FROM evaluations WHERE filing_id = :id"), {"id": accepted.filing_id}
        )
        return accepted, dict(sizes.all())

    def book(model: Reference, answer: Any, _: bool) -> None:
        known = model.filings.get((new.tenant, new.idempotency_key or ""))
        more = model.backlog(new.tenant) + len(new.claims.claims)
        assert (answer is None) == (known is None and backlog is not None and more > backlog)
        if answer is None:
            return
        accepted, sizes = answer
        assert accepted.created == (known is None)
        if known is not None:
            assert (accepted.filing_id, accepted.conflict) == (known[0], known[1] != new.body_hash)
            return
        if new.idempotency_key:
            model.filings[new.tenant, new.idempotency_key] = (accepted.filing_id, new.body_hash)
        for _, id_ in accepted.evaluations:
            model.claims[id_] = Claim(new.tenant, accepted.filing_id, new.priority, sizes[id_])

    told = (new.tenant, new.priority, new.idempotency_key, len(new.claims.claims), backlog)
    return Order(("submit", *told), run, book)


def dispatch(model: Reference, dice: Random, *, stage: Stage | None = None) -> Order:
    stage = stage or dice.choice(list(Stage))
    if stage is Stage.SLOW:
        return _dispatch_slow(model, dice)
    bound = dice.choice([100, 4, 1])
    budget = dice.choice([10_000, 200, 1])
    most = dice.choice([100, 4, 2, 1])

    def run(connection: Connection) -> moves.Leased | None:
        return moves.lease_due(
            connection,
            bound=bound,
            lease_seconds=LONG_SECONDS,
            budget_tokens=budget,
            max_claims=most,
            max_tries=MAX_TRIES,
            actor="dispatcher",
        )

    def book(model: Reference, leased: moves.Leased | None, raced: bool) -> None:
        if leased is None:
            assert raced or not model.room(bound) or not model.due(Stage.FAST)
        else:
            assert model.room(bound)
            model.dispatched(leased, budget=budget, most=most, raced=raced)

    return Order(("dispatch", stage, bound, budget, most), run, book)


def _dispatch_slow(_: Reference, dice: Random) -> Order:
    rooms = [dice.randint(0, 2) for _ in ENDPOINTS]
    chance = Random(dice.random())

    def run(connection: Connection) -> tuple[list[WaitingClaim], list[moves.Leased]]:
        moves.take_turn(connection, Stage.SLOW)
        line = moves.waiting_claims(connection, each=100)
        offers = [FreeEndpoint(name, 1.0, room, False) for name, room in zip(ENDPOINTS, rooms, strict=True)]
        dealt = assign(line, offers, maximum=3, rng=chance)
        leased = moves.lease_assigned(
            connection, dealt, lease_seconds=LONG_SECONDS, max_tries=MAX_TRIES, actor="dispatcher"
        )
        return line, leased

    def book(model: Reference, answer: tuple[list[WaitingClaim], list[moves.Leased]], raced: bool) -> None:
        line, leased = answer
        if not raced:
            model.in_line(line)
            assert len(leased) == min(len(line), sum(rooms), 3)
        for one in leased:
            assert one.endpoint in ENDPOINTS
            model.examining(one)
        for name, room in zip(ENDPOINTS, rooms, strict=True):
            assert sum(one.endpoint == name for one in leased) <= room

    return Order(("dispatch", Stage.SLOW, rooms), run, book)


def start(model: Reference, dice: Random, *, token: UUID | None = None) -> Order:
    token, worker = token or _token(model, dice), dice.choice(WORKERS)
    return Order(
        ("start", token, worker),
        lambda connection: moves.start(connection, token, worker=worker, lease_seconds=LONG_SECONDS),
        lambda model, answer, _: _same(answer, model.start(token, worker)),
    )


def renew(model: Reference, dice: Random) -> Order:
    tokens, worker = [_token(model, dice), _token(model, dice)], dice.choice(WORKERS)
    return Order(
        ("renew", tokens, worker),
        lambda connection: moves.renew(connection, tokens, worker=worker, lease_seconds=LONG_SECONDS),
        lambda model, *_: model.renew(tokens, worker),
    )


def spare(_: Reference, dice: Random) -> Order:
    stage = dice.choice(list(Stage))
    return Order(
        ("spare", stage),
        lambda connection: moves.extend_leases(
            connection, stage, lease_seconds=LONG_SECONDS, away_seconds=2 * LONG_SECONDS
        ),
        lambda model, *_: model.spare(stage),
    )


def release(model: Reference, dice: Random) -> Order:
    tokens, worker = [_token(model, dice)], dice.choice([None, *WORKERS])
    return Order(
        ("release", tokens, worker),
        lambda connection: moves.release(connection, tokens, actor="someone", worker=worker),
        lambda model, answer, _: _same(answer, model.release(tokens, worker)),
    )


def expire(_: Reference, dice: Random) -> Order:
    limit = dice.choice([100, 1])

    def run(connection: Connection) -> tuple[int, set[UUID]]:
        before = set(connection.execute(text("SELECT token FROM leases WHERE until < now()")).scalars())
        moved = moves.expire(connection, max_tries=MAX_TRIES, actor="dispatcher", limit=limit)
        return moved, before - set(connection.execute(text("SELECT token FROM leases")).scalars())

    def book(model: Reference, answer: tuple[int, set[UUID]], raced: bool) -> None:
        moved, dead = answer
        lapsed = {token for token, lease in model.leases.items() if lease.lapsed}
        assert dead <= lapsed
        assert raced or len(dead) == min(len(lapsed), limit)
        _same(moved, model.expire(dead))

    return Order(("expire", limit), run, book)


def screen(model: Reference, dice: Random, *, token: UUID | None = None) -> Order:
    token = token or _token(model, dice)
    lease = model.leases.get(token)
    # Whoever took the message up, or an impostor.
    worker = dice.choice([*WORKERS] if lease is None else [lease.worker or "one", *WORKERS])
    said = {id_: dice.choice(["escalate", "escalate", "Pass", "Fail"]) for id_ in _some(model, dice, token)}
    words = list(said.values())
    screened = moves.Screened(
        evaluations=list(said),
        escalate=[word == "escalate" for word in words],
        fail=[word == "Fail" for word in words],
        error_classes=["antecedent"] * len(said),
        grounds=["rejection"] * len(said),
        probabilities=[[0.9, 0.02, 0.02, 0.02, 0.02, None]] * len(said),
        u=[0.3] * len(said),
        h6=[None] * len(said),
        doubt=[0.3] * len(said),
        disputed=[False] * len(said),
        would_escalate=[False] * len(said),
        spans=[None] * len(said),
        score="u",
        tau=0.4,
        certain=0.9,
        model="test-model",
        calibration="test-calibration",
    )
    return Order(
        ("screen", token, said, worker),
        lambda connection: moves.screened(connection, token, screened, actor=worker),
        lambda model, answer, _: _same(answer, model.screened(token, said, worker)),
    )


def examine(model: Reference, dice: Random, *, token: UUID | None = None) -> Order:
    token = token or _token(model, dice)
    held = model.held(token)
    id_ = dice.choice([*held, *held, _claim(model, dice)])
    outcome, flag = dice.choice(["examined", "deferred", "failed"]), dice.random() < 0.5
    error = None if outcome == "examined" else dice.choice(["timeout", "schema"])
    verdict = dice.choice(["Pass", "Fail"]) if outcome == "examined" else None
    lease = model.leases.get(token)
    endpoint = lease.endpoint if lease else dice.choice(ENDPOINTS)  # a worker too late remembers it
    examination = factories.examination(id_, verdict, error=error, endpoint=endpoint)

    def run(connection: Connection) -> tuple[bool, bool]:
        if outcome == "deferred":
            delay = LONG_SECONDS if flag else 0
            moved = moves.deferred(
                connection,
                token,
                examination,
                delay_seconds=delay,
                own=flag,
                actor="one",
            )
        else:
            moved = bool(getattr(moves, outcome)(connection, token, examination, actor="one"))
        left = connection.execute(text("SELECT token FROM leases WHERE token = :token"), {"token": token})
        return moved, left.first() is not None

    def book(model: Reference, answer: tuple[bool, bool], raced: bool) -> None:
        moved, left = answer
        lease = model.leases.get(token)
        if outcome == "deferred":
            _same(moved, model.deferred(token, id_, str(error), endpoint, later=flag, own=flag))
        elif outcome == "failed":
            _same(moved, model.failed(token, id_, str(error), endpoint))
        else:
            _same(moved, model.examined(token, id_, str(verdict), endpoint))
        # What is cancelled in the very moment leaves an empty lease, which runs out.
        if raced and lease is not None and left and not moved:
            model.leases[token] = lease

    return Order((outcome, token, id_, flag), run, book)


def replay(model: Reference, dice: Random, *, ids: Sequence[UUID] = ()) -> Order:
    """Of these claims by their owner, or of any by anybody."""
    tenant = model.claims[ids[0]].tenant if ids else None
    ids = list(ids) or [_claim(model, dice) for _ in range(dice.randint(1, 4))]
    tenant = tenant or _tenant(model, dice, ids[0])
    return Order(
        ("replay", tenant, ids),
        lambda connection: moves.replay(connection, tenant, ids, actor="client"),
        lambda model, answer, _: _same(answer, model.replay(tenant, ids)),
    )


def cancel(model: Reference, dice: Random) -> Order:
    id_ = _claim(model, dice)
    filing = model.claims[id_].filing if id_ in model.claims else NOBODY
    tenant = _tenant(model, dice, id_)
    return Order(
        ("cancel", tenant, filing),
        lambda connection: moves.cancel(connection, tenant, filing, actor="client"),
        lambda model, answer, _: _same(answer, model.cancel(tenant, filing)),
    )


def fold(_: Reference, __: Random) -> Order:
    return Order(("fold",), moves.compact_tallies, lambda *_: None)


def settle(_: Reference, dice: Random) -> Order:
    declared = [endpoints.Declared(name, 1.0, 4) for name in ENDPOINTS]
    chance = Random(dice.random())
    return Order(
        ("settle",),
        lambda connection: endpoints.settle(connection, declared, learn=partial(learn, rng=chance)),
        lambda model, *_: model.settle(),
    )


# What clients, dispatchers and workers do to one another; the rest does nothing to any of them.
RIVALS: Final = (dispatch, start, release, expire, screen, screen, examine, replay, cancel, cancel)
KINDS: Final[tuple[Callable[[Reference, Random], Order], ...]] = (
    *RIVALS,
    submit,
    renew,
    spare,
    fold,
    settle,
    replay,
)


def _same(answer: object, expected: object) -> None:
    assert answer == expected


def _claim(model: Reference, dice: Random) -> UUID:
    """Any, each state that there is as likely as the next; or nobody's."""
    states = sorted({claim.state for claim in model.claims.values()})
    state = dice.choice([*states, None])
    return dice.choice([id_ for id_, claim in model.claims.items() if claim.state == state] or [NOBODY])


def _tenant(model: Reference, dice: Random, id_: UUID) -> str:
    """Whose this is, more often than not."""
    owners = [model.claims[id_].tenant] if id_ in model.claims else []
    return dice.choice([*owners, *owners, *TENANTS])


def _token(model: Reference, dice: Random) -> UUID:
    """A token in force, more often than not; else one that was, or one that never was."""
    live = list(model.leases)
    gone = [token for token in model.issued if token not in model.leases]
    return dice.choice([*live, *live, *gone[-2:], NOBODY])


def _some(model: Reference, dice: Random, token: UUID) -> list[UUID]:
    """All that the token holds, or some of it; and sometimes what it never held."""
    held = model.held(token)
    spoken = held if dice.random() < 0.5 else held[: dice.randint(0, len(held))]
    foreign = [NOBODY, *(id_ for id_ in model.claims if id_ not in held)]
    return [*spoken, *dice.sample(foreign, dice.randint(0, min(2, len(foreign))))]
