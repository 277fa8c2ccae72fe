"""The stream that tells a page that what it shows has changed, so that it fetches that part again."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Response

from ace.api.hint_stream import STREAM_SECONDS, HintStream
from ace.api.parts import Here
from ace.desk.pages import Page
from ace.desk.visitors import ReadingVisitor

router = APIRouter(route_class=Page, include_in_schema=False)


@router.get("/hints")
async def hints(
    caller: ReadingVisitor, parts: Here, filing: Annotated[UUID | None, Query()] = None
) -> Response:
    """Hints about the visitor's filings, or about one of them. The browser opens it again when it ends."""
    return HintStream(parts.watcher, caller.name, filing, STREAM_SECONDS)
