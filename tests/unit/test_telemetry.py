"""Log lines: one JSON object each, without the text of foreign errors."""

import io
import json
import logging
import sys

import pytest

from ace.telemetry import JsonLines, configure_logging


def line_of(record: logging.LogRecord) -> dict[str, object]:
    written = JsonLines().format(record)
    assert "\n" not in written
    return json.loads(written)


def test_a_record_carries_its_extra_fields() -> None:
    record = logging.makeLogRecord({"name": "ace.x", "msg": "moved %d", "args": (3,), "claims": 3})

    line = line_of(record)

    assert (line["logger"], line["message"], line["claims"]) == ("ace.x", "moved 3", 3)


def test_an_error_is_told_by_type_and_place_and_never_by_its_text() -> None:
    try:
        raise ValueError("A zirconquilt comprising a plate.")
    except ValueError:
        record = logging.makeLogRecord({"msg": "broke", "exc_info": sys.exc_info()})

    line = line_of(record)

    assert line["error"] == "ValueError"
    assert "test_telemetry.py" in str(line["at"])
    assert "zirconquilt" not in json.dumps(line)


def test_third_parties_are_heard_from_warning_on(monkeypatch: pytest.MonkeyPatch) -> None:
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", list(root.handlers))
    monkeypatch.setattr(root, "level", root.level)
    out = io.StringIO()
    monkeypatch.setattr(sys, "stderr", out)

    configure_logging("info")
    logging.getLogger("ace.test").info("ours")
    logging.getLogger("celery.test").info("theirs")
    logging.getLogger("celery.test").warning("theirs, loud")

    assert [json.loads(line)["message"] for line in out.getvalue().splitlines()] == ["ours", "theirs, loud"]
