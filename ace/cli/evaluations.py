"""How commands show evaluations: a row in a table, or everything about one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import typer

from ace.cli.app import show, table
from ace.cli.doubt import doubt_cell, doubt_legend, records
from ace.types.failure_words import failure_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ace.routing.calibration import Calibration
    from patent_ace_client import Client, Evaluation, ExpertFinding, Findings, Rationale

COLUMNS: Final = (
    *("docket", "claim", "verdict", "by", "class", "ground", "doubt", "state", "filing", "evaluation"),
)
NO_FILINGS: Final = "No filings yet. Submit one: ace submit claims.txt --wait"
NO_MATCH: Final = "No claim matches."


def verdict_of(one: Evaluation) -> str | None:
    """The verdict, and whether there is a reason to doubt it."""
    return f"{one.verdict}, disputed" if one.disputed else one.verdict


def show_evaluations(evaluations: Sequence[Evaluation], *, nothing: str) -> None:
    """A table of evaluations, and what its column of doubt means; without any, the sentence `nothing`."""
    known = records(one.calibration for one in evaluations)
    table([row(one, known) for one in evaluations], *COLUMNS, nothing=nothing)
    legend = doubt_legend(evaluations, known)
    if legend is not None:
        typer.echo(f"\n{legend}")
    failed = [one for one in evaluations if one.state == "failed"]
    for error in dict.fromkeys(one.error for one in failed):
        typer.echo(f"\n{failure_line(error, [one.id for one in failed if one.error == error])}")


def failure_line(error: str | None, failed: Sequence[str]) -> str:
    """Why evaluations have no verdict, what to do about it, and the command that runs them again."""
    words = failure_words(error)
    which = failed[0] if len(failed) == 1 or error is None else f"--error {error}"
    return f"failed ({error}): {words.happened}. {words.remedy} The command: ace replay {which}"


def row(one: Evaluation, known: Mapping[str, Calibration]) -> list[Any]:
    """An evaluation as a row under `COLUMNS`, with the calibration records that are known here."""
    return [
        one.docket,
        one.claim,
        verdict_of(one),
        one.decided_by,
        one.error_class,
        one.ground,
        doubt_cell(one, known),
        _state(one),
        one.filing,
        one.id,
    ]


def _state(one: Evaluation) -> str:
    """The state, why if that is known, and whether another evaluation counts in its place."""
    why = f" ({one.error})" if one.error is not None else ""
    return f"{one.state}{why}, superseded" if one.superseded_by else f"{one.state}{why}"


def show_evaluation(api: Client, one: Evaluation, *, as_json: bool) -> None:
    """One evaluation, its findings, its rationale and its events."""
    findings, events = findings_of(api, one.id), api.events(one.id)
    if as_json:
        found = findings_json(findings)
        remarks = None if findings is None else [remark.as_dict() for remark in findings.remarks]
        listed = [event.as_dict() for event in events]
        show({**one.as_dict(), "findings": found, "remarks": remarks, "events": listed})
        return
    show_evaluations([one], nothing="")
    if findings is not None:
        show_findings(findings)
    if one.disputed and one.decided_by == "gatekeeper":
        typer.echo(f"disputed: {gatekeeper_dispute(one)}")
    if one.rationale is not None:
        typer.echo(f"\n{one.rationale.reasoning}\n")
        show_verification(one, one.rationale)
    table(
        [[e.number, e.at, e.move, e.before, e.after, e.actor, e.detail] for e in events],
        *("#", "at", "move", "from", "to", "actor", "detail"),
    )


def findings_json(findings: Findings | None) -> list[dict[str, Any]] | None:
    """Findings as `--json` shows them; None if there was no answer."""
    return None if findings is None else [finding.as_dict() for finding in findings.findings]


def gatekeeper_dispute(one: Evaluation) -> str:
    """Why the gatekeeper's verdict is disputed, in words."""
    if one.would_escalate:
        return "the gatekeeper doubts its verdict, but test claims never go to the expert"
    if one.span is None:
        return "the gatekeeper passes the claim, in which the rules find a likely defect"
    place = f"characters {one.span.start} to {one.span.end}"
    return f"the gatekeeper fails the claim for {place}, and the rules find nothing"


def expert_findings(one: Evaluation) -> tuple[ExpertFinding, ...]:
    """What the expert finds; nothing if the gatekeeper decided, or the key may not read it."""
    return one.rationale.findings or () if one.rationale is not None else ()


def show_verification(one: Evaluation, rationale: Rationale) -> None:
    """The expert's findings, the disputes against its verdict, and how many opinions agree."""
    found, against = rationale.findings or (), rationale.disagreements or ()
    for each in found:
        place = "not in the claim" if each.start is None else f"characters {each.start} to {each.end}"
        law = f" [{each.law}]" if each.law else ""
        typer.echo(f"expert: {each.error_class or 'defect'}: '{each.quote}' ({place}){law}")
    for dispute in against:
        typer.echo(f"disputed, {dispute.kind}: {dispute.expert} {dispute.against}")
    if rationale.opinions is not None and rationale.opinions > 1:
        typer.echo(f"opinions: {rationale.agreeing} of {rationale.opinions} say {one.verdict}")
    if found or against:
        typer.echo("")


def findings_of(api: Client, evaluation_id: str) -> Findings | None:
    """What the rules find in the claim; None, with a message on stderr, if that fails."""
    from patent_ace_client import ApiError

    try:
        return api.findings(evaluation_id)
    except ApiError as error:
        typer.echo(f"ace: no findings: {error}", err=True)
        return None


def show_all_defects(api: Client, evaluations: Sequence[Evaluation]) -> None:
    """Which words of the claims that fail the findings are about."""
    for one in evaluations:
        if one.verdict == "Fail":
            show_defects(one, findings_of(api, one.id))


def say_paused(api: Client) -> None:
    """On stderr, what is paused that may hold up the tenant's claims, since when and why."""
    for each in api.pauses():
        what = f"{each.kind} {each.name}"
        typer.echo(f"ace: paused since {each.at:%Y-%m-%d %H:%M} UTC: {what} ({each.reason})", err=True)


def show_defects(one: Evaluation, findings: Findings | None) -> None:
    """Which words of a claim the findings are about, one line each: the rules', then the expert's."""
    for each in findings.findings if findings else ():
        what = f"{each.error_class}.{each.subtype}"
        typer.echo(_defect(one.claim, each.quote, what, each.explanation, each.law))
    for said in expert_findings(one):
        what = f"{said.error_class or 'defect'}, says the expert"
        typer.echo(_defect(one.claim, said.quote, what, said.explanation, said.law))


def _defect(claim: int, quote: str | None, what: str, why: str | None, law: str | None) -> str:
    """One line; a key that may not read the words of claims gets none of them."""
    parts = [f"claim {claim}", f"“{quote}”" if quote else "", what, why or ""]
    return ": ".join(part for part in parts if part) + (f" [{law}]" if law else "")


def show_findings(findings: Findings) -> None:
    """What the rules find in the claim, and then what they remark on, one line each."""
    for one in findings.findings:
        words = one.explanation or "(the text was purged)"
        grade = one.severity if one.ground is None else f"{one.severity}, {one.ground}"
        typer.echo(f"{grade}: {one.error_class}.{one.subtype}: {words} [{one.law}]")
    for noted in findings.remarks:
        typer.echo(f"remark: {noted.kind}: {noted.quote or '(purged)'}: {noted.explanation} [{noted.law}]")
