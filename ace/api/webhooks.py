"""Routes of webhooks: a tenant's endpoints, their secrets, and what was delivered to them."""

import logging
from functools import partial
from typing import Annotated, Final
from uuid import UUID

from fastapi import APIRouter, Query, Request, Response
from sqlalchemy import Connection
from starlette.concurrency import run_in_threadpool
from uuid_utils.compat import uuid4

from ace.api import cursors
from ace.api.callers import Tenant
from ace.api.intake import parse
from ace.api.openapi import answers, takes
from ace.api.parts import Here, Nothing, Parts, WebhookKeeper, json_body
from ace.api.problem_types import BODIES, NOT_FOUND, named
from ace.api.webhook_bodies import (
    CHANGE_EXAMPLE,
    REPLAY_EXAMPLE,
    WEBHOOK_EXAMPLE,
    DeliveriesQuery,
    DeliveriesReplay,
    DeliveriesReplayed,
    DeliveryPage,
    NewSecret,
    NewWebhook,
    WebhookChange,
    WebhookIn,
    WebhookOut,
    Webhooks,
    delivery_shown,
    shown,
)
from ace.errors import NotFound, Refused
from ace.store import webhooks
from ace.store.database import transact
from ace.webhooks import signing
from ace.webhooks.addresses import networks_of
from ace.webhooks.urls import UrlRefused, checked

log = logging.getLogger(__name__)

router = APIRouter(prefix="/v1", tags=["webhooks"])

MAX_WEBHOOKS: Final = 20  # of one tenant: each event is sent to all of them


@router.post(
    "/webhooks",
    operation_id="make_webhook",
    status_code=201,
    summary="Have events sent to an endpoint",
    response_model=NewWebhook,
    responses=answers(*BODIES, *named("url_refused", "too_many_webhooks")),
    openapi_extra=takes("WebhookIn", example=WEBHOOK_EXAMPLE),
)
async def make(
    request: Request, caller: WebhookKeeper, parts: Here, response: Response, _: Nothing
) -> object:
    """Events from now on. Not idempotent: delete a webhook whose answer was lost."""
    response.headers["Cache-Control"] = "no-store"
    async with json_body(request, parts, caller) as raw:
        return await run_in_threadpool(_make, parts, caller, raw)


def _make(parts: Parts, caller: Tenant, raw: bytes) -> NewWebhook:
    wanted = parse(WebhookIn, raw)
    _refuse_url(parts, wanted.url)

    def work(connection: Connection) -> tuple[WebhookOut, str]:
        if webhooks.count(connection, caller.name) >= MAX_WEBHOOKS:
            raise Refused(
                f"the tenant has {MAX_WEBHOOKS} webhooks: delete one first",
                code="too_many_webhooks",
                limit=MAX_WEBHOOKS,
            )
        id_ = webhooks.create(
            connection,
            caller.name,
            url=wanted.url,
            kinds=wanted.events,
            description=wanted.description or "",
            actor=caller.actor,
        )
        secret = _new_secret(parts, connection, id_)
        return _one(connection, caller, id_), secret

    made, secret = transact(parts.db, work, tenant=caller.name)
    log.info("a webhook was made", extra={"webhook": str(made.id), "actor": caller.actor})
    return NewWebhook(**made.model_dump(), secret=secret)


@router.get("/webhooks", operation_id="list_webhooks", summary="Your webhooks", responses=answers())
def listed(caller: WebhookKeeper, parts: Here, _: Nothing) -> Webhooks:
    """Without their secrets."""
    rows = transact(parts.db, partial(webhooks.of_tenant, tenant=caller.name), tenant=caller.name)
    return Webhooks(webhooks=[shown(row) for row in rows])


@router.get(
    "/webhooks/{id:uuid}", operation_id="get_webhook", summary="One webhook", responses=answers(NOT_FOUND)
)
def one(id: UUID, caller: WebhookKeeper, parts: Here, _: Nothing) -> WebhookOut:
    """And how it is doing."""
    return transact(parts.db, partial(_one, caller=caller, webhook_id=id), tenant=caller.name)


@router.patch(
    "/webhooks/{id:uuid}",
    operation_id="change_webhook",
    summary="Change, disable or enable a webhook",
    response_model=WebhookOut,
    responses=answers(NOT_FOUND, *BODIES, *named("url_refused")),
    openapi_extra=takes("WebhookChange", example=CHANGE_EXAMPLE),
)
async def change(
    id: UUID,
    request: Request,
    caller: WebhookKeeper,
    parts: Here,
    _: Nothing,
) -> object:
    """What waits is sent to the new URL."""
    async with json_body(request, parts, caller) as raw:
        return await run_in_threadpool(_change, parts, caller, id, raw)


def _change(parts: Parts, caller: Tenant, webhook_id: UUID, raw: bytes) -> WebhookOut:
    wanted = parse(WebhookChange, raw)
    if wanted.url is not None:
        _refuse_url(parts, wanted.url)
    changes = {"events": wanted.events, **wanted.model_dump(include={"url", "description", "enabled"})}

    def work(connection: Connection) -> WebhookOut:
        webhooks.change(connection, caller.name, webhook_id, changes, actor=caller.actor)
        return _one(connection, caller, webhook_id)

    changed = transact(parts.db, work, tenant=caller.name)
    log.info("a webhook was changed", extra={"webhook": str(webhook_id), "actor": caller.actor})
    return changed


@router.delete(
    "/webhooks/{id:uuid}",
    operation_id="delete_webhook",
    status_code=204,
    summary="Delete a webhook",
    responses=answers(NOT_FOUND),
)
def delete(id: UUID, caller: WebhookKeeper, parts: Here, _: Nothing) -> None:
    """Nothing is sent any more, except for what a worker is sending now."""
    work = partial(webhooks.delete, tenant=caller.name, webhook_id=id, actor=caller.actor)
    if not transact(parts.db, work, tenant=caller.name):
        raise NotFound("no such webhook")
    log.info("a webhook was deleted", extra={"webhook": str(id), "actor": caller.actor})


@router.post(
    "/webhooks/{id:uuid}/secrets",
    operation_id="rotate_webhook_secret",
    status_code=201,
    summary="Rotate the secret of a webhook",
    responses=answers(NOT_FOUND),
)
def rotate(id: UUID, caller: WebhookKeeper, parts: Here, response: Response, _: Nothing) -> NewSecret:
    """The secrets of before sign for 24 hours more, beside the new one. Not idempotent."""
    response.headers["Cache-Control"] = "no-store"

    def work(connection: Connection) -> NewSecret:
        _one(connection, caller, id)
        webhooks.retire_secrets(connection, caller.name, id, actor=caller.actor)
        secret = _new_secret(parts, connection, id)
        return NewSecret(secret=secret, secrets=_one(connection, caller, id).secrets)

    made = transact(parts.db, work, tenant=caller.name)
    log.info("a webhook's secret was rotated", extra={"webhook": str(id), "actor": caller.actor})
    return made


@router.get(
    "/webhooks/{id:uuid}/deliveries",
    operation_id="list_deliveries",
    summary="What was sent to a webhook, newest first",
    responses=answers(NOT_FOUND, *named("bad_cursor")),
)
def delivered(
    id: UUID,
    caller: WebhookKeeper,
    parts: Here,
    query: Annotated[DeliveriesQuery, Query()],
) -> DeliveryPage:
    """With every attempt. They are kept for 30 days after their end."""
    secrets = parts.settings.secrets
    scope = [caller.name, "deliveries", id.hex, query.state or ""]
    after = None if query.cursor is None else cursors.read(secrets, scope, query.cursor)

    def work(connection: Connection) -> DeliveryPage:
        _one(connection, caller, id)
        rows = webhooks.deliveries(
            connection, caller.name, id, state=query.state, after=after, limit=query.limit + 1
        )
        page = [delivery_shown(row) for row in rows[: query.limit]]
        more = len(rows) > query.limit
        return DeliveryPage(
            deliveries=page, next=cursors.write(secrets, scope, page[-1].event) if more else None
        )

    return transact(parts.db, work, tenant=caller.name)


@router.post(
    "/webhooks/{id:uuid}/deliveries/{event:uuid}/replay",
    operation_id="replay_delivery",
    summary="Send one event again",
    responses=answers(NOT_FOUND),
)
def replay(
    id: UUID,
    event: UUID,
    caller: WebhookKeeper,
    parts: Here,
    _: Nothing,
) -> DeliveriesReplayed:
    """Whatever came of it, with a schedule of its own. One that is waiting stays as it is."""
    work = partial(webhooks.replay, tenant=caller.name, webhook_id=id, event_id=event, actor=caller.actor)
    replayed = transact(parts.db, work, tenant=caller.name)
    if replayed is None:
        raise NotFound("no such delivery")
    parts.announcer.wake()
    return DeliveriesReplayed(replayed=int(replayed))


@router.post(
    "/webhooks/{id:uuid}/replays",
    operation_id="replay_deliveries",
    summary="Send failed events again, since a time",
    response_model=DeliveriesReplayed,
    responses=answers(NOT_FOUND, *BODIES),
    openapi_extra=takes("DeliveriesReplay", example=REPLAY_EXAMPLE),
)
async def replays(
    id: UUID,
    request: Request,
    caller: WebhookKeeper,
    parts: Here,
    _: Nothing,
) -> object:
    """The oldest first, up to the limit."""
    async with json_body(request, parts, caller) as raw:
        return await run_in_threadpool(_replay_failed, parts, caller, id, raw)


def _replay_failed(parts: Parts, caller: Tenant, webhook_id: UUID, raw: bytes) -> DeliveriesReplayed:
    order = parse(DeliveriesReplay, raw)

    def work(connection: Connection) -> int:
        _one(connection, caller, webhook_id)
        return webhooks.replay_failed(
            connection,
            caller.name,
            webhook_id,
            since=order.since,
            limit=order.limit,
            actor=caller.actor,
        )

    replayed = transact(parts.db, work, tenant=caller.name)
    parts.announcer.wake()
    return DeliveriesReplayed(replayed=replayed)


def _one(connection: Connection, caller: Tenant, webhook_id: UUID) -> WebhookOut:
    row = webhooks.one(connection, caller.name, webhook_id)
    if row is None:
        raise NotFound("no such webhook")
    return shown(row)


def _refuse_url(parts: Parts, url: str) -> None:
    settings = parts.settings
    try:
        checked(url, http=settings.webhook_http, networks=networks_of(settings.webhook_networks))
    except UrlRefused as refused:
        raise Refused(f"the URL {refused}", code="url_refused", pointer="/url") from None


def _new_secret(parts: Parts, connection: Connection, webhook_id: UUID) -> str:
    """Adds a secret to a webhook; returns it as its owner gets it."""
    secret_id = uuid4()
    secret = signing.secret_of(parts.settings.secrets[0], secret_id)
    webhooks.add_secret(connection, webhook_id, secret_id, signing.fingerprint(secret))
    return signing.shown(secret)
