"""What the API process carries: no model, no Celery, no Alembic, little memory, nothing done at import."""

import json
import subprocess
import sys

HEAVY = {
    "alembic",
    "celery",
    "huggingface_hub",
    "kombu",
    "numpy",
    "onnxruntime",
    "tokenizers",
    "torch",
    "transformers",
}
SCRIPT = """
import json, os, sys, threading
import ace.api.app
print(json.dumps({
    "modules": sorted({name.split(".")[0] for name in sys.modules}),
    "threads": threading.active_count(),
    "mb": int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6,
}))
"""


def test_api_is_light() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, check=True)
    told = json.loads(done.stdout)
    assert HEAVY.isdisjoint(told["modules"])
    assert told["threads"] == 1
    assert told["mb"] < 160
