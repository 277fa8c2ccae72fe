"""How the senders wait between attempts; tests pass their own."""

from collections.abc import Awaitable, Callable

AsyncSleep = Callable[[float], Awaitable[object]]
Sleep = Callable[[float], object]
