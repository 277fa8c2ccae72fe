"""Downloads of a filing as a file."""

from typing import Final
from uuid import UUID

from fastapi import APIRouter, Request, Response

from ace.api.callers import refuse_beyond
from ace.api.exports import export_of
from ace.api.parts import Here
from ace.desk.pages import Page
from ace.desk.visitors import ReadingVisitor
from ace.export_work import ExportFormat
from ace.store.scopes import Scope

router = APIRouter(route_class=Page, include_in_schema=False)

FORMATS: Final = {
    ExportFormat.DOCX: "Word, with comments",
    ExportFormat.HTML: "Report to print",
    ExportFormat.SVG: "Graph of the claims",
    ExportFormat.CSV: "CSV",
    ExportFormat.JSON: "JSON",
    ExportFormat.SARIF: "SARIF",
}


@router.get("/filings/{id:uuid}/report.{format}")
async def report(
    request: Request,
    id: UUID,
    format: ExportFormat,
    caller: ReadingVisitor,
    parts: Here,
) -> Response:
    """The file; it quotes claims, so it is for keys with the scope `text`."""
    refuse_beyond(caller, [Scope.TEXT])
    return (await export_of(parts, caller, id, format)).response()
