"""Puts the desk into the process of the API."""

from typing import Final

from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException

from ace.api.handlers import answer_to
from ace.desk import (
    calibration,
    comparing,
    exports,
    filing,
    filings,
    hints,
    model_orders,
    operations,
    orders,
    reference,
    reviewing,
    saved_views,
    signing_in,
    submitting,
    term_list,
)
from ace.desk.pages import nothing_here

PAGES: Final = (
    filings,
    saved_views,
    filing,
    comparing,
    exports,
    submitting,
    reviewing,
    term_list,
    operations,
    orders,
    calibration,
    model_orders,
    hints,
    reference,
    signing_in,
)
API: Final = ("/v1/", "/problems/")


def install(app: FastAPI) -> None:
    """Adds the pages to an application that `ace.api.app.create_app` made."""
    for pages in PAGES:
        app.include_router(pages.router)
    app.add_exception_handler(HTTPException, _unrouted)


async def _unrouted(request: Request, error: Exception) -> Response:
    """A page for people who follow a broken link; programs get the problem document of the API."""
    if getattr(error, "status_code", None) != 404 or request.url.path.startswith(API):
        return answer_to(request, error)
    if "text/html" not in request.headers.get("accept", ""):
        return answer_to(request, error)
    return nothing_here(request)
