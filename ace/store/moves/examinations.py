"""dispatch on the slow stage: the claims that wait for the expert, and their leases.

Each examination has a lease, a message and a slot of its own. `ace.store.assignment` decides which claim
goes to which endpoint.
"""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection
from uuid_utils.compat import uuid7

from ace.store.assignment import Assignment, WaitingClaim
from ace.store.moves.leases import Leased
from ace.store.statements import statement

CONSIDERED_CLAIMS: Final = 256  # waiting claims of all tenants that are weighed against each other


def waiting_claims(connection: Connection, *, each: int) -> list[WaitingClaim]:
    """Claims due to be examined: up to `each` of every tenant and priority, those that waited longest.

    They are not locked: a claim may be gone when it is leased.
    """
    given = {"each": each, "looked_at": CONSIDERED_CLAIMS}
    return [WaitingClaim(*row) for row in connection.execute(statement("waiting_claims"), given)]


def lease_assigned(
    connection: Connection,
    assigned: Sequence[Assignment],
    *,
    lease_seconds: float,
    max_tries: int,
    actor: str,
) -> list[Leased]:
    """dispatch: leases each claim by itself, in this order; claims that are no longer due are left out."""
    if not assigned:
        return []
    rows = connection.execute(
        statement("lease_assigned"),
        {
            "ids": [each.claim.id for each in assigned],
            "tokens": [uuid7() for _ in assigned],
            "endpoints": [each.endpoint for each in assigned],
            "lease_seconds": lease_seconds,
            "actor": actor,
        },
    )
    return [
        Leased(row.token, (row.id,), alone=0 < row.tries >= max_tries - 1, full=False, endpoint=row.endpoint)
        for row in rows
    ]
