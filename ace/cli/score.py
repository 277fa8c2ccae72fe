"""`ace score`: claim sets in files are scored on this machine, without a server."""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from ace.cli.app import EXIT_FAILED, Json, app, configured, examples, progress, show
from ace.errors import NotConfigured

if TYPE_CHECKING:
    from ace.batch.doubtful import Doubtful
    from ace.batch.outputs import Totals
    from ace.batch.units import Unit
    from ace.gatekeeper.engine import Engine
    from ace.settings import Settings


@app.command(
    epilog=examples(
        "ace score filings.parquet scores",
        "ace score filings/ scores --shard $JOB_COMPLETION_INDEX/64 --json",
        "ace score filings/ scores --doubtful filings",
    )
)
def score(
    source: Annotated[
        Path, typer.Argument(metavar="IN", help="A .parquet or .jsonl file, or a folder of them.")
    ],
    results: Annotated[Path, typer.Argument(metavar="OUT", help="Folder of the results.")],
    form: Annotated[
        Literal["parquet", "jsonl"], typer.Option("--format", help="Of the results.")
    ] = "parquet",
    shard: Annotated[
        str, typer.Option(metavar="i/N", help="The share of this process; the first is 0/N.")
    ] = "0/1",
    doubtful: Annotated[
        Literal["filings", "requests"] | None,
        typer.Option(help="Write claims that escalate too: to submit, or for `vllm run-batch`."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Score claim sets in files. What is done already is left alone, so run it again after a kill.

    A row of the input is a claim set: `claims`, as one numbered text or a list of {number, text}, and a
    `docket`. A row of the results is a claim: its verdict, or `escalate`, or an `error`.
    """
    if find_spec("pyarrow") is None:
        raise NotConfigured("ace score needs pyarrow: install the extra 'batch'")
    from ace import claim_work
    from ace.batch.outputs import Results
    from ace.batch.run import run
    from ace.batch.units import share_of, units_of
    from ace.bounded import Bounded
    from ace.gatekeeper.loading import load_engine
    from ace.gatekeeper.scoring_threads import MAX_THREADS, cores

    settings = configured()
    units = share_of(units_of(source), shard)
    others = _doubtful(doubtful, settings)
    threads = settings.gatekeeper_threads or min(cores(), MAX_THREADS)
    gatekeeper = load_engine(
        settings.gatekeeper_model,
        device=settings.gatekeeper_device,
        threads=threads,
        calibration=settings.calibration,
    )
    began = time.monotonic()
    checks = Bounded(processes=threads, cpu_seconds=settings.check_seconds, warm=claim_work.warm)
    try:
        with progress() as bar:
            ran = run(
                units,
                Results(results, form, _made_by(gatekeeper, others)),
                gatekeeper,
                checks,
                others,
                _shown(bar, units),
            )
    finally:
        checks.close()
    seconds = time.monotonic() - began
    totals = {name: getattr(ran.totals, name) for name in ("filings", "claims", "escalated", "errors")}
    if as_json:
        rate = ran.now.claims / seconds
        more = {"seconds": round(seconds, 3), "claims_per_second": round(rate, 1)}
        units_told = {"units": len(units), "done_before": ran.found_done, "scored": ran.scored}
        show({**units_told, "unreadable": ran.unreadable, **totals, **more})
    else:
        typer.echo(
            f"{len(units)} units: {ran.found_done} done before, {ran.scored} scored in {seconds:.0f} s"
        )
        typer.echo(", ".join(f"{count} {name}" for name, count in totals.items()))
    for words in ran.unreadable.values():
        typer.echo(f"ace: {words}", err=True)
    if ran.unreadable:
        raise typer.Exit(EXIT_FAILED)


def _made_by(gatekeeper: Engine, doubtful: Doubtful | None) -> dict[str, Any]:
    """Everything that results depend on besides their input."""
    from ace.batch.columns import SCHEMA_VERSION
    from ace.claims.analysis import VERSION

    return {
        "model": gatekeeper.revision,
        "calibration": gatekeeper.calibration.id,
        "rules": VERSION,
        "schema": SCHEMA_VERSION,
        **({} if doubtful is None else doubtful.identity),
    }


def _doubtful(kind: str | None, settings: Settings) -> Doubtful | None:
    if kind is None:
        return None
    from ace.batch.doubtful import Filings, Requests
    from ace.expert.prompt.copt import PROMPTS

    if kind == "filings":
        return Filings()
    if not settings.expert_model:
        raise NotConfigured("--doubtful requests needs ACE_EXPERT_MODEL, the model that vllm serves")
    return Requests(PROMPTS[settings.expert_prompt], settings.expert_model, settings.expert_max_tokens)


def _shown(bar: Any, units: list[Unit]) -> Callable[[Unit, Totals], None]:
    """Shows the unit at hand and the claims scored."""
    places = {unit.name: place for place, unit in enumerate(units, start=1)}
    task = bar.add_task("scoring", total=None)

    def tell(unit: Unit, totals: Totals) -> None:
        words = f"unit {places[unit.name]} of {len(units)}, claims"
        bar.update(task, description=words, advance=totals.claims)

    return tell
