"""Claim sets for batches. All claim text is ours."""

from typing import Any

SOUND = "1. A bracket comprising a plate.\n2. The bracket of claim 1, wherein the plate is flat."
FAILS = "1. A pump comprising a valve on said rotor."
DOUBTFUL = "1. A pump comprising a housing.\n2. The pump of claim 1, wherein the housing is about round."
CANCELED = "1. (Canceled)\n2. A pump comprising a valve.\n3. (Canceled)"
ENDLESS = "1. A pump with an endless hose.\n2. The pump of claim 1, wherein the hose is round."
GONE = "1. (Canceled)"


def listed(*texts: str) -> list[dict[str, Any]]:
    """Claims as a list, numbered from 1."""
    return [{"number": number, "text": text} for number, text in enumerate(texts, start=1)]
