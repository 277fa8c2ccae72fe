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
from ace_client.literals import (
    DecidedBy,
    ErrorClass,
    Ground,
    Jurisdiction,
    Scope,
    Severity,
    State,
    Verdict,
)
from ace_client.model import Note, Span
from ace_client.uploads import Claims, File

__all__ = [
    "Accepted",
    "ApiError",
    "AsyncClient",
    "AsyncPages",
    "AsyncSubmission",
    "Brief",
    "CheckedClaim",
    "CheckedFinding",
    "CheckedRemark",
    "ClaimText",
    "Claims",
    "Client",
    "DecidedBy",
    "Disagreement",
    "ErrorClass",
    "Evaluation",
    "Event",
    "Expert",
    "ExpertFinding",
    "File",
    "Filing",
    "Finding",
    "Findings",
    "Forbidden",
    "Ground",
    "Invalid",
    "Jurisdiction",
    "Key",
    "ListedFiling",
    "NewKey",
    "NotFound",
    "NotSettled",
    "Note",
    "Pages",
    "ProblemDescription",
    "Progress",
    "Rationale",
    "Ready",
    "Reference",
    "Remark",
    "Report",
    "Result",
    "Scope",
    "Severity",
    "Span",
    "State",
    "Submission",
    "TooMuch",
    "Unauthorised",
    "Unreachable",
    "Verdict",
]
