"""Claims, claim sets, and the input that gatekeeper and expert share: one claim with its ancestors.

Text is immutable and kept as filed, except that readers make its white space even. Nothing here reads
text (readers/) or checks it (checks/).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from operator import itemgetter
from typing import Final

MAX_CLAIMS: Final = 1_000
MAX_CLAIM_NUMBER: Final = 10_000
MAX_CLAIM_CHARACTERS: Final = 50_000
MAX_SET_CHARACTERS: Final = 2_000_000
MAX_CHAIN_CHARACTERS: Final = 60_000

CHAIN_CUT: Final = "…"
"""The last entry of a chain of ancestors that was too long: its far end was left out."""


class Status(StrEnum):
    """The status that an amendment gives a claim (37 CFR 1.121(c))."""

    ORIGINAL = "original"
    CURRENTLY_AMENDED = "currently_amended"
    PREVIOUSLY_PRESENTED = "previously_presented"
    NEW = "new"
    WITHDRAWN = "withdrawn"
    CANCELED = "canceled"
    NOT_ENTERED = "not_entered"


GONE: Final = frozenset({Status.CANCELED, Status.NOT_ENTERED})
"""Claims of these statuses are not pending: they have no text, and no claim may depend on them."""

_OFFSET: Final = itemgetter(0)
_WORDS: Final = {status: f"({status.value.capitalize().replace('_', ' ')})" for status in GONE}


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim as filed. `parents` are the numbers that its text refers to, in order of
    appearance, whether or not such claims exist.

    Each run of white space in `text` is one space, or one line end if it holds any, and spans of findings
    refer to that text.
    `pieces` locate the text in the source that it was read from: (offset in `text`, offset in the
    source, length) for each unbroken run, in order. They are empty if there is no source.
    """

    number: int
    text: str
    parents: tuple[int, ...] = ()
    status: Status | None = None
    pieces: tuple[tuple[int, int, int], ...] = ()

    @property
    def pending(self) -> bool:
        """Whether there is a claim to examine: it is neither canceled nor refused entry."""
        return self.status not in GONE

    def source_span(self, start: int, end: int) -> tuple[int, int] | None:
        """The start and end of text[start:end] in the source, or None if there is no source."""
        first = bisect_right(self.pieces, start, key=_OFFSET) - 1
        last = bisect_left(self.pieces, end, key=_OFFSET) - 1
        if first < 0 or last < 0:
            return None
        begin, source, length = self.pieces[first]
        if start > begin + length:
            return None
        low = source + start - begin
        begin, source, length = self.pieces[last]
        return None if end > begin + length else (low, max(low, source + end - begin))


@dataclass(frozen=True, slots=True)
class Note:
    """A passage, source[start:end], that a reader did not understand or corrected, and what it did.

    `code` is a stable word; `message` one sentence without claim text; `claim` the number concerned.
    """

    code: str
    message: str
    claim: int | None = None
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class ClaimInput:
    """One claim with the claims that it depends on: all that gatekeeper and expert see.

    Each ancestor reads "<number>. <text>", nearest first, so that a reference can be matched with
    the claim it means. All existing ancestors are there unless the last entry is CHAIN_CUT.
    """

    number: int
    text: str
    ancestors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ClaimSet:
    """The numbered claims of one filing, each number once, in the order filed.

    `source` is the text that the claims' pieces point into, `notes` are the remarks of its reader.
    """

    claims: tuple[Claim, ...]
    notes: tuple[Note, ...] = ()
    source: str | None = None
    _by_number: dict[int, Claim] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        by_number = {claim.number: claim for claim in self.claims}
        if len(by_number) != len(self.claims):
            raise ValueError("a claim set has each number once")
        object.__setattr__(self, "_by_number", by_number)

    def __len__(self) -> int:
        return len(self.claims)

    def __iter__(self) -> Iterator[Claim]:
        return iter(self.claims)

    def __getitem__(self, number: int) -> Claim:
        return self._by_number[number]

    def get(self, number: int) -> Claim | None:
        """The claim with this number, or None."""
        return self._by_number.get(number)

    def pending(self) -> ClaimSet:
        """The set without canceled claims and claims that were not entered."""
        return replace(self, claims=tuple(claim for claim in self.claims if claim.pending))

    def ancestors(self, number: int) -> tuple[int, ...]:
        """The existing claims that this one depends on: nearest first, breadth first, each once.

        Never contains `number` itself, and ends on circular references too.
        """
        start = self._by_number.get(number)
        if start is None:
            return ()
        seen: dict[int, None] = {number: None}
        level: list[Claim] = [start]
        while level:
            following: list[Claim] = []
            for claim in level:
                for parent in claim.parents:
                    if parent not in seen and (found := self._by_number.get(parent)) is not None:
                        seen[parent] = None
                        following.append(found)
            level = following
        del seen[number]
        return tuple(seen)

    def input_of(self, number: int, *, max_chain_characters: int = MAX_CHAIN_CHARACTERS) -> ClaimInput:
        """The claim with its chain, cut from the far end at `max_chain_characters`.

        Raises KeyError if the set has no such claim.
        """
        claim = self._by_number[number]
        lines = (numbered(self._by_number[ancestor]) for ancestor in self.ancestors(number))
        return ClaimInput(claim.number, claim.text, cut_chain(lines, max_chain_characters))


def cut_chain(lines: Iterable[str], max_characters: int) -> tuple[str, ...]:
    """The lines of a chain, nearest first, that fit in `max_characters`; CHAIN_CUT marks a cut."""
    chain: list[str] = []
    room = max_characters
    for line in lines:
        room -= len(line)
        if room < 0:
            return (*chain, CHAIN_CUT)
        chain.append(line)
    return tuple(chain)


def numbered(claim: Claim) -> str:
    """The claim as one line of a chain: "<number>. <kept text>"."""
    return f"{claim.number}. {kept_text(claim)}"


def kept_text(claim: Claim) -> str:
    """What is stored of a claim: its text, or its status if it is not pending.

    The status is written as in an amendment ("5. (Canceled)", 37 CFR 1.121(c)), so that a reader of a
    chain sees why there is no text.
    """
    return claim.text if claim.pending or claim.status is None else _WORDS[claim.status]
