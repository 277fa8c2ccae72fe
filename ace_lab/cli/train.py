"""`ace train`: models from data sets. torch and transformers are imported when a command runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ace.cli.app import Json, app, examples, group, show
from ace.errors import NotConfigured
from ace_lab.base_encoder import bundled_base
from ace_lab.cli.training_progress import TrainingProgress

if TYPE_CHECKING:
    from ace_lab.training.gatekeeper.recipe import GatekeeperRecipe

train = group(
    "Train models.",
    examples(
        "ace train gatekeeper --data data --out models/gatekeeper",
        "ace train gatekeeper --recipe minilm --data data --out models/gatekeeper --max-minutes 75",
        "ace train expert --data data --out models/expert --plan",
    ),
)
app.add_typer(train, name="train")


@train.command(
    epilog=examples(
        "ace train gatekeeper --recipe minilm --data data --out models/gatekeeper",
        "ace train gatekeeper --data data --out models/bert --base anferico/bert-for-patents",
        "ace train gatekeeper --data data --out models/modern --base answerdotai/ModernBERT-base --epochs 3",
    )
)
def gatekeeper(
    data: Annotated[Path, typer.Option(help="A directory made by `ace data build`.")],
    out: Annotated[Path, typer.Option(help="Where the models go; a run that was killed goes on there.")],
    base: Annotated[
        str | None, typer.Option(help="An encoder of the hub, or a directory (default: the bundled MiniLM).")
    ] = None,
    recipe: Annotated[
        str, typer.Option(help="paper, minilm (the shipped model's), or a TOML file.")
    ] = "paper",
    head: Annotated[str | None, typer.Option(help="cls, or tokens: also says where a defect is.")] = None,
    epochs: Annotated[int | None, typer.Option(help="Times that each row is seen.")] = None,
    learning_rate: Annotated[float | None, typer.Option(help="At its highest.")] = None,
    warmup: Annotated[float | None, typer.Option(help="Share of the run in which it rises.")] = None,
    batch_rows: Annotated[int | None, typer.Option(help="Claims of a batch, at most.")] = None,
    batch_tokens: Annotated[int | None, typer.Option(help="Padded tokens of a batch, at most.")] = None,
    max_tokens: Annotated[int | None, typer.Option(help="Tokens of a claim with its ancestors.")] = None,
    hints: Annotated[
        bool | None, typer.Option("--hints/--no-hints", help="Show the encoder what the rules see.")
    ] = None,
    freeze_words: Annotated[
        bool | None, typer.Option("--freeze-words/--learn-words", help="Leave word embeddings as they are.")
    ] = None,
    precision: Annotated[str | None, typer.Option(help="auto (bf16 on CUDA), fp32 or bf16.")] = None,
    patience: Annotated[int | None, typer.Option(help="Evaluations without gain before it stops.")] = None,
    seed: Annotated[int | None, typer.Option(help="Of batches, dropout and the new head.")] = None,
    limit_rows: Annotated[int | None, typer.Option(min=1, help="Train on a sample, to try it.")] = None,
    max_minutes: Annotated[
        float | None, typer.Option(min=0.01, help="Bound on the updates; the schedule ends with it.")
    ] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="On a CPU (default: the machine's).")] = None,
    restart: Annotated[bool, typer.Option("--restart", help="Forget what an earlier run left.")] = False,
    as_json: Json = False,
) -> None:
    """Fine-tune an encoder to the six classes; write checkpoint, fp32 and int8 models with cards.

    The defaults are the paper's: 512 tokens, batches of 32, learning rate 2e-5, 5 epochs. OUT gets
    checkpoint (for torch), fp32 and int8 (ONNX), each calibrated, and training/metrics.jsonl.
    """
    from ace_lab.training.gatekeeper.recipe import read_recipe

    given = {
        "head": head, "epochs": epochs, "learning_rate": learning_rate, "warmup": warmup,
        "batch_rows": batch_rows, "batch_tokens": batch_tokens, "max_tokens": max_tokens, "hints": hints,
        "freeze_words": freeze_words, "precision": precision, "patience": patience, "seed": seed,
    }  # fmt: skip
    chosen = read_recipe(recipe, **{name: value for name, value in given.items() if value is not None})
    with TrainingProgress() as progress:
        made = _made(
            data, out, base, chosen,
            limit_rows=limit_rows, max_minutes=max_minutes, threads=threads, restart=restart,
            on_progress=progress,
        )  # fmt: skip
    if as_json:
        show(made)
    else:
        for name, value in made.items():
            typer.echo(f"{name}: {value}")


def _made(
    data: Path,
    out: Path,
    base: str | None,
    recipe: GatekeeperRecipe,
    *,
    restart: bool,
    on_progress: TrainingProgress,
    **bounds: Any,
) -> dict[str, Any]:
    try:
        import onnx  # noqa: F401  # found missing now, not after an hour
        import torch  # noqa: F401
        from transformers.utils import logging

        from ace_lab.training.gatekeeper import training
    except ImportError as error:
        raise NotConfigured(f"training needs the extra 'train' ({error.name} is missing)") from error
    quiet: Any = logging  # transformers leaves its functions untyped
    quiet.set_verbosity_error()  # a new head is what training is for, and no cause for a warning
    quiet.disable_progress_bar()
    if restart:
        training.discard_state(out)
    encoder = bundled_base() if base is None else base
    training.train(data, out, encoder, recipe, on_progress=on_progress, **bounds)
    from ace_lab.training.gatekeeper import release

    limit = release.MAX_SHIPPED_BYTES if base is None else None
    made = release.release(out, data, max_bytes=limit, on_progress=on_progress)
    training.discard_state(out)
    return made
