"""A model that is damaged, changed or not whole is refused, with the file and what to do about it."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from ace.errors import ModelError
from ace.gatekeeper.digests import SUMS, seal, verify
from ace.gatekeeper.installed import install
from ace.gatekeeper.loading import SHIPPED_MODEL, load_engine
from tests.unit.gatekeeper.models import checkpoint, describe

RECORD = "calibration-structural.json"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """The shipped model, in a folder that may be spoilt."""
    return Path(shutil.copytree(SHIPPED_MODEL, tmp_path / "model"))


def scrambled(path: Path) -> None:
    """Bytes in the last quarter are others: a graph with such weights loads, and answers."""
    content = bytearray(path.read_bytes())
    at, size = 3 * len(content) // 4, min(20_000, len(content) // 8)
    content[at : at + size] = Random(1).randbytes(size)
    path.write_bytes(content)


def truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def blanked(path: Path) -> None:
    path.write_bytes(b"")


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "gatekeeper.json", "calibration.json"])
@pytest.mark.parametrize("spoil", [scrambled, truncated, blanked, Path.unlink])
def test_a_spoilt_file_is_refused_by_name(model: Path, name: str, spoil: Callable[[Path], None]) -> None:
    # Given a model of which one file is not what it was
    spoil(model / name)
    # When it is loaded, then it is refused, and the error names the file or the folder
    with pytest.raises(ModelError, match=str(model) if spoil is Path.unlink else name):
        load_engine(model, device="cpu", threads=1)


@pytest.mark.parametrize("name", ["tokenizer.json", "gatekeeper.json"])
def test_the_error_says_what_was_expected_and_what_to_do(model: Path, name: str) -> None:
    expected = {line[66:]: line[:64] for line in (model / SUMS).read_text().splitlines()}[name]
    (model / name).write_bytes((model / name).read_bytes() + b"\n")
    with pytest.raises(
        ModelError, match=rf"{name} is damaged or was changed.*{expected}.*copy the model's folder"
    ):
        load_engine(model, device="cpu", threads=1)


@pytest.mark.parametrize(("setting", "value"), [("alone", False), ("hints", False), ("max_tokens", 64)])
def test_a_setting_of_the_model_that_was_changed_is_refused(model: Path, setting: str, value: object) -> None:
    about = json.loads((model / "gatekeeper.json").read_text())
    (model / "gatekeeper.json").write_text(json.dumps({**about, setting: value}))
    with pytest.raises(ModelError, match=r"gatekeeper\.json is damaged or was changed"):
        load_engine(model, device="cpu", threads=1)


@pytest.mark.parametrize("field", ["tau", "temperature", "certain"])
def test_a_record_that_was_changed_is_refused_by_the_id_that_it_carries(model: Path, field: str) -> None:
    record = json.loads((model / RECORD).read_text())
    (model / RECORD).write_text(json.dumps({**record, field: 0.123}))
    with pytest.raises(ModelError, match=f"{RECORD}.*changed after it was made"):
        load_engine(model, device="cpu", threads=1, calibration=Path("structural"))


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("no digests", "is damaged"),
        ("", "not listed"),
        (b"\xff\xfe", "cannot be read"),
        (f"{'0' * 64}  ../x\n", "is damaged"),
    ],
)
def test_a_list_of_digests_that_is_damaged_is_refused(model: Path, written: str | bytes, why: str) -> None:
    (model / SUMS).write_bytes(written.encode() if isinstance(written, str) else written)
    with pytest.raises(ModelError, match=why):
        load_engine(model, device="cpu", threads=1)


def test_weights_that_nobody_listed_are_refused(model: Path) -> None:
    (model / "model.safetensors").write_bytes(b"put here by somebody")
    with pytest.raises(ModelError, match=r"model\.safetensors is not listed in SHA256SUMS"):
        load_engine(model, device="cpu", threads=1)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_folder_from_before_there_were_digests_is_held_to_its_revision(model: Path, name: str) -> None:
    # Given a folder without a list of digests, which loads
    (model / SUMS).unlink()
    assert load_engine(model, device="cpu", threads=1).revision
    # When its weights or its tokenizer change, then they are not those of its revision
    scrambled(model / name)
    with pytest.raises(ModelError, match=r"gatekeeper\.json says revision"):
        load_engine(model, device="cpu", threads=1)


@pytest.mark.parametrize("name", ["model.safetensors", "config.json", "tokenizer.json", "gatekeeper.json"])
def test_a_torch_checkpoint_is_held_to_its_digests(tmp_path: Path, name: str) -> None:
    pytest.importorskip("torch", reason="torch comes with the extra gpu")
    folder = checkpoint(tmp_path / "torch")
    describe(folder)
    seal(folder)
    assert load_engine(folder, device="cpu", threads=1).revision
    (folder / name).write_bytes((folder / name).read_bytes() + b" ")
    with pytest.raises(ModelError, match=rf"{name} is damaged or was changed"):
        load_engine(folder, device="cpu", threads=1)


def test_an_installed_model_has_its_digests_and_a_damaged_one_is_not_installed(
    model: Path, tmp_path: Path
) -> None:
    (model / SUMS).unlink()  # an older folder gets them when it is installed
    digest, _ = install(model, tmp_path / "models")
    assert verify(tmp_path / "models" / digest)
    scrambled(model / "model.onnx")
    with pytest.raises(ModelError, match=r"gatekeeper\.json says revision"):
        install(model, tmp_path / "models")
    assert [each.name for each in (tmp_path / "models").iterdir()] == [digest]
