"""How commands find the stack that runs on a data folder. Starts nothing, and knows no database."""

import fcntl
import json
from pathlib import Path
from typing import Any, Final

from pydantic import SecretStr

from ace.local.private import read_secret
from ace.settings import Settings

SECRET: Final = "secret"  # noqa: S105  # a file’s name
"""The file of the data folder with the secret of a stack whose settings name none."""


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


def settings_beside(settings: Settings) -> Settings:
    """These settings, with the database, calibration and secret of the running stack where they name none.

    A stack on another database than the one that they name is none of theirs.
    """
    stack, named = running_stack(settings.data_dir), settings.database_url
    url = stack.get("database_url")
    if url is None or (named is not None and named.get_secret_value() != url):
        return settings
    found: dict[str, Any] = {"database_url": SecretStr(url)}
    if settings.calibration is None and stack.get("calibration"):
        found["calibration"] = Path(stack["calibration"])
    secret = settings.data_dir / SECRET
    if "secret" not in settings.model_fields_set and secret.exists():
        found["secret"] = SecretStr(read_secret(secret))
    return settings.model_copy(update=found)


def stored_state(folder: Path) -> dict[str, Any]:
    """What the last stack on this data folder wrote down; empty if there is nothing to read."""
    try:
        state = json.loads((folder / "stack.json").read_text())
    except (OSError, ValueError):
        return {}
    return state if isinstance(state, dict) else {}
