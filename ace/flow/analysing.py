"""The analyses of the claims in a worker's hand: those that are stored, and those that are made now.

A filing is analysed once. Its analysis is stored with the first move of its claims, and read by whoever comes
after.
"""

import json
import logging
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any, Final, Protocol, TypeVar
from uuid import UUID

from ace.claim_work import analysed, analysed_alone
from ace.claims.analysis import JURISDICTION, VERSION, AnalysedClaim, ClaimAnalysis, from_json
from ace.claims.terms import NO_TERMS, Terms
from ace.errors import AceError, NotReached, Stopped, Unavailable
from ace.store.moves import Analyses
from ace.store.reads import Held, Taken
from ace.types.rules_version import RulesVersion

log = logging.getLogger(__name__)

RULES: Final = RulesVersion(VERSION, JURISDICTION.value)

Item = TypeVar("Item")
Made = TypeVar("Made")


class Checks(Protocol):
    """Runs the rules where they can be stopped: `ace.bounded.Bounded`."""

    def each(
        self, work: Callable[[Item], Made], items: Sequence[Item], groups: Sequence[Hashable]
    ) -> list[Made | AceError]:
        """For each item its result or its error; after a Stopped, the rest of its group is NotReached."""


@dataclass
class Analysed:
    """The claims with their analyses (`AnalysedClaim`). Those of `stopped` took too long, with the reason;
    others of their tenant that were not reached for that are in neither."""

    ready: list[Held] = field(default_factory=list)
    stopped: dict[UUID, str] = field(default_factory=dict)
    made: dict[UUID, str] = field(default_factory=dict)  # by filing, to be stored
    terms: dict[UUID, str] = field(default_factory=dict)  # the digests of the lists that they obey

    @property
    def new(self) -> Analyses:
        """What is to be stored."""
        return Analyses(self.made, RULES, self.terms)


class AnalysesInHand:
    """The analyses that the messages in hand of one process have made and not stored yet, so that messages of
    one filing make one; two if its tenant has changed the term list in between. Thread-safe."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._made: dict[tuple[UUID, str], Future[str | AceError]] = {}

    @contextmanager
    def of(self, checks: Checks, taken: Taken) -> Iterator[Analysed]:
        """The claims with their analyses, as `with_analyses` gives them. Those that are made are shared until
        the context ends, by which time they should be stored."""
        keys = {filing: (filing, terms.digest) for filing, terms in _lists(taken).items()}
        with self._lock:
            mine: dict[UUID, Future[str | AceError]] = {
                filing: Future() for filing, key in keys.items() if key not in self._made
            }
            self._made |= {keys[filing]: each for filing, each in mine.items()}
            made = {filing: self._made[key] for filing, key in keys.items()}
        try:
            for filing, outcome in _made(checks, taken, mine).items():
                mine[filing].set_result(outcome)
            yield _with_analyses(checks, taken, {filing: each.result() for filing, each in made.items()})
        finally:
            with self._lock:
                for filing, each in mine.items():
                    del self._made[keys[filing]]
                    if not each.done():
                        each.set_exception(
                            Unavailable("checks", "another message could not make the analysis")
                        )


def with_analyses(checks: Checks, taken: Taken) -> Analysed:
    """The claims with their analyses: stored, made of their set, or of their chain if the set is too long."""
    return _with_analyses(checks, taken, _made(checks, taken, taken.sets))


def _lists(taken: Taken) -> dict[UUID, Terms]:
    """The term list that the analysis of each set obeys."""
    tenants = {held.filing_id: held.tenant for held in taken.held}
    return {filing: taken.terms.get(tenants[filing], NO_TERMS) for filing in taken.sets}


def _made(checks: Checks, taken: Taken, filings: Collection[UUID]) -> dict[UUID, str | AceError]:
    """The analyses of these filings' sets."""
    tenants = {held.filing_id: held.tenant for held in taken.held}
    lists = _lists(taken)
    sets = [(taken.sets[filing], lists[filing]) for filing in filings]
    return dict(zip(filings, checks.each(analysed, sets, [tenants[each] for each in filings]), strict=True))


def _with_analyses(checks: Checks, taken: Taken, made: Mapping[UUID, str | AceError]) -> Analysed:
    found = Analysed(terms={filing: terms.digest for filing, terms in _lists(taken).items()})
    of_sets: dict[UUID, dict[str, Any] | AceError] = {}
    for filing, outcome in made.items():
        of_sets[filing] = json.loads(outcome) if isinstance(outcome, str) else outcome
        if isinstance(outcome, str):
            found.made[filing] = outcome
    long = [held for held in taken.held if held.analysis is None and held.filing_id not in taken.sets]
    asked = [(held.claim, taken.terms.get(held.tenant, NO_TERMS)) for held in long]
    alone = checks.each(analysed_alone, asked, [held.tenant for held in long])
    of_claims = {held.evaluation_id: outcome for held, outcome in zip(long, alone, strict=True)}
    for held in taken.held:
        made_of = of_claims.get(held.evaluation_id) or _of_set(held, of_sets.get(held.filing_id))
        _sort(found, held, made_of, taken.terms.get(held.tenant, NO_TERMS))
    return found


def _of_set(held: Held, made: dict[str, Any] | AceError | None) -> ClaimAnalysis | AceError:
    """The claim's part of the analysis of its set, stored or just made."""
    if isinstance(made, AceError):
        return made
    stored = held.analysis if made is None else made[str(held.claim.number)]
    return from_json(stored or {}, held.claim.number, held.claim.text)


def _sort(found: Analysed, held: Held, outcome: ClaimAnalysis | AceError, terms: Terms) -> None:
    if isinstance(outcome, Stopped):
        found.stopped[held.evaluation_id] = outcome.code
    elif not isinstance(outcome, NotReached):
        analysis = ClaimAnalysis(failure=str(outcome)) if isinstance(outcome, AceError) else outcome
        if analysis.failure is not None:
            why = {"filing": str(held.filing_id), "claim": held.claim.number, "why": analysis.failure}
            log.error("a claim could not be analysed", extra=why)
        found.ready.append(replace(held, claim=AnalysedClaim.of(held.claim, analysis, terms)))
