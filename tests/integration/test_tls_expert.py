"""TLS of the expert: a claim goes to the server that was named and proves it, and nowhere else."""

import contextlib
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import trustme
from sqlalchemy import Engine

from ace.claims.model import ClaimInput
from ace.errors import ExpertPermanent, ExpertTransient, NotConfigured
from ace.expert.client.expert_client import ExpertClient
from ace.processes import stop_process
from ace.settings import Settings
from ace.store import moves
from ace.store.database import transact
from ace.store.tables import Stage
from ace_lab.simulator.server import Simulator
from tests import factories, tls
from tests.waiting import wait_for

TOKEN = "correct-horse-battery"
CLAIM = ClaimInput(1, "A zirconfold comprising a plate and a hook that is fixed to the plate.", ())


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> tls.Authorities:
    return tls.authorities(tmp_path_factory.mktemp("authorities"))


def silent(fault: BaseException) -> None:
    """Nothing that a traceback would print of our own error holds the token or the claim."""
    seen: BaseException | None = fault
    while seen is not None:
        assert TOKEN not in f"{seen!s}{seen!r}"
        assert "zirconfold" not in f"{seen!s}{seen!r}"
        seen = seen.__cause__ if seen.__suppress_context__ else (seen.__cause__ or seen.__context__)


@contextlib.contextmanager
def expert(certificate: trustme.LeafCert) -> Iterator[tuple[str, Simulator]]:
    """An expert over https, and where it is."""
    with (
        Simulator(kept_requests=9).run() as simulator,
        tls.front(port_of(simulator), tls.context(certificate)) as front,
    ):
        yield f"https://localhost:{front.port}", simulator


def port_of(simulator: Simulator) -> int:
    return int(simulator.url.rpartition(":")[2])


def paths(simulator: Simulator) -> list[str]:
    """What was asked of it."""
    return [each.path for each in simulator.received]


def client(url: str, ca_file: Path | None, **more: Any) -> ExpertClient:
    return ExpertClient(url, ca_file=ca_file, timeout_seconds=5, attempts=2, sleep=lambda _: None, **more)


def test_an_expert_with_a_certificate_of_ours_is_asked(ours: tls.Authorities) -> None:
    with expert(ours.trusted.signs("localhost")) as (url, asked):
        answer = client(url, ours.trusted.file).examine(CLAIM, 1)

    assert answer.rationale.verdict in {"Pass", "Fail"}
    assert paths(asked) == ["/v1/chat/completions"]


def test_each_expert_of_a_process_has_its_own_authority(ours: tls.Authorities) -> None:
    with (
        expert(ours.trusted.signs("localhost")) as (one, _),
        expert(ours.foreign.signs("localhost")) as (other, _),
        Simulator().run() as clear,
    ):
        known = [(one, ours.trusted.file), (other, ours.foreign.file), (clear.url, None)]
        clients = [client(*each) for each in known]
        with ThreadPoolExecutor(6) as pool:
            asked = pool.map(lambda asking: asking.examine(CLAIM, 1).calls, clients * 4)
            assert list(asked) == [1] * 12
        with pytest.raises(ExpertTransient) as caught:
            client(one, ours.foreign.file).examine(CLAIM, 1)
        assert caught.value.kind == "untrusted"
        assert clients[0].examine(CLAIM, 1).calls == 1
        clients[0].close()
        assert clients[1].examine(CLAIM, 1).calls == 1


@pytest.mark.slow
def test_the_expert_worker_knows_the_authority_by_its_setting(
    db: Engine, postgres_url: str, broker_url: str, ours: tls.Authorities
) -> None:
    factories.submit(db, factories.new_filing(["A hook that is bent."]))
    leased = factories.lease(db, Stage.FAST)
    assert leased is not None
    doubtful = factories.verdicts(leased.evaluations, escalate=True)
    transact(db, lambda connection: moves.screened(connection, leased.token, doubtful, actor="test"))
    with expert(ours.trusted.signs("localhost")) as (url, asked), contextlib.ExitStack() as running:
        given = {
            "database_url": postgres_url,
            "broker_url": broker_url,
            "expert_url": url,
            "expert_ca_file": ours.trusted.file,
        }
        environment = {**os.environ, **Settings.model_validate(given).environment()}
        for command in (["dispatch"], ["worker", "slow"]):
            process = subprocess.Popen(
                [sys.executable, "-m", "ace", *command], env=environment, stderr=subprocess.DEVNULL
            )
            running.callback(stop_process, process, seconds=20)
        wait_for(lambda: [*factories.states(db).values()] == ["decided"], "the verdict")

    assert paths(asked) == ["/info", "/v1/chat/completions"]


UNTRUSTED: dict[str, tuple[tuple[str, ...], str, int, str | None]] = {
    "signed by another authority": (("localhost",), "foreign", 30, "trusted"),
    "another host's": (("tgi.example.org",), "trusted", 30, "trusted"),
    "expired": (("localhost",), "trusted", -1, "trusted"),
    "unknown to the system": (("localhost",), "trusted", 30, None),
}


@pytest.mark.parametrize("case", UNTRUSTED.values(), ids=UNTRUSTED)
def test_an_expert_with_another_certificate_hears_no_claim(ours: tls.Authorities, case: Any) -> None:
    names, signer, days, known = case
    ca_file = getattr(ours, known).file if known else None
    with (
        expert(getattr(ours, signer).signs(*names, days=days)) as (url, asked),
        pytest.raises(ExpertTransient) as caught,
    ):
        client(url, ca_file, token=TOKEN).examine(CLAIM, 1)

    assert caught.value.kind == "untrusted"
    assert paths(asked) == []
    silent(caught.value)


def test_an_expert_that_speaks_no_tls_hears_no_claim(ours: tls.Authorities) -> None:
    with Simulator(kept_requests=1).run() as clear, pytest.raises(ExpertTransient) as caught:
        client(f"https://localhost:{port_of(clear)}", ours.trusted.file).examine(CLAIM, 1)

    assert caught.value.kind == "unreachable"
    assert paths(clear) == []
    silent(caught.value)


@pytest.mark.parametrize(
    ("url", "content", "complaint"),
    [
        ("https://localhost:1", None, "PEM"),
        ("https://localhost:1", "no certificate", "PEM"),
        ("http://localhost:1", "", "https"),
    ],
)
def test_an_authority_that_cannot_be_used_is_told(
    tmp_path: Path, url: str, content: str | None, complaint: str
) -> None:
    file = tmp_path / "ca.pem"
    if content is not None:
        file.write_text(content)
    with pytest.raises(NotConfigured, match=complaint):
        client(url, file)


@pytest.mark.parametrize("status", [300, 301, 302, 303, 304, 307, 308])
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_redirect_takes_a_claim_nowhere(status: int, scheme: str) -> None:
    answer = {"choices": [{"message": {"content": '{"reasoning": "x", "verdict": "Pass"}'}}]}
    with socket.create_server(("127.0.0.1", 0)) as elsewhere:
        elsewhere.setblocking(False)  # whoever was led here stands in line by now
        location = f"{scheme}://127.0.0.1:{elsewhere.getsockname()[1]}/v1/chat/completions"
        moved = {"status": status, "body": answer, "headers": {"location": location}}
        with (
            Simulator(script=[moved], kept_requests=9).run() as server,
            pytest.raises(ExpertPermanent) as caught,
        ):
            client(server.url, None, token=TOKEN).examine(CLAIM, 1)
        with pytest.raises(BlockingIOError):
            elsewhere.accept()

    assert caught.value.kind == "redirected"
    assert len(paths(server)) == 1
    silent(caught.value)


def test_a_redirect_from_https_to_http_takes_a_claim_nowhere(ours: tls.Authorities) -> None:
    with (
        Simulator(kept_requests=9).run() as clear,
        expert(ours.trusted.signs("localhost")) as (url, server),
    ):
        server.follow({"status": 308, "headers": {"location": f"{clear.url}/v1/chat/completions"}})
        with pytest.raises(ExpertPermanent) as caught:
            client(url, ours.trusted.file).examine(CLAIM, 1)

    assert caught.value.kind == "redirected"
    assert paths(clear) == []
