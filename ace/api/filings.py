"""Routes of filings: submit one, look at it, cancel it. Many at once: bulk.py."""

import json
from collections.abc import Callable
from functools import partial
from hashlib import blake2b
from typing import Annotated, Any, Final, NamedTuple
from uuid import UUID

from fastapi import APIRouter, Header, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from ace import flow
from ace.api.bodies import media_of
from ace.api.callers import Tenant
from ace.api.etags import matches
from ace.api.fields import IDEMPOTENCY_KEY, idempotency_key
from ace.api.files import JSON, MEDIA_TYPES, FilingQuery, docket_of, filing_of_file, refuse_beside_json
from ace.api.intake import FILING_EXAMPLE, FilingIn, filing_of, parse, unread
from ace.api.openapi import answers, takes
from ace.api.parts import Here, Nothing, Parts, Reader, Submitter, body_of
from ace.api.problem_types import BODIES, CLAIMS, FILES, FILINGS, NOT_FOUND, named
from ace.api.rows import accepted_out, filing_json
from ace.api.schemas import Cancelled, FilingAccepted, FilingOut
from ace.api.waiting import until_settled
from ace.claim_work import TEXT, Unread, read
from ace.claims.model import ClaimSet
from ace.errors import Conflict, NotFound
from ace.store import reads
from ace.store.database import transact
from ace.store.moves import Accepted, NewFiling

router = APIRouter(prefix="/v1", tags=["filings"])

LOOK_AFTER_SECONDS: Final = 1
READ_HERE_BYTES: Final = 32_768
"""Longer bodies are read in a process that can be stopped. Reading is linear: this much takes a few
milliseconds, and a tenant's filings need not wait for each other."""

IdempotencyKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        description="1 to 255 visible ASCII characters, bare or quoted. The same key and body get"
        " the same answer; the same key with another body is refused.",
        json_schema_extra={"pattern": IDEMPOTENCY_KEY},
    ),
]


@router.post(
    "/filings",
    operation_id="submit_filing",
    status_code=202,
    summary="Submit a claim set",
    response_model=FilingAccepted,
    responses=answers(
        *(*BODIES, *CLAIMS, *FILES, *FILINGS),
        status=202,
        headers={
            "Location": "The filing.",
            "Retry-After": "Seconds until it is worth polling.",
            "Idempotent-Replayed": "`true` if this key had filed the same body before, `false` otherwise.",
        },
    ),
    openapi_extra=takes("FilingIn", files=MEDIA_TYPES, example=FILING_EXAMPLE),
)
async def submit(
    request: Request,
    caller: Submitter,
    parts: Here,
    query: Annotated[FilingQuery, Query()],
    key: IdempotencyKey = None,
) -> Response:
    """Stores the filing and queues an evaluation of every claim that is not canceled.

    A file is sent unchanged, with its docket and priority as query parameters.
    """
    media = media_of(request, JSON, *MEDIA_TYPES)
    async with body_of(request, parts, caller) as raw:
        hand = partial(_handed, raw, media, query, idempotency_key(key))
        if media in {JSON, TEXT} and len(raw) <= READ_HERE_BYTES:
            filed = await run_in_threadpool(_read_and_store, parts, caller, hand)
        else:
            handed = await run_in_threadpool(hand)
            claims = await parts.turns.run(caller.name, read, handed.claims, pointer=handed.claims.pointer)
            filed = await run_in_threadpool(_store, parts, caller, handed, claims)
    return Response(
        json.dumps(filed.answer),
        status_code=202,
        media_type=JSON,
        headers={
            "Location": f"/v1/filings/{filed.answer['filing']}",
            "Retry-After": str(LOOK_AFTER_SECONDS),
            "Idempotent-Replayed": str(filed.replayed).lower(),
        },
    )


class _Filed(NamedTuple):
    """The answer to a submission, and whether it is that of an earlier one with the same key."""

    answer: dict[str, Any]
    replayed: bool


class _Handed(NamedTuple):
    """What a client handed in: its claims, and the filing that is made of them once they are read."""

    claims: Unread
    filing: Callable[[ClaimSet, str], NewFiling]


def _handed(raw: bytes, media: str, query: FilingQuery, key: str | None) -> _Handed:
    if media != JSON:
        docket_of(query)
        return _Handed(
            Unread(raw, media), lambda claims, tenant: filing_of_file(raw, media, query, claims, tenant, key)
        )
    refuse_beside_json(query)
    body = parse(FilingIn, raw)
    return _Handed(unread(body.claims), lambda claims, tenant: filing_of(body, claims, tenant, key))


def _read_and_store(parts: Parts, caller: Tenant, hand: Callable[[], _Handed]) -> _Filed:
    handed = hand()
    return _store(parts, caller, handed, read(handed.claims))


def _store(parts: Parts, caller: Tenant, handed: _Handed, claims: ClaimSet) -> _Filed:
    filing = handed.filing(claims, caller.name)
    accepted = stored(parts, caller, filing)
    return _Filed(accepted_out(filing, accepted), not accepted.created)


def stored(parts: Parts, caller: Tenant, filing: NewFiling) -> Accepted:
    """Stores a filing and queues its evaluations. Raises Conflict, TooMuch."""
    with parts.refused_writes.watched():
        (accepted,) = flow.submit(
            parts.db,
            [filing],
            actor=caller.actor,
            tenant=caller.name,
            backlog=parts.settings.tenant_backlog_claims,
            wake_by=parts.announcer.wake,
        )
    if accepted.conflict:
        raise Conflict("this idempotency key was used before with a different body")
    return accepted


@router.get(
    "/filings/{id:uuid}",
    operation_id="get_filing",
    summary="A filing and the states of its evaluations",
    response_model=FilingOut,
    responses={
        **answers(
            *(NOT_FOUND, *named("too_many_waits")),
            headers={
                "ETag": "Changes with the filing and the states of its evaluations.",
                "Preference-Applied": "The wait that was granted.",
            },
        ),
        304: {"description": "Nothing has changed since the ETag in If-None-Match."},
    },
)
async def filing(
    id: UUID,
    caller: Reader,
    parts: Here,
    response: Response,
    _: Nothing,
    if_none_match: Annotated[str | None, Header(alias="If-None-Match")] = None,
    prefer: Annotated[
        str | None,
        Header(
            alias="Prefer",
            description="`wait=N`: answer as soon as all evaluations are decided, failed or"
            " cancelled, or after N seconds (maximum 60).",
        ),
    ] = None,
) -> Response:
    """Without the claims themselves, which the client has."""
    tenant, read = caller.name, parts.reads.of
    await until_settled(
        parts.watcher,
        tenant,
        lambda: read(tenant, ("open", id), partial(_open_one, parts, tenant, id)),
        prefer,
        response,
    )
    content, etag = await read(tenant, ("filing", id), partial(_tagged, parts, tenant, id))
    response.headers["ETag"] = f'"{etag}"'
    response.headers["Cache-Control"] = "private, no-cache"
    if matches(if_none_match, etag):
        return Response(status_code=304, headers=dict(response.headers))
    await parts.reads.answer()
    return Response(content, media_type=JSON, headers=dict(response.headers))


def _open_one(parts: Parts, tenant: str, id_: UUID) -> UUID | None:
    return transact(parts.db, lambda connection: reads.open_one(connection, tenant, id_), tenant=tenant)


def _read(parts: Parts, tenant: str, id_: UUID) -> bytes:
    row = transact(parts.db, lambda connection: reads.filing(connection, tenant, id_), tenant=tenant)
    if row is None:
        raise NotFound("no such filing")
    return filing_json(row)


def _tagged(parts: Parts, tenant: str, id_: UUID) -> tuple[bytes, str]:
    """A filing as JSON, and the tag of this very content."""
    content = _read(parts, tenant, id_)
    return content, blake2b(content, digest_size=16).hexdigest()


@router.post(
    "/filings/{id:uuid}/cancel",
    operation_id="cancel_filing",
    summary="Cancel evaluations without a verdict",
    responses=answers(NOT_FOUND),
)
def cancel(id: UUID, caller: Submitter, parts: Here, _: Nothing) -> Cancelled:
    """Idempotent: decided evaluations stay as they are and are not in the answer."""
    cancelled = flow.cancel(parts.db, caller.name, id, actor=caller.actor)
    if not cancelled:
        _read(parts, caller.name, id)
    return Cancelled(cancelled=cancelled)
