"""`ace data inject`: defects and placebos that language models write into claim sets."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal
from urllib.parse import urlsplit

import typer

from ace.claims.taxonomy import ErrorClass
from ace.cli.app import Json, examples, show
from ace.errors import NotConfigured, Refused, Unavailable
from ace.wording import plural
from ace_lab.cli.data import data

if TYPE_CHECKING:
    from ace_lab.llm.injection_run import RunSummary
    from ace_lab.llm.journal import Journal
    from ace_lab.llm.tasks import Task

Density = Literal["sets", "single"]


@data.command(
    epilog=examples(
        "ace data inject claims.jsonl.gz --out data --model Qwen/Qwen3-32B=http://gpu1:8000"
        " --model google/gemma-3-27b-it=http://gpu2:8000",
        "ace data inject claims.jsonl.gz --out data --model google/gemma-3-27b-it=http://gpu2:8000"
        " --density single --most 2000",
        "ace data inject claims.jsonl.gz --out data --model google/gemma-3-27b-it=http://gpu2:8000 --json",
    )
)
def inject(
    claims: Annotated[
        Path,
        typer.Argument(
            metavar="PATH",
            help="Claim sets: JSON lines or patent-office XML, plain, .gz or in a .zip, or a folder of them.",
        ),
    ],
    out: Annotated[Path, typer.Option(help="Folder for the rows and the journal.")],
    model: Annotated[
        list[str],
        typer.Option(
            metavar="NAME=URL",
            help="A model and the OpenAI-compatible server (vLLM, SGLang, TGI, llama.cpp) that serves it;"
            " repeatable. The paper used Qwen/Qwen3-32B and google/gemma-3-27b-it.",
        ),
    ],
    density: Annotated[
        Density, typer.Option(help="sets: 5 to 15 defects per set, as in the paper; single: one.")
    ] = "sets",
    classes: Annotated[
        list[ErrorClass] | None, typer.Option("--class", help="Only defects of this class; repeatable.")
    ] = None,
    most: Annotated[int | None, typer.Option(min=1, help="Maximum number of claim sets.")] = None,
    seed: Annotated[int, typer.Option(help="Decides which set gets which class and model.")] = 1,
    concurrency: Annotated[
        int, typer.Option(min=1, max=512, help="Questions at the same time, per model.")
    ] = 8,
    timeout_seconds: Annotated[float, typer.Option(min=0.1, help="Maximum wait for an answer.")] = 600.0,
    max_tokens: Annotated[int, typer.Option(min=64, help="Maximum length of an answer in tokens.")] = 16_384,
    attempts: Annotated[
        int, typer.Option(min=1, help="Attempts per question on 429, 5xx or no connection.")
    ] = 5,
    token: Annotated[
        str | None,
        typer.Option(envvar="ACE_GENERATOR_TOKEN", help="Bearer token for all servers.", show_default=False),
    ] = None,
    keep_unconfirmed: Annotated[
        bool, typer.Option("--keep-unconfirmed", help="Also keep defects that no rule detects.")
    ] = False,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Ask again if the answer was rejected.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Have language models write defects, and equally many placebos, into real claim sets.

    Half of the sets get a placebo, so that a model's style does not give a defect away. Answers are
    checked: all claims and numbers kept, only reported changes made, the defect really there. The run can be
    stopped at any time; the same command continues it and repeats no question. Claims are sent to the
    servers named with --model.
    """
    from ace.cli.app import progress as progress_bar
    from ace_lab.llm.generator import Generator
    from ace_lab.llm.injection_run import inject as run
    from ace_lab.llm.injection_run import open_tasks
    from ace_lab.llm.journal import journal_at

    servers = _servers(model)
    tasks = _tasks(claims, list(servers), density, seed, classes, most)
    out.mkdir(parents=True, exist_ok=True)
    generators = [
        Generator(name, url, token=token, timeout_seconds=timeout_seconds, attempts=attempts)
        for name, url in servers.items()
    ]
    with journal_at(out / "llm.journal.jsonl") as journal:
        todo = open_tasks(tasks, journal, retry_failed=retry_failed)
        with progress_bar() as bar:
            shown = bar.add_task("asking", total=len(tasks), completed=len(tasks) - len(todo))
            did = run(
                todo,
                generators,
                journal,
                concurrency=concurrency,
                max_tokens=max_tokens,
                on_answer=lambda: bar.advance(shown),
            )
        summary = _written(tasks, journal, did, out, density, seed, keep_unconfirmed=keep_unconfirmed)
    if as_json:
        show(summary)
    else:
        _show(summary)
    _raise_if_unfinished(summary["unanswered"], did)


def _servers(given: Sequence[str]) -> dict[str, str]:
    servers: dict[str, str] = {}
    for one in given:
        name, _, url = one.partition("=")
        if not name or urlsplit(url).scheme not in {"http", "https"} or not urlsplit(url).hostname:
            raise Refused(
                "--model must be NAME=URL, with a URL that begins with http:// or https://", code="usage"
            )
        if name in servers:
            raise Refused("--model names the same model twice", code="usage")
        servers[name] = url
    return servers


def _tasks(
    claims: Path,
    names: Sequence[str],
    density: Density,
    seed: int,
    classes: Sequence[ErrorClass] | None,
    most: int | None,
) -> list[Task]:
    from ace_lab.data.pools import pools
    from ace_lab.data.sources import read_sources
    from ace_lab.llm.tasks import CLASSES, assign_tasks

    held = pools(read_sources([claims]).sets)
    wanted = [one.value for one in classes] if classes else CLASSES
    tasks = assign_tasks(held, names, single=density == "single", seed=seed, classes=wanted, most=most)
    if not tasks:
        raise Refused(f"{claims} has no claim set in which the rules find no defect", code="empty")
    return tasks


def _written(
    tasks: Sequence[Task],
    journal: Journal,
    did: RunSummary,
    out: Path,
    density: Density,
    seed: int,
    *,
    keep_unconfirmed: bool,
) -> dict[str, Any]:
    """Writes the rows and a manifest; returns the summary."""
    from ace_lab.data.rows import write
    from ace_lab.llm.injection_run import rows_of
    from ace_lab.llm.prompts import version

    rows = list(rows_of(tasks, journal, keep_unconfirmed=keep_unconfirmed))
    path = out / ("llm.sets.jsonl" if density == "sets" else "llm.jsonl")
    write(path, rows)
    entries = [journal.get(task.key) for task in tasks]
    answered = [entry for entry in entries if entry]
    states = Counter(entry["state"] for entry in answered)
    summary = {
        "file": str(path),
        "density": density,
        "seed": seed,
        "prompts": version(),
        "tasks": len(tasks),
        "rows": len(rows),
        "unconfirmed": states["unconfirmed"],
        "rejected": dict(sorted(Counter(one["reason"] for one in answered if "reason" in one).items())),
        "unanswered": len(tasks) - len(answered),
        "labels": dict(sorted(Counter(row.label for row in rows).items())),
        "generators": dict(sorted(Counter(row.generator for row in rows).items())),
    }
    manifest = path.with_suffix(".manifest.json")
    manifest.write_text(json.dumps(summary, indent=2) + "\n", encoding="utf-8")
    run = {"asked": did.asked, "prompt_tokens": did.prompt_tokens, "completion_tokens": did.completion_tokens}
    return {**summary, "run": {**run, "faults": did.faults, "given_up": did.down}}


def _show(summary: dict[str, Any]) -> None:
    labels = ", ".join(f"{count} {label}" for label, count in summary["labels"].items())
    typer.echo(f"{plural(summary['rows'], 'row')} in {summary['file']}" + (f": {labels}" if labels else ""))
    rejected = ", ".join(f"{count} {reason}" for reason, count in summary["rejected"].items())
    if rejected:
        typer.echo(f"rejected: {rejected}; kept in the journal, retried with --retry-failed")
    if summary["unconfirmed"]:
        typer.echo(f"not confirmed by any rule: {summary['unconfirmed']}; see --keep-unconfirmed")


def _raise_if_unfinished(unanswered: int, did: RunSummary) -> None:
    """Raises if something is left to do."""
    if "unauthorised" in did.down.values():
        raise NotConfigured("a server rejected the token: set ACE_GENERATOR_TOKEN or --token")
    if unanswered:
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(did.faults.items()))
        raise Unavailable(
            "generator",
            f"{unanswered} questions without an answer ({kinds}): run the same command again to continue",
        )
