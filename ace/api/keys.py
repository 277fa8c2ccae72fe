"""Routes of API keys: an admin creates, lists and revokes those of its own tenant."""

import json
import logging
import re
from datetime import datetime
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
from ace.store.database import transact
from ace.store.scopes import Scope

log = logging.getLogger(__name__)

router = APIRouter(prefix="/v1", tags=["keys"])

MAX_KEYS: Final = 200  # active keys of one tenant: each has its own rate
_ID: Final = re.compile(r"[0-9a-f]{12}")
_KEY: Final[dict[str, Any]] = {
    "id": "5f0c2a9be411",
    "label": "docketing",
    "scopes": ["submit", "read"],
    "requests_per_second": None,
}
_AT: Final = "2026-11-20T09:30:00.125Z"

KeyId = Annotated[
    str, Path(description="The id of a key.", json_schema_extra={"pattern": f"^{_ID.pattern}$"})
]


class KeyOut(BaseModel):
    """An active key, without its secret."""

    model_config = ConfigDict(json_schema_extra={"examples": [{**_KEY, "created_at": _AT}]})

    id: str
    label: str
    scopes: list[Scope]
    requests_per_second: float | None = Field(
        description="Maximum requests per second of this key; null means the default rate."
    )
    created_at: datetime


class Keys(BaseModel):
    """The tenant's active keys, oldest first."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"keys": [{**_KEY, "created_at": _AT}]}]})

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
    responses=answers(*BODIES, *named("too_many_keys")),
    openapi_extra=takes("KeyIn", example=KEY_EXAMPLE),
)
async def make(request: Request, caller: Admin, parts: Here, _: Nothing) -> Response:
    """With any scopes; only `operate` must be yours. Not idempotent: revoke a key whose answer was lost."""
    async with json_body(request, parts, caller) as raw:
        made = await run_in_threadpool(_make, parts, caller, raw)
    headers = {"Cache-Control": "no-store"}
    return Response(json.dumps(made), status_code=201, media_type="application/json", headers=headers)


def _make(parts: Parts, caller: Tenant, raw: bytes) -> dict[str, Any]:
    wanted = parse(KeyIn, raw)
    if Scope.OPERATE in wanted.scopes:
        refuse_beyond(caller, [Scope.OPERATE])  # it reaches beyond the tenant
    rate = wanted.requests_per_second
    if rate is not None:  # only the operator may grant more than the default rate
        rate = min(rate, parts.settings.key_requests_per_second)

    def work(connection: Connection) -> tuple[str, str]:
        if keys.count_in_force(connection, caller.name) >= MAX_KEYS:
            raise Refused(
                f"{MAX_KEYS} keys are active: revoke one first", code="too_many_keys", limit=MAX_KEYS
            )
        return keys.create(
            connection, caller.name, wanted.label, scopes=wanted.scopes, requests_per_second=rate
        )

    id_, key = transact(parts.db, work, tenant=caller.name)
    log.info("a key was made", extra={"key": id_, "actor": caller.actor})
    return {
        "id": id_,
        "key": key,
        "label": wanted.label,
        "scopes": wanted.scopes,
        "requests_per_second": rate,
    }


@router.get("/keys", operation_id="list_keys", summary="Your tenant's active keys", responses=answers())
def keys_in_force(caller: Admin, parts: Here, _: Nothing) -> Keys:
    """Without the secrets."""
    rows = transact(parts.db, lambda connection: keys.of_tenant(connection, caller.name), tenant=caller.name)
    return Keys(keys=[KeyOut(**row) for row in rows])


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

    def work(connection: Connection) -> bool:
        revoked = keys.revoke(connection, id, tenant=caller.name)
        if not revoked and not keys.exists(connection, id, caller.name):
            raise NotFound("no such key")
        return revoked

    if not transact(parts.db, work, tenant=caller.name):
        return Revoked(revoked=[])
    log.info("a key was revoked", extra={"key": id, "actor": caller.actor})
    return Revoked(revoked=[id])
