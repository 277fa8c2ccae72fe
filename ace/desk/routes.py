"""Puts the desk into the process of the API."""

from typing import Final

from fastapi import FastAPI

from ace.desk import filing, filings, operations, reference, signing_in, submitting

PAGES: Final = (filings, filing, submitting, operations, reference, signing_in)


def install(app: FastAPI) -> None:
    """Adds the pages to an application that `ace.api.app.create_app` made."""
    for pages in PAGES:
        app.include_router(pages.router)
