"""What a running training leaves on disk: its state, its best weights and its metrics.

A run that is killed at any point continues from the last state. Files are written under a temporary name
and renamed, so that no file is ever incomplete.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any


@dataclass(slots=True)
class RunProgress:
    """How far a run is: updates done, claims seen, seconds spent, the best evaluation so far and the last.

    `losses` are running means of the losses over claims and tokens; `seconds` count updates and evaluations
    in all processes of the run.
    """

    step: int = 0
    seen: int = 0
    seconds: float = 0.0
    losses: list[float] = field(default_factory=list)
    best: float = -1.0
    last: float = -1.0
    best_step: int = 0
    worse: int = 0
    ended: str = ""


class CheckpointFolder:
    """OUT/training: state.pt, best.pt, metrics.jsonl."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)
        self._state, self._best = path / "state.pt", path / "best.pt"
        self._metrics = path / "metrics.jsonl"

    def save(self, state: Mapping[str, Any], progress: RunProgress, identity: Mapping[str, Any]) -> None:
        """Replaces the state; `identity` says which run it belongs to."""
        _write(self._state, {**state, "progress": asdict(progress), "identity": dict(identity)})

    def load(self) -> tuple[dict[str, Any], RunProgress, dict[str, Any]] | None:
        """The state, the progress and the identity of an earlier process, if there was one."""
        if not self._state.is_file():
            return None
        state = _read(self._state)
        return state, RunProgress(**state.pop("progress")), state.pop("identity")

    def keep_best(self, weights: Mapping[str, Any]) -> None:
        """Replaces the best weights."""
        _write(self._best, dict(weights))

    def best(self) -> dict[str, Any]:
        """The best weights."""
        return _read(self._best)

    def note(self, record: Mapping[str, Any]) -> None:
        """One more line of metrics."""
        with self._metrics.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(record) + "\n")

    def cut_notes(self, step: int) -> None:
        """Drops metrics after `step`, because a run that continues from there writes them again."""
        lines = self._metrics.read_text(encoding="utf-8").splitlines() if self._metrics.is_file() else []
        # A killed run can leave an incomplete line, which is also after the last state.
        whole = [line for line in lines if line.endswith("}")]
        kept = [line for line in whole if json.loads(line)["step"] <= step]
        beside = self._metrics.with_suffix(".tmp")
        beside.write_text("".join(f"{line}\n" for line in kept), encoding="utf-8")
        beside.replace(self._metrics)

    def clear(self) -> None:
        """Drops state and weights once they are no longer needed; the metrics stay."""
        for path in (self._state, self._best):
            path.unlink(missing_ok=True)


def _write(path: Path, value: dict[str, Any]) -> None:
    import torch

    beside = path.with_suffix(".tmp")
    torch.save(value, beside)
    beside.replace(path)


def _read(path: Path) -> dict[str, Any]:
    import torch

    found: dict[str, Any] = torch.load(path, weights_only=True, map_location="cpu")
    return found
