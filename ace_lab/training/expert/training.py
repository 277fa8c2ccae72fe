"""Fine-tunes the expert by QLoRA (paper §4.1, stage 2); a kill at any point costs minutes.

Needs the extra `train-expert`. trl's SFTTrainer does the work: the base model's chat template, the loss on
the answer's tokens only, and states that a run can continue from.
"""

from __future__ import annotations

import gc
import hashlib
import json
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset
from peft import LoraConfig
from transformers import (
    AutoModelForCausalLM,
    BitsAndBytesConfig,
    PreTrainedModel,
    PreTrainedTokenizerBase,
    PrinterCallback,
    TrainerCallback,
    TrainerControl,
    TrainerState,
)
from trl import SFTConfig, SFTTrainer

from ace.errors import NotConfigured, Refused
from ace.expert.prompt.copt import PROMPTS
from ace_lab.data.sources import file_hash
from ace_lab.training.expert.base_models import TOKENIZER, config_of, copy_published, name_of, tokenizer_of
from ace_lab.training.expert.examples import (
    Examples,
    OnProgress,
    fitting,
    labels_of,
    read_split,
    verdict_system,
)
from ace_lab.training.expert.recipe import ExpertRecipe
from ace_lab.training.expert.run_folder import RunFolder, emptied, replaced

ABOUT = "expert.json"

SAVED_SECONDS = 600.0
"""Interval between saved states: the most that a kill costs, apart from the update that it hits."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits that shorten a run."""

    limit_rows: int | None = None
    max_steps: int | None = None


def train(
    data: Path,
    out: Path,
    base: str,
    recipe: ExpertRecipe,
    bounds: Bounds = Bounds(),
    *,
    saved_seconds: float = SAVED_SECONDS,
    on_progress: OnProgress = lambda _record: None,
) -> Path:
    """Trains on train.jsonl of `data` and saves the adapter; returns OUT/adapter.

    Continues where an earlier process of the same run stopped, and does nothing if the run has ended.
    `on_progress` gets the rows processed and every line of metrics. Raises Refused if `out` has another run,
    the base cannot be loaded or no row fits, and NotConfigured if several GPUs are visible.
    """
    folder = RunFolder(out)
    train_file = data / "train.jsonl"
    rows = read_split(train_file, bounds.limit_rows, recipe.seed)
    identity = {
        "recipe": asdict(recipe),
        "data": file_hash(train_file),
        "base": base,
        "questions": questions(recipe),
        **asdict(bounds),
    }
    folder.refuse_other(identity)
    if folder.ended and (out / "adapter").is_dir():
        return out / "adapter"
    if torch.cuda.device_count() > 1:
        raise NotConfigured(
            "the expert is trained on one GPU: make only one visible, for example with CUDA_VISIBLE_DEVICES=0"
        )
    config_of(base)
    tokenizer = tokenizer_of(base)
    examples = fitting(rows, recipe, tokenizer, _encoding_progress(on_progress, "train"))
    if not examples.kept:
        raise Refused(f"no row of {train_file} fits into {recipe.max_tokens} tokens", code="data")
    held = None
    if recipe.held_rows:
        held_rows = read_split(data / "calibration.jsonl", recipe.held_rows, recipe.seed)
        held = fitting(held_rows, recipe, tokenizer, _encoding_progress(on_progress, "held"))
    began = time.monotonic()
    trainer = trainer_of(base, recipe, tokenizer, examples, held, out, max_steps=bounds.max_steps)
    folder.begin(identity)  # only now: if the model cannot be loaded, there is no run
    watch = _StateSaver(folder, saved_seconds, on_progress)
    trainer.add_callback(watch)
    state = folder.last_state()
    trainer.train(resume_from_checkpoint=str(state) if state else None)
    about = {
        "base": name_of(base),
        "recipe": asdict(recipe),
        "questions": identity["questions"],
        "data_sha256": identity["data"],
        "examples": labels_of(examples.kept),
        "left_out": dict(examples.left_out),
        "tokens": sum(examples.tokens),
        "updates": trainer.state.global_step,
        "minutes_of_last_process": round((time.monotonic() - began) / 60, 1),
        "losses": last_losses(folder.metrics()),
    }
    saved = save_adapter(trainer, base, out / "adapter", about)
    folder.end()
    return saved


def questions(recipe: ExpertRecipe) -> str:
    """The version of the prompt that the examples ask with."""
    version = PROMPTS[recipe.prompt].version
    if recipe.target == "rationale":
        return version
    return f"verdict-{hashlib.sha256(f'{verdict_system()} {version}'.encode()).hexdigest()[:12]}"


def trainer_of(
    base: str,
    recipe: ExpertRecipe,
    tokenizer: PreTrainedTokenizerBase,
    examples: Examples,
    held: Examples | None,
    out: Path,
    *,
    max_steps: int | None = None,
) -> SFTTrainer:
    """The trainer of a run: the base model, frozen, with adapters on all its linear layers."""
    updates = math.ceil(len(examples.kept) / (recipe.batch_rows * recipe.accumulation)) * recipe.epochs
    updates = min(updates, max_steps or updates)
    config = SFTConfig(
        output_dir=str(out / "training"),
        max_length=recipe.max_tokens,
        completion_only_loss=True,
        num_train_epochs=recipe.epochs,
        max_steps=updates,
        per_device_train_batch_size=recipe.batch_rows,
        per_device_eval_batch_size=recipe.batch_rows,
        gradient_accumulation_steps=recipe.accumulation,
        learning_rate=recipe.learning_rate,
        lr_scheduler_type="cosine",
        warmup_steps=recipe.warmup,
        max_grad_norm=recipe.clip,
        optim=recipe.optimizer,
        bf16=recipe.precision == "bf16",
        use_cpu=not torch.cuda.is_available(),
        activation_checkpointing=True,
        eval_strategy="steps" if held and held.kept else "no",
        eval_steps=max(1, updates // (recipe.evaluations * recipe.epochs)),
        prediction_loss_only=True,
        logging_steps=1,
        save_strategy="no",  # the callback decides when
        save_total_limit=2,
        seed=recipe.seed,
        data_seed=recipe.seed,
        report_to="none",
        disable_tqdm=True,
        dataloader_pin_memory=torch.cuda.is_available(),
    )
    trainer = SFTTrainer(
        model=model_of(base, recipe),
        args=config,
        train_dataset=Dataset.from_list(examples.columns()),
        eval_dataset=Dataset.from_list(held.columns()) if held and held.kept else None,
        processing_class=tokenizer,
        peft_config=LoraConfig(
            r=recipe.lora_rank,
            lora_alpha=recipe.lora_alpha,
            lora_dropout=recipe.lora_dropout,
            target_modules="all-linear",
            bias="none",
            task_type="CAUSAL_LM",
        ),
    )
    trainer.remove_callback(PrinterCallback)  # stdout belongs to the command
    return trainer


def model_of(base: str, recipe: ExpertRecipe) -> PreTrainedModel:
    """The base model for training. Raises Refused if it cannot be loaded."""
    given: dict[str, Any] = {"dtype": torch.bfloat16 if recipe.precision == "bf16" else torch.float32}
    if recipe.quantize == "nf4":
        given["device_map"] = {"": 0 if torch.cuda.is_available() else "cpu"}
        quantized: Any = BitsAndBytesConfig  # transformers does not type it
        given["quantization_config"] = quantized(
            load_in_4bit=True,
            bnb_4bit_quant_type="nf4",
            bnb_4bit_use_double_quant=True,
            bnb_4bit_compute_dtype=given["dtype"],
        )
    try:
        model: PreTrainedModel = AutoModelForCausalLM.from_pretrained(base, **given)
    except OSError as error:
        raise Refused(f"the weights of {name_of(base)} cannot be loaded", code="base") from error
    if recipe.quantize == "nf4" and not torch.cuda.is_available():
        part: Any
        for part in model.modules():
            # At the first evaluation bitsandbytes would repack four-bit weights for serving on CPUs, and
            # training would continue on weights in that layout.
            if hasattr(part, "support_avx512bf16_for_cpu"):
                part.support_avx512bf16_for_cpu = False
    return model


def save_adapter(trainer: SFTTrainer, base: str, target: Path, about: Mapping[str, Any]) -> Path:
    """OUT/adapter: adapter_model.safetensors, adapter_config.json, the base's tokenizer, expert.json."""
    beside = emptied(target)
    # Neither embeddings nor vocabulary change; to find that out, peft would query the hub.
    trainer.model.save_pretrained(beside, save_embedding_layers=False)
    (beside / "README.md").unlink(missing_ok=True)  # peft's blank card; ours is MODEL_CARD.md
    copy_published(base, TOKENIZER, beside)
    (beside / ABOUT).write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")
    return replaced(beside, target)


def release_memory() -> None:
    """Releases the accelerator memory of a finished run."""
    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


def last_losses(metrics: list[dict[str, Any]]) -> dict[str, float]:
    """The last loss on training rows and on held ones."""
    found = {}
    for name in ("loss", "eval_loss"):
        values = [record[name] for record in metrics if name in record]
        if values:
            found[name] = round(values[-1], 4)
    return found


def _encoding_progress(on_progress: OnProgress, split: str) -> Callable[[int, int], None]:
    return lambda done, of: on_progress({"encoding": split, "done": done, "of": of})


class _StateSaver(TrainerCallback):
    """Decides when to save a state, marks complete ones, and writes and reports the metrics."""

    def __init__(self, folder: RunFolder, saved_seconds: float, on_progress: OnProgress) -> None:
        self._folder, self._saved_seconds, self._on_progress = folder, saved_seconds, on_progress
        self._saved = time.monotonic()

    def on_step_end(self, args: Any, state: TrainerState, control: TrainerControl, **more: Any) -> None:
        del args, state, more
        if time.monotonic() - self._saved >= self._saved_seconds:
            control.should_save = True

    def on_save(self, args: Any, state: TrainerState, control: TrainerControl, **more: Any) -> None:
        del args, control, more
        self._folder.mark(state.global_step)
        self._saved = time.monotonic()

    def on_log(self, args: Any, state: TrainerState, control: TrainerControl, **more: Any) -> None:
        del args, control, more
        self._folder.note(state.log_history)
        self._on_progress({**state.log_history[-1], "of": state.max_steps})
