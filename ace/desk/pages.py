"""How every page is answered: from a template, with strict headers, and with an error as a page too."""

import hashlib
import json
from collections.abc import Callable, Coroutine
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit
from uuid import UUID

from fastapi import Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from fastapi.routing import APIRoute
from jinja2 import Environment, PackageLoader, StrictUndefined

from ace.api.callers import Tenant
from ace.api.handlers import ANSWERS, answer_to
from ace.api.queries import refuse_ambiguous
from ace.desk import words
from ace.errors import NotFound
from ace.types.failure_words import failure_words
from ace.wording import plural

# Nothing inline, nothing from elsewhere, no frame around a page, no form that posts elsewhere.
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self';"
    " form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
THEME: Final = "ace-theme"
THEMES: Final = ("light", "dark")
SAFE: Final = frozenset({"GET", "HEAD"})
MEDIA_TYPES: Final = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
YEAR_SECONDS: Final = 31_536_000


class SignInNeeded(Exception):
    """A page was asked for without a session, or with one that is over."""


class PageError(Exception):
    """A request that the desk itself does not fulfil: the status, and two sentences for the person."""

    def __init__(self, status: int, title: str, detail: str) -> None:
        super().__init__(title)
        self.status = status
        self.problem = {"title": title, "detail": detail}


class Page(APIRoute):
    """A route of the desk. Refuses what another site sends, and answers every error with a page."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler with all that, around the route's own."""
        handle = super().get_route_handler()

        async def handle_page(request: Request) -> Response:
            try:
                refuse_cross_site(request)
                refuse_ambiguous(request)
                response = await handle(request)
            except SignInNeeded:
                response = _to_sign_in(request)
            except PageError as error:
                response = show(request, "error.html", status=error.status, problem=error.problem)
            except tuple(ANSWERS) as error:
                response = _error_page(request, error)
            return _guarded(response)

        return handle_page


def _guarded(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers.setdefault("Cache-Control", "no-store")
    return response


def nothing_here(request: Request) -> Response:
    """The page for an address under which there is nothing."""
    problem = {
        "title": "There is no such page",
        "detail": "The address may be mistyped, or belong to an older version of ACE.",
    }
    return _guarded(show(request, "error.html", status=404, problem=problem))


def refuse_cross_site(request: Request) -> None:
    """Raises PageError for a request that changes something and that another site may have sent.

    Browsers say where a request comes from in `Sec-Fetch-Site` (Fetch Metadata, section 2.3), old ones in
    `Origin`. A request with neither header was not sent by a browser from a page of the desk.
    """
    if request.method in SAFE:
        return
    site = request.headers.get("sec-fetch-site")
    if site is None:
        origin = urlsplit(request.headers.get("origin", ""))
        if origin.netloc and origin.netloc == request.headers.get("host"):
            return
    elif site == "same-origin":
        return
    raise PageError(
        403,
        "Sent from another site",
        "Your browser says that this request came from another site, so nothing was changed.",
    )


def _to_sign_in(request: Request) -> Response:
    if request.url.path == "/hints":  # an address to go to would look like a stream that has just ended
        return Response(status_code=401)
    if "hx-request" in request.headers:  # a script would put the page into a part of this one
        return Response(headers={"HX-Redirect": "/sign-in"})
    return RedirectResponse("/sign-in", status_code=303)


def _error_page(request: Request, error: Exception) -> Response:
    status, problem = problem_of(request, error)
    made = show(request, "error.html", status=status, problem=problem)
    if "retry_after" in problem:
        made.headers["Retry-After"] = str(problem["retry_after"])
    return made


def problem_of(request: Request, error: Exception) -> tuple[int, dict[str, Any]]:
    """The status and the problem document with which the API would answer this error."""
    answer = answer_to(request, error)
    document: dict[str, Any] = json.loads(bytes(answer.body))
    if isinstance(error, NotFound):
        document["detail"] = "It does not exist, or it belongs to another tenant."
    return answer.status_code, document


def show(request: Request, template: str, *, status: int = 200, **context: Any) -> HTMLResponse:
    """The page of a template. The caller whom `visitors.py` found is known to all of them."""
    caller: Tenant | None = getattr(request.state, "caller", None)
    theme = request.cookies.get(THEME)
    content = (
        _templates()
        .get_template(template)
        .render(
            caller=caller,
            scopes=caller.scopes if caller else frozenset(),
            theme=theme if theme in THEMES else None,
            here=_path(request),
            hints=_hints(request),
            **context,
        )
    )
    return HTMLResponse(content, status_code=status)


def _path(request: Request) -> str:
    """Path and query of a page that can be asked for again."""
    if request.method not in SAFE:
        return request.url.path
    return request.url.path + (f"?{request.url.query}" if request.url.query else "")


def _hints(request: Request) -> str:
    """The stream of hints for this page: about the one filing that it shows, if it shows one."""
    filing = request.path_params.get("id") if request.url.path.startswith("/filings/") else None
    return f"/hints?filing={filing}" if isinstance(filing, UUID) else "/hints"


@cache
def _templates() -> Environment:
    made = Environment(
        loader=PackageLoader("ace.desk"),
        autoescape=True,  # whatever is shown may have been sent by anybody
        auto_reload=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(
        moment=words.moment,
        percent=words.percent,
        plural=plural,
        failure=failure_words,
        with_odds=words.with_odds,
    )
    made.globals.update(asset=lambda name: f"/assets/{name}?v={asset(name).version}", words=words)
    return made


class Asset(NamedTuple):
    """A file that pages load: its bytes, and a version that changes with them."""

    content: bytes
    version: str
    media_type: str


@cache
def asset(name: str) -> Asset:
    """The asset of this name. Raises FileNotFoundError."""
    file = files("ace.desk").joinpath("assets", name)
    media_type = MEDIA_TYPES.get(name[name.rfind(".") :])
    if media_type is None:
        raise FileNotFoundError(name)
    content = file.read_bytes()
    return Asset(content, hashlib.sha256(content).hexdigest()[:12], media_type)
