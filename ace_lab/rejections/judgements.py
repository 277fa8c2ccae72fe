"""The judges' verdicts on the claims of a file of rejections: gatekeeper, expert and structural checks.

A judge calls Fail or not and gives reasons: a class and words of the claim. Nothing is scored here.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ace.claims.analysis import analysis_of, check_set, with_analysis
from ace.claims.findings import Finding
from ace.claims.model import ClaimInput
from ace.claims.taxonomy import LABELS
from ace.gatekeeper.engine import LoadedEngine, score_each
from ace.gatekeeper.facts import claim_facts
from ace.gatekeeper.inputs import CHAIN_CHARACTERS
from ace.routing.policy import route
from ace_lab.experts.opinions import Expert, Opinion, StructuralExpert
from ace_lab.rejections.rejection_file import Filing, Rejections

OnProgress = Callable[[str, int, int], None]
"""Called with the name of a step, how much of it is done, and the total."""

CLAIMS_A_CHUNK = 256
_WORD_EDGES = " ,.;:()[]\n\t"


@dataclass(frozen=True, slots=True)
class Subject:
    """A claim to judge, once however many lines repeat it; `application` is an index."""

    application: int
    filing: int
    number: int
    total: int
    claim: ClaimInput


@dataclass(frozen=True, slots=True)
class Subjects:
    """All claims of a file, and where each (filing, number) is found among them."""

    subjects: tuple[Subject, ...]
    applications: tuple[str, ...]
    at: dict[tuple[int, int], int]

    @property
    def application(self) -> NDArray[np.intp]:
        """The application of each claim, shape (N,)."""
        return np.array([each.application for each in self.subjects], dtype=np.intp)


Reasons = tuple[tuple[str, str], ...]
"""(class, words of the claim), those of one claim."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """One judge's verdicts on N claims: `fail` of shape (N,), and the reasons for each Fail."""

    name: str
    fail: NDArray[np.bool_]
    reasons: tuple[Reasons, ...]
    seconds: float
    tokens: int = 0
    failures: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Gatekept:
    """The gatekeeper's judgement with what routing needs: doubt (NaN counts as the greatest) and the
    calibration's own choice, each of shape (N,), and P_inv."""

    judgement: Judgement
    doubt: NDArray[np.float64]
    escalate: NDArray[np.bool_]
    p_inv: NDArray[np.float64]
    tau: float
    calibration: str
    revision: str


def subjects_of(rejections: Rejections) -> Subjects:
    """The pending claims of all filings; the same words with the same chain are judged once."""
    applications: dict[str, int] = {}
    found: list[Subject] = []
    known: dict[tuple[int, ClaimInput], int] = {}
    at: dict[tuple[int, int], int] = {}
    for index, filing in enumerate(rejections.filings):
        application = applications.setdefault(filing.application, len(applications))
        for claim in filing.claims.pending():
            given = filing.claims.input_of(claim.number, max_chain_characters=CHAIN_CHARACTERS)
            place = known.setdefault((application, given), len(found))
            if place == len(found):
                found.append(Subject(application, index, claim.number, len(filing.claims), given))
            at[index, claim.number] = place
    return Subjects(tuple(found), tuple(applications), at)


def gatekept(engine: LoadedEngine, subjects: Sequence[Subject], on_progress: OnProgress) -> Gatekept:
    """The gatekeeper's opinion of each claim; a claim that it cannot score is escalated and is not a Fail."""
    began = time.perf_counter()
    inputs = [with_analysis(each.claim) for each in subjects]
    p = np.zeros((0, len(LABELS)), np.float32)
    for start in range(0, len(inputs), CLAIMS_A_CHUNK):
        on_progress("gatekeeper", start, len(inputs))
        p = np.concatenate([p, score_each(engine, inputs[start : start + CLAIMS_A_CHUNK])])
    on_progress("gatekeeper", len(inputs), len(inputs))
    seconds = time.perf_counter() - began
    routing = route(p, engine.calibration, [analysis_of(claim).sure for claim in inputs], claim_facts(inputs))
    reasons: list[Reasons] = [()] * len(inputs)
    failing = np.flatnonzero(routing.fail)
    if len(failing):
        spans = engine.locate([inputs[at] for at in failing], routing.error_class[failing])
        for at, span in zip(failing, spans, strict=True):
            quote = "" if span is None else _whole_words(inputs[at].text, *span)
            reasons[at] = ((LABELS[routing.error_class[at]], quote),)
    return Gatekept(
        Judgement("gatekeeper", routing.fail, tuple(reasons), seconds),
        doubt=np.where(np.isfinite(routing.doubt), routing.doubt, np.inf),
        escalate=routing.escalate,
        p_inv=np.nan_to_num(1.0 - p[:, 0].astype(np.float64), nan=0.0),
        tau=float(engine.calibration.tau),
        calibration=engine.calibration.id,
        revision=engine.revision,
    )


def examined(
    expert: Expert, subjects: Sequence[Subject], on_progress: OnProgress
) -> tuple[Judgement, NDArray[np.bool_]]:
    """The expert's judgement, and on which claims it has one, shape (N,): failed examinations are neither
    Fail nor an opinion."""
    began = time.perf_counter()
    done = 0

    def progress(more: int) -> None:
        nonlocal done
        done += more
        on_progress(expert_step(expert), done, len(subjects))

    opinions = expert.examine(
        [each.claim for each in subjects], [each.total for each in subjects], progress=progress
    )
    judgement = Judgement(
        "structural" if isinstance(expert, StructuralExpert) else "expert",
        np.array([opinion is not None and opinion.fail for opinion in opinions], dtype=bool),
        tuple(_reasons(opinion) for opinion in opinions),
        time.perf_counter() - began,
        sum(opinion.tokens for opinion in opinions if opinion is not None),
        expert.failures,
    )
    return judgement, np.array([opinion is not None for opinion in opinions], dtype=bool)


def expert_step(expert: Expert) -> str:
    """The name of its examinations in progress messages."""
    return "structural checks" if isinstance(expert, StructuralExpert) else "expert"


def hybrid(
    gate: Gatekept, expert: Judgement, answered: NDArray[np.bool_], escalate: NDArray[np.bool_]
) -> Judgement:
    """The expert's verdict on escalated claims if it has one, otherwise the gatekeeper's."""
    asked = escalate & answered
    return Judgement(
        "hybrid",
        np.where(asked, expert.fail, gate.judgement.fail),
        tuple(expert.reasons[at] if asked[at] else gate.judgement.reasons[at] for at in range(len(asked))),
        gate.judgement.seconds,
    )


def escalated(doubt: NDArray[np.float64], share: float) -> NDArray[np.bool_]:
    """The most doubtful `share` of the claims, shape (N,): never more, but ties may give fewer, as
    with a quantile of doubt for tau."""
    kept = len(doubt) - int(np.floor(len(doubt) * share + 1e-9))
    if kept == 0:
        return np.ones(len(doubt), dtype=bool)
    above: NDArray[np.bool_] = doubt > np.sort(doubt)[kept - 1]
    return above


def findings_of(filings: Sequence[Filing], on_progress: OnProgress) -> list[list[Finding]]:
    """What `ace check` reports on each claim set: each topic once, at its first claim."""
    found = []
    for at, filing in enumerate(filings):
        on_progress("findings", at, len(filings))
        found.append(check_set(filing.claims.pending()))
    on_progress("findings", len(filings), len(filings))
    return found


def _reasons(opinion: Opinion | None) -> Reasons:
    if opinion is None or not opinion.fail:
        return ()
    if opinion.reasons:
        return opinion.reasons
    return ((opinion.error_class, ""),) if opinion.error_class else ()


def _whole_words(text: str, start: int, end: int) -> str:
    """text[start:end] widened to whole words: a token may be a part of one."""
    while start > 0 and text[start - 1] not in _WORD_EDGES:
        start -= 1
    while end < len(text) and text[end] not in _WORD_EDGES:
        end += 1
    return text[start:end].strip(_WORD_EDGES)
