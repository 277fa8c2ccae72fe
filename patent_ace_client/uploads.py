"""What is sent: claims with their fields, and uploads cut into requests. Pure; the senders send."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

CHUNK_LINES: Final = 1_000
CHUNK_BYTES: Final = 2_000_000
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"

Claims = str | Iterable[str | tuple[int, str] | Mapping[str, Any]]
"""One numbered text, or the claims one by one: texts, (number, text), or {"number": …, "text": …}."""


_MEDIA_TYPES: Final = {
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".xml": "application/xml",
}


@dataclass(frozen=True, slots=True)
class File:
    """A file of claims, sent unchanged; text in UTF-8 unless `media_type` says otherwise."""

    content: bytes
    media_type: str = "text/plain"

    @classmethod
    def at(cls, path: Path | str) -> Self:
        """The file at a path: DOCX or XML by its name, text otherwise. Raises OSError."""
        file = Path(path)
        return cls(file.read_bytes(), _MEDIA_TYPES.get(file.suffix.lower(), "text/plain"))


def body_of(claims: Claims | File, said: Mapping[str, Any]) -> dict[str, Any]:
    """Claims and their fields as arguments of a request: a file with query parameters, or claims
    in JSON. Fields that are None are left out."""
    given = {name: value for name, value in said.items() if value is not None}
    if isinstance(claims, File):
        params = {name: _parameter(value) for name, value in given.items()}
        return {"content": claims.content, "params": params, "headers": {"Content-Type": claims.media_type}}
    content = json.dumps({"claims": _listed(claims), **given}).encode()
    return {"content": content, "headers": {"Content-Type": "application/json"}}


def _parameter(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _listed(claims: Claims) -> str | list[dict[str, Any]]:
    if isinstance(claims, str):
        return claims
    if isinstance(claims, bytes | Path) or hasattr(claims, "read") or not isinstance(claims, Iterable):
        raise TypeError(
            "claims are one text, a list of texts or of (number, text) pairs, or a file: File.at(path),"
            f" File(bytes); not {type(claims).__name__}"
        )
    return [_claim(one) for one in claims]


def _claim(given: str | tuple[int, str] | Mapping[str, Any]) -> dict[str, Any]:
    if isinstance(given, str):
        return {"text": given}
    if isinstance(given, Mapping):  # as the API takes it
        return dict(given)
    number, text = given
    return {"number": number, "text": text}


def chunks(lines: Iterable[bytes]) -> Iterator[list[bytes]]:
    """Groups of lines, always the same groups for the same lines; each line with its line end."""
    chunk: list[bytes] = []
    size = 0
    for line in lines:
        if chunk and (len(chunk) == CHUNK_LINES or size + len(line) > CHUNK_BYTES):
            yield chunk
            chunk, size = [], 0
        chunk.append(line if line.endswith(b"\n") else line + b"\n")
        size += len(line)
    if chunk:
        yield chunk


def expected_results(chunk: Iterable[bytes]) -> int:
    """How many results the API gives for a chunk: blank lines have none."""
    return sum(1 for line in chunk if line.removeprefix(_BYTE_ORDER_MARK).strip())


def longest_pause(problems: Iterable[Mapping[str, Any]]) -> float | None:
    """The longest pause that one of the problems asks for."""
    return max((float(one["retry_after"]) for one in problems if one.get("retry_after")), default=None)
