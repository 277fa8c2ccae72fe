"""The route that checks claims without storing them."""

import json
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from dataclasses import replace
from typing import Annotated, Final, NamedTuple

from fastapi import APIRouter, Header, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from ace.api.bodies import media_of
from ace.api.files import FILES, JSON, CheckQuery, refuse_beside_json
from ace.api.intake import CHECK_EXAMPLE, CheckIn, claim_set, parse
from ace.api.openapi import answers, takes
from ace.api.parts import Here, Submitter, body_of, turn_to_check
from ace.api.reports import CheckReport
from ace.claims.checks.confidence import DEFAULT_THRESHOLD
from ace.claims.model import ClaimSet, Note
from ace.claims.readers import BOMS, read_file
from ace.claims.reading import Reading
from ace.claims.reports.graph_json import graph_as_json
from ace.claims.reports.report import Report, as_json, checked
from ace.claims.reports.sarif import as_sarif
from ace.claims.rules import Jurisdiction
from ace.errors import Refused
from ace.flow.checking import refuse_long

router = APIRouter(prefix="/v1", tags=["checks"])

TEXT: Final = "text/plain"
SARIF: Final = "application/sarif+json"
MAX_FINDINGS: Final = 5_000
_URI: Final = {TEXT: "claims.txt", "application/xml": "claims.xml", "text/xml": "claims.xml"}


@router.post(
    "/check",
    operation_id="check_claims",
    summary="Check claims without filing them",
    response_model=CheckReport,
    responses={
        **answers(400, 408, 413, 415, 422),
        200: {
            "description": "The findings, possibly none.",
            "content": {SARIF: {"schema": {"type": "object"}, "example": {"version": "2.1.0", "runs": []}}},
        },
    },
    openapi_extra=takes("CheckIn", files=FILES, example=CHECK_EXAMPLE),
)
async def check(
    request: Request,
    caller: Submitter,
    parts: Here,
    query: Annotated[CheckQuery, Query()],
    accept: Annotated[str | None, Header(description=f"`{SARIF}` for a log of SARIF 2.1.0 instead.")] = None,
) -> Response:
    """Nothing is stored or logged. Only the rules look at the claims: no model, no verdict.

    A file is sent unchanged, with the other fields as query parameters. What cannot be understood
    is left out and reported in `notes`.
    """
    media = media_of(request, JSON, *FILES)
    sarif = SARIF in (accept or "")
    async with body_of(request, parts, caller) as raw, turn_to_check(parts, caller):
        content = await run_in_threadpool(_checked, raw, media, query, sarif=sarif)
    headers = {"Cache-Control": "no-store"}
    return Response(content, media_type=SARIF if sarif else JSON, headers=headers)


class _Asked(NamedTuple):
    """How claims are to be checked."""

    jurisdiction: Jurisdiction
    threshold: float
    graph: bool


def _checked(raw: bytes, media: str, query: CheckQuery, *, sarif: bool) -> bytes:
    claims, asked = _read(raw, media, query)
    if not len(claims):
        pointer = "/claims" if media == JSON else ""
        raise Refused("no claim was found", code="empty_set", pointer=pointer, limit=1)
    refuse_long(sum(len(claim.text) for claim in claims))
    reading = Reading(claims)
    report = _bounded(checked(reading, jurisdiction=asked.jurisdiction, threshold=asked.threshold))
    if sarif:
        answer = as_sarif(report, _URI.get(media, "claims"), plain=media == TEXT)
    else:
        graph = graph_as_json(reading, report.findings) if asked.graph else None
        answer = {**as_json(report, begins=_begins(raw, media)), "graph": graph}
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode()


def _read(raw: bytes, media: str, query: CheckQuery) -> tuple[ClaimSet, _Asked]:
    if media == JSON:
        refuse_beside_json(query)
        body = parse(CheckIn, raw)
        if isinstance(body.claims, str):
            refuse_long(len(body.claims))
        else:
            refuse_long(sum(len(claim.text) for claim in body.claims))
        claims = claim_set(body.claims, partial=True)
        return claims, _Asked(body.jurisdiction, body.threshold, body.graph)
    if media == TEXT:
        wide = raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE))
        refuse_long(len(raw.decode("utf-16" if wide else "utf-8", errors="ignore")))
    claims = read_file(raw, media_type=media, pointer="", partial=True)
    threshold = DEFAULT_THRESHOLD if query.threshold is None else query.threshold
    return claims, _Asked(query.jurisdiction or Jurisdiction.US, threshold, bool(query.graph))


def _begins(raw: bytes, media: str) -> int | None:
    """Offset of the text that was read in what was sent; None if that is not text."""
    if media == JSON:
        return 0
    return int(raw.startswith(BOMS)) if media == TEXT else None


def _bounded(report: Report) -> Report:
    """The report with a bounded number of findings, and a note if there were more."""
    if len(report.findings) <= MAX_FINDINGS:
        return report
    words = f"only the first {MAX_FINDINGS} of {len(report.findings)} findings are told"
    notes = (*report.claims.notes, Note("too_many_findings", words))
    findings = report.findings[:MAX_FINDINGS]
    return replace(report, claims=replace(report.claims, notes=notes), findings=findings)
