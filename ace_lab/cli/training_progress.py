"""Progress of a training run on stderr: a bar on a terminal, otherwise a line from time to time."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import typer

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

LINE_SECONDS: Final = 30.0
"""Interval between lines if stderr is not a terminal."""


class TrainingProgress:
    """Shows every record of a run. A context manager that owns the bar."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        self._console = Console(stderr=True)
        self._bar: Progress = Progress(
            TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"),
            TimeRemainingColumn(), TextColumn("{task.fields[more]}"),
            console=self._console, disable=not self._console.is_terminal,
        )  # fmt: skip
        self._tasks: dict[str, TaskID] = {}
        self._last_line = float("-inf")

    def __enter__(self) -> TrainingProgress:
        self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._bar.stop()

    def __call__(self, record: Mapping[str, Any]) -> None:
        """One record of the run or of the release."""
        name, done, of = _part(record)
        more = _numbers(record)
        task = self._tasks.get(name)
        if task is None:
            task = self._tasks[name] = self._bar.add_task(name, total=of, more=more)
        self._bar.update(task, completed=done, more=more)
        is_news = not {"macro_f1", "rows", "eval_loss"}.isdisjoint(record) or done == of
        if self._bar.disable and (is_news or time.monotonic() - self._last_line >= LINE_SECONDS):
            self._last_line = time.monotonic()
            typer.echo(f"{name} {done}/{of} {more}".rstrip(), err=True)
        elif is_news and more:
            self._bar.console.print(f"{name} {done}/{of} {more}", highlight=False)


def _part(record: Mapping[str, Any]) -> tuple[str, int, int]:
    if "encoding" in record:
        return f"encoding {record['encoding']}", record["done"], record["of"]
    if "calibrating" in record:
        return f"calibrating {record['calibrating']}", record["done"], record["of"]
    return "training", record["step"], record["of"]


def _numbers(record: Mapping[str, Any]) -> str:
    """The numbers worth watching, on one line."""
    watched = (
        "rows", "mean_tokens", "device", "loss", "eval_loss", "token_loss", "rows_s", "accuracy", "macro_f1",
    )  # fmt: skip
    return "  ".join(f"{key} {record[key]}" for key in watched if key in record)
