"""Server-sent events, put together from the lines of a stream (HTML Living Standard, section 9.2.6)."""

import re
from dataclasses import dataclass, field
from typing import Final

_MILLISECONDS: Final = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class ServerSent:
    """One event: its data, and the id of the last event that had one, which is where to go on."""

    id: str
    data: str


@dataclass
class EventLines:
    """Takes a stream line by line. `retry_seconds` is how long the server wants a client to wait before it
    opens the next stream; None until the server says so."""

    retry_seconds: float | None = None
    _id: str = ""
    _data: list[str] = field(default_factory=list)

    def take(self, line: str) -> ServerSent | None:
        """The event that this line ends, if it ends one. Comments and unknown fields are passed over."""
        if not line:
            data, self._data = self._data, []
            return ServerSent(self._id, "\n".join(data)) if data else None
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "id":
            self._id = value
        elif name == "retry" and _MILLISECONDS.fullmatch(value):
            self.retry_seconds = int(value) / 1_000
        return None
