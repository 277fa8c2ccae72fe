"""The verbs of ACE: submit, dispatch, screen, examine, replay, cancel.

Each leases (commit), computes outside any transaction, and moves (commit). Database, broker, gatekeeper
and expert come as arguments; nothing here knows Celery, HTTP, torch or the text of a statement.
"""

from ace.flow.dispatching import Broker, DispatchLimits, Round, dispatch
from ace.flow.examining import examine, report
from ace.flow.filing import cancel, replay, submit
from ace.flow.leased import Holding
from ace.flow.screening import screen

__all__ = [
    "Broker",
    "DispatchLimits",
    "Holding",
    "Round",
    "cancel",
    "dispatch",
    "examine",
    "replay",
    "report",
    "screen",
    "submit",
]
