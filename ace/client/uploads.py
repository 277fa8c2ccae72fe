"""What the client sends: the body of a filing, and uploads cut into requests."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from ace.client.answers import Unreachable
from ace.client.sending import RETRIED, Sender

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


def upload(sender: Sender, chunk: list[bytes], key: str) -> list[dict[str, Any]]:
    """The results of one chunk. Lines that found no room, or an outage, go again with all others.

    That is as long as every time more gets through, and the sender's retries beyond.
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
