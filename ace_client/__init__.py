"""The client of ACE's HTTP API: `AsyncClient` for asyncio, and `Client` with the same methods without it."""

from ace_client._async.client import AsyncClient
from ace_client._async.pages import AsyncPages
from ace_client._async.submitting import AsyncSubmission
from ace_client._sync.client import Client
from ace_client._sync.pages import Pages
from ace_client._sync.submitting import Submission
from ace_client.administration import Expert, Key, NewKey, ProblemDescription, Ready
from ace_client.errors import (
    ApiError,
    Forbidden,
    Invalid,
    NotFound,
    NotSettled,
    TooMuch,
    Unauthorised,
    Unreachable,
)
from ace_client.evaluations import Disagreement, Evaluation, Event, ExpertFinding, Rationale
from ace_client.filings import Accepted, Brief, ClaimText, Filing, ListedFiling, Progress, Reference, Result
from ace_client.findings import CheckedClaim, CheckedFinding, CheckedRemark, Finding, Findings, Remark, Report
from ace_client.hooks import Attempt, Delivery, NewSecret, NewWebhook, Secret, Webhook
from ace_client.literals import (
    Answer,
    DecidedBy,
    DeliveryState,
    ErrorClass,
    ExportFormat,
    Ground,
    JobState,
    Jurisdiction,
    Label,
    NoticeKind,
    PauseKind,
    Queue,
    Reviewed,
    ReviewStatus,
    Scope,
    Severity,
    Stage,
    State,
    Verdict,
)
from ace_client.model import Note, Span
from ace_client.notices import Notice, NoticeData, NoticePage
from ace_client.operating import Act, Backlog, Job, Pause, Worker
from ace_client.reviewing import FindingRef, Queued, Review
from ace_client.uploads import Claims, File
from ace_client.webhooks import NotVerified, verify

__all__ = [
    "Accepted",
    "Act",
    "Answer",
    "ApiError",
    "AsyncClient",
    "AsyncPages",
    "AsyncSubmission",
    "Attempt",
    "Backlog",
    "Brief",
    "CheckedClaim",
    "CheckedFinding",
    "CheckedRemark",
    "ClaimText",
    "Claims",
    "Client",
    "DecidedBy",
    "Delivery",
    "DeliveryState",
    "Disagreement",
    "ErrorClass",
    "Evaluation",
    "Event",
    "Expert",
    "ExpertFinding",
    "ExportFormat",
    "File",
    "Filing",
    "Finding",
    "FindingRef",
    "Findings",
    "Forbidden",
    "Ground",
    "Invalid",
    "Job",
    "JobState",
    "Jurisdiction",
    "Key",
    "Label",
    "ListedFiling",
    "NewKey",
    "NewSecret",
    "NewWebhook",
    "NotFound",
    "NotSettled",
    "NotVerified",
    "Note",
    "Notice",
    "NoticeData",
    "NoticeKind",
    "NoticePage",
    "Pages",
    "Pause",
    "PauseKind",
    "ProblemDescription",
    "Progress",
    "Queue",
    "Queued",
    "Rationale",
    "Ready",
    "Reference",
    "Remark",
    "Report",
    "Result",
    "Review",
    "ReviewStatus",
    "Reviewed",
    "Scope",
    "Secret",
    "Severity",
    "Span",
    "Stage",
    "State",
    "Submission",
    "TooMuch",
    "Unauthorised",
    "Unreachable",
    "Verdict",
    "Webhook",
    "Worker",
    "verify",
]
