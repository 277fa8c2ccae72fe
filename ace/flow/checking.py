"""The findings of the rules on the claims of evaluations.

They are stored for claims that the gatekeeper fails or escalates, and computed on request for all others.
Pure: stored claims come as arguments, and so do the processes that run the rules.
"""

import logging
from collections.abc import Callable, Hashable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeVar
from uuid import UUID

from ace import __version__
from ace.analysis import JURISDICTION, KeptClaims, findings_on
from ace.claims.checks.confidence import DEFAULT_THRESHOLD
from ace.claims.findings import Finding
from ace.errors import AceError, NotReached, WorkFailed
from ace.store.findings import RuleFindings

log = logging.getLogger(__name__)

RULES: Final = f"ace-{__version__}"

Item = TypeVar("Item")
Made = TypeVar("Made")


class Checks(Protocol):
    """Runs the rules where they can be stopped: `ace.bounded.Bounded`."""

    def submit(self, work: Callable[[Item], Made], item: Item) -> "Future[Made]":
        """The result of one item, to come; or Stopped, WorkFailed or any AceError."""

    def each(
        self, work: Callable[[Item], Made], items: Sequence[Item], groups: Sequence[Hashable]
    ) -> list[Made | AceError]:
        """For each item its result or its error; after a Stopped, the rest of its group is NotReached."""


@dataclass
class Checked:
    """What the rules find on doubtful claims. `left` are the evaluations whose sets were not reached."""

    found: dict[UUID, list[Finding]] = field(default_factory=dict)
    left: set[UUID] = field(default_factory=set)

    @property
    def findings(self) -> RuleFindings:
        """As they are stored."""
        return RuleFindings(self.found, JURISDICTION, DEFAULT_THRESHOLD, RULES)


def check_all(
    checks: Checks,
    sets: Mapping[UUID, KeptClaims],
    wanted: Mapping[UUID, Mapping[int, UUID]],
    tenants: Mapping[UUID, str],
) -> Checked:
    """The findings by evaluation; `wanted` maps each filing to {claim number: evaluation}.

    A set on which a rule raises an error or takes too long is left out: no verdict may wait for that.
    """
    checked = Checked()
    asked = [(claims, list(wanted[filing])) for filing, claims in sets.items()]
    outcomes = checks.each(findings_on, asked, [tenants[filing] for filing in sets])
    for filing, outcome in zip(sets, outcomes, strict=True):
        evaluations = wanted[filing]
        if isinstance(outcome, NotReached):
            checked.left.update(evaluations.values())
        elif isinstance(outcome, AceError):
            why = outcome.kind if isinstance(outcome, WorkFailed) else str(outcome)
            log.error("claims could not be checked", extra={"filing": str(filing), "why": why})
        else:
            checked.found |= {evaluations[number]: on_claim for number, on_claim in outcome.items()}
    return checked
