"""What commands and processes import before they work: nothing large that they don't need."""

import json
import subprocess
import sys
from typing import Final

SERVERS: Final = {
    "alembic",
    "celery",
    "fastapi",
    "opentelemetry.exporter",
    "psycopg",
    "redis",
    "sqlalchemy",
    "sqlmodel",
    "starlette",
    "uvicorn",
}
MODELS: Final = {"huggingface_hub", "numpy", "onnxruntime", "sklearn", "tokenizers", "torch", "transformers"}
RULES: Final = {"ace.claims.checks", "ace.claims.reading", "py3langid"}
SETTINGS: Final = {"asyncio", "httpx", "pydantic", "rich"}

# In this order in one process, because nothing is unloaded: (what runs, what is not imported by then).
STEPS: Final = [
    ("run('--version')", SERVERS | MODELS | RULES | SETTINGS),
    ("run('--help')", SERVERS | MODELS | RULES | SETTINGS),
    ("run('status', 'F-1', '--url', 'http://127.0.0.1:1', '--key', 'k')", SERVERS | MODELS | RULES),
    (
        "import ace.workers.dispatcher",
        {"alembic", "fastapi", "opentelemetry.exporter", "uvicorn"} | MODELS | RULES,
    ),
    ("import ace.workers.gatekeeper, ace.workers.expert, ace.workers.webhooks", {"opentelemetry.exporter"}),
    ("import ace.api.app", {"opentelemetry.exporter"}),
]

SCRIPT: Final = """
import contextlib, io, json, sys
from ace.cli import app

def run(*words):
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        app(words, standalone_mode=False)

for step, unwanted in json.loads(sys.argv[1]):
    with contextlib.suppress(SystemExit):
        exec(step)
    print(json.dumps([step, sorted(set(unwanted) & set(sys.modules))]))
"""


def test_nothing_large_is_imported_without_need() -> None:
    steps = json.dumps([(step, sorted(unwanted)) for step, unwanted in STEPS])
    done = subprocess.run([sys.executable, "-c", SCRIPT, steps], capture_output=True, text=True, check=True)
    assert [json.loads(line) for line in done.stdout.splitlines()] == [[step, []] for step, _ in STEPS]
