"""A request leaves as one piece, and an answer that comes before its end counts."""

from collections.abc import Iterable

import httpcore2

from ace.expert.client.transport import BoundedBackend


class Recorded(httpcore2.NetworkStream):
    """A connection that keeps what is written, until it breaks, and has an answer ready."""

    def __init__(self, *, breaks_after: int = 100) -> None:
        self.written: list[bytes] = []
        self._breaks_after = breaks_after

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        if len(self.written) == self._breaks_after:
            raise httpcore2.WriteError
        self.written.append(buffer)

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return b"HTTP/1.1 413 No\r\n\r\n"

    def close(self) -> None:
        pass


class Dialling(BoundedBackend):
    def __init__(self, stream: httpcore2.NetworkStream) -> None:
        super().__init__(10_000)
        self._stream = stream
        self.start(60)

    def dial(
        self,
        host: str,
        port: int,
        timeout: float | None,
        local_address: str | None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None,
    ) -> httpcore2.NetworkStream:
        return self._stream


def test_head_and_body_are_sent_together_when_the_answer_is_read() -> None:
    recorded = Recorded()
    stream = Dialling(recorded).connect_tcp("receiver.example", 443)
    stream.write(b"head ")
    stream.write(b"body")
    stream.write(b"")
    assert recorded.written == []
    assert stream.read(100).startswith(b"HTTP/1.1 413")
    assert recorded.written == [b"head body"]
    stream.read(100)
    assert recorded.written == [b"head body"]


def test_a_long_request_is_sent_in_pieces_and_whole() -> None:
    recorded = Recorded()
    stream = Dialling(recorded).connect_tcp("receiver.example", 443)
    sent = bytes(range(256)) * 64
    stream.write(b"head ")
    stream.write(sent)
    stream.write(b" end")
    stream.read(100)
    assert b"".join(recorded.written) == b"head " + sent + b" end"
    assert max(map(len, recorded.written)) == 4_096


def test_the_answer_of_a_receiver_that_no_longer_reads_counts() -> None:
    stream = Dialling(Recorded(breaks_after=0)).connect_tcp("receiver.example", 443)
    stream.write(b"head")
    assert stream.read(100).startswith(b"HTTP/1.1 413")
