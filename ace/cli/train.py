"""`ace train`: models from data sets."""

from __future__ import annotations

from ace.cli.app import app, examples, group

train = group("Train models.", examples("ace train gatekeeper --data data --out models/gatekeeper"))
app.add_typer(train, name="train")
