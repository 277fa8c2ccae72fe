"""Folders, files and sockets that nobody else can reach, whatever the umask says."""

import os
import socket
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from ace.errors import NotConfigured
from ace.local.private import (
    LONGEST_SOCKET_PATH,
    listen_tcp,
    listen_unix,
    own_folder,
    private_file,
    private_folder,
    socket_folder,
)


@pytest.fixture(autouse=True)
def careless() -> Iterator[None]:
    """A umask that takes nothing away."""
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_folder_is_shut_to_others_whether_it_is_new_or_not(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir(mode=0o777)

    assert mode(private_folder(tmp_path / "old")) == 0o700
    assert mode(private_folder(tmp_path / "a" / "new")) == 0o700


def test_a_folder_of_ones_own_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir(mode=0o710)

    assert mode(own_folder(tmp_path / "old")) == 0o710
    assert mode(own_folder(tmp_path / "new")) == 0o700


def test_a_folder_that_everybody_uses_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    tmp_path.chmod(0o1777)

    with pytest.raises(NotConfigured, match="shared with other users"):
        private_folder(tmp_path)

    assert mode(tmp_path) == 0o1777


def test_a_folder_of_another_user_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: tmp_path.stat().st_uid + 1)

    with pytest.raises(NotConfigured, match="shared with other users"):
        private_folder(tmp_path)


def test_a_file_is_for_its_owner_alone_also_if_it_was_there_before(tmp_path: Path) -> None:
    (tmp_path / "old").touch(mode=0o666)

    for name in ("old", "new"):
        with private_file(tmp_path / name, "a") as file:
            file.write("told")
        assert mode(tmp_path / name) == 0o600
        assert (tmp_path / name).read_text() == "told"


def test_a_socket_whose_path_is_too_long_gets_a_private_folder_of_its_own_for_a_while(tmp_path: Path) -> None:
    fits = tmp_path / ("f" * (LONGEST_SOCKET_PATH - len(str(tmp_path)) - len("//a.sock")))
    long = tmp_path / f"{fits.name}f"

    with socket_folder(fits, "a.sock") as near, socket_folder(long, "a.sock") as far:
        assert near == fits
        assert far != long
        assert mode(far) == 0o700
    assert not far.exists()


def test_a_unix_socket_replaces_one_that_was_left_behind(tmp_path: Path) -> None:
    listen_unix(tmp_path / "a.sock").close()

    with listen_unix(tmp_path / "a.sock") as listener:
        assert listener.getsockname() == str(tmp_path / "a.sock")
        assert mode(tmp_path / "a.sock") == 0o600


def test_a_port_that_somebody_holds_is_refused_with_the_remedy() -> None:
    with listen_tcp("127.0.0.1", 0) as held:
        port = held.getsockname()[1]

        with pytest.raises(NotConfigured, match=rf"port {port} on 127\.0\.0\.1 .*in use.*--port") as caught:
            listen_tcp("127.0.0.1", port)

    assert caught.value.__cause__ is None


def test_an_answer_does_not_wait_for_its_own_head_to_be_acknowledged() -> None:
    with listen_tcp("127.0.0.1", 0) as listener, socket.create_connection(listener.getsockname()):
        taken, _ = listener.accept()
        with taken:
            assert taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
