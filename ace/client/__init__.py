"""The Python client of the HTTP API. It imports nothing of the server."""

from ace.client.answers import (
    Accepted,
    ApiError,
    Disagreement,
    Evaluation,
    Event,
    ExpertFinding,
    Filing,
    Forbidden,
    Invalid,
    Key,
    NewKey,
    NotFound,
    NotSettled,
    Reference,
    Result,
    TooMuch,
    Unauthorised,
    Unreachable,
)
from ace.client.api import Client
from ace.client.findings import Finding, Findings, Remark, Report
from ace.client.uploads import File

__all__ = [
    "Accepted",
    "ApiError",
    "Client",
    "Disagreement",
    "Evaluation",
    "Event",
    "ExpertFinding",
    "File",
    "Filing",
    "Finding",
    "Findings",
    "Forbidden",
    "Invalid",
    "Key",
    "NewKey",
    "NotFound",
    "NotSettled",
    "Reference",
    "Remark",
    "Report",
    "Result",
    "TooMuch",
    "Unauthorised",
    "Unreachable",
]
