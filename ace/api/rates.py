"""How often a key may ask: a token bucket for each key, in the memory of this process alone.

A full bucket holds one second's requests, so a key may ask as much at once and then at its rate.
Only keys that were in force get a bucket, and one that is full again is dropped: memory is bounded
by the keys that asked lately.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from ace.errors import TooMuch

SWEEP_SECONDS: Final = 10.0


@dataclass(slots=True)
class Bucket:
    """What is left of a key's share at `at`, in requests; refilled when it is looked at."""

    rate: float  # requests a second
    left: float
    at: float  # seconds of the clock

    def refill(self, now: float) -> None:
        """Adds what came in since it was last looked at."""
        self.left = min(self.size, self.left + (now - self.at) * self.rate)
        self.at = now

    @property
    def size(self) -> float:
        """Requests that it holds when it is full: at least one, or nobody could ever ask."""
        return max(1.0, self.rate)


class Rates:
    """The buckets of all keys that asked lately, by the hash of the whole key; for any thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._buckets: dict[bytes, Bucket] = {}
        self._swept = clock()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._buckets)

    def refuse_spent(self, key: bytes) -> None:
        """Raises TooMuch where this key's bucket is empty; takes nothing and asks no database."""
        with self._lock:
            bucket = self._buckets.get(key)
            if bucket is not None:
                bucket.refill(self._clock())
                _refuse_empty(bucket)

    def take(self, key: bytes, rate: float) -> None:
        """Counts one request of a key in force, which may make `rate` a second. Raises TooMuch."""
        with self._lock:
            now = self._clock()
            self._sweep(now)
            bucket = self._buckets.get(key)
            if bucket is None or bucket.rate != rate:
                bucket = self._buckets[key] = Bucket(rate, max(1.0, rate), now)
            bucket.refill(now)
            _refuse_empty(bucket)
            bucket.left -= 1

    def _sweep(self, now: float) -> None:
        """Drops the buckets that are full again: a new one would be the same."""
        if now - self._swept < SWEEP_SECONDS:
            return
        self._swept = now
        full = [
            key
            for key, bucket in self._buckets.items()
            if bucket.left + (now - bucket.at) * bucket.rate >= bucket.size
        ]
        for key in full:
            del self._buckets[key]


def _refuse_empty(bucket: Bucket) -> None:
    if bucket.left < 1:
        raise TooMuch(
            f"too many requests: this key may make {bucket.rate:g} a second",
            code="too_many_requests",
            limit=bucket.rate,
            retry_after=(1 - bucket.left) / bucket.rate,
        )
