"""The kinds of events in the feed and in webhooks, and the states of a delivery."""

from enum import StrEnum
from typing import Final


class NoticeKind(StrEnum):
    """The `type` of an event. Names never change: receivers compare them."""

    DECIDED = "evaluation.decided"
    FAILED = "evaluation.failed"
    CANCELLED = "evaluation.cancelled"
    SETTLED = "filing.settled"  # nothing in the filing moves by itself any more
    DISABLED = "endpoint.disabled"  # a webhook that is no longer sent anything


class DeliveryState(StrEnum):
    """Where a delivery stands. A replay makes any of them pending again."""

    PENDING = "pending"  # dispatcher -> a worker sends it, when due
    DELIVERED = "delivered"
    FAILED = "failed"  # every attempt of the schedule failed, or the webhook was disabled meanwhile


class DisabledBy(StrEnum):
    """Why a webhook is disabled."""

    OWNER = "owner"
    GONE = "gone"  # the receiver answered 410
    FAILING = "failing"  # nothing was accepted for days


DISABLED_AFTER_DAYS: Final = 5
OVERLAP_HOURS: Final = 24
"""How long the secret of before is valid after a rotation."""
