"""The route that exports a filing: for Word, printing, spreadsheets and programs."""

import json
import re
from typing import Annotated, Any, Final, NamedTuple
from urllib.parse import quote
from uuid import UUID

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection, RowMapping
from starlette.concurrency import run_in_threadpool

from ace.api.callers import Tenant, refuse_beyond
from ace.api.checks import SARIF
from ace.api.files import DOCX, JSON
from ace.api.openapi import answers
from ace.api.parts import Here, Parts, TextReader
from ace.api.problem_types import NOT_FOUND, named
from ace.claims.reports.csv_table import COLUMNS
from ace.claims.reports.filing_report import Judged
from ace.claims.reports.html_page import POLICY
from ace.errors import NotFound, Refused
from ace.export_work import ExportAsked, ExportFormat, exported
from ace.flow.analysing import RULES
from ace.store import filings, reads
from ace.store.database import transact
from ace.store.filings import Contents
from ace.store.scopes import Scope

router = APIRouter(prefix="/v1", tags=["filings"])

MEDIA: Final = {
    ExportFormat.DOCX: DOCX,
    ExportFormat.HTML: "text/html",
    ExportFormat.CSV: "text/csv",
    ExportFormat.SARIF: SARIF,
    ExportFormat.JSON: JSON,
    ExportFormat.SVG: "image/svg+xml",
}
_EXAMPLES: Final = {
    MEDIA[ExportFormat.HTML]: "<!DOCTYPE html><title>P-2041-US</title>…",
    MEDIA[ExportFormat.CSV]: f"{','.join(COLUMNS)}\r\n",
    MEDIA[ExportFormat.SVG]: '<svg xmlns="http://www.w3.org/2000/svg">…</svg>',
}
_UNSAFE: Final = re.compile(r"[^\w.-]+", re.ASCII)
_NAME_CHARACTERS: Final = 80


class ReportQuery(BaseModel):
    """Which file."""

    model_config = ConfigDict(extra="forbid")

    format: ExportFormat = Field(
        ExportFormat.JSON,
        description="`docx`: the claims with Word comments at the findings. `html`: a page that prints."
        " `csv`: a row for each finding. `svg`: the graph of the claims.",
    )


class Export(NamedTuple):
    """A file, and the headers with which it is sent."""

    content: bytes
    media_type: str
    headers: dict[str, str]

    def response(self) -> Response:
        """The file as an answer."""
        return Response(self.content, media_type=self.media_type, headers=self.headers)


@router.get(
    "/filings/{id:uuid}/report",
    operation_id="get_report",
    summary="A filing with its verdicts and findings, as a file",
    response_class=Response,
    responses={
        **answers(
            NOT_FOUND,
            *named("text_purged", "set_too_long", "check_too_slow", "check_crashed", "too_many_checks"),
        ),
        200: {
            "description": "The file.",
            "headers": {
                "Content-Disposition": {
                    "description": "A name for the file, made of the docket.",
                    "schema": {"type": "string"},
                }
            },
            "content": {
                JSON: {"schema": {"type": "object"}, "example": {"docket": "P-2041-US", "claims": []}},
                SARIF: {"schema": {"type": "object"}, "example": {"version": "2.1.0", "runs": []}},
                DOCX: {"schema": {"contentMediaType": DOCX}},
                **{
                    media: {"schema": {"contentMediaType": media}, "example": begins}
                    for media, begins in _EXAMPLES.items()
                },
            },
        },
    },
)
async def report(
    id: UUID,
    caller: TextReader,
    parts: Here,
    query: Annotated[ReportQuery, Query()],
) -> Response:
    """From the analysis of the filing, which is stored with its first verdict; made now if there is none that
    obeys your term list.

    A defect is reported at every claim that has it. The key needs the scope `read` too.
    """
    refuse_beyond(caller, [Scope.READ])
    return (await export_of(parts, caller, id, query.format)).response()


async def export_of(parts: Parts, caller: Tenant, filing_id: UUID, format_: ExportFormat) -> Export:
    """A filing of the caller as a file. Raises NotFound, Refused, TooMuch."""
    row, contents = await run_in_threadpool(read, parts, caller, filing_id)
    if contents.purged_at is not None:
        raise Refused("the text of this filing was purged", code="text_purged")
    evaluations = json.loads(row["evaluations"] or "[]")
    asked = ExportAsked(
        docket=row["docket"],
        filing=str(filing_id),
        filed=row["created_at"].strftime("%Y-%m-%d %H:%M:%S"),
        claims=[(one["number"], one["text"]) for one in contents.claims],
        analysis=contents.current,
        terms=contents.terms,
        judged={one["claim"]: _judged(one) for one in evaluations},
        format=format_,
    )
    content = await parts.turns.run(caller.name, exported, asked, pointer=None)
    return Export(content, MEDIA[format_], _headers(row["docket"], format_))


def read(parts: Parts, caller: Tenant, filing_id: UUID) -> tuple[RowMapping, Contents]:
    """A filing with its evaluations, and its claims with their analysis, in one transaction. Raises
    NotFound."""

    def work(connection: Connection) -> tuple[RowMapping, Contents]:
        row = reads.filing(connection, caller.name, filing_id)
        contents = filings.contents(connection, caller.name, filing_id, RULES)
        if row is None or contents is None:
            raise NotFound("no such filing")
        return row, contents

    return transact(parts.db, work, tenant=caller.name)


def _judged(one: dict[str, Any]) -> Judged:
    return Judged(one["verdict"], one["ground"], one["disputed"], one["state"])


def _headers(docket: str, format_: ExportFormat) -> dict[str, str]:
    """A file to keep (RFC 6266), or a page that can do nothing: no browser takes it for something else."""
    plain = _UNSAFE.sub("_", docket)[:_NAME_CHARACTERS].strip("._") or "filing"
    whole = quote(docket[:_NAME_CHARACTERS], safe="")
    page = format_ is ExportFormat.HTML  # whose own policy allows its own style alone
    policy = POLICY if page else "default-src 'none'"
    shown = "inline" if page else "attachment"
    return {
        "Content-Disposition": f"{shown}; filename=\"{plain}.{format_}\"; filename*=UTF-8''{whole}.{format_}",
        "Content-Security-Policy": f"{policy}; frame-ancestors 'none'; sandbox",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-store",
    }
