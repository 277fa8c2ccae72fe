"""dispatch on the slow stage: the line of claims that wait for the expert, and their leases.

Each examination has a lease, a message and a slot of its own. Who goes where is `ace.store.assignment`'s.
"""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection
from uuid_utils.compat import uuid7

from ace.store.assignment import Dealt, Due
from ace.store.moves.leases import Leased
from ace.store.statements import statement

LOOKED_AT: Final = 256  # claims in line that are weighed against each other, of all tenants


def in_line(connection: Connection, *, each: int) -> list[Due]:
    """Claims that are due to be examined: those due longest of every tenant and priority, `each` at most.

    They are not locked: a claim may be gone when it is leased.
    """
    return [
        Due(*row)
        for row in connection.execute(statement("waiting_claims"), {"each": each, "looked_at": LOOKED_AT})
    ]


def lease_each(
    connection: Connection, dealt: Sequence[Dealt], *, lease_seconds: float, max_tries: int, actor: str
) -> list[Leased]:
    """dispatch: leases each claim by itself, in this order; those that are due no more are left out."""
    if not dealt:
        return []
    rows = connection.execute(
        statement("lease_assigned"),
        {
            "ids": [each.claim.id for each in dealt],
            "tokens": [uuid7() for _ in dealt],
            "endpoints": [each.endpoint for each in dealt],
            "lease_seconds": lease_seconds,
            "actor": actor,
        },
    )
    return [
        Leased(row.token, (row.id,), alone=0 < row.tries >= max_tries - 1, full=False, endpoint=row.endpoint)
        for row in rows
    ]
