"""Which claims are examined next, and by which endpoint: those of one filing in turn, at one endpoint.

The server's prefix cache still holds what they share: the fixed messages and the chain. Pure; the
statements that read the waiting claims and lease the assigned ones are in `moves.examinations`.
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

_HASHES: Final = 2.0**64


@dataclass(frozen=True, slots=True)
class WaitingClaim:
    """A claim that is due to be examined; the fields are the columns of waiting_claims.sql."""

    id: UUID
    tenant: str
    filing: UUID  # filed later, larger
    number: int
    priority: int
    in_flight: int  # examinations of its tenant that are under way
    failed_at: str | None  # the endpoint of its last examination, if that failed


@dataclass(frozen=True, slots=True)
class Assignment:
    """A claim, and the endpoint that is to examine it."""

    claim: WaitingClaim
    endpoint: str


@dataclass(slots=True)
class FreeEndpoint:
    """An endpoint: its share, how many claims it has room for, and whether it is tried after an outage."""

    name: str
    weight: float
    room: int
    on_trial: bool


def assign(
    waiting: Collection[WaitingClaim],
    endpoints: Sequence[FreeEndpoint],
    *,
    maximum: int,
    rng: random.Random,
) -> list[Assignment]:
    """Assigns up to `maximum` waiting claims to endpoints, and takes up the room that they fill.

    The tenant with the fewest examinations under way is served next; a random number breaks ties. Of
    its most urgent claims, in the order of filings, the first whose filing is at home at an endpoint
    with room is taken; else the first of all, which goes wherever there is room.
    """
    by_tenant: dict[str, list[WaitingClaim]] = {}
    for claim in sorted(waiting, key=lambda each: (each.priority, each.filing, each.number)):
        by_tenant.setdefault(claim.tenant, []).append(claim)
    homes = {claim.id: _home(claim, endpoints) for claim in waiting}
    ranks = {tenant: (claims[0].in_flight, rng.random()) for tenant, claims in by_tenant.items()}
    assigned: list[Assignment] = []
    while ranks and len(assigned) < maximum and (free := [one for one in endpoints if one.room > 0]):
        tenant = min(ranks, key=ranks.__getitem__)
        claims = by_tenant[tenant]
        claim = _next(claims, homes, free)
        endpoint = min(free, key=partial(_preference, claim))
        endpoint.room -= 1
        assigned.append(Assignment(claim, endpoint.name))
        claims.remove(claim)
        in_flight, tie_break = ranks.pop(tenant)
        if claims:
            ranks[tenant] = (in_flight + 1, tie_break)
    return sorted(assigned, key=lambda each: (each.claim.filing, each.claim.number))


def _next(
    claims: Sequence[WaitingClaim],
    homes: Mapping[UUID, FreeEndpoint | None],
    free: Sequence[FreeEndpoint],
) -> WaitingClaim:
    """Of a tenant's claims in their order."""
    urgent = takewhile(lambda each: each.priority == claims[0].priority, claims)
    return next((each for each in urgent if homes[each.id] in free), claims[0])


def _home(claim: WaitingClaim, endpoints: Sequence[FreeEndpoint]) -> FreeEndpoint | None:
    """The endpoint in service that the claim goes to if it has room."""
    in_service = (one for one in endpoints if not one.on_trial)
    return min(in_service, key=partial(_preference, claim), default=None)


def _preference(claim: WaitingClaim, endpoint: FreeEndpoint) -> tuple[bool, bool, float]:
    """Orders endpoints for a claim: last the one where it has just failed; first one that is to be tried;
    the others by the hash of the claim's filing."""
    return endpoint.name == claim.failed_at, not endpoint.on_trial, _hash(claim.filing, endpoint)


def _hash(filing: UUID, endpoint: FreeEndpoint) -> float:
    """Always the same for a filing at an endpoint. Each endpoint has the smallest for its share of filings
    (weighted rendezvous hashing), so a filing stays where it is when other endpoints come and go."""
    drawn = blake2b(filing.bytes + endpoint.name.encode(), digest_size=8).digest()
    return -math.log((int.from_bytes(drawn, "big") + 0.5) / _HASHES) / endpoint.weight
