"""Events for clients: numbering what moves put into the outbox, and the moves of webhook deliveries.

A delivery is leased, renewed, released and expired like all work (leases.py); one message carries deliveries
of one webhook.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, text

from ace.store.moves.leases import Leased
from ace.store.statements import statement
from ace.types.notices import DISABLED_AFTER_DAYS, DisabledBy, NoticeKind

NUMBERED_AT_ONCE: Final = 1_000
DELIVERIES_IN_A_MESSAGE: Final = 200
DELIVERIES_IN_A_TRIAL: Final = 10
"""The same for a webhook that is failing: most of a message would come back."""

# Advisory locks: any numbers that no other lock has.
_NUMBERING: Final = 112_004
_LEASING: Final = 112_005

_WAITING: Final = text("SELECT count(*) FROM leases WHERE stage = 'webhooks' AND started_at IS NULL")


def number_notices(connection: Connection, *, limit: int = NUMBERED_AT_ONCE) -> int:
    """Moves up to `limit` rows from the outbox to the feeds of their tenants, and makes the deliveries.

    Returns how many. Dispatchers take turns, and each sees what the one before has committed, so that whoever
    can read a number can read all those before it.
    """
    connection.execute(text("SELECT pg_advisory_xact_lock(:turn)"), {"turn": _NUMBERING})
    return int(connection.execute(statement("number_notices"), {"limit": limit}).scalar_one())


def lease_deliveries(connection: Connection, *, bound: int, lease_seconds: float) -> list[Leased]:
    """dispatch: leases due deliveries, one message for each webhook, evenly over tenants; none while `bound`
    messages wait on the broker."""
    connection.execute(text("SELECT pg_advisory_xact_lock(:turn)"), {"turn": _LEASING})
    room = bound - int(connection.execute(_WAITING).scalar_one())
    if room <= 0:
        return []
    given = {
        "room": room,
        "each": DELIVERIES_IN_A_MESSAGE,
        "trial": DELIVERIES_IN_A_TRIAL,
        "lease_seconds": lease_seconds,
    }
    return [
        Leased(row.token, tuple(row.events), alone=False, full=False, endpoint=str(row.webhook_id))
        for row in connection.execute(statement("lease_deliveries"), given)
    ]


@dataclass(frozen=True, slots=True)
class HeldDelivery:
    """One event that a worker is to send: what the feed says of it, and how often it was tried."""

    event_id: UUID
    tried: int
    kind: NoticeKind
    at: datetime
    told: dict[str, Any]  # the columns of the event, by name
    traceparent: str | None = None  # of its filing


@dataclass(frozen=True, slots=True)
class HeldMessage:
    """The deliveries of one lease, all to one webhook: its URL, and its valid secrets, newest first, as (id,
    fingerprint). `at` is when it was taken, by the clock of the database."""

    webhook_id: UUID
    url: str
    secrets: tuple[tuple[UUID, bytes], ...]
    deliveries: tuple[HeldDelivery, ...]
    at: datetime


def held_message(connection: Connection, token: UUID) -> HeldMessage | None:
    """What the lease is for; None if its webhook was disabled or deleted meanwhile."""
    webhook = connection.execute(statement("held_webhook"), {"token": token}).first()
    if webhook is None:
        return None
    rows = connection.execute(statement("held_deliveries"), {"token": token}).mappings()
    fingerprints = (bytes(one) for one in webhook.fingerprints or ())
    return HeldMessage(
        webhook.id,
        webhook.url,
        tuple(zip(webhook.secrets or (), fingerprints, strict=True)),
        tuple(
            HeldDelivery(
                row["event_id"],
                row["tried"],
                NoticeKind(row["kind"]),
                row["at"],
                dict(row),
                row["traceparent"],
            )
            for row in rows
        ),
        webhook.now,
    )


@dataclass(frozen=True, slots=True)
class Attempted:
    """The outcome of one attempt: accepted, or due again after `delay_seconds`; None after the last."""

    event_id: UUID
    accepted: bool
    delay_seconds: float | None
    record: dict[str, Any]  # what is shown of it: at, status or fault, seconds


def delivered(
    connection: Connection,
    token: UUID,
    webhook_id: UUID,
    attempted: Sequence[Attempted],
    *,
    gone: bool = False,
    pause_seconds: float | None = None,
) -> DisabledBy | None:
    """Stores what came of a message, and closes its lease; deliveries that were not tried are due as before.

    `gone` disables the webhook, as do days without success; `pause_seconds` is what its receiver needs before
    the next message. Returns why it was disabled, if it was. Changes nothing if the lease is no longer held.
    """
    disabled = None
    if attempted:
        row = connection.execute(
            statement("webhook_health"),
            {
                "token": token,
                "webhook": webhook_id,
                "accepted": any(one.accepted for one in attempted),
                "failed": not attempted[-1].accepted,
                "gone": gone,
                "pause": pause_seconds,
                "days": DISABLED_AFTER_DAYS,
            },
        ).first()
        disabled = None if row is None else DisabledBy(row.disabled_by)
    connection.execute(
        statement("delivered"),
        {
            "token": token,
            "events": [one.event_id for one in attempted],
            "accepted": [one.accepted for one in attempted],
            "delays": [one.delay_seconds for one in attempted],
            "attempts": [json.dumps(one.record) for one in attempted],
        },
    )
    return disabled
