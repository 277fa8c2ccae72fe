"""Clients that file claims over HTTP, single and in bulk, and ask until they know the answer.

Whatever is sent again carries the same idempotency key, so "accepted" is exact: the database must
hold every filing that was answered, and none that was not.
"""

import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from patent_ace_client import Accepted, ApiError, Client, Unreachable
from tests.chaos.worker import POISON

CLAIMS_PER_FILING = 20
SINGLE_SHARE = 0.6
RESENT_SHARE = 0.05
INDEPENDENT = (
    "A {thing} comprising a shank that extends along an axis, a head that is fixed to one end of the shank,"
    " and a washer that surrounds the shank, wherein the washer is made of a polymer and bears on the head"
    " so that the washer cannot fall off while the {thing} is carried."
)
DEPENDENT = (
    "The {thing} of claim {parent}, wherein the washer has {number} radial channels that open towards the"
    " shank, each of the channels being filled with a lubricant."
)


@dataclass(frozen=True, slots=True)
class Parcel:
    """What one request carries: one filing, or several in bulk."""

    key: str
    filings: tuple[dict[str, Any], ...]

    @property
    def claims(self) -> int:
        return sum(len(filing["claims"]) for filing in self.filings)


def parcels(claims: int, poison: int, rng: random.Random, name: str = "chaos") -> Iterator[Parcel]:
    """`claims` claims, and a few more where the last parcel holds more; `poison` of them kill. Parcels of
    another name have other keys."""
    sent = poisoned = 0
    while sent < claims:
        single = rng.random() < SINGLE_SHARE
        counts = [rng.randint(1, 5)] if single else [CLAIMS_PER_FILING] * rng.randint(2, 12)
        filings = [_filing(f"fastener {sent}.{place}", count) for place, count in enumerate(counts)]
        sent += sum(counts)
        if poisoned < poison * min(1, sent / claims):
            claim = rng.choice(rng.choice(filings)["claims"])
            claim["text"] += f" The {POISON} is meant for whoever reads it."
            poisoned += 1
        yield Parcel(f"{name}-{sent}", tuple(filings))


def _filing(thing: str, count: int) -> dict[str, Any]:
    texts = [INDEPENDENT.format(thing=thing)]
    texts += [
        DEPENDENT.format(thing=thing, number=number, parent=1 if number % 3 == 2 else number - 1)
        for number in range(2, count + 1)
    ]
    return {"docket": thing.replace(" ", "-"), "claims": [{"text": text} for text in texts]}


@dataclass
class Ledger:
    """What the API promised: every accepted filing, evaluation, and which of them are poison."""

    filings: set[str] = field(default_factory=set)
    evaluations: dict[str, bool] = field(default_factory=dict)  # id -> the claim is poison
    counts: Counter[str] = field(default_factory=Counter)  # retried, resent, stored_twice, misanswered
    lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, parcel: Parcel, accepted: Sequence[Accepted]) -> None:
        """Keeps what was promised for a parcel."""
        with self.lock:
            for filing, one in zip(parcel.filings, accepted, strict=True):
                self.filings.add(one.id)
                for evaluation in one.evaluations:
                    text = filing["claims"][evaluation.claim - 1]["text"]
                    self.evaluations[evaluation.id] = POISON in text

    def count(self, what: str) -> None:
        with self.lock:
            self.counts[what] += 1


class Load:
    """`clients` threads that file `claims` claims over about `seconds`, and then end."""

    def __init__(
        self,
        url: str,
        key: str,
        ledger: Ledger,
        *,
        claims: int,
        poison: int,
        seconds: float,
        clients: int,
        seed: int,
        name: str = "chaos",
    ) -> None:
        self.ledger = ledger
        self._url, self._key = url, key
        made = list(parcels(claims, poison, random.Random(seed), name))
        self._claims = sum(parcel.claims for parcel in made)
        self._seconds = seconds
        self._parcels = iter(made)
        self._sent = 0
        self._known = 0  # claims that the ledger held before
        self._turn = threading.Lock()
        self._rngs = [random.Random(seed + 1 + number) for number in range(clients)]
        self._given_up = threading.Event()
        self._threads: list[threading.Thread] = []

    def start(self) -> None:
        """Begins to file."""
        self._began = time.monotonic()
        self._known = len(self.ledger.evaluations)
        self._threads = [threading.Thread(target=self._run, args=(rng,)) for rng in self._rngs]
        for thread in self._threads:
            thread.start()

    def running(self) -> bool:
        """Whether any client has something to file or waits for an answer."""
        return any(thread.is_alive() for thread in self._threads)

    def finish(self, seconds: float) -> int:
        """Waits until everything is answered, or for `seconds`; returns how many claims are not."""
        deadline = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        self._given_up.set()
        for thread in self._threads:
            thread.join()
        return self._known + self._claims - len(self.ledger.evaluations)

    def _run(self, rng: random.Random) -> None:
        with Client(self._url, self._key, timeout_seconds=10, retries=0) as api:
            while (parcel := self._next()) is not None:
                accepted = self._file(api, parcel)
                if accepted is None:
                    return
                self.ledger.note(parcel, accepted)
                if rng.random() < RESENT_SHARE:
                    self.ledger.count("resent")
                    again = self._file(api, parcel)
                    if again is not None and _ids(again) != _ids(accepted):
                        self.ledger.count("stored_twice")

    def _next(self) -> Parcel | None:
        """The next parcel, once it is due; they are spread over the whole time."""
        with self._turn:
            parcel = next(self._parcels, None)
            if parcel is None:
                return None
            due = self._began + self._seconds * self._sent / self._claims
            self._sent += parcel.claims
        self._given_up.wait(max(0.0, due - time.monotonic()))
        return None if self._given_up.is_set() else parcel

    def _file(self, api: Client, parcel: Parcel) -> list[Accepted] | None:
        """What the API made of the parcel, however often it has to be asked; None: given up."""
        send: Callable[[Client, Parcel], list[Accepted] | None]
        send = _single if len(parcel.filings) == 1 else _bulk
        while not self._given_up.is_set():
            try:
                accepted = send(api, parcel)
            except Unreachable:
                accepted = None
            except ApiError as error:  # a fault may show as 503 and in no other way
                self.ledger.count("misanswered")
                print(f"answered {error.status}: {error}", file=sys.stderr, flush=True)
                accepted = None
            if accepted is not None:
                return accepted
            self.ledger.count("retried")
            self._given_up.wait(0.3)
        return None


def _ids(accepted: Sequence[Accepted]) -> list[tuple[str, list[str]]]:
    return [(one.id, [evaluation.id for evaluation in one.evaluations]) for one in accepted]


def _single(api: Client, parcel: Parcel) -> list[Accepted]:
    (filing,) = parcel.filings
    texts = [claim["text"] for claim in filing["claims"]]
    return [api.submit(filing["docket"], texts, idempotency_key=parcel.key)]


def _bulk(api: Client, parcel: Parcel) -> list[Accepted] | None:
    """None where any line met an outage: the lines are then all sent again."""
    results = list(api.submit_many(parcel.filings, idempotency_key=parcel.key))
    refused = {result.status for result in results} - {202, 429, 503}
    if refused:
        raise ApiError({"status": min(refused), "detail": "a line was refused"})
    accepted = [result.accepted for result in results if result.accepted is not None]
    return accepted if len(accepted) == len(parcel.filings) else None
