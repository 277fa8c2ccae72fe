"""One round of dispatching: takes back expired leases, updates what is known of the expert, numbers the
events of the feed, and publishes due work."""

import logging
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple, Protocol
from uuid import UUID

from sqlalchemy import Connection, Engine

from ace import tracing
from ace.errors import Unavailable
from ace.expert.client.handling import Blame, handling_of
from ace.expert.pacing.learning import learn
from ace.store import endpoints, jobs, moves, pauses, pending, reads
from ace.store.assignment import assign
from ace.store.database import ask, transact
from ace.store.endpoints import Declared
from ace.store.tables import WEBHOOKS, Stage
from ace.types.endpoint_state import Breaker
from ace.types.endpoints import ONLY

log = logging.getLogger(__name__)

SLOW_AT_ONCE: Final = 16  # examinations leased in one transaction
WAITING_DELIVERIES: Final = 32  # maximum of messages of deliveries that wait on the broker


class Broker(Protocol):
    """Carries hints to workers. A lost or repeated hint only changes when a claim is decided."""

    def waiting(self, queue: str) -> int:
        """Messages that no worker has taken from the queue, a stage's or `WEBHOOKS`; raises `Unavailable`."""

    def publish(self, queue: str, leased: moves.Leased) -> None:
        """Sends one message to the queue; raises `Unavailable`."""


@dataclass(frozen=True, slots=True)
class DispatchLimits:
    """The limits that the dispatcher keeps to; see the settings of the same names."""

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
        """The servers of the expert; if the settings name none, the one that workers have."""
        return self.endpoints or (Declared(ONLY, 1.0, self.expert_slots),)

    @property
    def slots(self) -> int:
        """The maximum of examinations under way, at all servers together."""
        return sum(one.max_slots for one in self.declared)


@dataclass(frozen=True, slots=True)
class Round:
    """What a round of dispatching did, and how well the fast stage keeps up."""

    messages: int  # published
    waited_seconds: float  # how long the oldest waiting fast message has waited
    full: bool  # the last fast message might have been larger
    more: bool  # there may be room and work for another round at once


class _Outgoing(NamedTuple):
    """Messages to publish, and the traceparents of their filings by token, of those that have any."""

    messages: Sequence[moves.Leased]
    origins: Mapping[UUID, Sequence[str]]


def dispatch(
    db: Engine,
    broker: Broker,
    limits: DispatchLimits,
    *,
    actor: str,
    budget_tokens: int | None = None,
    rng: random.Random | None = None,
) -> Round:
    """One round: looks for work, takes back what silent workers held and what is drained, replays what jobs
    order, and publishes what is due, is not paused, and has room.

    `budget_tokens` is what a fast message may carry, if that is less than the limit. Raises
    `Unavailable`; whatever was leased and could not be published has been given back.
    """
    seen = ask(db, pending.look)
    if seen.lapsed:
        transact(db, partial(moves.expire, max_tries=limits.max_tries, actor=actor), durable=False)
        seen = ask(db, pending.look)
    if seen.drained:
        transact(db, partial(pauses.take_back, actor=actor), durable=False)
    replayed = transact(db, jobs.work_off) if seen.jobs else 0
    fast, full, slow = 0, False, 0
    if Stage.FAST in seen.due and seen.waiting < limits.fast_waiting_messages:
        fast, full = _dispatch_fast(db, broker, limits, budget_tokens or limits.message_budget_tokens, actor)
    news = endpoints.has_news(seen, limits.declared)
    if news or (Stage.SLOW in seen.due and seen.room):
        slow = _dispatch_slow(db, broker, limits, rng or random.Random(), actor, news=news)
    told = transact(db, moves.number_notices) if seen.told else 0
    sent = _dispatch_deliveries(db, broker, limits, actor) if seen.webhooks or told else 0
    more = seen.lapsed or fast + sent + replayed > 0 or slow >= limits.slots
    more = more or told >= moves.NUMBERED_AT_ONCE
    return Round(fast + slow + sent, seen.waited_seconds, full=full, more=more)


def _dispatch_fast(
    db: Engine, broker: Broker, limits: DispatchLimits, budget_tokens: int, actor: str
) -> tuple[int, bool]:
    """Publishes due claims until enough messages wait; how many, and whether the last one was full."""
    bound = limits.fast_waiting_messages
    lease = partial(
        moves.lease_due,
        bound=bound,
        lease_seconds=limits.fast_lease_seconds,
        budget_tokens=budget_tokens,
        max_claims=limits.message_max_claims,
        max_tries=limits.max_tries,
        actor=actor,
    )
    sent, full = 0, False
    # Workers may empty the queue as fast as it fills, so a round is bounded: the other stage waits for it.
    # Messages that nobody takes up outlive their leases, so both are counted.
    while sent < bound and broker.waiting(Stage.FAST) < bound:
        found = _lease(db, lambda connection: [one] if (one := lease(connection)) else [])
        if not found.messages:
            break
        _publish(db, broker, Stage.FAST, found, actor)
        (leased,) = found.messages
        sent, full = sent + 1, leased.full
        if not full and len(leased.evaluations) < limits.message_max_claims:
            break
    return sent, full


def _dispatch_slow(
    db: Engine, broker: Broker, limits: DispatchLimits, rng: random.Random, actor: str, *, news: bool
) -> int:
    """Learns from the outcomes of examinations if there is `news`, then fills the free slots."""
    sent = 0
    while sent < limits.slots and broker.waiting(Stage.SLOW) < limits.slots:
        lease = partial(_lease_slow, limits=limits, rng=rng, actor=actor, news=news)
        leased = _lease(db, lease)
        _publish(db, broker, Stage.SLOW, leased, actor)
        sent, news = sent + len(leased.messages), False
        if len(leased.messages) < SLOW_AT_ONCE:
            break
    return sent


def _dispatch_deliveries(db: Engine, broker: Broker, limits: DispatchLimits, actor: str) -> int:
    """Publishes due deliveries, a message for each webhook, while few messages wait."""
    if broker.waiting(WEBHOOKS) >= WAITING_DELIVERIES:
        return 0
    lease = partial(moves.lease_deliveries, bound=WAITING_DELIVERIES, lease_seconds=limits.slow_lease_seconds)
    leased = _lease(db, lease)
    _publish(db, broker, WEBHOOKS, leased, actor)
    return len(leased.messages)


def _lease_slow(
    connection: Connection, *, limits: DispatchLimits, rng: random.Random, actor: str, news: bool
) -> list[moves.Leased]:
    moves.take_turn(connection, Stage.SLOW)
    if news:
        for change in endpoints.settle(connection, limits.declared, learn=partial(learn, rng=rng)):
            _log_breaker(change)
    free = endpoints.free_endpoints(connection, [one.name for one in limits.declared])
    if not any(one.room > 0 for one in free):
        return []
    waiting = moves.waiting_claims(connection, each=SLOW_AT_ONCE * len(limits.declared))
    assigned = assign(waiting, free, maximum=SLOW_AT_ONCE, rng=rng)
    leased = moves.lease_assigned(
        connection,
        assigned,
        lease_seconds=limits.slow_lease_seconds,
        max_tries=limits.max_tries,
        actor=actor,
    )
    on_trial = {one.name for one in free if one.on_trial}
    for one in leased:
        if one.endpoint in on_trial:
            endpoints.begin_trial(connection, one.endpoint, one.token)
    return leased


def _log_breaker(change: endpoints.BreakerChange) -> None:
    extra = {"endpoint": change.name, "fault": change.fault}
    if change.breaker is Breaker.CLOSED:
        log.warning("the expert is available again", extra=extra)
    elif change.fault and handling_of(change.fault).blame is Blame.OPERATOR:
        log.critical("the expert refuses access: check its token, address and certificate", extra=extra)
    else:
        log.error("the expert is unavailable: its claims wait", extra=extra)


def _lease(db: Engine, lease: Callable[[Connection], Sequence[moves.Leased]]) -> _Outgoing:
    """Leases messages, and reads where their filings were stored if this process makes spans."""

    def work(connection: Connection) -> _Outgoing:
        messages = lease(connection)
        traced = tracing.on() and messages
        return _Outgoing(
            messages, reads.origins(connection, [one.token for one in messages]) if traced else {}
        )

    return transact(db, work, durable=False)


def _publish(db: Engine, broker: Broker, queue: str, leased: _Outgoing, actor: str) -> None:
    """Sends the messages, or gives back what could not be sent. Raises `Unavailable`."""
    for place, one in enumerate(leased.messages):
        try:
            with tracing.span(
                "dispatch",
                of=leased.origins.get(one.token, ()),
                queue=str(queue),
                message=str(one.token),
                items=len(one.evaluations),
            ):
                broker.publish(queue, one)
        except Unavailable:
            unsent = [left.token for left in leased.messages[place:]]
            transact(db, partial(moves.release, tokens=unsent, actor=actor))
            raise
