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
    data: Annotated[Path, typer.Option(help="Directory that `ace data build` made.")],
    out: Annotated[Path, typer.Option(help="Directory for the models; an interrupted run continues there.")],
    base: Annotated[
        str | None,
        typer.Option(
            help="Encoder: an id on the Hugging Face hub, a directory, the directory of a Llama, which then"
            " reads in both directions, or that of a shipped model, from which training then goes on"
            " [the bundled MiniLM]."
        ),
    ] = None,
    recipe: Annotated[
        str,
        typer.Option(
            help="paper, minilm and minilm-gpu (used for the shipped model), large, or a TOML file."
        ),
    ] = "paper",
    head: Annotated[str | None, typer.Option(help="cls, or tokens, which also locates the defect.")] = None,
    epochs: Annotated[int | None, typer.Option(help="Passes over the rows.")] = None,
    learning_rate: Annotated[float | None, typer.Option(help="Peak learning rate.")] = None,
    warmup: Annotated[
        float | None, typer.Option(help="Share of the run in which the learning rate rises.")
    ] = None,
    batch_rows: Annotated[int | None, typer.Option(help="Maximum claims per batch.")] = None,
    batch_tokens: Annotated[int | None, typer.Option(help="Maximum padded tokens per batch.")] = None,
    max_tokens: Annotated[
        int | None, typer.Option(help="Maximum tokens of a claim with its ancestors.")
    ] = None,
    hints: Annotated[
        bool | None,
        typer.Option("--hints/--no-hints", help="Give the encoder the findings of the rules as well."),
    ] = None,
    freeze_words: Annotated[
        bool | None, typer.Option("--freeze-words/--learn-words", help="Keep the word embeddings fixed.")
    ] = None,
    precision: Annotated[str | None, typer.Option(help="auto (bf16 on CUDA), fp32 or bf16.")] = None,
    patience: Annotated[
        int | None, typer.Option(help="Evaluations without improvement before training stops.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of batches, dropout and the new head.")] = None,
    limit_rows: Annotated[int | None, typer.Option(min=1, help="Train on a sample of so many rows.")] = None,
    max_minutes: Annotated[
        float | None,
        typer.Option(min=0.01, help="Time limit for the updates; the learning rate schedule ends with it."),
    ] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="CPU threads [all of the machine].")] = None,
    checkpoint_only: Annotated[
        bool,
        typer.Option("--checkpoint-only", help="Make no ONNX models: for an encoder too large for a CPU."),
    ] = False,
    restart: Annotated[bool, typer.Option("--restart", help="Discard the state of an earlier run.")] = False,
    as_json: Json = False,
) -> None:
    """Fine-tune an encoder on the six classes; write checkpoint, fp32 and int8 models with cards.

    The defaults are the paper's: 512 tokens, batches of 32, learning rate 2e-5, 5 epochs. OUT receives
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
            limit_rows=limit_rows, max_minutes=max_minutes, threads=threads,
            checkpoint_only=checkpoint_only, restart=restart, on_progress=progress,
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
    checkpoint_only: bool,
    restart: bool,
    on_progress: TrainingProgress,
    **bounds: Any,
) -> dict[str, Any]:
    try:
        import onnx  # noqa: F401  # report a missing package now, not after an hour
        import torch  # noqa: F401
        from transformers.utils import logging

        from ace_lab.training.gatekeeper import training
    except ImportError as error:
        raise NotConfigured(f"training needs {error.name}: install the extra 'train'") from error
    quiet: Any = logging  # transformers does not type its functions
    quiet.set_verbosity_error()  # a new head is expected here and needs no warning
    quiet.disable_progress_bar()
    if restart:
        training.discard_state(out)
    from ace_lab.training.gatekeeper import decoder_base, release, shipped_base

    encoder: Path | str = bundled_base() if base is None else base
    shipped = base is not None and shipped_base.is_shipped(Path(base))
    if shipped:
        encoder = shipped_base.checkpoint_of(Path(encoder), bundled_base(), out / "base")
    elif decoder_base.is_decoder(Path(encoder)):
        encoder = decoder_base.encoder_of(Path(encoder), out / "base")
    training.train(data, out, encoder, recipe, on_progress=on_progress, **bounds)
    limit = release.MAX_SHIPPED_BYTES if base is None or shipped else None
    made = release.release(
        out, data, checkpoint_only=checkpoint_only, max_bytes=limit, on_progress=on_progress
    )
    training.discard_state(out)
    return made
