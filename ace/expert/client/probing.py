"""What is behind an expert's URL: the server, its model, its limits, and whether it enforces a schema.

This module sends GET requests and one harmless question, and never a claim.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, Literal

from ace.errors import ExpertPermanent, ExpertTransient
from ace.expert.client.dialects import Dialect, body
from ace.expert.client.faults import fault_of_status, kind_of_status
from ace.expert.client.reply import name_in
from ace.expert.client.session import Session
from ace.types.faults import FaultKind

LOOK_SECONDS: Final = 10.0
"""The maximum for one GET."""

STRANGE: Final = "zq-7741-marmalade-antiphon"
"""An answer that no model gives unless the schema forces it to: it is mentioned nowhere else."""

SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"answer": {"type": "string", "enum": [STRANGE]}},
    "required": ["answer"],
    "additionalProperties": False,
}
QUESTION: Final = "In one sentence of plain English, without any JSON: what is a lamp?"
MAX_TOKENS: Final = 64

_LARGEST_LIMIT: Final = 1_000_000_000  # a limit above it is none

_NOT_ENFORCED: Final = {FaultKind.VALIDATION, FaultKind.TOO_LONG, FaultKind.SCHEMA}
"""The faults of a server that rejects the schema, or answers something other than JSON."""
_NOT_THERE: Final = frozenset({402, 423, 429, 451, 502, 503, 504})


@dataclass(frozen=True, slots=True)
class Probe:
    """What was found. Limits are in tokens and in concurrent requests; None if a server does not report them.

    `schema_enforced` and `seconds` (the median of the questions) are None unless questions were asked.
    `max_total_tokens` bounds prompt and answer together.
    """

    dialect: Dialect
    model: str | None = None
    max_concurrent: int | None = None
    max_input_tokens: int | None = None
    schema_enforced: bool | None = None
    seconds: float | None = None
    max_total_tokens: int | None = None
    version: str | None = None


def probe(
    url: str,
    *,
    token: str | None = None,
    ca_file: Path | None = None,
    dialect: Dialect | Literal["auto"] = "auto",
    model: str | None = None,
    timeout_seconds: float = 120.0,
    questions: int = 3,
) -> Probe:
    """Looks at the server and asks it `questions` times for an answer that only a schema can enforce.

    Raises ExpertTransient and ExpertPermanent as an examination would.
    """
    with Session(url, token=token, ca_file=ca_file) as session:
        found = look(session, dialect)
        found = replace(found, model=model or found.model)
        asked = [_ask(session, found, timeout_seconds) for _ in range(questions)]
    return replace(
        found,
        schema_enforced=all(kept for kept, _ in asked),
        seconds=statistics.median(seconds for _, seconds in asked),
    )


def look(session: Session, dialect: Dialect | Literal["auto"] = "auto") -> Probe:
    """The server behind the session, by what it reports; with a dialect given, only its model and limits.

    Raises ExpertTransient if nobody is there, ExpertPermanent if the token is rejected.
    """
    get = cache(partial(_object_at, session))
    if dialect != "auto":
        return _READERS[dialect](get) or Probe(dialect)
    for reader in _READERS.values():
        if (found := reader(get)) is not None:
            return found
    return Probe(Dialect.OPENAI)


Get = Callable[[str], dict[str, Any]]


def _object_at(session: Session, path: str) -> dict[str, Any]:
    """The JSON object at a path of the server, or an empty one."""
    status, found = session.get(path, LOOK_SECONDS)
    if status in _NOT_THERE or kind_of_status(status) is FaultKind.UNAUTHORISED:
        raise fault_of_status(status)
    return found if status == 200 and isinstance(found, dict) else {}


def _tgi(get: Get) -> Probe | None:
    info = get("/info")
    if "model_id" not in info or "max_concurrent_requests" not in info:
        return None
    return Probe(
        Dialect.TGI,
        model=_text(info, "model_id"),
        max_concurrent=_number(info, "max_concurrent_requests"),
        max_input_tokens=_number(info, "max_input_tokens", "max_input_length"),
        max_total_tokens=_number(info, "max_total_tokens"),
        version=_text(info, "version"),
    )


def _vllm(get: Get) -> Probe | None:
    version, model = get("/version"), _first_model(get)
    if "version" not in version or not model:
        return None
    longest = _number(model, "max_model_len")
    return Probe(
        Dialect.VLLM,
        model=_text(model, "id"),
        max_input_tokens=longest,
        max_total_tokens=longest,
        version=_text(version, "version"),
    )


def _sglang(get: Get) -> Probe | None:
    # The names without "get_" are the newer ones.
    model = get("/get_model_info") or get("/model_info")
    server = get("/server_info") or get("/get_server_info")
    if "model_path" not in model and "model_path" not in server:
        return None
    served = _first_model(get)
    longest = _number(served, "max_model_len") or _number(server, "context_length")
    return Probe(
        Dialect.SGLANG,
        model=_text(served, "id")
        or _text(server, "served_model_name", "model_path")
        or _text(model, "model_path"),
        max_concurrent=_number(server, "max_running_requests"),
        max_input_tokens=_number(server, "max_req_input_len") or longest,
        max_total_tokens=longest,
        version=_text(server, "version"),
    )


def _llamacpp(get: Get) -> Probe | None:
    props, model = get("/props"), _first_model(get)
    defaults = props.get("default_generation_settings")
    title = _openapi(get).get("info") if defaults is None else None
    python = isinstance(title, dict) and "llama.cpp" in str(title.get("title"))
    if not isinstance(defaults, dict) and not python:
        return None
    longest = _number(defaults or {}, "n_ctx")
    return Probe(
        Dialect.LLAMACPP,
        model=_text(model, "id") or _text(props, "model_alias", "model_path"),
        max_concurrent=_number(props, "total_slots"),
        max_input_tokens=longest,
        max_total_tokens=longest,
        version=_text(props, "build_info"),
    )


def _openapi(get: Get) -> dict[str, Any]:
    """The API's description; empty if it is very long, as some proxies' are and llama-cpp-python's is not."""
    try:
        return get("/openapi.json")
    except ExpertTransient as error:
        if error.kind != FaultKind.OVERSIZED:
            raise
        return {}


def _openai(get: Get) -> Probe:
    model = _first_model(get)
    longest = _number(model, "max_model_len", "context_length")
    return Probe(Dialect.OPENAI, model=_text(model, "id"), max_input_tokens=longest, max_total_tokens=longest)


_READERS: Final[dict[Dialect, Callable[[Get], Probe | None]]] = {
    Dialect.TGI: _tgi,
    Dialect.VLLM: _vllm,
    Dialect.SGLANG: _sglang,
    Dialect.LLAMACPP: _llamacpp,
    Dialect.OPENAI: _openai,
}


def _first_model(get: Get) -> dict[str, Any]:
    data = get("/v1/models").get("data")
    first = data[0] if isinstance(data, list) and data else None
    return first if isinstance(first, dict) else {}


def _ask(session: Session, found: Probe, timeout_seconds: float) -> tuple[bool, float]:
    """Whether the answer was the one that the schema allows, and the seconds that it took."""
    messages = [{"role": "user", "content": QUESTION}]
    question = body(found.dialect, messages, SCHEMA, max_tokens=MAX_TOKENS, model=found.model)
    began = time.monotonic()
    try:
        answer = json.loads(session.ask(question, timeout_seconds)["choices"][0]["message"]["content"])
    except (ValueError, LookupError, TypeError):
        answer = None
    except (ExpertPermanent, ExpertTransient) as error:
        if error.kind not in _NOT_ENFORCED:
            raise
        answer = None
    return answer == {"answer": STRANGE}, time.monotonic() - began


def _number(found: Mapping[str, Any], *names: str) -> int | None:
    for name in names:
        value = found.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= _LARGEST_LIMIT:
            return int(value)
    return None


def _text(found: Mapping[str, Any], *names: str) -> str | None:
    return next((name for each in names if (name := name_in(found.get(each)))), None)
