"""Response models of the deterministic checks: reports on claims, findings on an evaluation."""

from datetime import datetime
from typing import Any, Final, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from ace.api.schemas import NoteOut, Span, example
from ace.claims.model import Status
from ace.claims.rules import Jurisdiction, Severity
from ace.claims.taxonomy import ErrorClass, Ground

_FINDING: Final[dict[str, Any]] = {
    "class": "antecedent",
    "subtype": "no_basis",
    "law": "35 U.S.C. 112(b); MPEP 2173.05(e)",
    "severity": "warning",
    "ground": "rejection",
    "start": 34,
    "end": 42,
    "quote": "the hook",
    "explanation": "'the hook' is not introduced in claim 2 or in a claim that it depends on.",
    "examiner": "Claim 2 recites the limitation “the hook”. There is insufficient antecedent basis for this"
    " limitation in the claim.",
    "confidence": 0.93,
    "fix": None,
}
_REMARK: Final[dict[str, Any]] = {
    "kind": "means_plus_function",
    "law": "35 U.S.C. 112(f); MPEP 2181",
    "start": 21,
    "end": 38,
    "quote": "means for locking",
    "explanation": "“Means” with a function covers what the description discloses for that function.",
}


class FixOut(Span):
    """A safe fix: replace this span by `replacement`."""

    replacement: str


class FindingOut(Span):
    """One defect: its span in the claim's text, the law, and the reason."""

    model_config = ConfigDict(json_schema_extra={"examples": [_FINDING]})

    error_class: ErrorClass = Field(alias="class")
    subtype: str = Field(description="Stable identifier for programs.")
    law: str
    severity: Severity
    ground: Ground = Field(description="What the defect would draw, which follows from its law.")
    quote: str | None = Field(
        description="The claim's own words; null if they were purged, or the key lacks the scope `text`."
    )
    explanation: str | None = Field(
        description="One sentence; null if the text was purged, or the key lacks the scope `text`."
    )
    examiner: str | None = Field(
        description="What a US examiner would write; null under the EPC, and where `explanation` is."
    )
    confidence: float = Field(description="Probability that the place is a defect.")
    fix: FixOut | None = Field(description="A safe correction, if there is one; null where `explanation` is.")


class RemarkOut(Span):
    """What a practitioner expects to hear about a claim. It is no defect and decides nothing."""

    model_config = ConfigDict(json_schema_extra={"examples": [_REMARK]})

    kind: str = Field(description="Stable identifier for programs.")
    law: str
    quote: str | None = Field(
        description="The claim's own words; null if they were purged, or the key lacks the scope `text`."
    )
    explanation: str = Field(description="What was noticed, and what follows from it.")


class Sent(BaseModel):
    """Where a finding or remark stands besides its claim's text."""

    also: list[int] = Field(description="Other claims with the same in the same words.")
    source: Span | None = Field(
        description="Where it stands in the text that was sent, a byte order mark counted; null where"
        " claims were sent one by one, or in a DOCX or XML file."
    )


class CheckedFinding(FindingOut, Sent):
    """A finding on a claim that was sent."""

    model_config = example({**_FINDING, "also": [], "source": None})


class CheckedRemark(RemarkOut, Sent):
    """A remark on a claim that was sent."""

    model_config = example({**_REMARK, "also": [], "source": None})


class CheckedClaim(BaseModel):
    """A claim as it was read, and what was found in it."""

    number: int
    status: Status | None
    parents: list[int] = Field(description="The claims that its text refers to.")
    findings: list[CheckedFinding]
    remarks: list[CheckedRemark]


class CountsOut(BaseModel):
    """Counts."""

    claims: int
    findings: int
    by_class: dict[ErrorClass, int]
    by_ground: dict[Ground, int]
    remarks: int


class CheckReport(BaseModel):
    """What the checks found, claim by claim."""

    model_config = example(
        {
            "jurisdiction": "US",
            "threshold": 0.5,
            "claims": [
                {
                    "number": 1,
                    "status": None,
                    "parents": [],
                    "findings": [],
                    "remarks": [{**_REMARK, "also": [], "source": {"start": 24, "end": 41}}],
                },
                {
                    "number": 2,
                    "status": None,
                    "parents": [1],
                    "findings": [{**_FINDING, "also": [], "source": {"start": 78, "end": 86}}],
                    "remarks": [],
                },
            ],
            "notes": [],
            "counts": {
                "claims": 2,
                "findings": 1,
                "by_class": dict.fromkeys(ErrorClass, 0) | {"antecedent": 1},
                "by_ground": {"rejection": 1, "objection": 0},
                "remarks": 1,
            },
            "graph": None,
        }
    )

    jurisdiction: Jurisdiction
    threshold: float
    claims: list[CheckedClaim]
    notes: list[NoteOut]
    counts: CountsOut
    graph: dict[str, Any] | None = Field(
        description="Dependencies, mentions and proofs by claim; null unless asked for."
    )


class EvaluationFindings(BaseModel):
    """The findings of the deterministic checks on the claim of one evaluation."""

    model_config = example(
        {
            "evaluation": "0199d2a0-5b1c-7e53-9c11-6d2f0a7c4e10",
            "claim": 2,
            "origin": "stored",
            "jurisdiction": "US",
            "threshold": 0.5,
            "rules": "ace-0.1.0",
            "terms": "",
            "at": "2026-11-20T09:30:00.125Z",
            "findings": [_FINDING],
            "remarks": [],
        }
    )

    evaluation: UUID
    claim: int = Field(description="The claim's number.")
    origin: Literal["stored", "computed", "purged"] = Field(
        description="`stored` with the analysis of the filing; `computed` now, where there is none yet;"
        " `purged` where the text is gone and nothing had been stored."
    )
    jurisdiction: Jurisdiction
    threshold: float = Field(description="Findings with less confidence are left out.")
    rules: str = Field(description="The rules version.")
    terms: str = Field(description="The digest of the term list that they obey; empty for none.")
    at: datetime | None = Field(description="When they were stored.")
    findings: list[FindingOut]
    remarks: list[RemarkOut] = Field(description="None of filings analysed before there were remarks.")
