"""A Ray cluster of this machine alone.

Ray listens on all addresses; a token of this cluster keeps others out.
"""

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def ray_cluster(cpus: int) -> Iterator[Any]:
    """The module `ray`, connected. It needs the extra `ray`."""
    import ray

    os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))  # or Ray keeps one in the home folder
    folder = tempfile.mkdtemp(prefix="ray-")  # sockets lie in it, whose names must be short
    try:
        ray.init(
            num_cpus=cpus,
            include_dashboard=False,
            log_to_driver=False,
            object_store_memory=100_000_000,
            _temp_dir=folder,
        )
        yield ray
    finally:
        ray.shutdown()
        shutil.rmtree(folder, ignore_errors=True)
