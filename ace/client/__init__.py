"""The Python client of the HTTP API. It imports nothing of the server."""

from ace.client.answers import (
    Accepted,
    ApiError,
    Evaluation,
    Event,
    Filing,
    Invalid,
    NotFound,
    Reference,
    Result,
    Unauthorised,
    Unreachable,
)
from ace.client.api import Client

__all__ = [
    "Accepted",
    "ApiError",
    "Client",
    "Evaluation",
    "Event",
    "Filing",
    "Invalid",
    "NotFound",
    "Reference",
    "Result",
    "Unauthorised",
    "Unreachable",
]
