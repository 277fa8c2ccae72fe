"""`ace evaluate`: how good a model directory is, with or without an expert."""

from __future__ import annotations

from ace.cli.app import app, examples, group

evaluate = group(
    "Measure a gatekeeper, alone and with an expert.",
    examples("ace evaluate --model models/gatekeeper/int8 --data data --out report"),
    invoke_without_command=True,
)
app.add_typer(evaluate, name="evaluate")
