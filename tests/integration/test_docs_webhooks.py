"""The receiver of docs/how-to/webhooks.md, run as it is written there."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from sqlalchemy import Engine

from tests import factories
from tests.integration.flow.test_delivering import decide, drain, made
from tests.waiting import wait_for

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "webhooks.md"


@contextmanager
def running(app: Any) -> Iterator[str]:
    """The app behind a real server on a loopback port."""
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_config=None, access_log=False))
    thread = threading.Thread(target=server.run)
    thread.start()
    wait_for(lambda: server.started or not thread.is_alive(), "the receiver")
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


def test_the_receiver_of_the_page_handles_each_event_once(
    db: Engine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = re.search(r"<!-- receiver -->\s+```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    parts: dict[str, Any] = {}
    monkeypatch.setenv("WEBHOOK_SECRETS", "")
    exec(compile(found[1], "receiver.py", "exec"), parts)  # noqa: S102  # our own page

    with running(parts["app"]) as url:
        _, secret = made(db, f"{url}/ace")
        parts["secrets"].append(secret)
        (filing,) = factories.submit(db)
        decide(db)
        drain(db)
        assert httpx.post(f"{url}/ace", content=b"{}").status_code == 401

    told = capsys.readouterr().out.splitlines()
    assert sorted(told) == sorted(
        [f"evaluation.decided /v1/evaluations/{id_}" for _, id_ in filing.evaluations]
        + [f"filing.settled /v1/filings/{filing.filing_id}"]
    )
