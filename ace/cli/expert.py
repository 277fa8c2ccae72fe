"""`ace expert`: the LLM servers that ACE asks."""

from __future__ import annotations

from ace.cli.app import app, examples, group

expert = group("Look at the servers of the expert.", examples("ace expert probe http://127.0.0.1:8080"))
app.add_typer(expert, name="expert")
