"""From a checkpoint to loadable models: ONNX fp32 and int8, a calibration of each, and the cards.

Temperature and tau are fitted to each graph's own logits on the calibration split, because rounded weights
shift U. `python -m ace_lab.training.gatekeeper.release --out OUT --data DIR` does it again without
training. `python -m ace_lab.training.gatekeeper.card` writes the cards again after an evaluation.
"""

import argparse
import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ace.claims.taxonomy import LABELS
from ace.errors import ModelError
from ace.gatekeeper.digests import revision_of, seal
from ace.gatekeeper.loading import load_engine
from ace.routing.calibration import Calibration
from ace_lab.calibration.calibration_run import Split, score, with_measures
from ace_lab.calibration.fitting import Scored, fit
from ace_lab.calibration.thresholds import Quantile
from ace_lab.training.gatekeeper import export
from ace_lab.training.gatekeeper.card import summary_of, write_card

ESCALATION = 0.20
MAX_SHIPPED_BYTES = 25_000_000
KINDS = ("checkpoint", "fp32", "int8")

OnProgress = Callable[[Mapping[str, Any]], None]


def release(
    out: Path,
    data: Path,
    *,
    checkpoint_only: bool = False,
    max_bytes: int | None = None,
    on_progress: OnProgress = lambda _record: None,
) -> dict[str, Any]:
    """Writes OUT/fp32 and OUT/int8 beside OUT/checkpoint, calibrates all three, writes their cards; or
    calibrates and describes the checkpoint alone, on a GPU if there is one.

    Returns each one's path, size in bytes and calibration. `on_progress` is called with how many rows
    were scored. Raises ModelError if OUT/int8 is larger than `max_bytes`.
    """
    about = json.loads((out / "checkpoint" / "gatekeeper.json").read_text(encoding="utf-8"))
    about["data"] = _trained_on(about, data)
    kinds = KINDS[:1] if checkpoint_only else KINDS
    for kind in KINDS[1:]:  # of an earlier checkpoint
        shutil.rmtree(out / kind, ignore_errors=True)
    if not checkpoint_only:
        _export(out)
    for kind in kinds:
        _describe(out / kind, about, alone=kind == "int8")
    split = Split.read(data)
    # The fp32 graph has the weights of the checkpoint and is faster on a CPU, so its scores serve for both.
    whole = _scored(out, "checkpoint" if checkpoint_only else "fp32", split, on_progress)
    for kind in kinds:
        scored = _scored(out, kind, split, on_progress) if kind == "int8" else whole
        _calibrate(out / kind, scored, split.data_hash)
        write_card(out / kind)
    made = {kind: _made(out / kind) for kind in kinds}
    if max_bytes is not None and not checkpoint_only and made["int8"]["bytes"] > max_bytes:
        raise ModelError(f"{out / 'int8'} has {made['int8']['bytes']} bytes; the limit is {max_bytes}")
    return made


def _export(out: Path) -> None:
    for kind in ("fp32", "int8"):
        (out / kind).mkdir(exist_ok=True)
        shutil.copyfile(out / "checkpoint" / "tokenizer.json", out / kind / "tokenizer.json")
    export.to_onnx(out / "checkpoint", out / "fp32" / "model.onnx")
    export.to_int8(out / "fp32" / "model.onnx", out / "int8" / "model.onnx")


def _trained_on(about: Mapping[str, Any], data: Path) -> dict[str, Any]:
    """What the manifest of `data` says that a card tells. Raises ModelError if the model was trained on other
    data."""
    manifest = json.loads((data / "manifest.json").read_text(encoding="utf-8"))
    return summary_of(manifest, about["stages"][-1]["data_sha256"])


def _describe(directory: Path, about: Mapping[str, Any], *, alone: bool) -> None:
    """Writes gatekeeper.json and SHA256SUMS, and a placeholder calibration until the real one is made."""
    revision = revision_of(directory)
    quantisation = "int8 weights, dynamic int8 activations" if alone else "none"
    described = {**about, "revision": revision, "alone": alone, "quantisation": quantisation}
    text = json.dumps(described, indent=2)
    (directory / "gatekeeper.json").write_text(text + "\n", encoding="utf-8")
    seal(directory)
    nothing = Scored(np.zeros((1, len(LABELS))), np.zeros(1, dtype=np.intp), np.zeros(1))
    _record(nothing, revision, "").save(directory / "calibration.json")


def _scored(out: Path, kind: str, split: Split, on_progress: OnProgress) -> Scored:
    done = 0

    def progress(scored: int) -> None:
        nonlocal done
        done += scored
        on_progress({"calibrating": kind, "done": done, "of": len(split.rows) + len(split.lessons)})

    return score(split, load_engine(out / kind), None, progress)


def _calibrate(directory: Path, scored: Scored, data_hash: str) -> None:
    record = _record(scored, revision_of(directory), data_hash)
    with_measures(record, scored).save(directory / "calibration.json")


def _record(scored: Scored, revision: str, data_hash: str) -> Calibration:
    policy = Quantile(ESCALATION)
    return fit(scored, policy=policy, score="error", model_revision=revision, data_hash=data_hash)


def _made(directory: Path) -> dict[str, Any]:
    record = json.loads((directory / "calibration.json").read_text(encoding="utf-8"))
    return {
        "path": str(directory),
        "bytes": sum(path.stat().st_size for path in directory.iterdir()),
        "calibration": record["id"],
        "tau": record["tau"],
        "temperature": record["temperature"],
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m ace_lab.training.gatekeeper.release", description=__doc__
    )
    parser.add_argument("--out", type=Path, required=True, help="directory that holds checkpoint")
    parser.add_argument("--data", type=Path, required=True, help="directory made by `ace data build`")
    given = parser.parse_args(arguments)
    print(json.dumps(release(given.out, given.data), indent=2))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
