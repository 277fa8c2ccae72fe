"""The files of a model directory, and what gatekeeper.json and calibration.json say about it.

model.onnx                       graph for the CPU engine; its output "logits" has shape (N, 6)
model.safetensors, config.json   a transformers checkpoint for the torch engine
tokenizer.json                   the tokenizer, without padding or truncation
gatekeeper.json                  {labels, max_tokens, usual_tokens, hints, revision, alone, base, ...}
calibration.json                 temperature and tau, see routing/calibration.py
calibration-NAME.json            the same for an expert that was measured, if there are such
SHA256SUMS                       the digests of all others but the records, see digests.py
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ace.claims.taxonomy import LABELS
from ace.errors import ModelError
from ace.gatekeeper.digests import verify, verify_revision
from ace.gatekeeper.tokens import PairTokenizer
from ace.routing.calibration import Calibration, record_file


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """A checked model directory.

    `max_tokens` and `usual_tokens` are those of `PairTokenizer`.
    `hints` says that the model was trained with the hints of the rules beside each claim. `alone` says
    that the graph quantises activations over the whole batch, so each claim must run by itself for its
    score not to depend on other claims.
    """

    directory: Path
    revision: str
    max_tokens: int
    usual_tokens: int | None
    hints: bool
    alone: bool
    calibration: Calibration

    def tokenizer(self) -> PairTokenizer:
        """The directory's tokenizer, cutting at max_tokens. Raises ModelError if unreadable."""
        try:
            return PairTokenizer(
                self.directory / "tokenizer.json",
                max_tokens=self.max_tokens,
                hints=self.hints,
                usual_tokens=self.usual_tokens,
            )
        except Exception as error:  # tokenizers raises bare Exception
            raise ModelError(f"{self.directory}: tokenizer.json cannot be used: {error}") from error


def read_model_files(directory: Path, calibration: Path | None = None) -> ModelFiles:
    """Reads and checks the directory, with another `calibration` (`record_file`) if one is given. Raises
    ModelError if a file is missing, damaged, unreadable or inconsistent.

    The label order must be ours, and the calibration must belong to this revision: a tau of other
    weights would route at random.
    """
    sealed = verify(directory)
    about = _json(directory / "gatekeeper.json")
    try:
        labels = tuple(about["labels"])
        revision, max_tokens = str(about["revision"]), int(about["max_tokens"])
        usual_tokens = int(about["usual_tokens"]) if about.get("usual_tokens") else None
    except (KeyError, OverflowError, TypeError, ValueError) as error:
        raise ModelError(f"{directory}: gatekeeper.json lacks or misstates {error}") from error
    if labels != LABELS:
        raise ModelError(f"{directory}: labels are {labels}, expected {LABELS}")
    if max_tokens < 16:
        raise ModelError(f"{directory}: max_tokens is {max_tokens}, at least 16 are needed")
    if not sealed:
        verify_revision(directory, revision)
    path = record_file(directory, calibration)
    try:
        record = Calibration.load(path)
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise ModelError(f"{path} cannot be used: {error}") from error
    if record.model_revision != revision:
        raise ModelError(f"{path} is a calibration of model {record.model_revision}, not of {revision}")
    hints, alone = about.get("hints") is True, about.get("alone") is True
    return ModelFiles(directory, revision, max_tokens, usual_tokens, hints, alone, record)


def _json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ModelError(f"{path} cannot be read: {error}") from error
    if not isinstance(found, dict):
        raise ModelError(f"{path} is not a JSON object")
    return found
