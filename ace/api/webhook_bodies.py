"""Bodies and answers of the routes of webhooks."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Final, Self
from uuid import UUID

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from ace.api.fields import Moment, Name, fault, whole
from ace.api.intake import MAX_REPLAYED, Body
from ace.api.schemas import PageQuery
from ace.types.notices import OVERLAP_HOURS, DeliveryState, DisabledBy, NoticeKind
from ace.webhooks.urls import MAX_URL_CHARACTERS

WEBHOOK_EXAMPLE: Final[dict[str, Any]] = {
    "url": "https://docketing.example/ace",
    "events": ["filing.settled", "evaluation.failed"],
    "description": "docketing",
}
CHANGE_EXAMPLE: Final[dict[str, Any]] = {"enabled": True}
REPLAY_EXAMPLE: Final[dict[str, Any]] = {"since": "2026-11-20T00:00:00Z"}
_ID: Final = "01999f3e-5a1c-7c3e-9d2b-3f1a2b4c5d6e"
_AT: Final = "2026-11-20T09:30:00.125Z"
_SECRET: Final = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="  # noqa: S105  # pragma: allowlist secret
_WEBHOOK: Final[dict[str, Any]] = {
    "id": _ID,
    **WEBHOOK_EXAMPLE,
    "created_at": _AT,
    "enabled": True,
    "disabled_at": None,
    "disabled_by": None,
    "failing_since": None,
    "secrets": [{"until": None}],
}
_DELIVERY: Final[dict[str, Any]] = {
    "event": _ID,
    "type": "filing.settled",
    "state": "pending",
    "due_at": _AT,
    "created_at": _AT,
    "done_at": None,
    "attempts": [{"at": _AT, "status": 503, "fault": None, "seconds": 0.12}],
}


def _distinct(kinds: list[NoticeKind]) -> list[NoticeKind]:
    if len(set(kinds)) < len(kinds):
        raise fault("duplicate", "has an entry twice")
    return kinds


Url = Annotated[str, Field(min_length=1, max_length=MAX_URL_CHARACTERS)]
Kinds = Annotated[
    list[Annotated[NoticeKind, Field(strict=False)]],
    Field(min_length=1, max_length=len(NoticeKind), json_schema_extra={"uniqueItems": True}),
    AfterValidator(_distinct),
]


class WebhookIn(Body):
    """An endpoint of yours that is to be sent events."""

    model_config = ConfigDict(json_schema_extra={"examples": [WEBHOOK_EXAMPLE]})

    url: Url = Field(description="Where events are sent: https, and an address of the public network.")
    events: Kinds = Field(list(NoticeKind), description="The types of events to send; by default all.")
    description: Name | None = Field(None, description="What it is for.")


class WebhookChange(Body):
    """What is to change; fields that are missing stay as they are."""

    model_config = ConfigDict(json_schema_extra={"examples": [CHANGE_EXAMPLE], "minProperties": 1})

    url: Url | None = None
    events: Kinds | None = None
    description: Name | None = None
    enabled: bool | None = Field(
        None, description="`false` sends nothing and fails what waits; `true` begins anew, without failures."
    )

    @model_validator(mode="after")
    def _something(self) -> Self:
        if not self.model_fields_set:
            raise fault("nothing_to_change", "changes nothing")
        return self


class DeliveriesReplay(Body):
    """Which failed deliveries to send again."""

    model_config = ConfigDict(json_schema_extra={"examples": [REPLAY_EXAMPLE]})

    since: Moment = Field(description="Events of this time (RFC 3339) or later.")
    limit: Annotated[int, Field(ge=1, le=MAX_REPLAYED), BeforeValidator(whole)] = Field(
        MAX_REPLAYED, description="Maximum deliveries, the oldest events first."
    )


class SecretOut(BaseModel):
    """A secret that signs, without its value."""

    until: datetime | None = Field(description="When it ends; null unless it was replaced.")


class WebhookOut(BaseModel):
    """One webhook, without its secrets."""

    model_config = ConfigDict(json_schema_extra={"examples": [_WEBHOOK]})

    id: UUID
    url: str
    events: list[NoticeKind]
    description: str | None
    created_at: datetime
    enabled: bool
    disabled_at: datetime | None
    disabled_by: DisabledBy | None = Field(
        description="`gone`: the receiver answered 410; `failing`: it accepted nothing for five days."
    )
    failing_since: datetime | None = Field(description="The first failure since the last success.")
    secrets: list[SecretOut] = Field(description="Every delivery is signed with all of them, oldest first.")


class NewWebhook(WebhookOut):
    """A new webhook, with its secret, which is shown only once."""

    model_config = ConfigDict(json_schema_extra={"examples": [{**_WEBHOOK, "secret": _SECRET}]})

    secret: str = Field(description="Verifies signatures (Standard Webhooks 1.0.0).")


class Webhooks(BaseModel):
    """The tenant's webhooks, oldest first."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"webhooks": [_WEBHOOK]}]})

    webhooks: list[WebhookOut]


class NewSecret(BaseModel):
    """A new secret, which is shown only once."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"secret": _SECRET, "secrets": [{"until": "2026-11-21T09:30:00Z"}, {"until": None}]}]
        }
    )

    secret: str = Field(
        description=f"Signs from now on, beside those of before, which end in {OVERLAP_HOURS} hours."
    )
    secrets: list[SecretOut]


class AttemptOut(BaseModel):
    """One request to the webhook."""

    at: datetime
    status: int | None = Field(description="HTTP status of the answer; null if there was none.")
    fault: str | None = Field(description="Why there was none: `timeout`, `tls`, `unreachable`, …")
    seconds: float


class DeliveryOut(BaseModel):
    """One event on its way to one webhook."""

    model_config = ConfigDict(json_schema_extra={"examples": [_DELIVERY]})

    event: UUID = Field(description="The event's id, which is the header `webhook-id`.")
    type: NoticeKind
    state: DeliveryState
    due_at: datetime | None = Field(description="When it is tried next; null unless it is pending.")
    created_at: datetime
    done_at: datetime | None
    attempts: list[AttemptOut] = Field(description="The latest 30.")


class DeliveryPage(BaseModel):
    """A page of deliveries, the newest events first."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"deliveries": [_DELIVERY], "next": None}]})

    deliveries: list[DeliveryOut]
    next: str | None = Field(description="Send it as `cursor` for the next page; null on the last.")


class DeliveriesReplayed(BaseModel):
    """How many deliveries are sent again."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"replayed": 3}]})

    replayed: int


class DeliveriesQuery(PageQuery):
    """Selects the deliveries of a list."""

    model_config = ConfigDict(extra="forbid")

    state: DeliveryState | None = None


def shown(row: Any) -> WebhookOut:
    """A row of `store.webhooks` as an answer."""
    same = ("id", "url", "created_at", "disabled_at", "disabled_by", "failing_since")
    return WebhookOut(
        **{name: row[name] for name in same},
        events=row["kinds"],
        description=row["description"] or None,
        enabled=row["disabled_at"] is None,
        secrets=secrets_shown(row["secrets"]),
    )


def secrets_shown(ends: Sequence[datetime | None]) -> list[SecretOut]:
    """Secrets by when they end."""
    return [SecretOut(until=until) for until in ends]


def delivery_shown(row: Any) -> DeliveryOut:
    """A row of `store.webhooks.deliveries` as an answer."""
    return DeliveryOut(
        event=row["event_id"],
        type=row["kind"],
        due_at=row["due_at"] if row["state"] == DeliveryState.PENDING else None,
        **{name: row[name] for name in ("state", "created_at", "done_at", "attempts")},
    )
