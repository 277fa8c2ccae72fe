"""A discrete-event simulation of both queues: filings arrive, gatekeepers take messages, experts claims."""

import heapq
import math
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Final, NamedTuple

from ace.plan.measured import Measured

WAITING_MESSAGES: Final = 2
"""Messages that wait for workers at any time, as ACE_FAST_WAITING_MESSAGES has it."""

SMALLEST_MESSAGE_CLAIMS: Final = 4
"""Some 512 tokens, the smallest budget of a message; a filing may be divided among several."""

FILING_VARIATION: Final = 0.6
"""The coefficient of variation of the number of claims in a filing."""


@dataclass(frozen=True, slots=True)
class Phase:
    """A stretch of time with filings at a steady mean rate; `measured` says whether its claims count."""

    seconds: float
    claims_per_second: float
    measured: bool = True


@dataclass(frozen=True, slots=True)
class Outcome:
    """Seconds from filing to verdict of every measured claim, by who decided, and how busy gatekeepers and
    slots were with them, as a share of the measured time."""

    fast: list[float]
    slow: list[float]
    gatekeepers_busy: float
    slots_busy: float
    seconds: float  # until the last verdict


class Filing(NamedTuple):
    """Claims that were filed together."""

    at: float
    claims: int
    measured: bool


class Escalated(NamedTuple):
    """A claim for the expert."""

    filed_at: float
    measured: bool


def simulate(
    phases: Sequence[Phase],
    measured: Measured,
    *,
    gatekeepers: int,
    slots: int,
    escalation: float,
    seed: int = 1,
) -> Outcome:
    """Runs the phases one after the other, until everything that was filed has its verdict."""
    draw = Random(seed)
    filings = arrivals(phases, measured, draw)
    span = sum(phase.seconds for phase in phases if phase.measured)
    return replayed(
        filings, span, measured, gatekeepers=gatekeepers, slots=slots, escalation=escalation, draw=draw
    )


def replayed(
    filings: Iterable[Filing],
    span_seconds: float,
    measured: Measured,
    *,
    gatekeepers: int,
    slots: int,
    escalation: float,
    draw: Random,
) -> Outcome:
    """The same for given filings; `span_seconds` is the time during which the measured ones arrive."""
    run = _Run(measured, gatekeepers, slots, escalation, draw)
    for filing in filings:
        run.later(filing.at, filing)
    run.through()
    busy = run.fast_busy / gatekeepers / span_seconds, run.slow_busy / max(1, slots) / span_seconds
    return Outcome(run.fast, run.slow, *busy, run.now)


def arrivals(phases: Sequence[Phase], measured: Measured, draw: Random) -> list[Filing]:
    """Filings at random moments (a Poisson process in each phase), in order of time."""
    found: list[Filing] = []
    begin = 0.0
    for phase in phases:
        rate = phase.claims_per_second / measured.claims_per_filing
        at = begin
        while rate > 0 and (at := at + draw.expovariate(rate)) < begin + phase.seconds:
            claims = max(1, round(_lognormal(draw, measured.claims_per_filing, FILING_VARIATION)))
            found.append(Filing(at, claims, phase.measured))
        begin += phase.seconds
    return found


def percentile(values: Sequence[float], share: float) -> float:
    """The nearest-rank percentile, or 0 of nothing."""
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, math.ceil(share * len(ranked)) - 1)] if ranked else 0.0


Event = Filing | list[Filing] | Escalated
"""What happens: a filing arrives, a message is judged, or a claim is examined."""


@dataclass
class _Run:
    """The state of one simulation."""

    measured: Measured
    gatekeepers: int
    slots: int
    escalation: float
    draw: Random
    now: float = 0.0
    fast: list[float] = field(default_factory=list)
    slow: list[float] = field(default_factory=list)
    fast_busy: float = 0.0
    slow_busy: float = 0.0

    def __post_init__(self) -> None:
        self._events: list[tuple[float, int, Event]] = []
        self._numbers = count()
        self._queue: deque[Filing] = deque()
        self._waiting = 0  # claims in the queue
        self._escalated: deque[Escalated] = deque()
        self._idle, self._free = self.gatekeepers, self.slots

    def later(self, at: float, event: Event) -> None:
        """Lets an event happen at a time."""
        heapq.heappush(self._events, (at, next(self._numbers), event))

    def through(self) -> None:
        """Lets everything happen."""
        while self._events:
            self.now, _, event = heapq.heappop(self._events)
            if isinstance(event, Filing):
                self._queue.append(event)
                self._waiting += event.claims
            elif isinstance(event, Escalated):
                self._examined(event)
            else:
                self._judged(event)
            while self._idle and self._queue:
                self._take_message()
            while self._free and self._escalated:
                self._take_claim()

    def _take_message(self) -> None:
        """An idle gatekeeper takes its share of what waits: the dispatcher makes messages no larger than
        all of them can take up soon."""
        others = self.gatekeepers + WAITING_MESSAGES
        share = min(self.measured.message_claims, max(SMALLEST_MESSAGE_CLAIMS, self._waiting // others))
        taken: list[Filing] = []
        size = 0
        while self._queue and size < share:
            filing = self._queue.popleft()
            part = filing._replace(claims=min(filing.claims, share - size))
            if part.claims < filing.claims:
                self._queue.appendleft(filing._replace(claims=filing.claims - part.claims))
            taken.append(part)
            size += part.claims
        self._waiting -= size
        self._idle -= 1
        seconds = self.measured.message_seconds + size * self.measured.claim_seconds
        counted = sum(filing.claims for filing in taken if filing.measured)
        self.fast_busy += seconds * counted / size
        self.later(self.now + seconds, taken)

    def _judged(self, message: list[Filing]) -> None:
        self._idle += 1
        for filing in message:
            for _ in range(filing.claims):
                if self.draw.random() < self.escalation:
                    self._escalated.append(Escalated(filing.at, filing.measured))
                elif filing.measured:
                    self.fast.append(self.now - filing.at + self.measured.transit_seconds)

    def _take_claim(self) -> None:
        claim = self._escalated.popleft()
        self._free -= 1
        mean, variation = self.measured.examination_seconds, self.measured.examination_variation
        seconds = _lognormal(self.draw, mean, variation)
        self.slow_busy += seconds if claim.measured else 0.0
        self.later(self.now + seconds, claim)

    def _examined(self, claim: Escalated) -> None:
        self._free += 1
        if claim.measured:
            self.slow.append(self.now - claim.filed_at + 2 * self.measured.transit_seconds)


def _lognormal(draw: Random, mean: float, variation: float) -> float:
    """A value of this mean and coefficient of variation."""
    sigma = math.sqrt(math.log1p(variation**2))
    return math.exp(draw.gauss(math.log(mean) - sigma**2 / 2, sigma))
