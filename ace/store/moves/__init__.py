"""Every state change of an evaluation, each one guarded statement with its audit event.

A move says which rows it takes (`state = <from> AND lease = <token>`) and reports how many it
moved; zero means that someone else did it, and is no error. Callers own the transaction.
"""

from ace.store.moves.events import fold, recount
from ace.store.moves.examinations import in_line, lease_each
from ace.store.moves.leases import Leased, expire, lease_due, release, renew, spare, start, take_turn
from ace.store.moves.orders import cancel, replay
from ace.store.moves.submission import Accepted, NewFiling, submit
from ace.store.moves.verdicts import Screened, deferred, examined, failed, screened

__all__ = [
    "Accepted",
    "Leased",
    "NewFiling",
    "Screened",
    "cancel",
    "deferred",
    "examined",
    "expire",
    "failed",
    "fold",
    "in_line",
    "lease_due",
    "lease_each",
    "recount",
    "release",
    "renew",
    "replay",
    "screened",
    "spare",
    "start",
    "submit",
    "take_turn",
]
