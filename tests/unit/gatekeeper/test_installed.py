"""The folder of models: named by what is in them, whole or not there, and refused once changed."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from ace.errors import ModelError
from ace.gatekeeper.installed import digest_of, install, installed
from ace.gatekeeper.loading import SHIPPED_MODEL
from ace.routing.calibration import Calibration


def test_a_model_is_found_under_the_digest_of_its_files(tmp_path: Path) -> None:
    digest, files = install(SHIPPED_MODEL, tmp_path)
    assert install(SHIPPED_MODEL, tmp_path)[0] == digest  # a second time changes nothing
    assert files.calibration == Calibration.load(SHIPPED_MODEL / "calibration.json")
    assert [each.name for each in tmp_path.iterdir()] == [digest]
    found = installed(tmp_path, digest)
    assert digest_of(found) == digest == digest_of(SHIPPED_MODEL)
    assert not (found / "MODEL_CARD.md").exists()  # a card scores nothing


def test_another_calibration_makes_another_model(tmp_path: Path) -> None:
    record = replace(Calibration.load(SHIPPED_MODEL / "calibration.json"), tau=0.5).sealed()
    record.save(tmp_path / "new.json")
    digest, files = install(SHIPPED_MODEL, tmp_path / "models", tmp_path / "new.json")
    assert digest != digest_of(SHIPPED_MODEL)
    assert files.calibration == record


def test_what_was_changed_or_is_missing_is_refused(tmp_path: Path) -> None:
    digest, _ = install(SHIPPED_MODEL, tmp_path)
    about = tmp_path / digest / "gatekeeper.json"
    about.write_text(json.dumps({**json.loads(about.read_text()), "max_tokens": 64}))
    with pytest.raises(ModelError, match="were changed"):
        installed(tmp_path, digest)
    with pytest.raises(ModelError, match="ACE_MODELS_DIR"):
        installed(tmp_path, "0" * 64)


@pytest.mark.parametrize("missing", ["model.onnx", "calibration.json", "tokenizer.json"])
def test_a_model_that_is_not_whole_is_not_installed(tmp_path: Path, missing: str) -> None:
    source = tmp_path / "source"
    shutil.copytree(SHIPPED_MODEL, source)
    (source / missing).unlink()
    with pytest.raises(ModelError):
        install(source, tmp_path / "models")
    assert list((tmp_path / "models").iterdir()) == []
