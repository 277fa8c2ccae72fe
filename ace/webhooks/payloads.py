"""What an event looks like to clients, in the feed and in webhooks alike: ids, verdict and class, and a link.

Never the words of a claim, nor a docket. Everything comes from the event's own row, so that every attempt
sends the same bytes.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

from ace.types.notices import NoticeKind

# The keys of `data` and the columns behind them, by kind.
_EVALUATION: Final = {"evaluation": "evaluation_id", "filing": "filing_id", "claim": "claim_number"}
_DATA: Final[Mapping[NoticeKind, Mapping[str, str]]] = {
    NoticeKind.DECIDED: {**_EVALUATION, "verdict": "verdict", "error_class": "error_class"},
    NoticeKind.FAILED: {**_EVALUATION, "error": "error"},
    NoticeKind.CANCELLED: _EVALUATION,
    NoticeKind.SETTLED: {"filing": "filing_id"},
    NoticeKind.DISABLED: {"webhook": "webhook_id", "reason": "error"},
}
_LINKS: Final[Mapping[NoticeKind, tuple[str, str]]] = {
    NoticeKind.DECIDED: ("/v1/evaluations/", "evaluation_id"),
    NoticeKind.FAILED: ("/v1/evaluations/", "evaluation_id"),
    NoticeKind.CANCELLED: ("/v1/evaluations/", "evaluation_id"),
    NoticeKind.SETTLED: ("/v1/filings/", "filing_id"),
    NoticeKind.DISABLED: ("/v1/webhooks/", "webhook_id"),
}


def data_of(kind: NoticeKind, told: Mapping[str, Any]) -> dict[str, Any]:
    """The `data` of an event, from its columns; the link is relative to the root of the API."""
    path, column = _LINKS[kind]
    data = {key: _plain(told[name]) for key, name in _DATA[kind].items()}
    return {**data, "link": f"{path}{told[column]}"}


def body_of(kind: NoticeKind, at: datetime, told: Mapping[str, Any]) -> bytes:
    """The body of a delivery: type, timestamp and data (Standard Webhooks, section "Payload structure")."""
    body = {"type": kind.value, "timestamp": at.astimezone(UTC).isoformat(), "data": data_of(kind, told)}
    return json.dumps(body, separators=(",", ":")).encode()


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, UUID) else value
