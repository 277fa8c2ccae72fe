"""`ace demo`: runs the sample claim sets through a real stack over HTTP, and shows the results.

The demo's expert is the structural examiner, which `ace up` asks next to nothing. To show the slow path, the
demo sends it the most doubtful claims all the same, as it would another expert, and says so.
"""

import re
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import typer
from rich.console import Console

from ace.claims.readers import read_text
from ace.cli.app import show, table
from ace.cli.doubt import doubt_cell, doubt_legend, records
from ace.cli.evaluations import verdict_of
from ace.gatekeeper.loading import FOR_ANY_EXPERT
from ace.local import samples
from ace.local.stack import EXAMINER, Stack
from ace.routing.calibration import Calibration
from ace.settings import Settings
from ace.wording import percent, plural
from patent_ace_client import Client, Evaluation

FINAL: Final = frozenset({"decided", "failed", "cancelled"})
CLAIM_WIDTH: Final = 60
RATIONALE_WIDTH: Final = 110

# A sample, the texts of its claims, and their evaluations.
Settled = tuple[samples.Sample, dict[int, str], list[Evaluation]]


def run(settings: Settings, *, as_json: bool, wait: Callable[[], object] | None = None) -> int:
    """Runs the demo; 0 only if every evaluation reached a verdict or another final state.

    With `wait`, the stack stays up until that returns, and says how to sign in to its desk.
    """
    say = Console(stderr=True).print
    with _folder(settings) as folder:
        say("starting PostgreSQL, Redis, the API, the dispatcher, the workers and the examiner …")
        calibration = settings.calibration or (None if settings.gatekeeper_model else FOR_ANY_EXPERT)
        own = settings.model_copy(update={"data_dir": folder, "port": 0, "calibration": calibration})
        with Stack(own, quiet=True) as stack, Client(stack.url, stack.key) as api:
            say(f"up at {stack.url}; submitting the sample claim sets …")
            began = time.monotonic()
            settled = [(sample, *_submitted(api, sample)) for sample in samples.load()]
            seconds = time.monotonic() - began
            kept = {} if wait is None else {"url": stack.url, "sign_in": stack.sign_in_link()}
            _show(settled, seconds, kept, about=_about_expert(settings), as_json=as_json)
            if wait is not None:
                sys.stdout.flush()
                wait()
    return 0 if all(one.state in FINAL for _, _, ones in settled for one in ones) else 1


def _about_expert(settings: Settings) -> str:
    """Who the expert of the demo is, and why claims go to it."""
    if settings.expert_url is not None:
        return "The expert is the server at ACE_EXPERT_URL."
    who = f"The expert here is {EXAMINER}."
    if settings.calibration is not None or settings.gatekeeper_model is not None:
        return who
    return (
        f"{who} It repeats the rules that the gatekeeper has read, so `ace up` sends it no claim for doubt"
        " alone. This demo sends it the most doubtful claims all the same, to show how a claim escalates."
    )


def _show(settled: list[Settled], seconds: float, kept: dict[str, str], *, about: str, as_json: bool) -> None:
    evaluations = [one for _, _, ones in settled for one in ones]
    summary = _summary(evaluations, seconds)
    if as_json:
        show({**summary, **kept, "expert": about, "evaluations": [_plain(one) for one in evaluations]})
        return
    known = records(one.calibration for one in evaluations)
    for sample, texts, ones in settled:
        _show_filing(sample, texts, ones, known)
    legend = doubt_legend(evaluations, known)
    typer.echo(f"\n{textwrap.fill(f'{about} {legend or str()}', width=RATIONALE_WIDTH)}")
    _show_rationale(evaluations)
    typer.echo(
        "\n{total} in {seconds:.1f} s: {decided} decided, {failed} failed; gatekeeper"
        " {gatekeeper}, expert {expert}; {rate} escalated".format(
            **summary,
            **summary["by"],
            total=plural(summary["claims"], "claim"),
            rate=percent(summary["escalation_rate"]),
        )
    )
    typer.echo(_compared(settled))
    typer.echo("These mistakes are plain ones. Of the real claims in which careful readers find a defect,")
    typer.echo("ACE fails about two in three (docs/models/gatekeeper/report.md).")
    if kept:
        typer.echo(
            f"\nSee them at the desk: {kept['sign_in']}\n(works once, within an hour). Ctrl-C stops ACE."
        )


def _compared(settled: list[Settled]) -> str:
    """How many verdicts agree with what was planted, and which do not."""
    wrong = [
        f"{sample.docket}, claim {one.claim}"
        for sample, _, ones in settled
        for one in ones
        if one.verdict is not None and (one.verdict == "Fail") != (one.claim in sample.known)
    ]
    total = sum(one.verdict is not None for _, _, ones in settled for one in ones)
    others = f"; the others: {'; '.join(wrong)}" if wrong else ""
    return f"{total - len(wrong)} of {plural(total, 'verdict')} agree with what was planted{others}"


@contextmanager
def _folder(settings: Settings) -> Iterator[Path]:
    """The requested data folder, or a temporary one."""
    if "data_dir" in settings.model_fields_set:
        yield settings.data_dir
        return
    with tempfile.TemporaryDirectory(prefix="ace-demo-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def _submitted(api: Client, sample: samples.Sample) -> tuple[dict[int, str], list[Evaluation]]:
    filing = api.submit(sample.docket, sample.text)
    return {claim.number: claim.text for claim in read_text(sample.text)}, api.wait(filing.id)


def _summary(evaluations: list[Evaluation], seconds: float) -> dict[str, Any]:
    by = {name: sum(one.decided_by == name for one in evaluations) for name in ("gatekeeper", "expert")}
    return {
        "claims": len(evaluations),
        "decided": sum(one.state == "decided" for one in evaluations),
        "failed": sum(one.state == "failed" for one in evaluations),
        "by": by,
        "escalation_rate": round(1 - by["gatekeeper"] / max(1, len(evaluations)), 4),
        "seconds": round(seconds, 3),
    }


def _plain(one: Evaluation) -> dict[str, Any]:
    return {
        "id": one.id,
        "claim": one.claim,
        "verdict": one.verdict,
        "disputed": one.disputed,
        "by": one.decided_by,
        "class": one.error_class,
        "doubt": one.doubt,
        "rationale": one.rationale.reasoning if one.rationale else None,
    }


def _show_filing(
    sample: samples.Sample,
    texts: dict[int, str],
    settled: list[Evaluation],
    known: Mapping[str, Calibration],
) -> None:
    typer.echo(f"\n{sample.docket}: {sample.title}")
    rows = []
    for one in settled:
        words = " ".join(texts[one.claim].split())
        cut = words if len(words) <= CLAIM_WIDTH else words[: CLAIM_WIDTH - 1] + "…"
        planted = sample.known.get(one.claim)
        rows.append(
            [
                one.claim,
                cut,
                verdict_of(one),
                one.decided_by,
                one.error_class,
                doubt_cell(one, known),
                planted,
            ]
        )
    table(rows, "claim", "text", "verdict", "by", "class", "doubt", "planted")


def _show_rationale(evaluations: list[Evaluation]) -> None:
    examined = [(one, one.rationale) for one in evaluations if one.rationale is not None]
    examined.sort(key=lambda pair: pair[0].verdict != "Fail")
    for one, rationale in examined[:1]:
        typer.echo(f"\nThe rationale for {one.docket}, claim {one.claim} ({one.verdict}, {rationale.model}):")
        for step in re.split(r" (?=Step \d)", rationale.reasoning):
            typer.echo(textwrap.fill(step, width=RATIONALE_WIDTH, subsequent_indent="  "))
