"""The gatekeeper as the rest of ACE knows it: a protocol, a way to load one, a way to survive one.

`load_engine` chooses ONNX Runtime on a CPU and torch on CUDA; neither is imported before.
"""

import importlib
import importlib.util
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from ace.claims.taxonomy import LABELS
from ace.errors import ModelError
from ace.gatekeeper.inputs import ClaimInput
from ace.routing.calibration import Calibration

SHIPPED_MODEL = Path(__file__).parent / "model"

MAX_BATCH_ITEMS = 256

HARMLESS = ClaimInput(1, "A device comprising a housing and a lid.")

Device = Literal["auto", "cpu", "cuda"]


class Engine(Protocol):
    """A loaded model: its revision, the calibration that goes with it, and its scores."""

    @property
    def revision(self) -> str:
        """What the model is, as stored with every verdict."""

    @property
    def calibration(self) -> Calibration:
        """The record that says when its scores are too doubtful."""

    def score(self, inputs: Sequence[ClaimInput]) -> NDArray[np.float32]:
        """Probabilities, shape (N, 6) in the order of LABELS, in the order of the inputs."""


class LoadedEngine(Engine, Protocol):
    """An engine with the model's own opinion at hand, as calibration and evaluation need it."""

    def logits(self, inputs: Sequence[ClaimInput]) -> NDArray[np.float32]:
        """What the scores are made of, shape (N, 6), without temperature."""

    def locate(
        self, inputs: Sequence[ClaimInput], classes: Sequence[int] | NDArray[np.int64]
    ) -> list[tuple[int, int] | None]:
        """For each claim, the characters [start:end] of its text that speak most for its class.

        `classes`, shape (N,), are indices of LABELS. None throughout where the model does not judge
        token by token, and for a claim whose tokens cannot be found again in its text.
        """


def load_engine(
    model_dir: Path | None = None,
    *,
    device: Device = "auto",
    threads: int | None = None,
    budget_tokens: int | None = None,
) -> LoadedEngine:
    """The engine for a model directory; None is the shipped model.

    "auto" takes CUDA where torch sees a device and the directory holds torch weights, else the
    CPU. `threads` are the cores that it uses (None: all that this process may);
    `budget_tokens` the padded tokens of one forward pass, which bound a worker's memory whatever the
    claims (None: what suits the device). Raises ModelError where the directory cannot be used.
    """
    directory = SHIPPED_MODEL if model_dir is None else model_dir
    has_onnx = (directory / "model.onnx").is_file()
    has_torch = (directory / "model.safetensors").is_file()
    if not has_onnx and not has_torch:
        raise ModelError(f"{directory} holds neither model.onnx nor model.safetensors")
    if device == "cuda" and not has_torch:
        raise ModelError(f"{directory} holds no model.safetensors, which device cuda needs")
    if has_torch and (device == "cuda" or not has_onnx or (device == "auto" and _cuda_is_there())):
        if importlib.util.find_spec("torch") is None:
            raise ModelError(f"{directory} needs torch: install the extra 'gpu'")
        return _made("ace.gatekeeper.torch_engine", "TorchEngine")(
            directory, device=device, threads=threads, budget_tokens=budget_tokens
        )
    return _made("ace.gatekeeper.onnx_engine", "OnnxEngine")(
        directory, threads=threads, budget_tokens=budget_tokens
    )


def _made(module: str, name: str) -> Callable[..., LoadedEngine]:
    # By name: flow, and the API through it, know the protocol only, and must not come to depend on
    # a model runtime because loading one is offered here too. import-linter holds them to it.
    made: Callable[..., LoadedEngine] = getattr(importlib.import_module(module), name)
    return made


def score_each(engine: Engine, inputs: Sequence[ClaimInput]) -> NDArray[np.float32]:
    """As `engine.score`, but a claim that breaks it costs only its own row, which becomes NaN.

    A failing batch is halved until the breaking claims stand alone: k of them among N cost about
    2 k log N calls. Rows of NaN escalate (routing/policy.py). Where no claim could be scored, the
    engine is tried on a claim of our own: if that fails too, the engine is broken, not the claims,
    and its error is raised.
    """
    out = np.full((len(inputs), len(LABELS)), np.nan, dtype=np.float32)
    scored = _score_range(engine, inputs, out, 0, len(inputs))
    if inputs and not scored:
        engine.score([HARMLESS])
    return out


def _score_range(
    engine: Engine,
    inputs: Sequence[ClaimInput],
    out: NDArray[np.float32],
    start: int,
    end: int,
) -> int:
    """Fills rows [start:end] of `out`; returns how many could be scored."""
    if start == end:
        return 0
    try:
        out[start:end] = engine.score(inputs[start:end])
    except Exception:  # whatever a tokenizer or a runtime raises on one claim
        if end - start == 1:
            return 0
        middle = (start + end) // 2
        left = _score_range(engine, inputs, out, start, middle)
        return left + _score_range(engine, inputs, out, middle, end)
    return end - start


def _cuda_is_there() -> bool:
    if importlib.util.find_spec("torch") is None:
        return False
    return bool(importlib.import_module("torch").cuda.is_available())
