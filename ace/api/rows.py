"""Rows of the store as responses of the API."""

from typing import Any, Final, Literal, NamedTuple

from sqlalchemy import RowMapping

from ace.api.reports import EvaluationFindings, FindingOut, RemarkOut
from ace.api.schemas import EvaluationOut, FilingOut, Rationale, Span
from ace.claims.analysis import remarks_from_json
from ace.claims.checks.confidence import DEFAULT_THRESHOLD
from ace.claims.findings import Finding, finding_from_json
from ace.claims.readers.likeness import warnings
from ace.claims.reports.report import finding_shown, notes_shown, remark_shown
from ace.claims.taxonomy import LABELS, Verdict
from ace.flow.analysing import RULES
from ace.store.moves import Accepted, NewFiling
from ace.store.tables import FINAL, Stage
from ace.types.tenants import is_for_tests

_DUE: Final = frozenset(stage.due for stage in Stage)
# Columns of an evaluation that are shown under their own names.
_SAME: Final = (
    *("id", "docket", "state", "verdict", "disputed", "would_escalate", "decided_by", "u", "h6", "score"),
    *("doubt", "tau", "certain", "model", "calibration", "examined", "error", "moves"),
    *("supersedes", "superseded_by", "created_at", "updated_at"),
)


def accepted_out(filing: NewFiling, one: Accepted) -> dict[str, Any]:
    """`FilingAccepted` as plain JSON: the response to single submissions and uploads alike."""
    evaluations = [{"id": str(id_), "claim": claim} for claim, id_ in one.evaluations]
    canceled = [claim.number for claim in filing.claims if not claim.pending]
    notes = notes_shown(warnings(filing.claims))
    return {
        "filing": str(one.filing_id),
        "test": is_for_tests(filing.tenant),
        "evaluations": evaluations,
        "canceled": canceled,
        "notes": notes,
    }


def filing_json(row: RowMapping) -> bytes:
    """A row of `reads.filing` as `FilingOut`.

    The list of its evaluations is JSON already, and may be long: nothing reads it to write it again.
    """
    filing = FilingOut(
        id=row["id"],
        docket=row["docket"],
        priority=row["priority"],
        metadata=row["metadata"],
        claims=row["claim_count"],
        created_at=row["created_at"],
        test=is_for_tests(row["tenant"]),
        states=row["states"],
        settled=FINAL.issuperset(row["states"]) and not row["reevaluating"],
        reevaluating=row["reevaluating"],
        evaluations=[],
    )
    written: str = row["evaluations"]
    return f"{filing.model_dump_json().removesuffix('[]}')}{written}}}".encode()


def evaluation_out(row: RowMapping, *, words: bool) -> EvaluationOut:
    """A row of `reads.evaluation`; without `words`, what the expert wrote is left out."""
    p = row["probabilities"]
    return EvaluationOut(
        **{name: row[name] for name in _SAME},
        filing=row["filing_id"],
        claim=row["claim_number"],
        error_class=row["error_class"] if row["verdict"] == Verdict.FAIL else None,
        ground=row["ground"],
        span=None if row["span"] is None else Span(start=row["span"][0], end=row["span"][1]),
        probabilities=None if p is None else dict(zip(LABELS, p, strict=True)),
        rationale=_rationale(row["examination"]) if words else None,
        due_at=row["due_at"] if row["state"] in _DUE else None,
    )


class Computed(NamedTuple):
    """A newly computed analysis of a claim, and the digest of the term list that it obeys."""

    analysis: dict[str, Any]
    terms: str


def findings_out(row: RowMapping, computed: Computed | None = None, *, words: bool) -> EvaluationFindings:
    """A row of `reads.findings`, with a newly computed analysis of the claim if there is one; without
    `words`, kinds and places alone."""
    threshold = DEFAULT_THRESHOLD if computed else row["threshold"] or DEFAULT_THRESHOLD
    origin: Literal["stored", "computed", "purged"]
    if computed is None:
        origin = "purged" if row["found"] is None else "stored"
        made = {"findings": row["found"] or (), "remarks": row["remarks"] or ()}
    else:
        origin, made = "computed", computed.analysis
    number, text = row["claim_number"], row["text"]
    told = words and bool(text)
    found = [finding_from_json(one, number, text) for one in made.get("findings", ())]
    remarks = remarks_from_json(made.get("remarks", ()), number, text)
    return EvaluationFindings(
        evaluation=row["id"],
        claim=row["claim_number"],
        origin=origin,
        jurisdiction=row["jurisdiction"] or RULES.jurisdiction,
        threshold=threshold,
        rules=RULES.rules if computed else row["rules"] or RULES.rules,
        terms=computed.terms if computed else row["terms"] or "",
        at=None if computed else row["at"],
        findings=[finding_out(one, words=told) for one in found if one.confidence >= threshold],
        remarks=[RemarkOut(**_worded(remark_shown(one), words=told)) for one in remarks],
    )


def finding_out(finding: Finding, *, words: bool) -> FindingOut:
    """A finding as clients see it; without `words`, its kind and place alone."""
    shown = _worded(finding_shown(finding), words=words)
    if not words:
        return FindingOut(**shown | {"explanation": None, "examiner": None, "fix": None})
    return FindingOut(**shown | {"explanation": finding.explanation or None})


def _worded(shown: dict[str, Any], *, words: bool) -> dict[str, Any]:
    """Without the quotation if the text was purged, or is not for this reader."""
    return shown if words else shown | {"quote": None}


def _rationale(examination: dict[str, Any] | None) -> Rationale | None:
    """None also after a purge, which removes what the expert wrote."""
    if examination is None or examination["reasoning"] is None:
        return None
    return Rationale.model_validate(examination)
