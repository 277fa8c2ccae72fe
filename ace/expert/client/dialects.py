"""The exact JSON of a request to each LLM server, and its address. Nothing here sends anything.

All five speak OpenAI's chat completions; they differ in how a request carries the answer's schema. Most
servers silently ignore a form that they do not know, so golden files pin every body.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

CHAT_PATH: Final = "/chat/completions"
SCHEMA_NAME: Final = "rationale"
EXAMINER: Final = "ace/structural-examiner"
"""The name that ACE's own examiner gives its model, up to its version. It is sent the analysis of the claim
too."""
ANALYSIS_FIELD: Final = "ace_analysis"


class Dialect(StrEnum):
    """The servers that ACE knows how to ask."""

    TGI = "tgi"  # through huggingface_hub's InferenceClient
    VLLM = "vllm"  # from 0.6 on
    SGLANG = "sglang"
    LLAMACPP = "llama.cpp"  # llama-server, and the server of llama-cpp-python
    OPENAI = "openai"  # any other server with OpenAI's protocol


def body(
    dialect: Dialect,
    messages: Sequence[Mapping[str, str]],
    schema: Mapping[str, Any],
    *,
    max_tokens: int,
    model: str | None = None,
    temperature: float | None = None,
    seed: int | None = None,
) -> dict[str, Any]:
    """The request, its fields in the order in which they are sent.

    A `model` of None is left out, except for TGI, which serves one model and is given the name that its own
    client sends. Without `temperature` and `seed`, the server's defaults apply.
    """
    named = {"model": "dummy"} if dialect is Dialect.TGI and model is None else {"model": model}
    fields = {
        **named,
        "messages": [dict(message) for message in messages],
        "max_tokens": max_tokens,
        "response_format": response_format(dialect, schema),
        "temperature": temperature,
        "seed": seed,
        "stream": False if dialect is Dialect.TGI else None,  # as InferenceClient sends it
    }
    return {name: value for name, value in fields.items() if value is not None}


def response_format(dialect: Dialect, schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema in the form that the server enforces."""
    match dialect:
        case Dialect.TGI:
            # InferenceClient rewrites {"type": "json_schema", …}, but not TGI's own form.
            return {"type": "json", "value": dict(schema)}
        case Dialect.LLAMACPP:
            # llama-server enforces this form and OpenAI's, llama-cpp-python only this one.
            return {"type": "json_object", "schema": dict(schema)}
        case _:
            wrapped = {"name": SCHEMA_NAME, "strict": True, "schema": dict(schema)}
            return {"type": "json_schema", "json_schema": wrapped}


def chat_url(url: str) -> str:
    """The address for questions, given the server's root, its /v1 or the full address."""
    return f"{root_url(url)}/v1{CHAT_PATH}"


def root_url(url: str) -> str:
    """The server's root, below which /health, /info and /v1 are; without a query.

    A server on a Unix socket has its root at a name that is sent to it and looked up nowhere.
    """
    parts = urlsplit(url)
    if parts.scheme == "unix":
        return "http://localhost"
    path = parts.path.rstrip("/").removesuffix(CHAT_PATH).rstrip("/").removesuffix("/v1").rstrip("/")
    return urlunsplit((parts.scheme, parts.netloc, path, "", ""))
