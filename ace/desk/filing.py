"""The page of a filing, with its claims and what was found in them, and the page of one claim."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple
from uuid import UUID

from fastapi import APIRouter, Request, Response
from sqlalchemy import Connection, RowMapping
from starlette.concurrency import run_in_threadpool

from ace.api.callers import Tenant
from ace.api.exports import read
from ace.api.parts import Here, Parts
from ace.api.reports import FindingOut
from ace.api.review_schemas import ReviewOut
from ace.api.reviews import review_out
from ace.api.rows import evaluation_out, finding_out
from ace.api.schemas import EvaluationOut
from ace.claim_work import CHECKED_SET_CHARACTERS, analysed
from ace.claims.analysis import ClaimAnalysis, from_json
from ace.claims.findings import Finding, Remark
from ace.claims.taxonomy import Verdict
from ace.desk.calibration import records_of
from ace.desk.doubt import ShownDoubt, shown_doubt
from ace.desk.exports import FORMATS
from ace.desk.marked import Origins, Piece, Thing, introductions, pieces, things
from ace.desk.pages import Page, show
from ace.desk.visitors import ReadingVisitor
from ace.errors import NotFound
from ace.store import reads, reviews
from ace.store.database import transact
from ace.store.filings import Contents
from ace.store.tables import FINAL

router = APIRouter(route_class=Page, include_in_schema=False)

REVIEWS: Final = 50  # that the page of a claim lists, the newest
DEPTH: Final = 6  # of the tree, beyond which claims are not indented further


class ShownFinding(NamedTuple):
    """A finding as clients see it, and the words that its fix changes, before and after."""

    told: FindingOut
    change: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class ShownClaim:
    """A claim as pages show it. Without the scope `text` it has no pieces."""

    number: int
    parent: int | None  # the nearest claim that it depends on
    evaluation: Mapping[str, Any] | None  # as `EvaluationBrief`; null if it is not evaluated
    pieces: Sequence[Piece]
    findings: Sequence[ShownFinding]
    remarks: Sequence[Remark]
    failure: str | None
    things: Sequence[Thing] = ()
    depth: int = 0  # in the tree of claims, which `in_tree_order` knows
    failing: Sequence[int] = ()  # the claims that it depends on and that fail, nearest first


@router.get("/filings/{id:uuid}")
async def filing(request: Request, id: UUID, caller: ReadingVisitor, parts: Here) -> Response:
    """The claims of a filing in the order of their tree, each with its verdict and findings."""
    row, contents = await run_in_threadpool(read, parts, caller, id)
    settled = FINAL.issuperset(row["states"])
    stored = await _analyses(parts, caller, contents, settled=settled)
    evaluations = evaluations_of(row)
    shown = shown_claims(contents.claims, stored, evaluations, words=caller.reads_text)
    return show(
        request,
        "filing.html",
        filing=row,
        claims=shown,
        tree=in_tree_order(shown),
        settled=settled,
        analysed=stored is not None,
        relisted=is_relisted(contents, settled=settled),
        counts=_counts(evaluations.values()),
        formats=FORMATS,
    )


@router.get("/filings/{id:uuid}/claims/{number:int}")
async def claim(request: Request, id: UUID, number: int, caller: ReadingVisitor, parts: Here) -> Response:
    """One claim with everything that explains its verdict."""
    row, contents = await run_in_threadpool(read, parts, caller, id)
    evaluations = evaluations_of(row)
    if number not in {one["number"] for one in contents.claims}:
        raise NotFound("no such claim")
    stored = await _analyses(parts, caller, contents, settled=FINAL.issuperset(row["states"]))
    brief = evaluations.get(number)
    evaluation, events, said = (
        (None, (), ())
        if brief is None
        else await run_in_threadpool(_evaluation, parts, caller, UUID(brief["id"]))
    )
    doubt = await run_in_threadpool(_doubt, parts, evaluation)
    shown = shown_claims(
        contents.claims,
        stored,
        evaluations,
        words=caller.reads_text,
        elsewhere=f"/filings/{id}",
        only=number,
        quoted=_quoted(evaluation),
    )
    numbers = [one["number"] for one in contents.claims]
    at = numbers.index(number)
    return show(
        request,
        "claim.html",
        filing=row,
        claim=shown[0],
        evaluation=evaluation,
        doubt=doubt,
        events=events,
        reviews=said,
        before=numbers[at - 1] if at else None,
        after=numbers[at + 1] if at + 1 < len(numbers) else None,
        settled=brief is None or brief["state"] in FINAL,
        analysed=stored is not None,
        relisted=is_relisted(contents, settled=FINAL.issuperset(row["states"])),
    )


def evaluations_of(row: RowMapping) -> dict[int, dict[str, Any]]:
    """The evaluations of a row of `reads.filing`, by claim number."""
    return {one["claim"]: one for one in json.loads(row["evaluations"] or "[]")}


def _evaluation(
    parts: Parts, caller: Tenant, id_: UUID
) -> tuple[EvaluationOut, Sequence[RowMapping], Sequence[ReviewOut]]:
    def work(connection: Connection) -> tuple[EvaluationOut, Sequence[RowMapping], Sequence[ReviewOut]]:
        row = reads.evaluation(connection, caller.name, id_)
        if row is None:
            raise NotFound("no such evaluation")
        events = reads.events(connection, caller.name, id_) or ()
        said = reviews.page(connection, caller.name, evaluation_id=id_, limit=REVIEWS)
        shown = [review_out(each, words=caller.reads_text) for each in said]
        return evaluation_out(row, words=caller.reads_text), events, shown

    return transact(parts.db, work, tenant=caller.name)


def _doubt(parts: Parts, evaluation: EvaluationOut | None) -> ShownDoubt | None:
    calibration = None if evaluation is None else evaluation.calibration
    return shown_doubt(evaluation, records_of(parts, [calibration]).get(calibration) if calibration else None)


def _quoted(evaluation: EvaluationOut | None) -> list[tuple[int, int]]:
    """The spans of the claim that the expert quotes."""
    if evaluation is None or evaluation.rationale is None:
        return []
    stated = evaluation.rationale.findings or ()
    return [(one.start, one.end) for one in stated if one.start is not None and one.end is not None]


async def claim_alone(
    parts: Parts, caller: Tenant, row: RowMapping, contents: Contents, number: int
) -> ShownClaim:
    """One claim of a filing, whose other claims are on the page of the filing."""
    stored = await _analyses(parts, caller, contents, settled=FINAL.issuperset(row["states"]))
    (shown,) = shown_claims(
        contents.claims,
        stored,
        evaluations_of(row),
        words=caller.reads_text,
        elsewhere=f"/filings/{row['id']}",
        only=number,
    )
    return shown


def is_relisted(contents: Contents, *, settled: bool) -> bool:
    """Whether the verdicts rest on another term list than the findings that are shown."""
    return settled and contents.analysis is not None and not contents.obeys and contents.purged_at is None


async def _analyses(
    parts: Parts, caller: Tenant, contents: Contents, *, settled: bool
) -> Mapping[str, Any] | None:
    """The stored analysis of a filing, by claim number as text. If it has none by this version of the rules
    under the tenant's term list, it is analysed now if it is settled; while it waits, after a purge and if
    its claims are too long it has the newest, if there is one."""
    claims = [(one["number"], one["text"]) for one in contents.claims]
    long = sum(len(text) for _, text in claims) > CHECKED_SET_CHARACTERS
    if contents.obeys or not settled or contents.purged_at is not None or long:
        return contents.analysis
    asked = (claims, contents.terms)
    made: Mapping[str, Any] = json.loads(await parts.turns.run(caller.name, analysed, asked, pointer=None))
    return made


def shown_claims(
    claims: Iterable[Mapping[str, Any]],
    stored: Mapping[str, Any] | None,
    evaluations: Mapping[int, Mapping[str, Any]],
    *,
    words: bool,
    elsewhere: str = "",
    only: int | None = None,
    quoted: Iterable[tuple[int, int]] = (),
) -> list[ShownClaim]:
    """Claims, {number, text, ancestors}, with what is stored about them; one alone if `only` names it."""
    by_number = {one["number"]: one for one in claims}
    made = {
        number: from_json((stored or {}).get(str(number), {}), number, one["text"])
        for number, one in by_number.items()
    }
    introduced, origins = introductions(made), Origins(made)
    listed = {} if only else things({number: one["text"] for number, one in by_number.items()}, made)
    return [
        shown_claim(
            number,
            one["text"],
            one["ancestors"],
            made[number],
            evaluations.get(number),
            words=words,
            pieces=pieces(
                number,
                one["text"],
                made[number],
                introduced.get(number, ()),
                origins=origins,
                elsewhere=elsewhere,
                quoted=quoted,
            ),
            things=listed.get(number, ()),
            failing=[each for each in one["ancestors"] if _fails(evaluations.get(each))],
        )
        for number, one in by_number.items()
        if only in {None, number}
    ]


def shown_claim(
    number: int,
    text: str,
    ancestors: Sequence[int],
    analysis: ClaimAnalysis,
    evaluation: Mapping[str, Any] | None,
    *,
    words: bool,
    pieces: Sequence[Piece],
    things: Sequence[Thing] = (),
    failing: Sequence[int] = (),
) -> ShownClaim:
    """One claim; without `words`, nothing that quotes it."""
    told = words and bool(text)
    return ShownClaim(
        number,
        ancestors[0] if ancestors else None,
        evaluation,
        pieces if told else (),
        [_shown_finding(each, text, words=told) for each in analysis.reported()],
        analysis.remarks if told else (),
        analysis.failure,
        things if told else (),
        failing=failing,
    )


def _fails(evaluation: Mapping[str, Any] | None) -> bool:
    return evaluation is not None and evaluation["verdict"] == Verdict.FAIL


def _shown_finding(finding: Finding, text: str, *, words: bool) -> ShownFinding:
    change = finding.fix.change(text) if words and finding.fix is not None else None
    return ShownFinding(finding_out(finding, words=words), change)


def in_tree_order(claims: Iterable[ShownClaim]) -> list[ShownClaim]:
    """Every claim after the one that it depends on, a level deeper, and before the next one that does not."""
    children: dict[int | None, list[ShownClaim]] = {}
    for each in claims:
        children.setdefault(each.parent, []).append(each)
    ordered, waiting = [], list(reversed(children.get(None, [])))
    levels = dict.fromkeys((each.number for each in waiting), 0)
    while waiting:
        each = waiting.pop()
        ordered.append(replace(each, depth=levels[each.number]))
        below = children.pop(each.number, [])
        levels |= dict.fromkeys((one.number for one in below), min(levels[each.number] + 1, DEPTH))
        waiting += reversed(below)
    known = {each.number for each in ordered}
    return ordered + [each for each in claims if each.number not in known]  # of circular references


def _counts(evaluations: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    found = list(evaluations)
    return {
        "all": len(found),
        "done": sum(one["state"] in FINAL for one in found),
        "Pass": sum(one["verdict"] == Verdict.PASS for one in found),
        "Fail": sum(_fails(one) for one in found),
        "disputed": sum(one["disputed"] for one in found),
        "failed": sum(one["state"] == "failed" for one in found),
    }
