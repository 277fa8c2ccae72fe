"""The folder of models: each in a folder of its own, named by the digest of its files, which never change."""

import hashlib
import shutil
import tempfile
from pathlib import Path
from typing import Final

from ace.errors import ModelError
from ace.gatekeeper.digests import SEALED, SUMS, WEIGHTS, seal
from ace.gatekeeper.model_files import ModelFiles, read_model_files
from ace.routing.calibration import record_file

FILES: Final = (*SEALED, "calibration.json")
"""What decides how a model scores. A card or a report beside them is no part of it."""


def digest_of(directory: Path) -> str:
    """SHA-256 of the names and the contents of the directory's `FILES`, in hexadecimal."""
    digest = hashlib.sha256()
    for name in FILES:
        path = directory / name
        if path.is_file():
            digest.update(name.encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def install(directory: Path, models: Path, calibration: Path | None = None) -> tuple[str, ModelFiles]:
    """Copies a model into the folder of models, with another calibration (`record_file`) if one is given;
    returns its digest and what its files say. One that is there already stays as it is.

    A kill leaves no unfinished model under its name. Raises ModelError for a directory that cannot be used.
    """
    try:
        models.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=models, prefix=".new-") as made:
            unfinished = Path(made) / "model"
            unfinished.mkdir()
            for name in (*FILES, SUMS):
                if (directory / name).is_file():
                    shutil.copyfile(directory / name, unfinished / name)
            if calibration is not None:
                shutil.copyfile(record_file(directory, calibration), unfinished / "calibration.json")
            if not any((unfinished / name).is_file() for name in WEIGHTS):
                raise ModelError(f"{directory} holds none of {', '.join(WEIGHTS)}")
            found = read_model_files(unfinished)
            found.tokenizer()
            seal(unfinished)
            digest = digest_of(unfinished)
            if not (models / digest).is_dir():
                unfinished.rename(models / digest)
    except OSError as error:
        raise ModelError(f"{error.filename} cannot be used: {error.strerror}") from error
    return digest, found


def installed(models: Path, digest: str) -> Path:
    """The folder of a model. Raises ModelError if it is missing, or its files are not those of its name."""
    directory = models / digest
    if not directory.is_dir():
        raise ModelError(
            f"model {digest} is not in {models}: copy it there, or name its folder in ACE_MODELS_DIR"
        )
    if digest_of(directory) != digest:
        raise ModelError(f"the files of model {digest} in {models} were changed after they were put there")
    return directory
