"""Which engine a model directory gets, by its files, the device that was asked for, and the machine."""

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from ace.errors import ModelError
from ace.gatekeeper import loading

ONNX, TORCH = "model.onnx", "model.safetensors"


@pytest.mark.parametrize(
    ("files", "device", "cuda", "engine"),
    [
        ({ONNX}, "auto", True, "OnnxEngine"),
        ({ONNX}, "cpu", True, "OnnxEngine"),
        ({ONNX}, "cuda", True, "refused"),
        ({TORCH}, "auto", False, "TorchEngine"),
        ({TORCH}, "cpu", True, "TorchEngine"),
        ({TORCH}, "cuda", True, "TorchEngine"),
        ({ONNX, TORCH}, "auto", False, "OnnxEngine"),
        ({ONNX, TORCH}, "auto", True, "TorchEngine"),
        ({ONNX, TORCH}, "cpu", True, "OnnxEngine"),
        ({ONNX, TORCH}, "cuda", True, "TorchEngine"),
        (set(), "auto", True, "refused"),
    ],
)
def test_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: set[str], device: str, cuda: bool, engine: str
) -> None:
    # Given both engines as names, because the real ones would load a model and torch
    for module, name in (("onnx_engine", "OnnxEngine"), ("torch_engine", "TorchEngine")):
        stub = SimpleNamespace(**{name: lambda *_, name=name, **__: name})
        monkeypatch.setitem(sys.modules, f"ace.gatekeeper.{module}", stub)
    monkeypatch.setattr(loading, "_cuda_is_there", lambda: cuda)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name)  # torch need not be installed
    for file in files:
        (tmp_path / file).touch()

    # Then the table says which is loaded
    try:
        found = loading.load_engine(tmp_path, device=device)
    except ModelError:
        found = "refused"
    assert found == engine
