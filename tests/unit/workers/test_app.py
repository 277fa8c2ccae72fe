"""What goes through the broker: messages that workers take up one by one, and nothing else."""

import celery
import pytest

from ace.errors import NotConfigured
from ace.settings import Settings
from ace.workers.app import CONNECT_SECONDS, make_app


def settings(url: str | None) -> Settings:
    return Settings.model_validate({"broker_url": url})


def test_nothing_but_messages_goes_through_the_broker() -> None:
    conf = make_app(settings("redis://broker")).conf
    talk = (
        "task_send_sent_event",
        "worker_send_task_events",
        "worker_enable_remote_control",
        "task_create_missing_queues",
    )
    assert [name for name in talk if conf[name]] == []


def test_a_worker_takes_up_no_more_messages_than_it_has_hands() -> None:
    conf = make_app(settings("redis://broker")).conf
    assert conf.worker_prefetch_multiplier == 1
    assert not conf.task_acks_late


@pytest.mark.parametrize(
    ("name", "value"),
    [
        pytest.param("broker_connection_retry_on_startup", True, id="a worker may start before its broker"),
        pytest.param("broker_connection_max_retries", None, id="and waits for it for as long as it takes"),
        pytest.param(
            "worker_cancel_long_running_tasks_on_connection_loss", False, id="an outage ends no work"
        ),
        pytest.param("task_publish_retry", False, id="the dispatcher repeats what could not be sent"),
        pytest.param("worker_hijack_root_logger", False, id="the log stays as ACE writes it"),
    ],
)
def test_a_worker_behaves_as_the_flow_expects(name: str, value: object) -> None:
    assert make_app(settings("redis://broker")).conf[name] == value


def test_the_transport_needs_no_scripts_and_keeps_idle_connections() -> None:
    given = make_app(settings("redis://broker")).conf.broker_transport_options
    assert (given["ack_emulation"], given["socket_keepalive"]) == (False, True)


def test_an_app_is_nobody_else_s() -> None:
    assert celery.current_app._get_current_object() is not make_app(settings("redis://broker"))


@pytest.mark.parametrize("patience", [CONNECT_SECONDS / 2, CONNECT_SECONDS * 2])
def test_connecting_takes_no_longer_than_an_answer(patience: float) -> None:
    given = make_app(settings("redis://broker"), patience_seconds=patience).conf.broker_transport_options
    assert given["socket_timeout"] == patience
    assert given["socket_connect_timeout"] == min(patience, CONNECT_SECONDS)


def test_a_missing_broker_is_named() -> None:
    with pytest.raises(NotConfigured, match="ACE_BROKER_URL is not set"):
        make_app(settings(None))
