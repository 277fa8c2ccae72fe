"""`ace train expert`: an adapter for a large model, and weights to serve. torch is imported when it runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ace.cli.app import Json, examples, show, table
from ace.errors import NotConfigured, Refused
from ace_lab.cli.train import train
from ace_lab.cli.training_progress import TrainingProgress
from ace_lab.training.expert.recipe import DEFAULT_BASE, ExpertRecipe, read_recipe

if TYPE_CHECKING:
    from collections.abc import Mapping


@train.command(
    epilog=examples(
        "ace train expert --data data --out models/expert --plan",
        "ace train expert --data data --out models/expert --recipe rationale",
        "ace train expert --data data --out models/try --base Qwen/Qwen3-0.6B --recipe small --max-steps 20",
    )
)
def expert(
    data: Annotated[Path, typer.Option(help="A directory made by `ace data build`.")],
    out: Annotated[Path, typer.Option(help="Where the models go; a run that was killed goes on there.")],
    base: Annotated[
        str, typer.Option(help="A model tuned to instructions: an id of the hub, or a directory.")
    ] = DEFAULT_BASE,
    recipe: Annotated[
        str, typer.Option(help="paper, rationale, small (a try on a CPU), or a TOML file.")
    ] = "paper",
    target: Annotated[
        str | None, typer.Option(help="verdict alone, or rationale: the steps with quotes and law.")
    ] = None,
    prompt: Annotated[str | None, typer.Option(help="Of the rationale: v1 or v2.")] = None,
    quantize: Annotated[str | None, typer.Option(help="nf4 (four bits a weight), or none.")] = None,
    epochs: Annotated[int | None, typer.Option(help="Times that each row is seen.")] = None,
    learning_rate: Annotated[float | None, typer.Option(help="At its highest.")] = None,
    max_tokens: Annotated[int | None, typer.Option(help="Of an example; longer ones are left out.")] = None,
    seed: Annotated[int | None, typer.Option(help="Of the order, dropout and the adapters.")] = None,
    limit_rows: Annotated[int | None, typer.Option(min=1, help="Train on a sample, to try it.")] = None,
    max_steps: Annotated[int | None, typer.Option(min=1, help="Updates at most.")] = None,
    plan: Annotated[
        bool, typer.Option("--plan", help="Only say what would be done, and the memory it takes.")
    ] = False,
    merge: Annotated[
        bool, typer.Option("--merge/--no-merge", help="Add the adapter to the base, to be served.")
    ] = True,
    restart: Annotated[bool, typer.Option("--restart", help="Forget what an earlier run left.")] = False,
    as_json: Json = False,
) -> None:
    """Fine-tune a large model to examine claims (QLoRA); write the adapter and merged weights.

    The defaults are the paper's: NF4, rank 16, alpha 32, learning rate 2e-4, batches of 1 x 24, 4,096
    tokens, loss on the answer alone. OUT gets adapter, merged and training/metrics.jsonl.
    """
    given = {
        "target": target, "prompt": prompt, "quantize": quantize, "epochs": epochs,
        "learning_rate": learning_rate, "max_tokens": max_tokens, "seed": seed,
    }  # fmt: skip
    chosen = read_recipe(recipe, **{name: value for name, value in given.items() if value is not None})
    _needed()
    with TrainingProgress() as telling:
        if plan:
            from ace_lab.training.expert import planning

            found = planning.plan(
                data, base, chosen, limit_rows=limit_rows, max_steps=max_steps, on_progress=telling
            )
        else:
            bounds = {"limit_rows": limit_rows, "max_steps": max_steps}
            found = _made(data, out, base, chosen, bounds, merge=merge, restart=restart, on_progress=telling)
    if as_json:
        show(found)
    elif plan:
        _show_plan(found)
    else:
        for name, value in found.items():
            typer.echo(f"{name}: {value}")


def _needed() -> None:
    """Raises NotConfigured where a library is missing, now and not after an hour."""
    try:
        import bitsandbytes  # noqa: F401
        import datasets
        import peft  # noqa: F401
        import torch  # noqa: F401
        import trl  # noqa: F401
        from transformers.utils import logging
    except ImportError as error:
        raise NotConfigured(
            f"training the expert needs the extra 'train-expert' ({error.name} is missing)"
        ) from error
    quiet: Any = logging  # transformers leaves its functions untyped
    quiet.set_verbosity_error()
    quiet.disable_progress_bar()
    datasets.disable_progress_bars()


def _made(
    data: Path,
    out: Path,
    base: str,
    recipe: ExpertRecipe,
    bounds: Mapping[str, int | None],
    *,
    merge: bool,
    restart: bool,
    on_progress: TrainingProgress,
) -> dict[str, Any]:
    from ace_lab.data.manifest import MANIFEST
    from ace_lab.training.expert import card, merging, training
    from ace_lab.training.expert.run_folder import RunFolder

    try:
        manifest = json.loads((data / MANIFEST).read_text(encoding="utf-8"))
    except OSError as error:
        raise Refused(f"{data / MANIFEST} cannot be read: {error.strerror}", code="data") from error
    if restart:
        RunFolder(out).clear()
    adapter = training.train(data, out, base, recipe, training.Bounds(**bounds), on_progress=on_progress)
    card.write_card(adapter, manifest)
    about = json.loads((adapter / training.ABOUT).read_text(encoding="utf-8"))
    made: dict[str, Any] = {
        "adapter": str(adapter),
        "updates": about["updates"],
        "examples": sum(about["examples"].values()),
        "left_out": sum(about["left_out"].values()),
        "losses": about["losses"],
    }
    if merge:
        training.release_memory()
        made["merged"] = str(merging.merge(adapter, base, out / "merged"))
    return made


def _show_plan(found: Mapping[str, Any]) -> None:
    tokens, left, parts = found["tokens"], found["left_out"], dict(found["training_gib"])
    total = parts.pop("total")
    table(
        [
            ("base", found["base"]),
            ("parameters", f"{found['parameters']['base']:,}, learnt {found['parameters']['adapter']:,}"),
            ("examples", f"{sum(found['examples'].values()):,} of {found['rows']:,} rows"),
            *((f"  {label}", f"{count:,}") for label, count in found["examples"].items()),
            ("left out", f"{left.get('too_long', 0):,} too long, {left.get('disputed', 0):,} disputed"),
            ("tokens", f"{tokens['total']:,} an epoch"),
            ("  of an example", "median {median:,}, 95 % {p95:,}, {longest:,} at most".format(**tokens)),
            ("updates", f"{found['updates']:,}"),
            ("memory to train", f"about {total:g} GiB"),
            *((f"  {part.replace('_', ' ')}", f"{size:g}") for part, size in parts.items()),
            ("memory to merge", f"about {found['merge_gib']:g} GiB of main memory, and as much disk"),
            ("adapter on disk", f"about {found['adapter_gib']:g} GiB"),
        ],
        "what", "how much",
    )  # fmt: skip
