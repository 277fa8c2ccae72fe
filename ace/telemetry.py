"""Logs as JSON lines on stderr. Records carry ids, counts and times, never claim text."""

import json
import logging
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from ace import tracing

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)
"""The id of the HTTP request that is being answered, or that handed in what is worked on, for log lines."""

_STANDARD: Final = frozenset(logging.makeLogRecord({}).__dict__) | {
    "message",
    "asctime",
    "taskName",
}


@contextmanager
def about(request_ids: Iterable[str | None]) -> Iterator[None]:
    """Lets log lines of a block carry the id of the request that it is about, if it is about one."""
    ids = set(request_ids)
    token = request_id.set(ids.pop() if len(ids) == 1 else None)
    try:
        yield
    finally:
        request_id.reset(token)


class JsonLines(logging.Formatter):
    """One JSON object per line: time, level, logger, message, ids of request and trace, `extra` fields."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
            + f".{record.msecs:03.0f}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if (id_ := request_id.get()) is not None:
            line["request_id"] = id_
        if (trace := tracing.trace_id()) is not None:
            line["trace_id"] = trace
        line.update({key: value for key, value in record.__dict__.items() if key not in _STANDARD})
        if record.exc_info and record.exc_info[0] is not None:
            # Type and place only: the text of a third-party exception may quote a claim.
            line["error"] = record.exc_info[0].__name__
            line["at"] = _place(record.exc_info[2])
        return json.dumps(line, default=str, ensure_ascii=False)


def _place(traceback: Any) -> str:
    """Innermost frame as file:line."""
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    if traceback is None:
        return ""
    return f"{traceback.tb_frame.f_code.co_filename}:{traceback.tb_lineno}"


def _log_uncaught(kind: Any, error: Any, traceback: Any) -> None:
    """Logs an error that ends a thread or the process like any other, without its text."""
    if kind is KeyboardInterrupt:
        return
    logging.getLogger("ace").critical("uncaught", exc_info=(kind, error, traceback))


def configure_logging(level: str) -> None:
    """Sends records of `level` and above to stderr as JSON lines; of other libraries, warnings and above."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    sys.excepthook = _log_uncaught
    threading.excepthook = lambda told: _log_uncaught(told.exc_type, told.exc_value, told.exc_traceback)
    for ours in ("ace", "workers"):
        logging.getLogger(ours).setLevel(level.upper())
