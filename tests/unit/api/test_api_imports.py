"""What the API process carries: no model, no Celery, little memory, nothing done at import."""

import json
import subprocess
import sys

HEAVY = {"torch", "transformers", "onnxruntime", "tokenizers", "huggingface_hub", "celery", "kombu"}
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
