"""Near-identical texts by MinHash, which no two splits may share.

Two texts are near-identical if the Jaccard index of their word 5-shingles is at least 0.8 (Broder 1997).
Claim numbers are ignored: "of claim 3" and "of claim 7" are the same words. Signatures only propose pairs;
each pair is then counted exactly. docs/decisions/0021-libraries-for-the-lab.md says why this is not
datasketch.
"""

import re
import zlib
from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]

NEAR = 0.8
SHINGLE_WORDS = 5
BANDS, ROWS = 32, 4
"""32 bands of 4: a pair at 0.8 is missed once in ten million cases; half of the pairs at 0.4 are proposed."""

_WORD = re.compile(r"\w+")
_CLAIM_NUMBER = re.compile(r"\b(claims?)\s+\d+")
_POWERS = np.array([0x9E3779B97F4A7C15**k % 2**64 for k in range(SHINGLE_WORDS)], dtype=np.uint64)
_DRAWN = np.random.default_rng(112).integers(1, 2**63, (2, BANDS * ROWS), dtype=np.uint64)
_FACTORS, _TERMS = _DRAWN[0] | np.uint64(1), _DRAWN[1]


def shingles(text: str) -> Hashes:
    """The distinct shingles of a text as sorted hashes; a text of fewer than five words is one shingle."""
    words = _WORD.findall(_CLAIM_NUMBER.sub(r"\1", text.lower()))
    words += [""] * (SHINGLE_WORDS - len(words))
    hashes = np.fromiter(map(zlib.crc32, map(str.encode, words)), np.uint64, len(words)) + np.uint64(1)
    mixed = np.convolve(hashes, _POWERS[::-1], mode="valid")
    return np.unique(mixed ^ (mixed >> np.uint64(29)))


def jaccard(one: Hashes, other: Hashes) -> float:
    """The share of all shingles that both have."""
    shared = len(np.intersect1d(one, other, assume_unique=True))
    return shared / (len(one) + len(other) - shared)


class NearDuplicates:
    """An index of texts that others are compared with."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._texts: list[Hashes] = []
        self._buckets: dict[bytes, list[int]] = {}
        for text in texts:
            self.add(text)

    def add(self, text: str) -> None:
        """Adds a text unless an identical one is known."""
        found, keys = _signed(text)
        if any(np.array_equal(self._texts[at], found) for at in self._buckets.get(keys[0], ())):
            return
        for key in keys:
            self._buckets.setdefault(key, []).append(len(self._texts))
        self._texts.append(found)

    def has_near(self, text: str) -> bool:
        """Whether a text at least NEAR to this one is known."""
        found, keys = _signed(text)
        proposed = {at for key in keys for at in self._buckets.get(key, ())}
        return any(jaccard(found, self._texts[at]) >= NEAR for at in proposed)


@lru_cache(maxsize=4)
def _signed(text: str) -> tuple[Hashes, list[bytes]]:
    """The shingles of a text and its bands, cached because several indexes are asked about the same text."""
    found = shingles(text)
    signature = (found[:, None] * _FACTORS + _TERMS >> np.uint64(32)).min(axis=0).astype(np.uint32).tobytes()
    size = len(signature) // BANDS
    return found, [bytes([band]) + signature[band * size : (band + 1) * size] for band in range(BANDS)]
