"""Rate limits: a token bucket for each key, in the memory of this process.

A full bucket holds one second's requests, so a key may send that many at once and then at its rate.
Only valid keys get a bucket, and full buckets are dropped: memory is bounded by the recently used keys.
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
    """What is left of a key's share at `at`, in requests; refilled when it is read."""

    rate: float  # requests a second
    left: float
    at: float  # seconds of the clock

    def refill(self, now: float) -> None:
        """Adds what has accrued since the last look."""
        self.left = min(self.size, self.left + (now - self.at) * self.rate)
        self.at = now

    @property
    def size(self) -> float:
        """Requests in a full bucket: at least one, or no request could ever pass."""
        return max(1.0, self.rate)


class Rates:
    """The buckets of recently used keys, by the hash of the whole key. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._buckets: dict[bytes, Bucket] = {}
        self._swept = clock()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._buckets)

    def refuse_spent(self, key: bytes) -> None:
        """Raises TooMuch if this key's bucket is empty; takes nothing and queries no database."""
        with self._lock:
            bucket = self._buckets.get(key)
            if bucket is not None:
                bucket.refill(self._clock())
                _refuse_empty(bucket)

    def take(self, key: bytes, rate: float) -> None:
        """Counts one request of a valid key whose limit is `rate` per second. Raises TooMuch."""
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
        """Drops full buckets: a new one would be identical."""
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
