"""replay, cancel, and submit for re-evaluations: what clients and operators order."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import Connection

from ace.store.statements import statement


def replay(connection: Connection, tenant: str, evaluations: Sequence[UUID], *, actor: str) -> list[UUID]:
    """replay: failed evaluations of one tenant wait again for their failed stage, with no tries counted."""
    return list(
        connection.execute(
            statement("replay"),
            {"ids": list(evaluations), "tenant": tenant, "actor": actor},
        ).scalars()
    )


def reevaluate(connection: Connection, tenant: str, evaluations: Sequence[UUID], *, actor: str) -> list[UUID]:
    """submit: new evaluations for the claims of decided ones, which keep their verdicts; returns their ids.

    None for a claim that is being evaluated again already, or whose text was purged.
    """
    return list(
        connection.execute(
            statement("reevaluate"),
            {"ids": list(evaluations), "tenant": tenant, "actor": actor},
        ).scalars()
    )


def cancel(connection: Connection, tenant: str, filing_id: UUID, *, actor: str) -> list[UUID]:
    """cancel: every evaluation of a filing without a verdict; a worker that still holds one moves nothing."""
    return list(
        connection.execute(
            statement("cancel"),
            {"filing": filing_id, "tenant": tenant, "actor": actor},
        ).scalars()
    )
