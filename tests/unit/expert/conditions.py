"""What tests of servers wait for and where nobody listens."""

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_LONGEST_SECONDS = 60.0


def until(true: Callable[[], bool]) -> None:
    """Waits for a condition that has to come true; the limit is only there to end a test that hangs."""
    end = time.monotonic() + _LONGEST_SECONDS
    while not true():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.005)


@contextmanager
def free_port() -> Iterator[int]:
    """A port of loopback that nobody else is given; who asks to reuse addresses may listen there."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as bound:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]
