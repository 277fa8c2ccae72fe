"""Routes of API keys: an admin creates, lists and revokes those of its own tenant."""

import logging
import re
from datetime import datetime, timedelta
from functools import partial
from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Request, Response
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection
from starlette.concurrency import run_in_threadpool

from ace.api.callers import Tenant, refuse_beyond
from ace.api.intake import KEY_EXAMPLE, KeyIn, parse
from ace.api.openapi import answers, takes
from ace.api.parts import Admin, Here, Nothing, Parts, json_body
from ace.api.problem_types import BODIES, NOT_FOUND, named
from ace.errors import NotFound, Refused
from ace.store import keys
from ace.store.database import clock, transact
from ace.store.scopes import Scope
from ace.types.tenants import for_tests, is_for_tests

log = logging.getLogger(__name__)

router = APIRouter(prefix="/v1", tags=["keys"])

MAX_KEYS: Final = 200  # active keys of one tenant: each has its own rate
_ID: Final = re.compile(r"[0-9a-f]{12}")
_KEY: Final[dict[str, Any]] = {
    "id": "5f0c2a9be411",
    "label": "docketing",
    "scopes": ["submit", "read"],
    "requests_per_second": None,
    "test": False,
    "expires_at": None,
}
_AT: Final = "2026-11-20T09:30:00.125Z"
_SHOWN: Final[dict[str, Any]] = {**_KEY, "created_at": _AT, "last_used_at": _AT}

KeyId = Annotated[
    str, Path(description="The id of a key.", json_schema_extra={"pattern": f"^{_ID.pattern}$"})
]


class KeyOut(BaseModel):
    """A key that is not revoked, without its secret."""

    model_config = ConfigDict(json_schema_extra={"examples": [_SHOWN]})

    id: str
    label: str
    scopes: list[Scope]
    requests_per_second: float | None = Field(
        description="Maximum requests per second of this key; null means the default rate."
    )
    test: bool = Field(description="Whether the key is for tests.")
    expires_at: datetime | None = Field(description="When it expires, or expired; null means never.")
    created_at: datetime
    last_used_at: datetime | None = Field(description="To the minute; null if it was never used.")


class Keys(BaseModel):
    """The tenant's keys that are not revoked, oldest first."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"keys": [_SHOWN]}]})

    keys: list[KeyOut]


class NewKey(BaseModel):
    """A new key, which is shown only once."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{**_KEY, "key": f"ace_5f0c2a9be411_{'0' * 64}"}]}
    )

    id: str
    key: str = Field(description="The value for `Authorization: Bearer …`. Only its hash is stored.")
    label: str
    scopes: list[Scope]
    requests_per_second: float | None
    test: bool
    expires_at: datetime | None


class Revoked(BaseModel):
    """The keys that were revoked."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"revoked": [_KEY["id"]]}]})

    revoked: list[str]


@router.post(
    "/keys",
    operation_id="make_key",
    status_code=201,
    summary="Create a key for your tenant",
    response_model=NewKey,
    responses=answers(*BODIES, *named("too_many_keys", "operate_for_tests")),
    openapi_extra=takes("KeyIn", example=KEY_EXAMPLE),
)
async def make(request: Request, caller: Admin, parts: Here, _: Nothing) -> Response:
    """With any scopes; only `operate` must be yours. Not idempotent: revoke a key whose answer was lost.

    A test key files claims that the gatekeeper and the rules alone decide, and that are purged after a day.
    """
    async with json_body(request, parts, caller) as raw:
        made = await run_in_threadpool(_make, parts, caller, raw)
    headers = {"Cache-Control": "no-store"}
    return Response(made.model_dump_json(), status_code=201, media_type="application/json", headers=headers)


def _make(parts: Parts, caller: Tenant, raw: bytes) -> NewKey:
    wanted = parse(KeyIn, raw)
    tenant = for_tests(caller.name) if wanted.test else caller.name
    if Scope.OPERATE in wanted.scopes:
        refuse_beyond(caller, [Scope.OPERATE])  # it reaches beyond the tenant
    rate = wanted.requests_per_second
    lifetime = wanted.expires_in_seconds
    if rate is not None:  # only the operator may grant more than the default rate
        rate = min(rate, parts.settings.key_requests_per_second)

    def work(connection: Connection) -> tuple[str, str, datetime | None]:
        if keys.count_in_force(connection, tenant) >= MAX_KEYS:
            raise Refused(
                f"{MAX_KEYS} keys are active: revoke one first", code="too_many_keys", limit=MAX_KEYS
            )
        expires_at = None if lifetime is None else clock(connection) + timedelta(seconds=lifetime)
        made = keys.create(
            connection,
            tenant,
            wanted.label,
            scopes=wanted.scopes,
            requests_per_second=rate,
            expires_at=expires_at,
        )
        return *made, expires_at

    id_, key, expires_at = transact(parts.db, work, tenant=tenant)
    log.info("a key was made", extra={"key": id_, "actor": caller.actor})
    return NewKey(
        id=id_,
        key=key,
        label=wanted.label,
        scopes=wanted.scopes,
        requests_per_second=rate,
        test=is_for_tests(tenant),
        expires_at=expires_at,
    )


@router.get("/keys", operation_id="list_keys", summary="Your tenant's keys", responses=answers())
def listed(caller: Admin, parts: Here, _: Nothing) -> Keys:
    """Without the secrets, and without those that are revoked. A test key sees test keys alone."""
    rows = [
        row
        for tenant in _opened_by(caller)
        for row in transact(parts.db, partial(keys.of_tenant, tenant=tenant), tenant=tenant)
    ]
    rows.sort(key=lambda row: (row["created_at"], row["id"]))
    return Keys(keys=[KeyOut(**row, test=is_for_tests(row["tenant"])) for row in rows])


def _opened_by(caller: Tenant) -> list[str]:
    """The tenants whose keys an admin looks after: its own, and that of its tests."""
    return list(dict.fromkeys([caller.name, for_tests(caller.name)]))


@router.post(
    "/keys/{id}/revoke",
    operation_id="revoke_key",
    summary="Revoke a key",
    responses=answers(NOT_FOUND, *named("own_key")),
)
def revoke(id: KeyId, caller: Admin, parts: Here, _: Nothing) -> Revoked:
    """Takes effect with the next request. A key cannot revoke itself.

    Idempotent: a key that was already revoked is not in the answer.
    """
    if not _ID.fullmatch(id):
        raise NotFound("no such key")
    if id == caller.key_id:
        raise Refused(
            "a key cannot revoke itself: create another key and revoke it with that one", code="own_key"
        )

    for tenant in _opened_by(caller):
        known = transact(parts.db, partial(_revoked, id_=id, tenant=tenant), tenant=tenant)
        if known is not None:
            break
    else:
        raise NotFound("no such key")
    if not known:
        return Revoked(revoked=[])
    log.info("a key was revoked", extra={"key": id, "actor": caller.actor})
    return Revoked(revoked=[id])


def _revoked(connection: Connection, id_: str, tenant: str) -> bool | None:
    """Revokes a key; False if it was revoked already, None if the tenant has no such key."""
    if keys.revoke(connection, id_, tenant=tenant):
        return True
    return False if keys.exists(connection, id_, tenant) else None
