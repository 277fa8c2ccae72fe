"""An expert on a Unix socket: it is asked like any other, and only if it runs as our own user or as root."""

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import uvicorn

from ace.claims.model import ClaimInput
from ace.errors import ExpertTransient
from ace.expert.client import unix_peer
from ace.expert.client.expert_client import ExpertClient
from ace.expert.client.faults import AnotherUser
from ace.expert.examiner.server import create_app
from tests.strangers import NOBODY, only_root, stranger
from tests.waiting import wait_for

CLAIM = ClaimInput(1, "A zirconfold comprising a plate and a hook that is fixed to the plate.", ())
IMPOSTOR = """
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1])
listener.listen()
print("up", flush=True)
while True:
    if heard := listener.accept()[0].recv(100_000):
        print(heard, flush=True)
"""


@contextmanager
def examiner(path: Path) -> Iterator[None]:
    """The structural examiner on this socket."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        server = uvicorn.Server(uvicorn.Config(create_app(), log_config=None))
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        wait_for(lambda: server.started, "the examiner")
        try:
            yield
        finally:
            server.should_exit = True
            thread.join()
    path.unlink()


def client_of(path: Path) -> ExpertClient:
    return ExpertClient(f"unix://{path}", attempts=1, sleep=lambda _: None)


def test_a_claim_is_examined_over_a_unix_socket(tmp_path: Path) -> None:
    with examiner(tmp_path / "an expert.sock"), closing(client_of(tmp_path / "an%20expert.sock")) as client:
        assert client.examine(CLAIM, 1).rationale.verdict == "Pass"
        assert "rules" in str(client.served().model)


def test_a_server_that_is_away_is_unreachable(tmp_path: Path) -> None:
    with closing(client_of(tmp_path / "away.sock")) as client, pytest.raises(ExpertTransient) as caught:
        client.examine(CLAIM, 1)

    assert caught.value.kind == "unreachable"


@only_root
def test_a_server_of_another_user_is_sent_nothing_and_the_real_one_is_asked_again(tmp_path: Path) -> None:
    folder = Path("/tmp") / f"ace-impostor-{os.getpid()}"  # noqa: S108  # pytest's own folder is shut to others
    folder.mkdir()
    os.chown(folder, NOBODY, NOBODY)
    path = folder / "expert.sock"
    try:
        with closing(client_of(path)) as client:
            impostor = stranger(IMPOSTOR, str(path))
            assert impostor.stdout is not None
            assert impostor.stdout.readline() == "up\n"
            with pytest.raises(ExpertTransient, match="did not prove itself") as caught:
                client.examine(CLAIM, 1)
            impostor.kill()
            heard, _ = impostor.communicate()
            path.unlink()

            assert (caught.value.kind, heard) == ("untrusted", "")
            with examiner(path):
                assert client.examine(CLAIM, 1).rationale.verdict == "Pass"
    finally:
        path.unlink(missing_ok=True)
        folder.rmdir()


@pytest.mark.parametrize(
    ("ours", "theirs", "trusted"), [(7, 7, True), (7, 0, True), (7, 8, False), (0, 8, False)]
)
def test_only_our_own_user_and_root_are_trusted(
    monkeypatch: pytest.MonkeyPatch, ours: int, theirs: int, trusted: bool
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: ours)
    monkeypatch.setattr(unix_peer, "peer_user", lambda _: theirs)
    one, other = socket.socketpair()
    with one, other:
        if trusted:
            unix_peer.refuse_strangers(one)
        else:
            with pytest.raises(AnotherUser):
                unix_peer.refuse_strangers(one)


def test_the_kernel_names_the_user_at_the_other_end() -> None:
    one, other = socket.socketpair()
    with one, other:
        assert unix_peer.peer_user(one) == os.geteuid()
