"""One trace from the request that files claims to the webhook that tells of them, through real processes."""

import itertools
import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from ace.gatekeeper.loading import FOR_ANY_EXPERT
from ace.local import samples
from ace.local.stack import Stack
from ace.settings import Settings
from patent_ace_client import Client
from tests.collector import Collector, Seen, collecting
from tests.receivers import Receiver, receiving
from tests.waiting import wait_for

pytestmark = pytest.mark.slow

TRACE = "0af7651916cd43dd8448eb211c80319c"
CLIENT = "b7ad6b7169203331"
REQUEST = "docketing-4711"


@pytest.fixture(scope="module")
def collector() -> Iterator[Collector]:
    with collecting() as started:
        yield started


@pytest.fixture(scope="module")
def receiver() -> Iterator[Receiver]:
    with receiving() as started:
        yield started


@pytest.fixture(scope="module")
def stack(data_dir: Path, collector: Collector) -> Iterator[Stack]:
    """A stack that sends its spans away, soon."""
    folder = Path(tempfile.mkdtemp(dir=data_dir))
    settings = Settings(
        calibration=FOR_ANY_EXPERT,
        data_dir=folder,
        port=0,
        traces_url=collector.url,
        access_log=True,
        webhook_http=True,
        webhook_networks="127.0.0.0/8",
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OTEL_BSP_SCHEDULE_DELAY", "100")
        with Stack(settings, quiet=True) as running:
            yield running


def file(stack: Stack, sample: samples.Sample, headers: dict[str, str]) -> str:
    """Files the claims of a sample; the id of the filing."""
    filed = httpx.post(
        f"{stack.url}/v1/filings",
        headers={"Authorization": f"Bearer {stack.key}", **headers},
        json={"docket": sample.docket, "claims": sample.text},
    )
    assert filed.status_code == 202
    return str(filed.json()["filing"])


@pytest.fixture(scope="module")
def trace(stack: Stack, collector: Collector, receiver: Receiver) -> list[Seen]:
    """The spans of one filing, of which the expert decided one claim at least, in its client's trace."""
    with Client(stack.url, stack.key) as api:
        # Which of the samples is that? Each is filed alone, so that no message carries two.
        escalates = next(
            sample
            for sample in samples.load()
            if any(one.decided_by == "expert" for one in api.wait(file(stack, sample, {})))
        )
        webhook = {"url": receiver.url, "events": ["filing.settled"]}
        made = httpx.post(
            f"{stack.url}/v1/webhooks", headers={"Authorization": f"Bearer {stack.key}"}, json=webhook
        )
        assert made.status_code == 201
        context = {"traceparent": f"00-{TRACE}-{CLIENT}-01", "tracestate": "client=zirconquilt"}
        filing = file(stack, escalates, {**context, "X-Request-Id": REQUEST})
        api.wait(filing)
    wait_for(lambda: receiver.came, "the webhook")

    def spans() -> list[Seen] | None:
        found = [one for one in collector.spans() if one.trace == TRACE]
        ended = {one.name for one in found}
        sent = {one.facts["ace.queue"] for one in named(found, "dispatch")}
        whole = {"file", "screen", "examine", "deliver", "POST /v1/filings"} <= ended
        return found if whole and {"fast", "slow", "webhooks"} <= sent else None

    return wait_for(spans, "the spans of all processes")


def named(trace: list[Seen], name: str) -> list[Seen]:
    return [one for one in trace if one.name == name]


def the(trace: list[Seen], name: str, **facts: str) -> Seen:
    """The only span of this name with these facts."""
    wanted = {f"ace.{key}": value for key, value in facts.items()}
    (found,) = [one for one in named(trace, name) if wanted.items() <= one.facts.items()]
    return found


def test_the_request_continues_the_trace_of_its_client(trace: list[Seen]) -> None:
    request = the(trace, "POST /v1/filings")
    assert (request.process, request.parent) == ("ace-api", CLIENT)
    assert request.facts == {
        "http.request.method": "POST",
        "http.response.status_code": 202,
        "http.route": "/v1/filings",
        "url.scheme": "http",
    }


def test_every_step_hangs_on_the_one_before(trace: list[Seen]) -> None:
    file = the(trace, "file")
    assert (file.process, file.parent) == ("ace-api", the(trace, "POST /v1/filings").id)
    assert file.facts["ace.filings"] == 1
    for queue, work, process in (
        ("fast", "screen", "ace-gatekeeper"),
        ("slow", "examine", "ace-expert-worker"),
        ("webhooks", "deliver", "ace-webhook-worker"),
    ):
        steps = [one for one in named(trace, "dispatch") if one.facts["ace.queue"] == queue]
        done = named(trace, work)
        assert {one.parent for one in steps} == {file.id}, queue
        assert {one.process for one in steps} == {"ace-dispatcher"}
        assert {one.process for one in done} == {process}
        assert {(one.parent, one.facts["ace.message"]) for one in done} == {
            (one.id, one.facts["ace.message"]) for one in steps
        }


def test_every_claim_is_screened_and_the_doubtful_ones_are_examined(trace: list[Seen]) -> None:
    screens = named(trace, "screen")
    assert sum(int(one.facts["ace.claims"]) for one in screens) == the(trace, "file").facts["ace.claims"]
    escalated = sum(int(one.facts["ace.escalated"]) for one in screens)
    examined = named(trace, "examine")
    assert len({one.facts["ace.evaluation"] for one in examined}) == len(examined) == escalated > 0
    # Each asks its server, which could go on with the trace.
    asked = named(trace, "POST")
    assert {one.parent for one in asked} == {one.id for one in examined}


def test_the_webhook_was_told_last(trace: list[Seen]) -> None:
    deliver = the(trace, "deliver")
    assert (deliver.facts["ace.deliveries"], deliver.facts["ace.accepted"]) == (1, 1)
    order = ["POST /v1/filings", "file", "dispatch", "screen", "dispatch", "examine", "dispatch", "deliver"]
    firsts = [name for name, _ in itertools.groupby(one.name for one in trace if one.name != "POST")]
    assert [firsts[0], firsts[-1]] == [order[0], order[-1]]
    assert set(firsts) == set(order)


def test_no_span_is_of_anything_else_and_none_holds_text(trace: list[Seen], collector: Collector) -> None:
    names = {"POST /v1/filings", "file", "dispatch", "screen", "examine", "POST", "deliver"}
    assert {one.name for one in trace} == names
    assert b"zirconquilt" not in collector.bodies
    words = {word for one in samples.load() for word in re.findall(r"[a-z]{12,}", one.text)}
    assert words
    assert not [word for word in words if word.encode() in collector.bodies]


def test_the_access_log_names_request_trace_and_key(stack: Stack, trace: list[Seen]) -> None:
    log = (stack.settings.data_dir / "logs" / "api.log").read_text().splitlines()
    lines = [json.loads(line) for line in log]
    (line,) = [one for one in lines if one["message"] == "request" and one.get("request_id") == REQUEST]
    assert (line["method"], line["route"], line["status"]) == ("POST", "/v1/filings", 202)
    assert line["trace_id"] == TRACE
    assert line["key"] == stack.key.split("_")[1]
    assert not any(stack.key in one for one in log)
