"""OUT/training: the identity of the run, the states to continue from, and its metrics.

A kill at any point costs what came after the last complete state. Hugging Face's trainer writes a state file
by file, so a state counts as complete only once it contains the mark.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ace.errors import Refused

_MARK = "whole"
_RUN, _METRICS = "run.json", "metrics.jsonl"


class RunFolder:
    """The folder of one run, created when the run begins."""

    def __init__(self, out: Path) -> None:
        self.path = out / "training"

    @property
    def ended(self) -> bool:
        """Whether the run ended and its adapter was saved."""
        return bool(self._about().get("ended"))

    def refuse_other(self, identity: Mapping[str, Any]) -> None:
        """Raises Refused if the folder belongs to another run."""
        held = self._about().get("identity")
        if held is not None and held != identity:
            other = ", ".join(key for key in identity if held.get(key) != identity[key])
            raise Refused(
                f"{self.path.parent} has a run with another {other}: use another --out, or --restart",
                code="out",
            )

    def begin(self, identity: Mapping[str, Any]) -> None:
        """Records which run this is. Raises Refused if the folder belongs to another."""
        self.refuse_other(identity)
        if not self._about():
            self.path.mkdir(parents=True, exist_ok=True)
            _write(self.path / _RUN, json.dumps({"identity": dict(identity)}, indent=2) + "\n")

    def end(self) -> None:
        """Records that the adapter is saved, and drops the states."""
        _write(self.path / _RUN, json.dumps({**self._about(), "ended": True}, indent=2) + "\n")
        for state in self._states():
            shutil.rmtree(state)
        (self.path / "README.md").unlink(missing_ok=True)  # trl's card of the states

    def last_state(self) -> Path | None:
        """The state to continue from, if there is one; incomplete ones are dropped."""
        whole = []
        for state in self._states():
            if (state / _MARK).is_file():
                whole.append(state)
            else:
                shutil.rmtree(state)
        return max(whole, key=_step, default=None)

    def mark(self, step: int) -> None:
        """Records that the state of this update is complete."""
        (self.path / f"checkpoint-{step}" / _MARK).touch()

    def note(self, records: Sequence[Mapping[str, Any]]) -> None:
        """Writes all metrics of the run so far, a line each; a continued run writes those of its state
        again."""
        _write(self.path / _METRICS, "".join(f"{json.dumps(record)}\n" for record in records))

    def metrics(self) -> list[dict[str, Any]]:
        """The metrics written so far."""
        path = self.path / _METRICS
        lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
        return [json.loads(line) for line in lines]

    def clear(self) -> None:
        """Deletes the folder of the run; its models stay until others replace them."""
        shutil.rmtree(self.path, ignore_errors=True)

    def _states(self) -> list[Path]:
        return [path for path in self.path.glob("checkpoint-*") if path.is_dir()]

    def _about(self) -> dict[str, Any]:
        try:
            found: dict[str, Any] = json.loads((self.path / _RUN).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        return found


def replaced(beside: Path, target: Path) -> Path:
    """Replaces an older folder by the finished one."""
    shutil.rmtree(target, ignore_errors=True)
    return beside.replace(target)


def emptied(target: Path) -> Path:
    """An empty folder beside `target`, to write into."""
    beside = target.with_name(f"{target.name}.tmp")
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir(parents=True)
    return beside


def _step(state: Path) -> int:
    return int(state.name.rpartition("-")[2])


def _write(path: Path, text: str) -> None:
    beside = path.with_name(f"{path.name}.tmp")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)
