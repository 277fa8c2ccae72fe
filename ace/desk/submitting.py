"""The page on which claims are pasted or uploaded: what is understood of them, and filing them."""

from collections import Counter
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import uuid4

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser

from ace.api.callers import Tenant
from ace.api.fields import idempotency_key
from ace.api.files import DOCX, FilingQuery, filing_of_file
from ace.api.filings import stored
from ace.api.intake import FilingIn, filing_of
from ace.api.parts import Here, Parts, body_of
from ace.api.terms import list_of
from ace.api.validation import Invalid, of_faulty, of_validation
from ace.claim_work import Unread, read, understood
from ace.claims.model import ClaimSet, Note
from ace.claims.readers.likeness import warnings
from ace.desk.filing import ShownClaim, in_tree_order, shown_claim
from ace.desk.marked import Origins, introductions, pieces, things
from ace.desk.pages import Page, PageError, problem_of, show
from ace.desk.visitors import SubmittingVisitor
from ace.errors import Conflict, Refused, TooMuch
from ace.store.moves import NewFiling
from ace.store.scopes import Scope
from ace.types.json_text import pointer_of

router = APIRouter(route_class=Page, include_in_schema=False)

MEDIA_TYPES: Final = {"docx": DOCX, "xml": "application/xml"}
NOTHING: Final = "Paste claims, or choose a file."
BOTH: Final = "There is text and a file. Empty the text to take the file, or choose no file."
NO_DOCKET: Final = {
    "title": "No docket",
    "detail": "Give the filing a docket: your own reference for it.",
}
_FIELDS: Final = 8


@dataclass(frozen=True, slots=True)
class Form:
    """What was typed or uploaded. `key` makes a second press of the button file nothing twice."""

    docket: str = ""
    claims: str = ""
    key: str = ""
    file: bytes = b""
    file_name: str = ""

    @property
    def media(self) -> str:
        """The media type that the file's name says; its content must agree."""
        return MEDIA_TYPES.get(self.file_name.rpartition(".")[2].lower(), "text/plain")

    def unread(self, *, partial: bool) -> Unread:
        """The claims, to be read."""
        if self.file:
            return Unread(self.file, self.media, partial=partial)
        return Unread(self.claims, partial=partial)


@router.get("/submit")
async def form(request: Request, caller: SubmittingVisitor) -> Response:
    """An empty form."""
    return _page(request, Form())


@router.post("/submit")
async def submit(request: Request, caller: SubmittingVisitor, parts: Here) -> Response:
    """Shows what is understood of the claims, which keeps nothing; or files them."""
    async with body_of(request, parts, caller) as raw:
        given, button = await _form_of(request, raw)
        try:
            if given.file and given.claims.strip():
                raise PageError(422, "Text and a file", BOTH)
            if button and not (given.file or given.claims.strip()):
                raise PageError(422, "No claims", NOTHING)
            if button == "file":
                return await _file(request, caller, parts, given)
            return await _check(request, caller, parts, given)
        except PageError as error:
            return _page(request, given, status=error.status, problem=error.problem)
        except (Refused, Invalid, Conflict, TooMuch) as error:
            status, problem = problem_of(request, error)
            return _page(request, given, status=status, problem=problem)


async def _check(
    request: Request,
    caller: Tenant,
    parts: Parts,
    given: Form,
    *,
    status: int = 200,
    problem: Mapping[str, object] | None = None,
) -> Response:
    if not (given.file or given.claims.strip()):
        return _page(request, given, status=status, problem=problem)
    asked = (given.unread(partial=True), await run_in_threadpool(list_of, parts, caller))
    found = await parts.turns.run(caller.name, understood, asked, pointer=None)
    introduced, origins = introductions(found.analyses), Origins(found.analyses)
    listed = things({claim.number: claim.text for claim in found.claims}, found.analyses)
    claims = [
        shown_claim(
            claim.number,
            claim.text,
            found.claims.ancestors(claim.number),
            found.analyses[claim.number],
            None,
            words=True,
            pieces=pieces(
                claim.number,
                claim.text,
                found.analyses[claim.number],
                introduced.get(claim.number, ()),
                origins=origins,
            ),
            things=listed.get(claim.number, ()),
        )
        for claim in found.claims
    ]
    notes = list(warnings(found.claims))
    return _page(request, given, status=status, problem=problem, claims=claims, notes=notes)


async def _file(request: Request, caller: Tenant, parts: Parts, given: Form) -> Response:
    if not given.docket:
        return await _check(request, caller, parts, given, status=422, problem=NO_DOCKET)
    try:
        query = FilingQuery(docket=given.docket)
        body = None if given.file else FilingIn(docket=given.docket, claims=given.claims)
    except ValidationError as error:
        raise Invalid(of_validation(error.errors(include_input=False, include_url=False))) from None
    claims: ClaimSet = await parts.turns.run(caller.name, read, given.unread(partial=False), pointer=None)
    key = idempotency_key(given.key or None)
    filing: NewFiling
    if body is None:
        filing = filing_of_file(given.file, given.media, query, claims, caller.name, key)
    else:
        filing = filing_of(body, claims, caller.name, key)
    accepted = await run_in_threadpool(stored, parts, caller, filing)
    if Scope.READ in caller.scopes:
        return RedirectResponse(f"/filings/{accepted.filing_id}", status_code=303)
    return show(request, "filed.html", docket=given.docket, accepted=accepted)


def _page(
    request: Request,
    given: Form,
    *,
    status: int = 200,
    problem: Mapping[str, object] | None = None,
    claims: Sequence[ShownClaim] | None = None,
    notes: Sequence[Note] = (),
) -> Response:
    return show(
        request,
        "submit.html",
        status=status,
        given=given,
        key=uuid4().hex,
        problem=problem,
        claims=claims,
        tree=in_tree_order(claims or ()),
        notes=notes,
    )


async def _form_of(request: Request, raw: bytes) -> tuple[Form, str]:
    """The form in a body that was read, and which of its buttons was pressed: none while claims are typed."""

    async def once() -> AsyncGenerator[bytes]:
        yield raw

    try:
        parser = _Parser(
            request.headers, once(), max_files=1, max_fields=_FIELDS, max_part_size=max(1, len(raw))
        )
        form = await parser.parse()
    except (MultiPartException, KeyError):
        raise PageError(400, "The form could not be read", "Reload the page and try again.") from None
    fields = {name: value for name, value in form.items() if isinstance(value, str)}
    _refuse_ambiguous([name for name, _ in form.multi_items()], fields, raw)
    file = form.get("file")
    content, name = (await file.read(), file.filename or "") if isinstance(file, UploadFile) else (b"", "")
    await form.close()
    given = Form(
        fields.get("docket", "").strip(), fields.get("claims", ""), fields.get("key", ""), content, name
    )
    return given, fields.get("do", "")


def _refuse_ambiguous(names: Sequence[str], fields: Mapping[str, str], raw: bytes) -> None:
    """Raises Invalid for a field that is given twice, and one that the parser did not read as UTF-8."""
    for name, count in Counter(names).items():
        if count > 1:
            raise Invalid(of_faulty("pointer", pointer_of((name,)), "repeated", "is given more than once", 1))
    for name, value in fields.items():
        if value.encode(errors="replace") not in raw:
            raise Invalid(of_faulty("pointer", pointer_of((name,)), "invalid_utf8", "must be UTF-8"))


class _Parser(MultiPartParser):
    """Keeps what is uploaded in memory, where the body is already: claims never touch a disk on the way."""

    spool_max_size = 1 << 62
