"""What the senders sleep with; tests hand in their own."""

from collections.abc import Awaitable, Callable

AsyncSleep = Callable[[float], Awaitable[object]]
Sleep = Callable[[float], object]
