"""A server that sends far more than an answer is cut off early, and nothing that it writes is believed."""

import json
import socket
import threading
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import chain, repeat

import pytest

from ace.claims.model import ClaimInput
from ace.errors import ExpertPermanent, ExpertTransient
from ace.expert.client.dialects import Dialect
from ace.expert.client.expert_client import ExpertClient
from ace.expert.client.handling import Blame, handling_of
from ace.expert.client.probing import Probe, look, probe
from ace.expert.client.session import Session

CLAIM = ClaimInput(2, "The lamp of claim 1, wherein the shade is red.", ("1. A lamp comprising a base.",))
GIGABYTE = 2**30
KERNEL_BYTES = 16_000_000  # that the buffers of both sockets may hold beside what the client has read
SECONDS = 60.0
LARGE = b"a" * 65_536
PLAIN = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
CHUNKED = PLAIN + b"transfer-encoding: chunked\r\n\r\n"

Respond = Callable[[bytes], Iterator[bytes]]
"""Makes the pieces of an answer to a request line."""


@dataclass
class Hostile:
    """A server that sends the same to everybody; `sent` counts the bytes it got rid of, by connection."""

    url: str
    sent: list[int] = field(default_factory=list)
    asked: list[bytes] = field(default_factory=list)


@contextmanager
def hostile(respond: Respond) -> Iterator[Hostile]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = Hostile(f"http://127.0.0.1:{listening.getsockname()[1]}")
        talks: list[threading.Thread] = []

        def talk(connection: socket.socket) -> None:
            with connection, suppress(OSError):
                request = connection.recv(65_536)
                server.asked.append(request)
                server.sent.append(0)
                for piece in respond(request):
                    connection.sendall(piece)
                    server.sent[-1] += len(piece)

        def accept() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = listening.accept()
                    talks.append(threading.Thread(target=talk, args=(connection,), daemon=True))
                    talks[-1].start()

        accepting = threading.Thread(target=accept, daemon=True)
        accepting.start()
        try:
            yield server
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            accepting.join(20)
            for each in talks:
                each.join(20)


def always(*begin: bytes, then: bytes = b"") -> Respond:
    """The beginning, and then a gigabyte of one piece."""
    times = -(-GIGABYTE // len(then)) if then else 0
    return lambda request: chain(begin, repeat(then, times))


FLOODS: dict[str, tuple[Respond, str]] = {
    "a body of 1 GB": (always(PLAIN, b"content-length: 1073741824\r\n\r\n", then=LARGE), "oversized"),
    "a body until the end": (always(PLAIN, b"\r\n", then=LARGE), "oversized"),
    "chunks": (always(CHUNKED, then=b"10000\r\n" + LARGE + b"\r\n"), "oversized"),
    "chunks of one byte": (always(CHUNKED, then=b"1\r\na\r\n" * 10_000), "oversized"),
    "chunks with extensions": (
        always(CHUNKED, then=(b"1;" + b"x" * 200 + b"\r\na\r\n") * 100),
        "oversized",
    ),
    "an extension without end": (always(CHUNKED, b"1;", then=LARGE), "reset"),
    "trailers": (always(CHUNKED, b"0\r\n", then=b"x-more: 1\r\n" * 1_000), "reset"),
    "headers": (always(PLAIN, then=b"x-more: 1\r\n" * 1_000), "reset"),
    "a header": (always(PLAIN, b"x-more: ", then=LARGE), "reset"),
    "a status": (always(b"HTTP/1.1 200 ", then=LARGE), "reset"),
    "interim answers": (always(then=b"HTTP/1.1 100 Continue\r\n\r\n" * 1_000), "oversized"),
    "hints": (always(then=b"HTTP/1.1 103 Hints\r\nlink: </a>\r\n\r\n" * 1_000), "oversized"),
    "events": (
        always(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n", then=b"data: {}\n\n" * 1_000),
        "oversized",
    ),
    "a refusal": (always(b"HTTP/1.1 422 No\r\n\r\n", then=LARGE), "oversized"),
    "an outage": (always(b"HTTP/1.1 503 No\r\n\r\n", then=LARGE), "oversized"),
    "a redirect": (always(b"HTTP/1.1 307 Go\r\nlocation: /\r\n\r\n", then=LARGE), "oversized"),
    "a switch of protocols": (
        always(b"HTTP/1.1 101 Switch\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n", then=LARGE),
        "reset",
    ),
    **{
        f"encoded: {coding}": (
            always(PLAIN, f"content-encoding: {coding}\r\n\r\n".encode(), then=LARGE),
            "encoded",
        )
        for coding in ("gzip", "x-gzip", "deflate", "br", "zstd", "GZIP", "gzip, identity", "unheard-of")
    },
}


@pytest.mark.parametrize("dialect", [Dialect.TGI, Dialect.VLLM])
@pytest.mark.parametrize(("respond", "kind"), FLOODS.values(), ids=FLOODS)
def test_a_flood_is_cut_off_and_is_the_servers_fault(respond: Respond, kind: str, dialect: Dialect) -> None:
    with hostile(respond) as server:
        client = ExpertClient(
            server.url, dialect=dialect, model="m", timeout_seconds=SECONDS, attempts=1, sleep=lambda _: None
        )
        with pytest.raises(ExpertTransient) as caught:
            client.examine(CLAIM, 2)
        client.close()
    assert caught.value.kind == kind
    assert handling_of(kind).blame in {Blame.ENDPOINT, Blame.OPERATOR}  # the breaker opens
    assert len(server.sent) == 1
    assert server.sent[0] < KERNEL_BYTES


@pytest.mark.parametrize("path", ["/info", "/version", "/v1/models", "/props"])
@pytest.mark.parametrize("flood", ["a body of 1 GB", "encoded: gzip", "headers", "interim answers"])
def test_what_a_server_reports_of_itself_is_bounded_too(path: str, flood: str) -> None:
    respond, kind = FLOODS[flood]

    def only_there(request: bytes) -> Iterator[bytes]:
        if request.startswith(f"GET {path} ".encode()):
            return respond(request)
        return iter([b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"])

    with hostile(only_there) as server, pytest.raises(ExpertTransient) as caught:
        probe(server.url, timeout_seconds=SECONDS)
    assert caught.value.kind == kind
    assert max(server.sent) < KERNEL_BYTES


def test_a_long_description_of_an_api_is_left_unread_and_no_fault() -> None:
    def described(request: bytes) -> Iterator[bytes]:
        if request.startswith(b"GET /openapi.json "):
            return FLOODS["a body until the end"][0](request)
        return iter([b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"])

    with hostile(described) as server, Session(server.url) as session:
        assert look(session) == Probe(Dialect.OPENAI)
    assert max(server.sent) < KERNEL_BYTES


def test_the_maximum_is_a_setting_and_an_answer_below_it_is_read() -> None:
    for size, kept in ((99_000, True), (101_000, False)):
        text = json.dumps({"choices": [{"message": {"content": "a" * size}}]}).encode()
        answer = PLAIN + b"content-length: %d\r\n\r\n" % len(text) + text
        with hostile(always(answer)) as server, Session(server.url, max_answer_bytes=100_000) as session:
            if kept:
                assert session.ask({}, SECONDS)["choices"][0]["message"]["content"] == "a" * size
            else:
                with pytest.raises(ExpertTransient) as caught:
                    session.ask({}, SECONDS)
                assert caught.value.kind == "oversized"


@pytest.mark.parametrize("dialect", [Dialect.TGI, Dialect.VLLM])
def test_answers_are_asked_for_uncompressed(dialect: Dialect) -> None:
    with hostile(always(b"HTTP/1.1 503 No\r\ncontent-length: 0\r\n\r\n")) as server:
        client = ExpertClient(server.url, dialect=dialect, model="m", attempts=1, timeout_seconds=SECONDS)
        with pytest.raises(ExpertTransient):
            client.examine(CLAIM, 2)
        client.close()
    (request,) = server.asked
    accepted = [line for line in request.lower().split(b"\r\n") if line.startswith(b"accept-encoding")]
    assert accepted == [b"accept-encoding: identity"]


@pytest.mark.parametrize("charset", ["zlib", "bz2", "punycode", "unicode_escape", "utf-16"])
def test_a_charset_unpacks_nothing(charset: str) -> None:
    packed = zlib.compress(bytes(64_000_000))
    head = f"HTTP/1.1 400 No\r\ncontent-type: text/plain; charset={charset}\r\n"
    answer = head.encode() + b"content-length: %d\r\n\r\n" % len(packed) + packed
    with hostile(always(answer)) as server, Session(server.url) as session:
        tracemalloc.start()
        try:
            with pytest.raises(ExpertPermanent) as caught:
                session.ask({}, SECONDS)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert caught.value.kind == "validation"
    assert peak < 8_000_000


ODD = {
    "depth": b"[" * 200_000,
    "objects in objects": b'{"a":' * 100_000,
    "a number without end": b"9" * 500_000,
    "infinities": b'{"model_id": "m", "max_concurrent_requests": Infinity, "max_input_tokens": 1e999,'
    b' "max_total_tokens": NaN}',
    "numbers that fit into nothing": b'{"model_id": "m", "max_concurrent_requests": 1' + b"0" * 40 + b"}",
    "a name that commands a terminal": b'{"model_id": "m\\u001b[2J\\u0000", "max_concurrent_requests": 3}',
    "a long name": b'{"model_id": "' + b"m" * 100_000 + b'", "max_concurrent_requests": 3}',
    "half a letter": b'{"model_id": "\\ud800", "max_concurrent_requests": 3}',
}


@pytest.mark.parametrize("content", ODD.values(), ids=ODD)
def test_odd_reports_are_no_limits_and_no_names(content: bytes) -> None:
    answer = PLAIN + b"connection: close\r\ncontent-length: %d\r\n\r\n" % len(content) + content
    with hostile(always(answer)) as server, Session(server.url) as session:
        found = look(session)
    assert found.model in {None, "m"}
    assert found.max_concurrent in {None, 3}
    assert (found.max_input_tokens, found.max_total_tokens) == (None, None)


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        (b'"content": "\\ud800"', "schema"),
        (b'"content": "{\\"reasoning\\": \\"\\\\ud800\\", \\"verdict\\": \\"Pass\\"}"', "schema"),
        (b'"content": ' + b"[" * 50_000, "unavailable"),
    ],
)
@pytest.mark.parametrize("dialect", [Dialect.TGI, Dialect.VLLM])
def test_odd_answers_are_no_verdicts(message: bytes, kind: str, dialect: Dialect) -> None:
    body = b'{"choices": [{"message": {' + message + b"}}]}"
    answer = PLAIN + b"content-length: %d\r\n\r\n" % len(body) + body
    with hostile(always(answer)) as server:
        client = ExpertClient(server.url, dialect=dialect, model="m", attempts=1, timeout_seconds=SECONDS)
        with pytest.raises(ExpertTransient) as caught:
            client.examine(CLAIM, 2)
        client.close()
    assert caught.value.kind == kind


def test_what_cannot_be_stored_of_a_good_answer_is_left_out() -> None:
    prose = {"reasoning": "No defect was found, so the claim passes.", "verdict": "Pass"}
    body = json.dumps(
        {
            "model": "m\x00",
            "choices": [{"message": {"content": json.dumps(prose)}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 10**40, "completion_tokens": 7},
        }
    ).encode()
    answer = PLAIN + b"content-length: %d\r\n\r\n" % len(body) + body
    with hostile(always(answer)) as server:
        client = ExpertClient(server.url, dialect=Dialect.VLLM, model="m", timeout_seconds=SECONDS)
        found = client.examine(CLAIM, 2)
        client.close()
    assert (found.model, found.prompt_tokens, found.completion_tokens) == ("unknown", None, 7)


def test_a_server_that_reads_slowly_is_left_at_the_deadline() -> None:
    """Whatever the socket takes, the time of the call goes on."""
    over, taken = threading.Event(), [0]
    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
        listening.bind(("127.0.0.1", 0))
        listening.listen()

        def sip() -> None:
            with suppress(OSError):
                connection, _ = listening.accept()
                with connection:
                    while not over.wait(0.02) and (part := connection.recv(65_536)):
                        taken[0] += len(part)

        thread = threading.Thread(target=sip, daemon=True)
        thread.start()
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        with Session(url) as session, pytest.raises(ExpertTransient) as caught:
            session.ask({"messages": "a" * 30_000_000}, 1.0)
        over.set()
        thread.join(20)
    assert caught.value.kind == "timeout"
    assert taken[0] < 20_000_000  # or else the call went on for as long as there was something to send
