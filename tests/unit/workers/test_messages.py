"""Messages are made anew from what was checked; anything else is refused before Celery sees it."""

import base64
import json
from typing import Any
from uuid import UUID

import pytest

from ace.settings import Settings
from ace.store.tables import WEBHOOKS, Stage
from ace.workers.app import make_app
from ace.workers.messages import TASKS, checked
from tests.e2e.test_strange_messages import ODD_BUT_OURS, STRANGE, TOKEN, envelope


def said(message: dict[str, Any]) -> Any:
    return json.loads(base64.b64decode(message["body"]))


@pytest.mark.parametrize("queue", [Stage.FAST, Stage.SLOW, WEBHOOKS])
def test_a_message_of_ours_says_what_it_said(queue: str) -> None:
    app = make_app(Settings.model_validate({"broker_url": "redis://broker"}))
    ours = app.amqp.as_task_v2(TOKEN, TASKS[queue], kwargs={"token": TOKEN, "ids": [TOKEN], "alone": True})
    written = {
        "body": base64.b64encode(json.dumps(ours.body).encode()).decode(),
        "content-type": "application/json",
        "content-encoding": "utf-8",
        "headers": {**ours.headers, "traceparent": "00-1-2-01"},
        "properties": {**ours.properties, "body_encoding": "base64", "delivery_tag": "1"},
    }

    message = checked(queue, written)

    assert said(message)[:2] == [[], {"token": TOKEN, "ids": [TOKEN], "alone": True}]
    assert message["headers"]["task"] == TASKS[queue]
    assert message["headers"]["traceparent"] == "00-1-2-01"


@pytest.mark.parametrize("raw", STRANGE.values(), ids=STRANGE)
def test_anything_else_is_refused(raw: bytes) -> None:
    try:
        loaded = json.loads(raw)
    except (ValueError, RecursionError):
        return  # the transport meets that before
    with pytest.raises(ValueError, match=r"."):
        checked(Stage.FAST, loaded)


@pytest.mark.parametrize("raw", ODD_BUT_OURS.values(), ids=ODD_BUT_OURS)
def test_nothing_but_the_lease_is_passed_on(raw: bytes) -> None:
    message = checked(Stage.FAST, json.loads(raw))

    assert message["headers"] == checked(Stage.FAST, json.loads(envelope()))["headers"]
    assert UUID(message["properties"]["delivery_tag"])
