"""Webhooks and their deliveries, as the API answers them. Verifying a delivery is in webhooks.py."""

from datetime import datetime

from pydantic import Field

from patent_ace_client.literals import AnyDeliveryState, AnyDisabledBy, AnyNoticeKind
from patent_ace_client.model import Model


class Secret(Model):
    """A secret that signs, without its value; `until` is None unless it was replaced."""

    until: datetime | None


class Webhook(Model):
    """An endpoint that is sent events. Every delivery is signed with all of the `secrets`, oldest first.

    `failing_since` is the first failure since the last success.
    """

    id: str
    url: str
    events: tuple[AnyNoticeKind, ...]
    description: str | None
    created_at: datetime
    enabled: bool
    disabled_at: datetime | None
    disabled_by: AnyDisabledBy | None
    failing_since: datetime | None
    secrets: tuple[Secret, ...]


class Webhooks(Model):
    """The tenant's webhooks, oldest first."""

    webhooks: tuple[Webhook, ...]


class NewWebhook(Webhook):
    """A webhook that was just made: the only time that its secret is shown."""

    secret: str = Field(repr=False)


class NewSecret(Model):
    """A secret that signs from now on, beside those of before: the only time that it is shown."""

    secret: str = Field(repr=False)
    secrets: tuple[Secret, ...]


class Attempt(Model):
    """One request to a webhook: the HTTP status of its answer, or the `fault` that left none."""

    at: datetime
    status: int | None
    fault: str | None
    seconds: float


class Delivery(Model):
    """One event on its way to one webhook, with its latest attempts; a pending one is tried at `due_at`."""

    event: str
    type: AnyNoticeKind
    state: AnyDeliveryState
    due_at: datetime | None
    created_at: datetime
    done_at: datetime | None
    attempts: tuple[Attempt, ...]


class DeliveryPage(Model):
    """One page of deliveries; `next` is the cursor of the page after it."""

    deliveries: tuple[Delivery, ...]
    next: str | None
