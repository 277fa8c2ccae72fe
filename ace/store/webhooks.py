"""Webhooks of a tenant: creating, changing and listing them, their secrets, and what was delivered.

Every function reads or changes rows of one tenant. What is sent is decided in moves/deliveries.py.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, RowMapping, text
from uuid_utils.compat import uuid7

from ace.store.statements import statement
from ace.types.notices import OVERLAP_HOURS, DisabledBy

_SHOWN: Final = """
SELECT id, url, kinds, description, created_at, disabled_at, disabled_by, failing_since,
  ARRAY(SELECT until FROM webhook_secrets s WHERE s.webhook_id = w.id AND coalesce(until > now(), true)
        ORDER BY created_at) AS secrets
FROM webhooks w WHERE tenant = :tenant AND deleted_at IS NULL"""
_CREATE: Final = text("""
INSERT INTO webhooks (id, tenant, url, kinds, description)
VALUES (:id, :tenant, :url, :kinds, :description)""")
_ADD_SECRET: Final = text("""
INSERT INTO webhook_secrets (id, webhook_id, fingerprint) VALUES (:id, :webhook, :fingerprint)""")
_RETIRE_SECRETS: Final = text("""
UPDATE webhook_secrets SET until = now() + make_interval(hours => :hours)
WHERE webhook_id = :id AND until IS NULL""")


def create(connection: Connection, tenant: str, *, url: str, kinds: Sequence[str], description: str) -> UUID:
    """A new webhook, which needs a secret; returns its id."""
    id_ = uuid7()
    given = {"id": id_, "tenant": tenant, "url": url, "kinds": list(kinds), "description": description}
    connection.execute(_CREATE, given)
    return id_


def add_secret(connection: Connection, webhook_id: UUID, secret_id: UUID, fingerprint: bytes) -> None:
    """The secret that signs from now on, beside those that are still valid."""
    given = {"id": secret_id, "webhook": webhook_id, "fingerprint": fingerprint}
    connection.execute(_ADD_SECRET, given)


def retire_secrets(connection: Connection, webhook_id: UUID) -> None:
    """Lets the secrets of a webhook end in `OVERLAP_HOURS`."""
    connection.execute(_RETIRE_SECRETS, {"id": webhook_id, "hours": OVERLAP_HOURS})


def count(connection: Connection, tenant: str) -> int:
    """How many webhooks the tenant has."""
    found = text("SELECT count(*) FROM webhooks WHERE tenant = :tenant AND deleted_at IS NULL")
    return int(connection.execute(found, {"tenant": tenant}).scalar_one())


def one(connection: Connection, tenant: str, webhook_id: UUID) -> RowMapping | None:
    """One webhook of the tenant."""
    given = {"tenant": tenant, "id": webhook_id}
    return connection.execute(text(f"{_SHOWN} AND id = :id"), given).mappings().first()


def of_tenant(connection: Connection, tenant: str) -> Sequence[RowMapping]:
    """Every webhook of the tenant, oldest first."""
    return connection.execute(text(f"{_SHOWN} ORDER BY id"), {"tenant": tenant}).mappings().all()


def change(connection: Connection, tenant: str, webhook_id: UUID, changes: Mapping[str, Any]) -> bool:
    """Changes url, kinds, description, or with `enabled` whether anything is sent. False: there is none.

    Enabling forgets failures. Disabling fails what waits, as does deleting.
    """
    row = connection.execute(
        statement("change_webhook"),
        {
            "id": webhook_id,
            "tenant": tenant,
            **{name: changes.get(name) for name in ("url", "description", "enabled")},
            "kinds": list(changes["kinds"]) if changes.get("kinds") else None,
            "owner": DisabledBy.OWNER.value,
            "deleted": False,
        },
    ).first()
    return row is not None


def delete(connection: Connection, tenant: str, webhook_id: UUID) -> bool:
    """Deletes a webhook: nothing is sent any more. False: there is none. A purge removes its rows."""
    nothing = dict.fromkeys(("url", "description", "kinds", "owner"))
    given = {"id": webhook_id, "tenant": tenant, **nothing, "enabled": False, "deleted": True}
    return connection.execute(statement("change_webhook"), given).first() is not None


def deliveries(
    connection: Connection,
    tenant: str,
    webhook_id: UUID,
    *,
    state: str | None,
    after: UUID | None,
    limit: int,
) -> Sequence[RowMapping]:
    """A page of the deliveries to a webhook, the newest events first, beyond `after`."""
    conditions = "".join(
        condition
        for condition, value in ((" AND d.state = :state", state), (" AND d.event_id < :after", after))
        if value is not None
    )
    given = {"tenant": tenant, "id": webhook_id, "state": state, "after": after, "limit": limit}
    return (
        connection.execute(
            text(f"""
            SELECT d.event_id, n.kind, d.state, d.due_at, d.attempts, d.created_at, d.done_at
            FROM deliveries d JOIN notices n ON n.tenant = d.tenant AND n.number = d.number
            WHERE d.tenant = :tenant AND d.webhook_id = :id{conditions}
            ORDER BY d.event_id DESC LIMIT :limit"""),
            {name: value for name, value in given.items() if value is not None},
        )
        .mappings()
        .all()
    )


def replay(connection: Connection, tenant: str, webhook_id: UUID, event_id: UUID) -> bool | None:
    """Sends one event again, whatever came of it. False: it is waiting already; None: there is none."""
    given = {"tenant": tenant, "id": webhook_id, "event": event_id}
    row = connection.execute(statement("replay_delivery"), given).first()
    return None if row is None else bool(row.replayed)


def replay_failed(
    connection: Connection, tenant: str, webhook_id: UUID, *, since: datetime, limit: int
) -> int:
    """Sends failed deliveries of events since a time again, the oldest first; returns how many."""
    given = {"tenant": tenant, "id": webhook_id, "since": since, "limit": limit}
    return int(connection.execute(statement("replay_failed_deliveries"), given).scalar_one())
