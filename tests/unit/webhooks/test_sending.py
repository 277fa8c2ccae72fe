"""One request to a receiver: TLS by the name, no redirects, no proxies, bounded answers."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ace.webhooks.addresses import networks_of
from ace.webhooks.sending import FAULTS, MAX_ANSWER_BYTES, Reach, Receiver, fault_of
from ace.webhooks.urls import UrlRefused
from tests import tls
from tests.receivers import Reply, receiving

LOOPBACK = networks_of("127.0.0.0/8")
REACH = Reach(http=True, networks=LOOPBACK, timeout_seconds=5.0)


@pytest.fixture(scope="module")
def authorities(tmp_path_factory: pytest.TempPathFactory) -> tls.Authorities:
    return tls.authorities(tmp_path_factory.mktemp("authorities"))


def loopback(host: str, port: int) -> list[str]:
    return ["127.0.0.1"]


def test_the_name_is_for_tls_and_the_address_for_the_connection(authorities: tls.Authorities) -> None:
    trusted = tls.context(authorities.trusted.signs("hooks.example"))
    reach = Reach(networks=LOOPBACK, ca_file=authorities.trusted.file)
    with receiving(trusted=trusted) as receiver:
        url = receiver.url.replace("localhost", "hooks.example")
        with Receiver(url, reach, loopback) as connection:
            assert connection.post(b"{}", {"webhook-id": "1"}).status == 204
            assert connection.post(b"{}", {"webhook-id": "2"}).status == 204
    assert receiver.ids() == ["1", "2"]
    assert receiver.came[0].headers["host"] == url.split("/")[2]


@pytest.mark.parametrize("wrong", ["another name", "unknown authority", "expired"])
def test_a_certificate_that_does_not_fit_ends_it_before_anything_is_sent(
    authorities: tls.Authorities, wrong: str
) -> None:
    signer = authorities.foreign if wrong == "unknown authority" else authorities.trusted
    name = "other.example" if wrong == "another name" else "hooks.example"
    trusted = tls.context(signer.signs(name, days=-1 if wrong == "expired" else 30))
    reach = Reach(networks=LOOPBACK, ca_file=authorities.trusted.file)
    with (
        receiving(trusted=trusted) as receiver,
        Receiver(receiver.url.replace("localhost", "hooks.example"), reach, loopback) as connection,
    ):
        assert connection.post(b"{}", {}).fault == "tls"
    assert receiver.came == []


def test_a_redirect_is_an_answer_and_is_not_followed() -> None:
    with (
        receiving() as inner,
        receiving(lambda _: Reply(307, {"Location": inner.url})) as outer,
        Receiver(outer.url, REACH) as connection,
    ):
        assert connection.post(b"{}", {}).status == 307
    assert inner.came == []


def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    with receiving() as receiver, Receiver(receiver.url, REACH) as connection:
        assert connection.post(b"{}", {}).status == 204


def test_what_the_receiver_says_is_read_up_to_a_bound_and_does_not_count() -> None:
    with (
        receiving(lambda _: Reply(200, body=b"x" * 10 * MAX_ANSWER_BYTES)) as receiver,
        Receiver(receiver.url, REACH) as connection,
    ):
        for _ in range(2):  # the second one on a new connection
            assert connection.post(b"{}", {}).status == 200


def test_the_url_is_judged_again_by_the_settings_of_now() -> None:
    with pytest.raises(UrlRefused):
        Receiver("http://127.0.0.1/", Reach())


@contextmanager
def saying(words: bytes, *, stay: bool = False) -> Iterator[str]:
    """A server that says these words to whoever posts `{}` to it."""
    done = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            connection, _ = server.accept()
            with connection:
                came = b""
                while not came.endswith(b"{}"):  # the body comes after the headers
                    came += connection.recv(65_536)
                connection.sendall(words)
                if stay:
                    done.wait(60)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/"
        done.set()
        thread.join()


@pytest.mark.parametrize(
    ("words", "stay", "fault"),
    [
        (b"", False, "not_http"),
        (b"SSH-2.0-OpenSSH_9.2\r\n", False, "not_http"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000, True, "answer_too_long"),
        (b"HTTP/1.1 100 Continue\r\n\r\n" * 4_000, True, "answer_too_long"),
        (b"HTTP/1.1 2", True, "timeout"),
    ],
)
def test_what_is_no_answer_is_a_fault(words: bytes, stay: bool, fault: str) -> None:
    reach = Reach(http=True, networks=LOOPBACK, timeout_seconds=0.5 if fault == "timeout" else 5.0)
    with saying(words, stay=stay) as url, Receiver(url, reach) as connection:
        assert connection.post(b"{}", {}).fault == fault


def test_nobody_there_is_a_fault(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with Receiver(f"http://127.0.0.1:{port}/", REACH) as connection:
        assert connection.post(b"{}", {}).fault == "unreachable"


def test_a_name_that_leads_nowhere_is_a_fault() -> None:
    with Receiver(f"https://{'a' * 64}.example/", REACH) as connection:
        assert connection.post(b"{}", {}).fault == "unknown_name"


def test_an_error_of_our_own_is_not_taken_for_one_of_the_receiver() -> None:
    with pytest.raises(ZeroDivisionError):
        fault_of(ZeroDivisionError())
    assert len(set(FAULTS)) == len(FAULTS)
