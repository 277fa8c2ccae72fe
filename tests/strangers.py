"""Programs that run as another user of this machine. Only root can start them."""

import os
import subprocess
import sys
from typing import Final

import pytest

NOBODY: Final = 65534
# It changes its user itself, after its imports: another user may not be able to read our interpreter.
_OPENING: Final = f"""
import os, socket, sys
os.setgroups([]); os.setgid({NOBODY}); os.setuid({NOBODY})
"""

only_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can start programs as another user")


def stranger(script: str, *arguments: str) -> "subprocess.Popen[str]":
    """A Python program of the user nobody with os, socket and sys; what it prints comes through a pipe."""
    return subprocess.Popen(
        [sys.executable, "-c", _OPENING + script, *arguments], stdout=subprocess.PIPE, text=True
    )


def strangers_answer(script: str, *arguments: str) -> str:
    """What such a program prints until it ends."""
    return stranger(script, *arguments).communicate(timeout=60)[0].strip()
