"""The route that checks claims without storing them."""

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from typing import Annotated, Final

from fastapi import APIRouter, Header, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from ace.api.bodies import media_of
from ace.api.callers import Tenant
from ace.api.files import JSON, MEDIA_TYPES, CheckQuery, refuse_beside_json
from ace.api.intake import CHECK_EXAMPLE, CheckIn, parse, unread
from ace.api.openapi import answers, takes
from ace.api.parts import Here, Parts, Submitter, body_of
from ace.api.problem_types import BODIES, CLAIMS, FILES, named
from ace.api.reports import CheckReport
from ace.api.terms import list_of
from ace.claim_work import TEXT, ReportAsked, Unread, refuse_long, report_on
from ace.claims.checks.confidence import DEFAULT_THRESHOLD
from ace.claims.rules import Jurisdiction

router = APIRouter(prefix="/v1", tags=["checks"])

SARIF: Final = "application/sarif+json"


@router.post(
    "/check",
    operation_id="check_claims",
    summary="Check claims without filing them",
    response_model=CheckReport,
    responses={
        **answers(*BODIES, *CLAIMS, *FILES, *named("bad_term")),
        200: {
            "description": "The findings, possibly none.",
            "content": {SARIF: {"schema": {"type": "object"}, "example": {"version": "2.1.0", "runs": []}}},
        },
    },
    openapi_extra=takes("CheckIn", files=MEDIA_TYPES, example=CHECK_EXAMPLE),
)
async def check(
    request: Request,
    caller: Submitter,
    parts: Here,
    query: Annotated[CheckQuery, Query()],
    accept: Annotated[
        str | None, Header(alias="Accept", description=f"`{SARIF}` for a log of SARIF 2.1.0 instead.")
    ] = None,
) -> Response:
    """Nothing is stored or logged. Only the rules look at the claims, under your term list: no model, no
    verdict.

    A file is sent unchanged, with the other fields as query parameters. What cannot be understood
    is left out and reported in `notes`. A set that takes too much processor time is refused (422).
    """
    media = media_of(request, JSON, *MEDIA_TYPES)
    sarif = SARIF in (accept or "")
    async with body_of(request, parts, caller) as raw:
        asked = await run_in_threadpool(_asked, raw, media, query, parts, caller, sarif=sarif)
        content = await parts.turns.run(caller.name, report_on, asked, pointer=asked.claims.pointer)
    headers = {"Cache-Control": "no-store"}
    return Response(content, media_type=SARIF if sarif else JSON, headers=headers)


def _asked(
    raw: bytes, media: str, query: CheckQuery, parts: Parts, caller: Tenant, *, sarif: bool
) -> ReportAsked:
    if media == JSON:
        refuse_beside_json(query)
        body = parse(CheckIn, raw)
        texts = [body.claims] if isinstance(body.claims, str) else [claim.text for claim in body.claims]
        refuse_long(sum(map(len, texts)))
        claims = unread(body.claims, partial=True)
        terms = list_of(parts, caller) if body.terms is None else body.terms.terms()
        return ReportAsked(claims, body.jurisdiction, body.threshold, body.graph, sarif, terms)
    if media == TEXT:
        wide = raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE))
        refuse_long(len(raw.decode("utf-16" if wide else "utf-8", errors="ignore")))
    threshold = DEFAULT_THRESHOLD if query.threshold is None else query.threshold
    jurisdiction = query.jurisdiction or Jurisdiction.US
    claims, terms = Unread(raw, media, partial=True), list_of(parts, caller)
    return ReportAsked(claims, jurisdiction, threshold, bool(query.graph), sarif, terms)
