"""Which user runs the server behind a Unix socket, as the kernel reports it: nobody can forge that."""

import os
import socket
import struct
import sys
from typing import Final

from ace.expert.client.faults import AnotherUser

_LOCAL_PEERCRED: Final = 1  # of macOS and the BSDs
_ROOT: Final = 0


def refuse_strangers(connected: socket.socket) -> None:
    """Raises AnotherUser unless the server runs as our own user or as root."""
    if peer_user(connected) not in {os.geteuid(), _ROOT}:
        raise AnotherUser


def peer_user(connected: socket.socket) -> int:
    """The id of the user whose process listens at the other end."""
    if sys.platform == "linux":
        credentials = connected.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
        return int(struct.unpack("3i", credentials)[1])  # struct ucred: process, user, group
    credentials = connected.getsockopt(0, _LOCAL_PEERCRED, 76)
    return int(struct.unpack_from("Ii", credentials)[1])  # struct xucred: version, user, groups
