"""How commands find the stack that runs on a data folder. Starts nothing, and knows no database."""

import fcntl
import json
from pathlib import Path
from typing import Any


def running_stack(folder: Path) -> dict[str, Any]:
    """URL and key of the stack that runs on this data folder; empty if none runs.

    A stack that was killed leaves both behind, and anybody may listen at its URL afterwards. The lock proves
    that it lives: it ends with the process, which also holds the listening socket.
    """
    try:
        with (folder / "lock").open() as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return stored_state(folder)
    except OSError:
        pass
    return {}


def stored_state(folder: Path) -> dict[str, Any]:
    """What the last stack on this data folder wrote down; empty if there is nothing to read."""
    try:
        state = json.loads((folder / "stack.json").read_text())
    except (OSError, ValueError):
        return {}
    return state if isinstance(state, dict) else {}
