"""What the client sends: the body of a filing, and uploads cut into requests."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

CHUNK_LINES: Final = 1_000
CHUNK_BYTES: Final = 2_000_000

Claims = str | Iterable[str | tuple[int, str]]
"""One numbered text, or the claims one by one, with or without their numbers."""


def filing_body(
    docket: str, claims: Claims, priority: int, metadata: Mapping[str, Any] | None
) -> dict[str, Any]:
    """A filing as the API takes it."""
    if not isinstance(claims, str):
        listed: list[dict[str, Any]] = [
            {"text": one} if isinstance(one, str) else {"number": one[0], "text": one[1]} for one in claims
        ]
    return {
        "docket": docket,
        "claims": claims if isinstance(claims, str) else listed,
        "priority": priority,
        "metadata": dict(metadata or {}),
    }


def chunks(lines: Iterable[bytes]) -> Iterator[list[bytes]]:
    """Lines in the same groups whenever they are the same lines; each with its line end."""
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
