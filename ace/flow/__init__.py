"""The verbs of ACE: submit, dispatch, screen, examine, deliver, replay, cancel, review.

Each leases (commit), computes outside any transaction, and moves (commit). Database, broker, gatekeeper
and expert come as arguments; nothing here knows Celery, HTTP, torch or the text of a statement.

A verb's module is imported when the verb is first used (PEP 562): the API needs no numpy to submit, and the
dispatcher no rules.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ace.flow.analysing import AnalysesInHand, Checks
    from ace.flow.delivering import deliver
    from ace.flow.dispatching import Broker, DispatchLimits, Round, dispatch
    from ace.flow.examining import examine, report
    from ace.flow.filing import cancel, replay, submit
    from ace.flow.leased import Holding
    from ace.flow.observer import Observer
    from ace.flow.reviewing import review
    from ace.flow.screening import screen
else:
    _MODULES = {
        "analysing": ("AnalysesInHand", "Checks"),
        "delivering": ("deliver",),
        "dispatching": ("Broker", "DispatchLimits", "Round", "dispatch"),
        "examining": ("examine", "report"),
        "filing": ("cancel", "replay", "submit"),
        "leased": ("Holding",),
        "reviewing": ("review",),
        "screening": ("screen",),
        "observer": ("Observer",),
    }

    def __getattr__(name: str) -> Any:
        for module, names in _MODULES.items():
            if name in names:
                return getattr(import_module(f"{__name__}.{module}"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "AnalysesInHand",
    "Broker",
    "Checks",
    "DispatchLimits",
    "Holding",
    "Observer",
    "Round",
    "cancel",
    "deliver",
    "dispatch",
    "examine",
    "replay",
    "report",
    "review",
    "screen",
    "submit",
]
