"""The words that the API uses for states, verdicts and the like.

Type checkers know them, and nothing checks them at run time: a newer server may send others.
"""

from typing import Annotated, Literal

from pydantic import SkipValidation

State = Literal["queued", "screening", "escalated", "examining", "failed", "decided", "cancelled"]
Verdict = Literal["Pass", "Fail"]
DecidedBy = Literal["gatekeeper", "expert"]
ErrorClass = Literal["antecedent", "dependency", "logical", "ambiguity", "syntax"]
Ground = Literal["rejection", "objection"]
Jurisdiction = Literal["US", "EPC"]
Severity = Literal["error", "warning", "note"]
Status = Literal[
    "original",
    "currently_amended",
    "previously_presented",
    "new",
    "withdrawn",
    "canceled",
    "not_entered",
]
Origin = Literal["stored", "computed", "purged"]
Dispute = Literal["unproved", "inconsistent", "contradicted", "overruled", "instructed"]
Breaker = Literal["closed", "open", "half_open"]
Scope = Literal["submit", "read", "text", "replay", "review", "webhooks", "admin", "operate"]
ExportFormat = Literal["docx", "html", "csv", "sarif", "json", "svg"]
Stage = Literal["fast", "slow"]
PauseKind = Literal["stage", "tenant", "endpoint"]
JobKind = Literal["replay", "reevaluate"]
JobState = Literal["running", "done", "cancelled"]
ModelState = Literal["proposed", "shadow", "active", "retired"]
Answer = Literal["agree", "disagree", "unsure"]
Label = Literal["pass", "antecedent", "dependency", "logical", "ambiguity", "syntax"]
ReviewStatus = Literal["reviewed", "adjudicated"]
Reviewed = Literal["yes", "no", "disagree", "adjudicated"]
TermKind = Literal["ignore", "keep_together"]
Queue = Literal["disputed", "doubtful", "audit", "differing"]
NoticeKind = Literal[
    "evaluation.decided",
    "evaluation.failed",
    "evaluation.cancelled",
    "filing.settled",
    "endpoint.disabled",
]
DeliveryState = Literal["pending", "delivered", "failed"]
DisabledBy = Literal["owner", "gone", "failing"]

AnyState = Annotated[State, SkipValidation]
AnyVerdict = Annotated[Verdict, SkipValidation]
AnyDecidedBy = Annotated[DecidedBy, SkipValidation]
AnyErrorClass = Annotated[ErrorClass, SkipValidation]
AnyGround = Annotated[Ground, SkipValidation]
AnyJurisdiction = Annotated[Jurisdiction, SkipValidation]
AnySeverity = Annotated[Severity, SkipValidation]
AnyStatus = Annotated[Status, SkipValidation]
AnyOrigin = Annotated[Origin, SkipValidation]
AnyDispute = Annotated[Dispute, SkipValidation]
AnyBreaker = Annotated[Breaker, SkipValidation]
AnyScope = Annotated[Scope, SkipValidation]
AnyStage = Annotated[Stage, SkipValidation]
AnyPauseKind = Annotated[PauseKind, SkipValidation]
AnyJobKind = Annotated[JobKind, SkipValidation]
AnyJobState = Annotated[JobState, SkipValidation]
AnyModelState = Annotated[ModelState, SkipValidation]
AnyAnswer = Annotated[Answer, SkipValidation]
AnyReviewStatus = Annotated[ReviewStatus, SkipValidation]
AnyTermKind = Annotated[TermKind, SkipValidation]
AnyNoticeKind = Annotated[NoticeKind, SkipValidation]
AnyDeliveryState = Annotated[DeliveryState, SkipValidation]
AnyDisabledBy = Annotated[DisabledBy, SkipValidation]
