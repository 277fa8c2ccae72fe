"""How each LLM server is asked: the exact JSON of a request and its address. Nothing here sends.

All five speak OpenAI's chat completions; what differs is how the answer's schema travels. A form that
a server does not know is mostly ignored without a word, so goldens pin every body.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any
from urllib.parse import urlsplit, urlunsplit

CHAT_PATH = "/chat/completions"
SCHEMA_NAME = "rationale"


class Dialect(StrEnum):
    """The servers that ACE knows how to ask."""

    TGI = "tgi"  # through huggingface_hub's InferenceClient
    VLLM = "vllm"  # from 0.6 on
    SGLANG = "sglang"
    LLAMACPP = "llama.cpp"  # llama-server, and the server of llama-cpp-python
    OPENAI = "openai"  # whatever else speaks OpenAI's protocol


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
    """The request, in the order in which it is sent.

    `model` is left out where it is None, save for TGI, which serves one model and is given the name
    that its own client puts there. Without `temperature` and `seed` the server's defaults hold.
    """
    named = {"model": "dummy"} if dialect is Dialect.TGI and model is None else {"model": model}
    asked = {
        **named,
        "messages": [dict(message) for message in messages],
        "max_tokens": max_tokens,
        "response_format": response_format(dialect, schema),
        "temperature": temperature,
        "seed": seed,
        "stream": False if dialect is Dialect.TGI else None,  # InferenceClient says so
    }
    return {name: value for name, value in asked.items() if value is not None}


def response_format(dialect: Dialect, schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema in the form that the server really follows."""
    match dialect:
        case Dialect.TGI:
            # InferenceClient rewrites {"type": "json_schema", …}; TGI's own form it leaves alone.
            return {"type": "json", "value": dict(schema)}
        case Dialect.LLAMACPP:
            # llama-server follows this form and OpenAI's, llama-cpp-python only this one.
            return {"type": "json_object", "schema": dict(schema)}
        case _:
            wrapped = {"name": SCHEMA_NAME, "strict": True, "schema": dict(schema)}
            return {"type": "json_schema", "json_schema": wrapped}


def chat_url(url: str) -> str:
    """Where questions go, for a server named by its root, by its /v1 or by the full address."""
    return f"{root_url(url)}/v1{CHAT_PATH}"


def root_url(url: str) -> str:
    """The server's own address, under which /health, /info and /v1 lie; without a query."""
    parts = urlsplit(url)
    path = parts.path.rstrip("/").removesuffix(CHAT_PATH).rstrip("/").removesuffix("/v1").rstrip("/")
    return urlunsplit((parts.scheme, parts.netloc, path, "", ""))
