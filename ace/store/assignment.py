"""Who is examined next, and where: the claims of one filing one after the other, at one endpoint.

There the server's prefix cache still has what they share: the fixed messages and the chain. Pure; the
statements that read the line and lease what was dealt are in `moves.examinations`.
"""

import math
import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from itertools import takewhile
from typing import Final
from uuid import UUID

_LOTS: Final = 2.0**64


@dataclass(frozen=True, slots=True)
class Due:
    """A claim that is due to be examined."""

    id: UUID
    tenant: str
    filing: UUID  # filed later, larger
    number: int
    priority: int
    in_flight: int  # examinations of its tenant that are on their way
    failed_at: str | None  # the endpoint of its last examination, where that failed


@dataclass(frozen=True, slots=True)
class Dealt:
    """A claim, and the endpoint that is to examine it."""

    claim: Due
    endpoint: str


@dataclass(slots=True)
class Offer:
    """An endpoint: its share, the claims that it has room for, whether it is tried after an outage."""

    name: str
    weight: float
    room: int
    on_trial: bool


def deal(line: Collection[Due], offers: Sequence[Offer], *, most: int, rng: random.Random) -> list[Dealt]:
    """Gives up to `most` claims of the line to the endpoints, and takes the room that they fill.

    Whose turn it is: the tenant's with the fewest examinations on their way, by lot where several have
    as few. Of its most urgent claims, the first in the order of filings whose filing is at home where
    there is room; else the first, which goes wherever there is room.
    """
    lines: dict[str, list[Due]] = {}
    for claim in sorted(line, key=lambda each: (each.priority, each.filing, each.number)):
        lines.setdefault(claim.tenant, []).append(claim)
    homes = {claim.id: _home(claim, offers) for claim in line}
    turns = {tenant: (claims[0].in_flight, rng.random()) for tenant, claims in lines.items()}
    dealt: list[Dealt] = []
    while turns and len(dealt) < most and (free := [offer for offer in offers if offer.room > 0]):
        tenant = min(turns, key=turns.__getitem__)
        claims = lines[tenant]
        claim = _next(claims, homes, free)
        offer = min(free, key=partial(_place, claim))
        offer.room -= 1
        dealt.append(Dealt(claim, offer.name))
        claims.remove(claim)
        in_flight, lot = turns.pop(tenant)
        if claims:
            turns[tenant] = (in_flight + 1, lot)
    return sorted(dealt, key=lambda each: (each.claim.filing, each.claim.number))


def _next(claims: Sequence[Due], homes: Mapping[UUID, Offer | None], free: Sequence[Offer]) -> Due:
    """Of a tenant's claims in their order."""
    urgent = takewhile(lambda each: each.priority == claims[0].priority, claims)
    return next((each for each in urgent if homes[each.id] in free), claims[0])


def _home(claim: Due, offers: Sequence[Offer]) -> Offer | None:
    """Where the claim goes if there is room, of the endpoints in service."""
    in_service = (offer for offer in offers if not offer.on_trial)
    return min(in_service, key=partial(_place, claim), default=None)


def _place(claim: Due, offer: Offer) -> tuple[bool, bool, float]:
    """What orders endpoints for a claim: not again where it has just failed; where one is to be tried;
    the others by the lots of the claim's filing."""
    return offer.name == claim.failed_at, not offer.on_trial, _lot(claim.filing, offer)


def _lot(filing: UUID, offer: Offer) -> float:
    """A lot that is always the same for a filing at an endpoint: the smallest is by weight at each
    (weighted rendezvous hashing), so a filing stays where it is when others come and go."""
    drawn = blake2b(filing.bytes + offer.name.encode(), digest_size=8).digest()
    return -math.log((int.from_bytes(drawn, "big") + 0.5) / _LOTS) / offer.weight
