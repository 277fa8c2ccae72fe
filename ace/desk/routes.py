"""Puts the desk into the process of the API."""

from typing import Final

from fastapi import FastAPI

from ace.desk import (
    comparing,
    filing,
    filings,
    operations,
    reference,
    reviewing,
    saved_views,
    signing_in,
    submitting,
    taking_away,
)

PAGES: Final = (
    filings,
    saved_views,
    filing,
    comparing,
    taking_away,
    submitting,
    reviewing,
    operations,
    reference,
    signing_in,
)


def install(app: FastAPI) -> None:
    """Adds the pages to an application that `ace.api.app.create_app` made."""
    for pages in PAGES:
        app.include_router(pages.router)
