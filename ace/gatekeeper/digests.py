"""The digests of a model folder: written when a model is made or installed, checked whenever it is loaded.

SHA256SUMS has the form of `sha256sum`, which can check it too. Calibration records are not in it: the id of
each is the digest of its own content (routing/calibration.py), and new ones may be put beside a model. A
folder without SHA256SUMS was made before there were any; its weights and its tokenizer must have the digest
that is its revision.
"""

import hashlib
import re
from pathlib import Path
from typing import Final

from ace.errors import ModelError

WEIGHTS: Final = ("model.onnx", "model.safetensors")
SUMS: Final = "SHA256SUMS"
SEALED: Final = (*WEIGHTS, "config.json", "tokenizer.json", "gatekeeper.json")
"""The files that SHA256SUMS lists, if the folder has them."""

_LINE: Final = re.compile(r"([0-9a-f]{64}) [ *]([^/\0]+)")
_REMEDY: Final = (
    "copy the model's folder anew from where it came from, or install ACE again for the shipped model"
)


def seal(directory: Path) -> None:
    """Writes SHA256SUMS for the files of a model that was just made or checked."""
    lines = (f"{_sha256(directory / name)}  {name}\n" for name in SEALED if (directory / name).is_file())
    unfinished = directory / f"{SUMS}.tmp"
    unfinished.write_text("".join(lines), encoding="utf-8")
    unfinished.replace(directory / SUMS)


def verify(directory: Path) -> bool:
    """Whether the folder has a SHA256SUMS, to which its files then fit. Raises ModelError naming the first
    file that does not, is missing, or is not listed."""
    try:
        written = (directory / SUMS).read_text(encoding="utf-8")
    except FileNotFoundError:
        return False
    except (OSError, ValueError) as error:
        raise ModelError(f"{directory / SUMS} cannot be read ({type(error).__name__}): {_REMEDY}") from error
    listed: dict[str, str] = {}
    for line in written.splitlines():
        if (match := _LINE.fullmatch(line)) is None:
            raise ModelError(f"{directory / SUMS} is damaged: {_REMEDY}")
        listed[match[2]] = match[1]
    for name in sorted({*listed, *(name for name in SEALED if (directory / name).exists())}):
        _refuse_another(directory / name, listed.get(name))
    return True


def verify_revision(directory: Path, revision: str) -> None:
    """Raises ModelError if the weights and the tokenizer are not those of the revision."""
    actual = revision_of(directory)
    if actual != revision:
        raise ModelError(
            f"{directory}: gatekeeper.json says revision {revision}, but the weights and the tokenizer have"
            f" the digest {actual}, so one of these files is damaged or of another model: {_REMEDY}"
        )


def revision_of(directory: Path) -> str:
    """A name for the weights and the tokenizer together: 12 hex digits of their SHA-256."""
    digest = hashlib.sha256()
    for name in (*WEIGHTS, "tokenizer.json"):
        path = directory / name
        if path.is_file():
            digest.update(name.encode() + bytes.fromhex(_sha256(path)))
    return digest.hexdigest()[:12]


def _refuse_another(path: Path, expected: str | None) -> None:
    if expected is None:
        raise ModelError(f"{path} is not listed in {SUMS}, so nobody knows whether it is whole: {_REMEDY}")
    try:
        actual = _sha256(path)
    except FileNotFoundError:
        raise ModelError(f"{path} is missing, but listed in {SUMS}: {_REMEDY}") from None
    if actual != expected:
        raise ModelError(
            f"{path} is damaged or was changed: its SHA-256 is {actual}, and {SUMS} says {expected}:"
            f" {_REMEDY}"
        )


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        raise
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror}") from error
