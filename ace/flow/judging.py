"""The gatekeeper's judgement of analysed claims: scores, routing, places and grounds.

Whoever screens claims, a worker or a batch, asks here, so that both decide alike. No database, no lease.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from ace.claims.analysis import ClaimAnalysis, analysis_of
from ace.claims.model import ClaimInput
from ace.claims.taxonomy import LABELS, ErrorClass, Ground
from ace.gatekeeper.engine import Engine as Gatekeeper
from ace.gatekeeper.engine import score_each
from ace.gatekeeper.facts import claim_facts
from ace.routing.policy import Routing, route

log = logging.getLogger(__name__)

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the gatekeeper says of N claims: `p` has shape (N, 6), everything else one entry a claim.

    `spans` are the characters of a claim that speak most for a Fail without a finding; `grounds` what each
    claim would draw if it fails.
    """

    p: NDArray[np.float32]
    routing: Routing
    spans: list[Span | None]
    grounds: list[Ground]

    def of(self, wanted: NDArray[np.bool_]) -> "Judgement":
        """The judgement of some of the claims; `wanted` has shape (N,)."""
        return Judgement(
            self.p[wanted],
            self.routing.of(wanted),
            list(compress(self.spans, wanted)),
            list(compress(self.grounds, wanted)),
        )


def judge(gatekeeper: Gatekeeper, claims: Sequence[ClaimInput], *, rules: bool) -> Judgement:
    """The judgement of claims, which carry their analyses if `rules` looked at them.

    A claim that breaks scoring costs only its own row, which becomes NaN and escalates. Raises whatever the
    engine raises once it can score nothing.
    """
    analyses = [analysis_of(claim) for claim in claims] if rules else None
    sure = None if analyses is None else [each.sure for each in analyses]
    facts = None if analyses is None else claim_facts(claims)
    p = score_each(gatekeeper, claims)
    routing = route(p, gatekeeper.calibration, sure, facts)
    spans = _spans(gatekeeper, claims, routing)
    return Judgement(p, _proved(routing, spans), spans, _grounds(routing, analyses))


def _spans(gatekeeper: Gatekeeper, claims: Sequence[ClaimInput], routing: Routing) -> list[Span | None]:
    """What speaks most for each Fail without a finding, if the model can say it; None for all others."""
    alone = np.flatnonzero(routing.fail & routing.disputed & ~routing.escalate).tolist()
    spans: list[Span | None] = [None] * len(claims)
    try:
        classes = routing.error_class[alone].tolist()
        found = gatekeeper.locate([claims[at] for at in alone], classes) if alone else []
    except Exception as error:  # it has scored them: no verdict may wait for a span
        log.error("a span could not be found", extra={"why": type(error).__name__})
        return spans
    for at, span in zip(alone, found, strict=True):
        spans[at] = span
    return spans


def _proved(routing: Routing, spans: Sequence[Span | None]) -> Routing:
    """A Fail with neither a finding nor a span escalates."""
    bare = routing.fail & routing.disputed & np.array([span is None for span in spans], dtype=np.bool_)
    return replace(routing, escalate=routing.escalate | bare)


def _grounds(routing: Routing, analyses: Sequence[ClaimAnalysis] | None) -> list[Ground]:
    """What each claim draws if it fails: by its findings, or if no rule looked at it by its class alone."""
    classes = [ErrorClass(LABELS[index]) for index in routing.error_class.tolist()]
    if analyses is None:
        return [each.ground for each in classes]
    return [analysis.ground(each) for analysis, each in zip(analyses, classes, strict=True)]
