"""A round of dispatching: takes back, learns how the expert stands, publishes what is due and has room.

Part of flow.py, where its verb is; store and broker come as arguments.
"""

import logging
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol

from sqlalchemy import Connection, Engine

from ace.errors import Unavailable
from ace.expert.endpoints import ONLY
from ace.expert.handling import Blame, handling_of
from ace.expert.pacing import Breaker
from ace.store import counts, endpoints, moves
from ace.store.database import transact
from ace.store.endpoints import Declared
from ace.store.tables import Stage

log = logging.getLogger(__name__)

SLOW_AT_ONCE: Final = 16  # examinations that are leased in one transaction


class Broker(Protocol):
    """Carries hints to workers. Losing or repeating one changes when a claim is decided, only."""

    def waiting(self, stage: Stage) -> int:
        """Messages that no worker has taken from the stage's queue; raises `Unavailable`."""

    def publish(self, stage: Stage, leased: moves.Leased) -> None:
        """Sends one message to the stage's queue; raises `Unavailable`."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What the dispatcher holds to; see the settings of the same names."""

    fast_lease_seconds: float
    slow_lease_seconds: float
    message_budget_tokens: int
    message_max_claims: int
    fast_waiting_messages: int
    expert_slots: int
    max_tries: int
    endpoints: tuple[Declared, ...] = ()

    @property
    def declared(self) -> tuple[Declared, ...]:
        """The servers of the expert; where none is named, the one that workers have."""
        return self.endpoints or (Declared(ONLY, 1.0, self.expert_slots),)


@dataclass(frozen=True, slots=True)
class Round:
    """What a round of dispatching did, and how the fast stage keeps up."""

    messages: int  # published
    waited_seconds: float  # how long the fast message that waits longest has waited
    full: bool  # the last fast message might have been larger
    more: bool  # there may be room and work for another round at once


def dispatch(
    db: Engine,
    broker: Broker,
    limits: Limits,
    *,
    actor: str,
    budget_tokens: int | None = None,
    rng: random.Random | None = None,
) -> Round:
    """One round: takes back what silent workers held, then publishes what is due and has room.

    `budget_tokens` is what a fast message may carry, where that is less than the limit. Raises
    `Unavailable`; whatever was leased and could not be published has been given back.
    """

    def take_back(connection: Connection) -> float:
        moves.expire(connection, max_tries=limits.max_tries, actor=actor)
        return counts.longest_wait_seconds(connection)

    waited = transact(db, take_back, durable=False)
    most = limits.fast_waiting_messages
    fast = _publish_due(db, broker, Stage.FAST, most, _next_fast(limits, budget_tokens, actor), actor)
    slots = sum(one.most for one in limits.declared)
    slow = _publish_due(
        db, broker, Stage.SLOW, slots, _next_slow(limits, rng or random.Random(), actor), actor
    )
    return Round(
        len(fast) + len(slow),
        waited,
        full=bool(fast and fast[-1].full),
        more=len(fast) == most or len(slow) == slots,
    )


Lease = Callable[[Connection], Sequence[moves.Leased]]


def _next_fast(limits: Limits, budget_tokens: int | None, actor: str) -> Lease:
    """One message of what is due."""

    def lease(connection: Connection) -> list[moves.Leased]:
        leased = moves.lease_due(
            connection,
            Stage.FAST,
            bound=limits.fast_waiting_messages,
            lease_seconds=limits.fast_lease_seconds,
            budget_tokens=budget_tokens or limits.message_budget_tokens,
            max_claims=limits.message_max_claims,
            max_tries=limits.max_tries,
            actor=actor,
        )
        return [leased] if leased else []

    return lease


def _next_slow(limits: Limits, rng: random.Random, actor: str) -> Lease:
    """Learns from what came of the last ones, then takes claims for endpoints that have slots free, or
    are to be tried; each is a message of its own."""

    def lease(connection: Connection) -> list[moves.Leased]:
        moves.take_turn(connection, Stage.SLOW)
        for turn in endpoints.settle(connection, limits.declared, rng=rng):
            _tell(turn)
        offers = endpoints.offers(connection, [one.name for one in limits.declared], rng=rng)
        leased: list[moves.Leased] = []
        while len(leased) < SLOW_AT_ONCE and (order := offers.order()):
            one = moves.lease_due(
                connection,
                Stage.SLOW,
                bound=None,
                lease_seconds=limits.slow_lease_seconds,
                budget_tokens=limits.message_budget_tokens,
                max_claims=1,
                max_tries=limits.max_tries,
                actor=actor,
                endpoints=order,
            )
            if one is None or one.endpoint is None:
                break
            offers.take(connection, one.endpoint, one.token)
            leased.append(one)
        return leased

    return lease


def _tell(turn: endpoints.Turn) -> None:
    told = {"endpoint": turn.name, "fault": turn.fault}
    if turn.breaker is Breaker.CLOSED:
        log.warning("the expert is back", extra=told)
    elif turn.fault and handling_of(turn.fault).blame is Blame.OPERATOR:
        log.critical("the expert turns us away: mend its token, address or certificate", extra=told)
    else:
        log.error("the expert is away: its claims wait", extra=told)


def _publish_due(
    db: Engine, broker: Broker, stage: Stage, bound: int, lease: Lease, actor: str
) -> list[moves.Leased]:
    at_once = 1 if stage is Stage.FAST else SLOW_AT_ONCE
    sent: list[moves.Leased] = []
    # No round lasts long: workers may empty a queue as fast as it fills, and the other stage waits.
    while len(sent) < bound:
        # Messages outlive their leases where nobody takes them up, so both are counted.
        if broker.waiting(stage) >= bound:
            break
        leased = transact(db, lease, durable=False)
        for place, one in enumerate(leased):
            try:
                broker.publish(stage, one)
            except Unavailable:
                unsent = [left.token for left in leased[place:]]
                transact(db, partial(moves.release, tokens=unsent, actor=actor))
                raise
            sent.append(one)
        if len(leased) < at_once:
            break
    return sent
