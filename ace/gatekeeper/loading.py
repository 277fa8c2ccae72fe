"""Loads the engine that suits a model directory and this machine.

An engine is imported only when it is needed: a worker on a CPU never loads torch.
"""

import importlib.util
from pathlib import Path
from typing import Final

from ace.errors import ModelError
from ace.gatekeeper.engine import Device, LoadedEngine

SHIPPED_MODEL: Final = Path(__file__).parent / "model"
FOR_ANY_EXPERT: Final = SHIPPED_MODEL / "calibration.json"
FOR_EXAMINER: Final = Path("structural")
"""The shipped model's records: for an expert that nobody has measured, and for the structural examiner."""


def load_engine(
    model_dir: Path | None = None,
    *,
    device: Device = "auto",
    threads: int | None = None,
    budget_tokens: int | None = None,
    calibration: Path | None = None,
) -> LoadedEngine:
    """The engine for a model directory; None is the shipped model. `calibration` is another record than
    calibration.json (`record_file`).

    "auto" uses CUDA if torch finds a device and the directory holds torch weights, else the CPU.
    `threads` is the number of cores to use (None: all that this process may use); `budget_tokens` are
    the padded tokens of one forward pass, which bound a worker's memory whatever the claims (None: what
    suits the device). Raises ModelError if the directory cannot be used.
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
        from ace.gatekeeper.torch_engine import TorchEngine

        return TorchEngine(
            directory, device=device, threads=threads, budget_tokens=budget_tokens, calibration=calibration
        )
    from ace.gatekeeper.onnx_engine import OnnxEngine

    return OnnxEngine(directory, threads=threads, budget_tokens=budget_tokens, calibration=calibration)


def _cuda_is_there() -> bool:
    if importlib.util.find_spec("torch") is None:
        return False
    import torch

    return torch.cuda.is_available()
