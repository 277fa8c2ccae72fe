"""What a run has paid for already: logits and opinions, kept beside the report.

A second run over the same claims, model and expert reads them back. Claims are known by digests and
places by offsets only: no text of the data is in these files. Time that was measured is kept too.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import ace.claims
from ace.claims.model import ClaimInput
from ace_lab.experts.opinions import Opinion

Floats = NDArray[np.float32]


class AnswerCache:
    """Files under `folder`: one array per list of claims, one line per opinion."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        (folder / ".gitignore").write_text("*\n", encoding="utf-8")
        self._opinions: dict[str, dict[str, Opinion]] = {}

    def logits(self, revision: str, inputs: Sequence[ClaimInput]) -> tuple[Floats, float] | None:
        """The logits (N, 6) of these claims by that model and the seconds they took, if kept."""
        path = self._logits_file(revision, inputs)
        if not path.is_file():
            return None
        with np.load(path) as found:
            return found["logits"], float(found["seconds"])

    def store_logits(
        self, revision: str, inputs: Sequence[ClaimInput], logits: NDArray[np.floating], seconds: float
    ) -> None:
        """Keeps what `logits` gives back."""
        path = self._logits_file(revision, inputs)
        unfinished = path.with_suffix(".tmp")
        with unfinished.open("wb") as opened:
            np.savez(opened, logits=np.asarray(logits, np.float32), seconds=seconds)
        unfinished.replace(path)

    def opinions(
        self, expert: str, inputs: Sequence[ClaimInput], totals: Sequence[int]
    ) -> list[Opinion | None]:
        """The opinion that this expert gave on each claim, None where there is none yet."""
        known = self._known(expert)
        found = (known.get(_digest(claim, total)) for claim, total in zip(inputs, totals, strict=True))
        return [
            None if opinion is None else _with_words(opinion, claim.text)
            for opinion, claim in zip(found, inputs, strict=True)
        ]

    def store_opinion(self, expert: str, claim: ClaimInput, total: int, opinion: Opinion) -> None:
        """Appends an opinion, so that it is there whatever happens next."""
        digest, kept = _digest(claim, total), _with_places(opinion, claim.text)
        self._known(expert)[digest] = kept
        with self._opinion_file(expert).open("a", encoding="utf-8") as lines:
            lines.write(
                json.dumps({"claim": digest, **asdict(replace(kept, seconds=round(kept.seconds, 6)))}) + "\n"
            )

    def _known(self, expert: str) -> dict[str, Opinion]:
        if expert not in self._opinions:
            path = self._opinion_file(expert)
            lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
            self._opinions[expert] = dict(filter(None, map(_read, lines)))
        return self._opinions[expert]

    def _logits_file(self, revision: str, inputs: Sequence[ClaimInput]) -> Path:
        digest = hashlib.sha256(f"{revision} {rules_digest()}".encode())
        for claim in inputs:
            digest.update(_digest(claim, 0).encode())
        return self._folder / f"logits-{revision}-{digest.hexdigest()[:16]}.npz"

    def _opinion_file(self, expert: str) -> Path:
        name = hashlib.sha256(f"{expert} {rules_digest()}".encode()).hexdigest()[:16]
        return self._folder / f"opinions-{name}.jsonl"


@cache
def rules_digest() -> str:
    """A digest of the checks' source: hints, and so scores, change when the rules do."""
    digest = hashlib.sha256()
    folder = Path(ace.claims.__path__[0])
    for path in sorted(folder.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _digest(claim: ClaimInput, total: int) -> str:
    whole = json.dumps([claim.number, claim.text, claim.ancestors, total], ensure_ascii=False)
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def _with_places(opinion: Opinion, text: str) -> Opinion:
    """The opinion with "start:end" for its words; words that do not stand in the claim are dropped."""
    quotes = tuple(filter(None, (_place(quote, text) for quote in opinion.quotes)))
    reasons = tuple((kind, _place(quote, text)) for kind, quote in opinion.reasons)
    return replace(opinion, quotes=quotes, reasons=reasons)


def _with_words(opinion: Opinion, text: str) -> Opinion:
    quotes = tuple(_words(place, text) for place in opinion.quotes)
    reasons = tuple((kind, _words(place, text)) for kind, place in opinion.reasons)
    return replace(opinion, quotes=quotes, reasons=reasons)


def _place(quote: str, text: str) -> str:
    start = text.find(quote) if quote else -1
    return "" if start < 0 else f"{start}:{start + len(quote)}"


def _words(place: str, text: str) -> str:
    start, _, end = place.partition(":")
    return text[int(start) : int(end)] if end else ""


def _read(line: str) -> tuple[str, Opinion] | None:
    """A line of an opinion file; None for one that a kill left half written."""
    try:
        found = json.loads(line)
        digest = found.pop("claim")
        reasons = tuple((kind, place) for kind, place in found.pop("reasons"))
        return digest, Opinion(**{**found, "quotes": tuple(found["quotes"]), "reasons": reasons})
    except (ValueError, TypeError, KeyError):
        return None
