"""A simulated server on real sockets: what breaks below HTTP, outages, places, and a clean end."""

import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from time import monotonic
from typing import Any

import httpx2
import pytest

from ace.claims.model import ClaimInput
from ace.errors import Unavailable
from ace.expert.client.dialects import Dialect, body
from ace.expert.prompt.copt import PROMPT
from ace_lab.simulator.server import Simulator, SimulatorProcess
from tests.unit.expert.test_contract import validate
from tests.waiting import wait_for

CLAIM = ClaimInput(2, "The lamp of claim 1, wherein the shade is red.", ("1. A lamp comprising a base.",))
QUESTION = body(Dialect.TGI, PROMPT.messages(CLAIM, 2), PROMPT.schema, max_tokens=1024)
CHAT = "/v1/chat/completions"


@pytest.fixture(scope="module")
def client() -> Iterator[httpx2.Client]:
    """One for all: making one takes longer than most tests."""
    with httpx2.Client(timeout=60.0, limits=httpx2.Limits(max_keepalive_connections=0)) as made:
        yield made


def listens(simulator: Simulator) -> bool:
    host, port = simulator.url.removeprefix("http://").split(":")
    try:
        socket.create_connection((host, int(port)), timeout=5).close()
    except ConnectionRefusedError:
        return False
    return True


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("fault", "error"), [("reset", httpx2.ReadError), ("closed", httpx2.RemoteProtocolError)]
)
def test_a_connection_ends_in_the_middle_of_the_body(
    client: httpx2.Client, stream: bool, fault: str, error: type[Exception]
) -> None:
    with Simulator(script=[{"fault": fault}]).run() as simulator:
        received: list[bytes] = []
        with client.stream("POST", simulator.url + CHAT, json={**QUESTION, "stream": stream}) as response:
            with pytest.raises(error):
                received.extend(response.iter_raw())
            length = int(response.headers["content-length"])
        assert response.status_code == 200
        assert 100 < len(b"".join(received)) < length
        assert client.post(simulator.url + CHAT, json=QUESTION).status_code == 200


def test_a_hang_holds_its_place_until_the_client_leaves(client: httpx2.Client) -> None:
    with Simulator(slots=1, script=[{"fault": "hang"}]).run() as simulator:
        leaving = HTTPConnection(simulator.url.removeprefix("http://"))
        leaving.request("POST", CHAT, json.dumps(QUESTION), {"content-type": "application/json"})
        wait_for(lambda: simulator.stats()["in_flight"] == 1, "a question in flight")
        leaving.close()
        wait_for(lambda: simulator.stats()["in_flight"] == 0, "its place to be free")
        assert client.post(simulator.url + CHAT, json=QUESTION).status_code == 200
        stats = simulator.stats()
        assert (stats["calls"], stats["left"], stats["statuses"]) == (2, 1, {"200": 1})


def test_a_drip_keeps_every_read_alive(client: httpx2.Client) -> None:
    with Simulator(script=[{"fault": "drip"}], drip_seconds=0.001).run() as simulator:
        with client.stream("POST", simulator.url + CHAT, json=QUESTION) as response:
            parts = [part for part in response.iter_raw() if part]
        assert len(parts) > 20
        assert json.loads(b"".join(parts))["choices"][0]["finish_reason"] == "stop"


def test_refused_closes_the_door(client: httpx2.Client) -> None:
    with Simulator(script=[{"fault": "refused"}], refused_seconds=600.0).run() as simulator:
        with pytest.raises(httpx2.ReadError):
            client.post(simulator.url + CHAT, json=QUESTION)
        assert not listens(simulator)


def test_a_closed_door_opens_again(client: httpx2.Client) -> None:
    with Simulator(script=[{"fault": "refused"}], refused_seconds=0.1).run() as simulator:
        with pytest.raises(httpx2.ReadError):
            client.post(simulator.url + CHAT, json=QUESTION)
        wait_for(lambda: listens(simulator), "the door to open")
        assert client.post(simulator.url + CHAT, json=QUESTION).status_code == 200


@pytest.mark.parametrize(("seconds", "ends"), [(600, False), (0.1, True)])
def test_an_outage_cuts_everyone_off(client: httpx2.Client, seconds: float, ends: bool) -> None:
    with Simulator(script=[{"fault": "hang"}]).run() as simulator, ThreadPoolExecutor(1) as pool:
        asked = pool.submit(client.post, simulator.url + CHAT, json=QUESTION)
        wait_for(lambda: simulator.stats()["in_flight"] == 1, "a question in flight")
        assert client.post(f"{simulator.url}/simulator/down", params={"seconds": seconds}).status_code == 200
        with pytest.raises(httpx2.ReadError):
            asked.result()
        if ends:
            wait_for(lambda: listens(simulator), "the door to open")
            assert client.post(simulator.url + CHAT, json=QUESTION).status_code == 200
        else:
            assert not listens(simulator)


@pytest.mark.parametrize("seconds", ["-1", "0", "never", "1e9"])
def test_an_outage_has_an_end(client: httpx2.Client, seconds: str) -> None:
    with Simulator().run() as simulator:
        refused = client.post(f"{simulator.url}/simulator/down", params={"seconds": seconds})
        assert refused.status_code == 422


@pytest.mark.parametrize(
    ("dialect", "queue", "statuses"),
    [("tgi", None, [200, 429]), ("tgi", 1, [200, 200]), ("vllm", 0, [200, 503]), ("vllm", None, [200, 200])],
)
def test_who_waits_and_who_is_turned_away(
    client: httpx2.Client, dialect: str, queue: int | None, statuses: list[int]
) -> None:
    # given a place that is held until the test says otherwise
    over = threading.Event()
    simulated = Simulator(
        dialect=dialect, slots=1, queue=queue, answer=lambda _: {"content": str(over.wait(60))}
    )
    question = body(Dialect(dialect), PROMPT.messages(CLAIM, 2), PROMPT.schema, max_tokens=64)
    with simulated.run() as simulator, ThreadPoolExecutor(2) as pool:
        first = pool.submit(client.post, simulator.url + CHAT, json=question)
        wait_for(lambda: simulator.stats()["in_flight"] == 1, "a question in flight")
        held_from = monotonic()
        second = pool.submit(client.post, simulator.url + CHAT, json=question)
        wait_for(
            lambda: simulator.stats()["waiting"] == 1 or second.done(), "the second to wait or be turned away"
        )
        held_seconds = monotonic() - held_from
        over.set()
        assert [first.result().status_code, second.result().status_code] == statuses
        wait_for(lambda: simulator.stats()["in_flight"] == 0, "its place to be free")
        stats = simulator.stats()
        assert stats["max_in_flight"] == 1
        assert stats["busy_seconds"] >= round(held_seconds, 3) > 0


def test_what_was_asked_is_kept_on_request_only(client: httpx2.Client) -> None:
    with Simulator(kept_requests=2).run() as simulator:
        for number in range(3):
            client.post(simulator.url + CHAT, json={**QUESTION, "seed": number})
        assert [each["seed"] for each in simulator.requests] == [1, 2]
        assert simulator.requests[0] == {**QUESTION, "seed": 1}
    with Simulator().run() as simulator:
        client.post(simulator.url + CHAT, json=QUESTION)
        assert simulator.requests == []


def test_a_pace_shapes_the_stream(client: httpx2.Client) -> None:
    with Simulator(tokens_per_second=2_000).run() as simulator:
        started = monotonic()
        question = {**QUESTION, "stream": True, "stream_options": {"include_usage": True}}
        events = client.post(simulator.url + CHAT, json=question).text.split("\n\n")
        seconds = monotonic() - started
        tokens = json.loads(events[-3].removeprefix("data: "))["usage"]["completion_tokens"]
        assert len(events) - 4 == -(-tokens // 40)  # 20 ms of tokens in each event
        assert seconds >= tokens / 2_000


def test_it_ends_without_a_trace(client: httpx2.Client) -> None:
    before = set(threading.enumerate())
    with Simulator(script=[{"fault": "hang"}]).run() as simulator, ThreadPoolExecutor(1) as pool:
        asked = pool.submit(client.post, simulator.url + CHAT, json=QUESTION)
        wait_for(lambda: simulator.stats()["in_flight"] == 1, "a question in flight")
        simulator.down(60.0)
        with pytest.raises(httpx2.ReadError):
            asked.result()
    assert not listens(simulator)
    wait_for(lambda: set(threading.enumerate()) <= before, "the threads to end")


def test_a_port_in_use_is_said() -> None:
    with (
        Simulator().run() as simulator,
        pytest.raises(Unavailable, match="cannot listen"),
        Simulator(port=int(simulator.url.rsplit(":", 1)[1])).run(),
    ):
        pass


def test_all_that_it_says_as_tgi_is_in_tgis_contract(client: httpx2.Client) -> None:
    errors = ["overloaded", "unavailable", "validation", "too_long", "generation", "incomplete"]
    with Simulator(script=[{}, {}, *({"fault": fault} for fault in errors)]).run() as simulator:

        def ask(**fields: Any) -> httpx2.Response:
            return client.post(simulator.url + CHAT, json={**QUESTION, **fields})

        validate(ask().json(), "ChatCompletion")
        for event in ask(stream=True, stream_options={"include_usage": True}).text.split("\n\n")[:-2]:
            validate(json.loads(event.removeprefix("data: ")), "ChatCompletionChunk")
        refused = [ask() for _ in errors]
        assert [each.status_code for each in refused] == [429, 502, 422, 422, 424, 500]
        for answer in refused:
            if answer.status_code != 502:  # a proxy's, which has no contract
                validate(answer.json(), "ErrorResponse")
        validate(client.get(f"{simulator.url}/info").json(), "Info")


def test_a_process_of_its_own() -> None:
    with SimulatorProcess("--dialect", "vllm", "--slots", "2", "--answers", "canned") as simulator:
        question = body(Dialect.VLLM, PROMPT.messages(CLAIM, 2), PROMPT.schema, max_tokens=64, model="any")
        simulator.follow({"fault": "overloaded"}, {})
        statuses = [httpx2.post(simulator.url + CHAT, json=question).status_code for _ in range(2)]
        assert statuses == [429, 200]
        stats = simulator.stats()
        assert (stats["simulates"], stats["statuses"]) == ("vllm", {"200": 1, "429": 1})
    with pytest.raises(httpx2.ConnectError):
        httpx2.get(simulator.url)


def test_a_process_that_cannot_start_says_so() -> None:
    with pytest.raises(Unavailable, match="did not start"), SimulatorProcess("--fault", "gremlins=1"):
        pass
