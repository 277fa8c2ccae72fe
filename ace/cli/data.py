"""`ace data`: data sets to train, calibrate and evaluate on."""

from __future__ import annotations

from ace.cli.app import app, examples, group

data = group("Build data sets with known defects.", examples("ace data build claims.jsonl.gz --out data"))
app.add_typer(data, name="data")
