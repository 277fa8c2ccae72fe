"""What the client sends: claims with their fields, and uploads cut into requests."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from ace.client.answers import Unreachable
from ace.client.sending import RETRIED, Sender

CHUNK_LINES: Final = 1_000
CHUNK_BYTES: Final = 2_000_000

Claims = str | Iterable[str | tuple[int, str]]
"""One numbered text, or the claims one by one, with or without their numbers."""


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
    def at(cls, path: Path) -> Self:
        """The file at a path: DOCX or XML by its name, text otherwise. Raises OSError."""
        return cls(path.read_bytes(), _MEDIA_TYPES.get(path.suffix.lower(), "text/plain"))


def body_of(claims: Claims | File, said: Mapping[str, Any]) -> dict[str, Any]:
    """Claims and their fields as arguments of `Sender.json`: a file with query parameters, or claims
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
    return [{"text": one} if isinstance(one, str) else {"number": one[0], "text": one[1]} for one in claims]


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


def upload(sender: Sender, chunk: list[bytes], key: str) -> list[dict[str, Any]]:
    """The results of one chunk. Lines that met a full backlog or an outage are sent again with the rest.

    This goes on as long as each attempt gets further, then for the sender's retries.
    """
    headers = {"Content-Type": "application/x-ndjson", "Idempotency-Key": key}
    expected = sum(1 for line in chunk if line.strip())
    content = b"".join(chunk)
    attempt, done = 0, expected
    while True:
        response = sender.request("POST", "/v1/filings/bulk", content=content, headers=headers)
        results: list[dict[str, Any]] = [json.loads(line) for line in response.iter_lines() if line]
        whole = len(results) == expected
        held_up = [one["problem"] for one in results if one["status"] in RETRIED]
        if whole and not held_up:
            return results
        before, done = done, len(results) - len(held_up)
        attempt = 0 if done > before else attempt
        if attempt == sender.retries:
            break
        asked = [float(problem["retry_after"]) for problem in held_up if problem.get("retry_after")]
        reason = str(held_up[0].get("detail")) if held_up else "the API broke off its answer"
        sender.pause(attempt, max(asked, default=None), reason)
        attempt += 1
    if not whole:
        raise Unreachable({"detail": "the API broke off its answer"})
    return results
