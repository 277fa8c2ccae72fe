"""Whose fault a fault is: the claim's, if the endpoint answers something else.

The endpoint is asked the control question, about a claim of our own: right after the fault, or before the
next examination of the claim if the claim may have broken the endpoint for a while (handling.py). So a server
that answers nobody spends no claim's examinations, and a claim that no server can answer fails although it is
the only one that waits.
"""

import logging
import time
from collections.abc import Callable
from threading import Lock
from typing import Final, TypeVar

from ace.claims.model import ClaimInput
from ace.errors import ExpertPermanent, ExpertTransient
from ace.expert.client.handling import MAX_EXAMINATIONS, Suspicion, handling_of
from ace.expert.client.opinions import Expert

log = logging.getLogger(__name__)

CONTROL: Final = ClaimInput(1, "A bracket comprising a plate and a bolt that fastens the plate to a wall.")
"""The claim of the control question."""

Fault = ExpertPermanent | ExpertTransient
T = TypeVar("T")


class ControlledExpert:
    """An endpoint's expert whose faults say whether they are the claim's own (`fault.own`).

    It knows what this process has heard from the endpoint. One control question is asked at a time, for
    all threads that need it.
    """

    def __init__(
        self, expert: Expert, name: str = "", *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.expert = expert
        self._name = name
        self._clock = clock
        self._asking = Lock()
        self._answered_at = float("-inf")
        self._failed_at = float("-inf")
        self._failure: Fault | None = None
        self._logged = False

    def examined(self, examine: Callable[[], T], *, suspect: str | None = None) -> T:
        """What `examine` returns: it asks the expert about one claim, and may raise faults.

        `suspect` is the last fault of the claim if the endpoint has to answer the control question first
        (`suspected`). Raises the fault of either.
        """
        asked_at = self._clock()
        if suspect is not None and not self._answers(asked_at, failed_since=asked_at):
            raise self._same_failure()
        try:
            result = examine()
        except (ExpertPermanent, ExpertTransient) as fault:
            fault.own = fault.own or self._is_own(fault, asked_at, suspect)
            raise
        self._answered()
        return result

    def _is_own(self, fault: Fault, asked_at: float, suspect: str | None) -> bool:
        match handling_of(fault.kind).suspicion:
            case Suspicion.NONE:
                return False
            case Suspicion.AT_ONCE:
                return self._answers(self._clock(), failed_since=asked_at)
            case Suspicion.NEXT_TIME:
                return suspect is not None
            case Suspicion.IN_THE_END:
                return suspect == fault.kind

    def _answers(self, since: float, *, failed_since: float) -> bool:
        """Whether the endpoint answers the control question, or has answered something since then; not, if
        the control question has failed since `failed_since`."""
        with self._asking:
            if self._answered_at >= since:
                return True
            return self._failed_at < failed_since and self._ask()

    def _ask(self) -> bool:
        try:
            self.expert.examine(CONTROL, 1)
        except (ExpertPermanent, ExpertTransient) as fault:
            self._failed_at, self._failure = self._clock(), fault
            if not self._logged:
                self._logged = True
                extra = {"endpoint": self._name, "fault": fault.kind, "why": str(fault)}
                log.error("the expert does not answer the control question either", extra=extra)
            return False
        self._answered()
        return True

    def _answered(self) -> None:
        self._answered_at, self._logged = self._clock(), False

    def _same_failure(self) -> Fault:
        """A fault of its own for each thread that shares the failed question."""
        failure = self._failure
        if isinstance(failure, ExpertTransient):
            return ExpertTransient(failure.kind, str(failure), failure.retry_after)
        if failure is None:
            raise ValueError("no control question has failed")
        return ExpertPermanent(failure.kind, str(failure))


def suspected(last_fault: str | None, outages: int) -> str | None:
    """The last fault of a claim, if its endpoint has to answer the control question before the claim is
    examined again; `outages` are the faults in a row that were not the claim's own."""
    suspicion = Suspicion.NONE if last_fault is None else handling_of(last_fault).suspicion
    late = suspicion is Suspicion.IN_THE_END and outages >= MAX_EXAMINATIONS
    return last_fault if suspicion is Suspicion.NEXT_TIME or late else None
