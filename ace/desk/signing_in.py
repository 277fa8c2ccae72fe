"""Pages to sign in and out, the theme, and the files that pages load."""

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import RedirectResponse
from starlette.concurrency import run_in_threadpool

from ace.api import callers
from ace.api.parts import Here, Parts
from ace.desk.forms import fields_of, local_path
from ace.desk.pages import THEME, THEMES, YEAR_SECONDS, Page, PageError, asset, show
from ace.desk.visitors import forget, is_plain, remember, token_of
from ace.errors import Refused
from ace.store import sessions
from ace.store.database import transact

router = APIRouter(route_class=Page, include_in_schema=False)

Token = Annotated[str, Path(pattern="^[0-9a-f]{64}$")]


@router.get("/sign-in")
async def form(request: Request) -> Response:
    """Asks for an API key."""
    return show(request, "sign_in.html", fault=None, link=None)


@router.get("/sign-in/{token}")
async def link_form(request: Request, token: Token) -> Response:
    """Asks for one click: a link that signs in by itself would be used up by whatever looks at it first."""
    return show(request, "sign_in.html", fault=None, link=token)


@router.post("/sign-in")
async def sign_in(request: Request, parts: Here) -> Response:
    """Opens a session of the key in the form. What session there was before ends."""
    key = (await fields_of(request, parts)).get("key", "").strip()
    try:
        token = await run_in_threadpool(_session_of_key, parts, key)
    except Refused:
        fault = "This is no key in force. A key reads ace_…, and was shown once when it was made."
        return show(request, "sign_in.html", status=401, fault=fault, link=None)
    return await _signed_in(request, parts, token)


@router.post("/sign-in/{token}")
async def sign_in_by_link(request: Request, parts: Here, token: Token) -> Response:
    """Uses up a link and opens a session."""
    session = await run_in_threadpool(_session_of_link, parts, token)
    if session is None:
        raise PageError(
            401, "This link is used up", "A link works once and expires after an hour. Sign in with your key."
        )
    return await _signed_in(request, parts, session)


@router.post("/sign-out")
async def sign_out(request: Request, parts: Here) -> Response:
    """Ends the session."""
    await run_in_threadpool(_end, parts, token_of(request))
    response = RedirectResponse("/sign-in", status_code=303)
    forget(request, response)
    return response


@router.post("/theme")
async def theme(request: Request, parts: Here) -> Response:
    """Keeps the wanted theme in a cookie; anything else follows the system again."""
    given = await fields_of(request, parts)
    response = RedirectResponse(local_path(given.get("here", "")), status_code=303)
    if given.get("theme") in THEMES:
        secure = not is_plain(request)
        response.set_cookie(
            THEME, given["theme"], max_age=YEAR_SECONDS, secure=secure, httponly=True, samesite="lax"
        )
    else:
        response.delete_cookie(THEME)
    return response


@router.get("/assets/{name}")
async def assets(request: Request, name: str) -> Response:
    """A stylesheet or script; its address changes with its content."""
    try:
        found = asset(name)
    except FileNotFoundError:
        raise PageError(404, "Not found", "There is no such file.") from None
    fresh = request.query_params.get("v") == found.version
    kept = f"public, max-age={YEAR_SECONDS}, immutable" if fresh else "no-cache"
    return Response(found.content, media_type=found.media_type, headers={"Cache-Control": kept})


async def _signed_in(request: Request, parts: Parts, token: str) -> Response:
    await run_in_threadpool(_end, parts, token_of(request))
    response = RedirectResponse("/", status_code=303)
    remember(request, response, token)
    return response


def _session_of_key(parts: Parts, key: str) -> str:
    shown = callers.presented(f"Bearer {key}")
    caller = transact(parts.lookups, lambda connection: callers.authenticate(connection, shown))
    return _create(parts, caller.name, caller.key_id)


def _session_of_link(parts: Parts, link: str) -> str | None:
    found = transact(parts.lookups, lambda connection: sessions.opened(connection, link, once=True))
    if found is None or not transact(
        parts.db, lambda connection: sessions.end(connection, link), tenant=found.key.tenant
    ):
        return None
    return _create(parts, found.key.tenant, found.key_id)


def _create(parts: Parts, tenant: str, key_id: str) -> str:
    return transact(parts.db, lambda connection: sessions.create(connection, tenant, key_id), tenant=tenant)


def _end(parts: Parts, token: str | None) -> None:
    if token is None:
        return
    found = transact(parts.lookups, lambda connection: sessions.opened(connection, token))
    if found is not None:
        transact(parts.db, lambda connection: sessions.end(connection, token), tenant=found.key.tenant)
