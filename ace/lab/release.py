"""Checkpoint to shipped model: export, int8, calibration, measurement, card.

`python -m ace.lab.release --checkpoint DIR --data DIR --out DIR` needs the extra `train`. The
temperature and tau are fitted to the int8 graph's own logits on the calibration split; the card's
numbers come from the test split. Nothing in the output was typed by hand but the card's prose.
"""

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ace.claims.model import ClaimInput
from ace.claims.taxonomy import LABELS
from ace.gatekeeper import export
from ace.gatekeeper.model_files import revision_of
from ace.gatekeeper.onnx_engine import OnnxEngine
from ace.gatekeeper.score import binary_entropy, softmax
from ace.lab import probes
from ace.lab.card import card
from ace.lab.dataset import Row, file_hash, read_rows
from ace.lab.metrics import report
from ace.routing.calibration import calibrate, fit_temperature, tau_for

ESCALATION = 0.20
MAX_SHIPPED_BYTES = 25 * 2**20


def release(checkpoint: Path, data: Path, out: Path) -> dict[str, Any]:
    """Writes the model directory `out` and returns what was measured.

    Raises ValueError where the directory would be larger than 25 MB.
    """
    out.mkdir(parents=True, exist_ok=True)
    about = json.loads((checkpoint / "gatekeeper.json").read_text(encoding="utf-8"))
    splits = {split: read_rows(data / f"{split}.jsonl") for split in ("calibration", "test")}
    inputs = {split: _claims(rows) for split, rows in splits.items()}
    labels = {split: _labels(rows) for split, rows in splits.items()}
    with tempfile.TemporaryDirectory() as scratch:
        full = Path(scratch) / "fp32"
        full.mkdir()
        export.to_onnx(checkpoint, full / "model.onnx")
        export.to_int8(full / "model.onnx", out / "model.onnx")
        for directory, alone in ((full, False), (out, True)):
            shutil.copyfile(checkpoint / "tokenizer.json", directory / "tokenizer.json")
            _describe(directory, about, alone=alone)
        fp32 = {split: _raw(full, claims) for split, claims in inputs.items()}
    int8 = {split: _raw(out, claims) for split, claims in inputs.items()}

    temperature = fit_temperature(int8["calibration"], labels["calibration"])
    p = {split: softmax(logits, temperature) for split, logits in int8.items()}
    revision = revision_of(out)
    record = calibrate(
        p["calibration"],
        labels["calibration"] > 0,
        escalation=ESCALATION,
        temperature=temperature,
        model_revision=revision,
        data_hash=file_hash(data / "calibration.jsonl"),
    )
    record.save(out / "calibration.json")
    engine = OnnxEngine(out)
    measured = {
        "int8": report(p["test"], labels["test"], record.tau),
        "fp32": _at_own_calibration(fp32, labels),
        "uncalibrated_ece": report(softmax(int8["test"]), labels["test"], record.tau)["ece"],
        "edits": _by_edit(p["test"], splits["test"], record.tau),
        "probes": {
            "text_free": probes.text_free(splits["calibration"], splits["test"]),
            "masked_span": probes.masked_span(engine, splits["test"]),
            "shuffled_words": probes.shuffled_words(engine, splits["test"], seed=1),
        },
    }
    manifest = json.loads((data / "manifest.json").read_text(encoding="utf-8"))
    text = card(about, manifest, record, measured)
    (out / "MODEL_CARD.md").write_text(text, encoding="utf-8")
    size = sum(path.stat().st_size for path in out.iterdir())
    if size > MAX_SHIPPED_BYTES:
        raise ValueError(f"the model directory is {size} bytes, the limit is {MAX_SHIPPED_BYTES}")
    return measured


def _claims(rows: Sequence[Row]) -> list[ClaimInput]:
    return [ClaimInput(row.number, row.text, row.ancestors) for row in rows]


def _labels(rows: Sequence[Row]) -> NDArray[np.int64]:
    return np.asarray([LABELS.index(row.label) for row in rows], dtype=np.int64)


def _describe(directory: Path, about: dict[str, Any], *, alone: bool) -> None:
    """gatekeeper.json, and a calibration that only holds the place until the real one is made."""
    revision = revision_of(directory)
    quantisation = "int8 weights, dynamic int8 activations" if alone else "none"
    described = {**about, "revision": revision, "alone": alone, "quantisation": quantisation}
    text = json.dumps(described, indent=2)
    (directory / "gatekeeper.json").write_text(text + "\n", encoding="utf-8")
    flat = np.full((1, len(LABELS)), 1 / len(LABELS))
    nothing = calibrate(
        flat,
        np.zeros(1, dtype=bool),
        escalation=0.0,
        temperature=1.0,
        model_revision=revision,
        data_hash="",
    )
    nothing.save(directory / "calibration.json")


def _raw(directory: Path, claims: Sequence[ClaimInput]) -> NDArray[np.float32]:
    return OnnxEngine(directory).logits(claims)


def _at_own_calibration(
    logits: dict[str, NDArray[np.float32]], labels: dict[str, NDArray[np.int64]]
) -> dict[str, Any]:
    """The fp32 graph's report at a temperature and tau of its own: what int8 is compared with."""
    temperature = fit_temperature(logits["calibration"], labels["calibration"])
    tau = tau_for(binary_entropy(softmax(logits["calibration"], temperature)), ESCALATION)
    return report(softmax(logits["test"], temperature), labels["test"], tau)


def _by_edit(p: NDArray[np.floating], rows: Sequence[Row], tau: float) -> dict[str, dict[str, float]]:
    """Per injector and placebo: rows, share called invalid, share escalated."""
    called, up = p[:, 0] < 0.5, binary_entropy(p) > tau
    names = np.asarray([f"{row.label}/{row.edit}" for row in rows])
    return {
        str(name): {
            "n": int((names == name).sum()),
            "called_invalid": round(float(called[names == name].mean()), 4),
            "escalated": round(float(up[names == name].mean()), 4),
        }
        for name in np.unique(names)
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m ace.lab.release", description=__doc__)
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True, help="directory of ace.lab.dataset")
    parser.add_argument("--out", type=Path, required=True, help="model directory to write")
    given = parser.parse_args(arguments)
    measured = release(given.checkpoint, given.data, given.out)
    print(json.dumps(measured, indent=2), file=sys.stderr)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
