"""The claim sets that benchmarks file: twenty claims, about as long and as deep as real ones."""

import json
from collections.abc import Iterator
from typing import Final

from ace.claims.model import Claim, ClaimSet
from ace.store.moves import NewFiling

CLAIMS_PER_FILING: Final = 20
FILINGS_PER_SUBMIT: Final = 50
# As long as real claims are on average (310 characters), and with as many ancestors (two).
INDEPENDENT: Final = (
    "A fastener comprising a shank that extends along an axis, a head that is fixed to one end of the shank,"
    " and a washer that surrounds the shank, wherein the washer is made of a polymer, bears on the head, and"
    " has an inner rim that engages a groove of the shank so that the washer cannot fall off while the"
    " fastener is carried."
)
DEPENDENT: Final = (
    "The fastener of claim {parent}, wherein the washer has {number} radial channels that open towards the"
    " shank, each of the channels being filled with a lubricant that is released when the washer is pressed"
    " against a workpiece, and wherein the head has a drive recess whose depth is at least {number} mm."
)


def claim_set(claims: int = CLAIMS_PER_FILING) -> ClaimSet:
    """One independent claim and its dependent ones, in chains of up to three ancestors."""
    parents = {number: 1 if number % 3 == 2 else number - 1 for number in range(2, claims + 1)}
    dependents = (
        Claim(number, DEPENDENT.format(parent=parent, number=number), (parent,))
        for number, parent in parents.items()
    )
    return ClaimSet((Claim(1, INDEPENDENT), *dependents))


def filing(number: int, *, tenant: str = "bench", claims: int = CLAIMS_PER_FILING) -> NewFiling:
    """A filing as the API would hand it to the store."""
    return NewFiling(tenant, f"B-{number}", claim_set(claims), 5, {}, b"")


def batches(claims: int, *, tenant: str = "bench") -> Iterator[list[NewFiling]]:
    """Filings of `claims` claims in all, as many at once as a bulk upload stores."""
    filings = [filing(number, tenant=tenant) for number in range(claims // CLAIMS_PER_FILING)]
    for start in range(0, len(filings), FILINGS_PER_SUBMIT):
        yield filings[start : start + FILINGS_PER_SUBMIT]


def body(number: int, *, claims: int = CLAIMS_PER_FILING, priority: int = 5) -> bytes:
    """A filing as an e-filing system sends it: JSON with one numbered text, without a line end."""
    numbered = (f"{claim.number}. {claim.text}" for claim in claim_set(claims).claims)
    content = {"docket": f"B-{number}", "claims": "\n".join(numbered), "priority": priority}
    return json.dumps(content).encode()
