"""Webhooks of a tenant: creating, changing and listing them, their secrets, and what was delivered.

Every function but `valid_secrets` reads or changes rows of one tenant. What is sent is decided in
moves/deliveries.py.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, RowMapping, text

from ace.store import acts
from ace.store.ids import new_id
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
_ACT_OF: Final = {True: "enable webhook", False: "disable webhook"}
_VALID_SECRETS: Final = text("""
SELECT w.tenant, w.id AS webhook, s.id, s.fingerprint, s.until
FROM webhook_secrets s JOIN webhooks w ON w.id = s.webhook_id
WHERE deleted_at IS NULL AND coalesce(until > now(), true) ORDER BY w.tenant, w.id, s.created_at""")
_RETIRE_SECRETS: Final = text("""
UPDATE webhook_secrets SET until = now() + make_interval(hours => :hours)
WHERE webhook_id = :id AND until IS NULL""")


def create(
    connection: Connection, tenant: str, *, url: str, kinds: Sequence[str], description: str, actor: str
) -> UUID:
    """A new webhook, which needs a secret; returns its id."""
    id_ = new_id(connection)
    given = {"id": id_, "tenant": tenant, "url": url, "kinds": list(kinds), "description": description}
    connection.execute(_CREATE, given)
    _record(connection, tenant, actor, "make webhook", id_)
    return id_


def _record(connection: Connection, tenant: str, actor: str, act: str, id_: UUID, what: str = "") -> None:
    target = f"webhook {id_}{what}"
    acts.record(connection, tenant, actor=actor, act=act, target=target, reason="")


def add_secret(connection: Connection, webhook_id: UUID, secret_id: UUID, fingerprint: bytes) -> None:
    """The secret that signs from now on, beside those that are still valid."""
    given = {"id": secret_id, "webhook": webhook_id, "fingerprint": fingerprint}
    connection.execute(_ADD_SECRET, given)


def retire_secrets(connection: Connection, tenant: str, webhook_id: UUID, *, actor: str) -> None:
    """Lets the secrets of a webhook end in `OVERLAP_HOURS`, for a new one to take their place."""
    connection.execute(_RETIRE_SECRETS, {"id": webhook_id, "hours": OVERLAP_HOURS})
    _record(connection, tenant, actor, "rotate secret", webhook_id)


def valid_secrets(connection: Connection) -> Sequence[RowMapping]:
    """Every valid secret of all tenants: tenant, webhook, id, fingerprint, and when it ends, if it does."""
    return connection.execute(_VALID_SECRETS).mappings().all()


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


def change(
    connection: Connection, tenant: str, webhook_id: UUID, changes: Mapping[str, Any], *, actor: str
) -> bool:
    """Changes url, events, description, or with `enabled` whether anything is sent. False: there is none.

    Enabling forgets failures. Disabling fails what waits, as does deleting.
    """
    row = connection.execute(
        statement("change_webhook"),
        {
            "id": webhook_id,
            "tenant": tenant,
            **{name: changes.get(name) for name in ("url", "description", "enabled")},
            "kinds": list(changes["events"]) if changes.get("events") else None,
            "owner": DisabledBy.OWNER.value,
            "deleted": False,
        },
    ).first()
    if row is not None:
        enabled = changes.get("enabled")
        act = "change webhook" if enabled is None else _ACT_OF[enabled]
        fields = sorted(name for name, value in changes.items() if value is not None and name != "enabled")
        _record(connection, tenant, actor, act, webhook_id, f": {', '.join(fields)}" if fields else "")
    return row is not None


def delete(connection: Connection, tenant: str, webhook_id: UUID, *, actor: str) -> bool:
    """Deletes a webhook: nothing is sent any more. False: there is none. A purge removes its rows."""
    nothing = dict.fromkeys(("url", "description", "kinds", "owner"))
    given = {"id": webhook_id, "tenant": tenant, **nothing, "enabled": False, "deleted": True}
    deleted = connection.execute(statement("change_webhook"), given).first() is not None
    if deleted:
        _record(connection, tenant, actor, "delete webhook", webhook_id)
    return deleted


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


def replay(
    connection: Connection, tenant: str, webhook_id: UUID, event_id: UUID, *, actor: str
) -> bool | None:
    """Sends one event again, whatever came of it. False: it is waiting already; None: there is none."""
    given = {"tenant": tenant, "id": webhook_id, "event": event_id}
    row = connection.execute(statement("replay_delivery"), given).first()
    if row is None:
        return None
    if row.replayed:
        _record(connection, tenant, actor, "replay delivery", webhook_id, f", event {event_id}")
    return bool(row.replayed)


def replay_failed(
    connection: Connection, tenant: str, webhook_id: UUID, *, since: datetime, limit: int, actor: str
) -> int:
    """Sends failed deliveries of events since a time again, the oldest first; returns how many."""
    given = {"tenant": tenant, "id": webhook_id, "since": since, "limit": limit}
    replayed = int(connection.execute(statement("replay_failed_deliveries"), given).scalar_one())
    _record(connection, tenant, actor, "replay deliveries", webhook_id, f": {replayed}")
    return replayed
