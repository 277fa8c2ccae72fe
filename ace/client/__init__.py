"""The Python client of the HTTP API. It imports nothing of the server."""

from ace.client.answers import (
    Accepted,
    ApiError,
    Evaluation,
    Event,
    Filing,
    Forbidden,
    Invalid,
    Key,
    NewKey,
    NotFound,
    Reference,
    Result,
    TooMuch,
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
    "Forbidden",
    "Invalid",
    "Key",
    "NewKey",
    "NotFound",
    "Reference",
    "Result",
    "TooMuch",
    "Unauthorised",
    "Unreachable",
]
