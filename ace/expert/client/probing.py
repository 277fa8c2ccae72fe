"""What stands behind an expert's URL: which server, which model, within which limits, and whether it
keeps to a schema. Only GET requests and one harmless question: no claim is ever sent here.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import httpx2

from ace.errors import ExpertPermanent, ExpertTransient
from ace.expert.client.dialects import Dialect, body, chat_url, root_url
from ace.expert.client.faults import Kind, fault, fault_of_status, kind_of
from ace.expert.client.session import session_factory, within

LOOK_SECONDS = 10.0
"""Longest that one GET may take."""

STRANGE = "zq-7741-marmalade-antiphon"
"""An answer that no model gives of itself, and that stands nowhere but in the schema."""

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"answer": {"type": "string", "enum": [STRANGE]}},
    "required": ["answer"],
    "additionalProperties": False,
}
QUESTION = "In one sentence of plain English, without any JSON: what is a lamp?"
MAX_TOKENS = 64

_REFUSED = frozenset({400, 422})
_NOT_THERE = frozenset({429, 502, 503, 504})


@dataclass(frozen=True, slots=True)
class Probe:
    """What was found. Limits are in tokens and in requests at a time; None where a server does not tell.

    `schema_enforced` and `seconds` (the median of the questions put) are None until asked for.
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
    """Looks at the server and asks it `questions` times for what only a schema can bring about.

    Raises ExpertTransient and ExpertPermanent as an examination would.
    """
    headers = authorisation(token)
    with session_factory(url, ca_file)() as http:
        found = look(http, url, headers, dialect)
        found = replace(found, model=model or found.model)
        asked = [_ask(http, url, headers, found, timeout_seconds) for _ in range(questions)]
    return replace(
        found,
        schema_enforced=all(kept for kept, _ in asked),
        seconds=statistics.median(seconds for _, seconds in asked),
    )


def authorisation(token: str | None) -> dict[str, str]:
    """The header that carries the token, where there is one."""
    return {} if token is None else {"authorization": f"Bearer {token}"}


def look(
    http: httpx2.Client, url: str, headers: Mapping[str, str], dialect: Dialect | Literal["auto"] = "auto"
) -> Probe:
    """The server at `url`, by what it says of itself; with a dialect given, only its model and limits.

    Raises ExpertTransient where there is nobody, ExpertPermanent where the token is refused.
    """
    get = _getter(http, root_url(url), headers)
    if dialect != "auto":
        return _READERS[dialect](get) or Probe(dialect)
    for reader in _READERS.values():
        if (found := reader(get)) is not None:
            return found
    return Probe(Dialect.OPENAI)


Get = Callable[[str], dict[str, Any]]


def _getter(http: httpx2.Client, root: str, headers: Mapping[str, str]) -> Get:
    """Fetches a path of the server, each once: the JSON object there, or an empty one."""
    known: dict[str, dict[str, Any]] = {}

    def get(path: str) -> dict[str, Any]:
        if path not in known:
            known[path] = _fetched(http, f"{root}{path}", headers)
        return known[path]

    return get


def _fetched(http: httpx2.Client, address: str, headers: Mapping[str, str]) -> dict[str, Any]:
    response = exchange(lambda: http.get(address, headers=headers), LOOK_SECONDS)
    status = response.status_code
    if status in _NOT_THERE or kind_of(status=status) is Kind.UNAUTHORISED:
        raise fault_of_status(status)
    try:
        found = response.json() if status == 200 else None
    except ValueError:
        found = None
    return found if isinstance(found, dict) else {}


def exchange(call: Callable[[], httpx2.Response], seconds: float) -> httpx2.Response:
    """One HTTP call within `seconds`. Errors are replaced, never chained: theirs hold what was sent."""
    with within(seconds) as deadline:
        try:
            return call()
        except (ExpertPermanent, ExpertTransient):  # of the session: redirected
            raise
        except Exception as error:  # whatever a foreign server can make the library stumble over
            kind = kind_of(error=error, received=deadline.received) or Kind.SCHEMA
            raised = fault(kind, detail=type(error).__name__)
    raise raised


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
    title = get("/openapi.json").get("info") if defaults is None else None
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


def _openai(get: Get) -> Probe:
    model = _first_model(get)
    longest = _number(model, "max_model_len", "context_length")
    return Probe(Dialect.OPENAI, model=_text(model, "id"), max_input_tokens=longest, max_total_tokens=longest)


_READERS: dict[Dialect, Callable[[Get], Probe | None]] = {
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


def _ask(
    http: httpx2.Client, url: str, headers: Mapping[str, str], found: Probe, timeout_seconds: float
) -> tuple[bool, float]:
    """Whether the answer was the one that the schema allows, and the seconds that it took."""
    messages = [{"role": "user", "content": QUESTION}]
    question = body(found.dialect, messages, SCHEMA, max_tokens=MAX_TOKENS, model=found.model)
    began = time.monotonic()
    response = exchange(lambda: http.post(chat_url(url), json=question, headers=headers), timeout_seconds)
    seconds = time.monotonic() - began
    if response.status_code in _REFUSED:  # a schema that is refused is not enforced
        return False, seconds
    if response.status_code != 200:
        raise fault_of_status(response.status_code)
    try:
        answer = json.loads(response.json()["choices"][0]["message"]["content"])
    except (ValueError, LookupError, TypeError):
        return False, seconds
    return answer == {"answer": STRANGE}, seconds


def _number(found: Mapping[str, Any], *names: str) -> int | None:
    for name in names:
        value = found.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
            return int(value)
    return None


def _text(found: Mapping[str, Any], *names: str) -> str | None:
    return next((value for name in names if isinstance(value := found.get(name), str) and value), None)
