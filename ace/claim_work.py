"""What is made of claims by reading and checking them, as functions for processes that can be stopped.

Each takes what was sent or stored and returns values; `ace.bounded` runs them. Nothing here knows HTTP, the
database or a model, so that such a process starts quickly and stays small.
"""

import gc
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from ace.claims.analysis import ClaimAnalysis, analyse_claim, analysis_of
from ace.claims.analysis import as_json as analysis_as_json
from ace.claims.chains import kept_set
from ace.claims.model import Claim, ClaimInput, ClaimSet, Note
from ace.claims.readers import BOMS, read_claims, read_file, read_text
from ace.claims.reading import Reading
from ace.claims.reports.graph_json import graph_as_json
from ace.claims.reports.report import Report, as_json, checked
from ace.claims.reports.sarif import as_sarif
from ace.claims.rules import Jurisdiction
from ace.claims.terms import NO_TERMS, Terms
from ace.errors import Refused, WorkFailed

CHECKED_SET_CHARACTERS: Final = 200_000
"""Longer claim sets are not checked: it would take seconds. The longest we measured has 56,000."""

TEXT: Final = "text/plain"
MAX_FINDINGS: Final = 5_000
_URI: Final = {TEXT: "claims.txt", "application/xml": "claims.xml", "text/xml": "claims.xml"}

_VALUES_BETWEEN_COLLECTIONS: Final = 500_000

KeptClaims = Sequence[tuple[int, str]]
"""The claims of one filing: (number, kept text)."""


@dataclass(frozen=True, slots=True)
class Unread:
    """Claims as a client sent them: a text, (number, text) pairs, or a file of the type `media`.

    With `partial`, they are read as far as they can be understood.
    """

    sent: str | Sequence[tuple[int, str]] | bytes
    media: str = ""
    partial: bool = False

    @property
    def pointer(self) -> str:
        """Where the claims stand in the body."""
        return "" if isinstance(self.sent, bytes) else "/claims"


@dataclass(frozen=True, slots=True)
class ReportAsked:
    """Claims, and how they are to be checked and reported."""

    claims: Unread
    jurisdiction: Jurisdiction
    threshold: float
    graph: bool
    sarif: bool
    terms: Terms = NO_TERMS


def read(unread: Unread) -> ClaimSet:
    """The claims. Raises Refused if they cannot be read."""
    sent, pointer = unread.sent, unread.pointer
    if isinstance(sent, bytes):
        return read_file(sent, media_type=unread.media, pointer=pointer, partial=unread.partial)
    if isinstance(sent, str):
        return read_text(sent, pointer=pointer, partial=unread.partial)
    return read_claims(sent, pointer=pointer, partial=unread.partial)


@dataclass(frozen=True, slots=True)
class Understood:
    """Claims as they were read, and the analysis of each by number."""

    claims: ClaimSet
    analyses: dict[int, ClaimAnalysis]


def understood(asked: tuple[Unread, Terms]) -> Understood:
    """What is understood of claims before anybody files them. Raises Refused."""
    unread, terms = asked
    claims = read_some(unread)
    reading = Reading(claims, terms)
    return Understood(claims, {claim.number: tolerant(reading, claim) for claim in reading.claims})


def read_some(unread: Unread) -> ClaimSet:
    """At least one claim, and not too many characters to check. Raises Refused."""
    claims = read(unread)
    if not len(claims):
        raise Refused("no claim was found", code="empty_set", pointer=unread.pointer, limit=1)
    refuse_long(sum(len(claim.text) for claim in claims))
    return claims


def analysed(asked: tuple[KeptClaims, Terms]) -> str:
    """The analysis of a filing's claims as JSON, by number. A rule that breaks on a claim costs only that
    claim's."""
    claims, terms = asked
    reading = Reading(kept_set(claims), terms)
    made = {claim.number: analysis_as_json(tolerant(reading, claim)) for claim in reading.claims}
    return json.dumps(made, ensure_ascii=False, separators=(",", ":"))


def analysed_alone(asked: tuple[ClaimInput, Terms]) -> ClaimAnalysis:
    """The analysis of a claim from its chain, where its set is too long for one."""
    try:
        return analysis_of(*asked)
    except Exception as error:  # as in `tolerant`
        return ClaimAnalysis(failure=str(WorkFailed.of(error)))


def tolerant(reading: Reading, claim: Claim) -> ClaimAnalysis:
    """The analysis of a claim; only the kind of the error if a rule breaks on it."""
    try:
        return analyse_claim(reading, claim)
    except Exception as error:  # a rule breaks on it; the error's text could quote the claim
        return ClaimAnalysis(failure=str(WorkFailed.of(error)))


def report_on(asked: ReportAsked) -> bytes:
    """The answer to a check: the report as JSON, or as SARIF. Raises Refused."""
    claims, media = read_some(asked.claims), asked.claims.media
    reading = Reading(claims, asked.terms)
    report = _bounded(checked(reading, jurisdiction=asked.jurisdiction, threshold=asked.threshold))
    answer: dict[str, Any]
    if asked.sarif:
        answer = as_sarif(report, _URI.get(media, "claims"), plain=media == TEXT)
    else:
        graph = graph_as_json(reading, report.findings) if asked.graph else None
        answer = {**as_json(report, begins=_begins(asked.claims)), "graph": graph}
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode()


def refuse_long(characters: int) -> None:
    """Raises Refused for a claim set that is too long to check while somebody waits."""
    if characters > CHECKED_SET_CHARACTERS:
        raise Refused(
            f"claims are checked up to {CHECKED_SET_CHARACTERS} characters in all",
            code="set_too_long",
            limit=CHECKED_SET_CHARACTERS,
        )


def warm() -> None:
    """Prepares a process that only checks claims: loads the tables of the rules, so that no claim pays for
    it.

    An analysis makes hundreds of thousands of small values and no cycles, among which looking for garbage as
    often as usual takes a tenth of the time.
    """
    gc.set_threshold(_VALUES_BETWEEN_COLLECTIONS)
    claims = [(1, "A bracket comprising a plate."), (2, "The bracket of claim 1, wherein it is flat.")]
    analysed((claims, NO_TERMS))


def _begins(unread: Unread) -> int | None:
    """Offset of the text that was read in what was sent; None if that is not text."""
    if not isinstance(unread.sent, bytes):
        return 0
    return int(unread.sent.startswith(BOMS)) if unread.media == TEXT else None


def _bounded(report: Report) -> Report:
    """The report with a bounded number of findings and of remarks, and a note if there were more findings."""
    report = replace(report, remarks=report.remarks[:MAX_FINDINGS])
    if len(report.findings) <= MAX_FINDINGS:
        return report
    words = f"only the first {MAX_FINDINGS} of {len(report.findings)} findings are reported"
    notes = (*report.claims.notes, Note("too_many_findings", words))
    findings = report.findings[:MAX_FINDINGS]
    return replace(report, claims=replace(report.claims, notes=notes), findings=findings)
