"""Every state change of an evaluation or a delivery, each one guarded statement with its audit event.

A move names the rows it takes (`state = <from> AND lease = <token>`) and reports how many it moved;
zero means that somebody else was faster, and is no error. The statements are in `sql/`; each ends with
record_moves.sql, which logs and counts the rows it moved. Callers own the transaction.

Locks are always taken in one order, first the lease and then its evaluations: two moves over one lease
never deadlock, and a worker frozen in its move keeps only its own lease.
"""

from ace.store.moves.deliveries import (
    NUMBERED_AT_ONCE,
    Attempted,
    HeldDelivery,
    HeldMessage,
    delivered,
    held_message,
    lease_deliveries,
    number_notices,
)
from ace.store.moves.examinations import lease_assigned, waiting_claims
from ace.store.moves.leases import Leased, expire, extend_leases, lease_due, release, renew, start, take_turn
from ace.store.moves.orders import cancel, reevaluate, replay
from ace.store.moves.submission import Accepted, NewFiling, Origin, submit
from ace.store.moves.tallies import compact_tallies, recount
from ace.store.moves.verdicts import (
    Analyses,
    Screened,
    deferred,
    examined,
    failed,
    keep_analyses,
    quarantined,
    screened,
)

__all__ = [
    "NUMBERED_AT_ONCE",
    "Accepted",
    "Analyses",
    "Attempted",
    "HeldDelivery",
    "HeldMessage",
    "Leased",
    "NewFiling",
    "Origin",
    "Screened",
    "cancel",
    "compact_tallies",
    "deferred",
    "delivered",
    "examined",
    "expire",
    "extend_leases",
    "failed",
    "held_message",
    "keep_analyses",
    "lease_assigned",
    "lease_deliveries",
    "lease_due",
    "number_notices",
    "quarantined",
    "recount",
    "reevaluate",
    "release",
    "renew",
    "replay",
    "screened",
    "start",
    "submit",
    "take_turn",
    "waiting_claims",
]
