"""The structural examiner behind TGI's wire protocol: /v1/chat/completions, /info and /health.

It says in its model id and in every answer that it is a set of rules and no LLM. It understands
only the messages that copt.Prompt makes. Error bodies are TGI's: {"error", "error_type"}; they
never repeat what was sent.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ace import __version__
from ace.claims.chains import BrokenChain
from ace.expert.copt import Target, read_target
from ace.expert.structural import examine
from ace.expert.tokens import TOKEN, count_tokens

MODEL_ID = "ace/structural-examiner-v2 (rules, not an LLM)"
MAX_CONCURRENT_REQUESTS = 128
MAX_INPUT_TOKENS = 131_072
MAX_TOTAL_TOKENS = 135_168
MAX_BODY_BYTES = 2_000_000
DEFAULT_MAX_TOKENS = 1_024

_NO_CLAIM = "messages: the last user message holds no claim in ACE's form"
_FIELDS = frozenset({"reasoning", "verdict"})


class _TextChunk(BaseModel):
    type: Literal["text"]
    text: str


class _Message(BaseModel):
    role: str
    content: str | list[_TextChunk] | None = None

    def text(self) -> str:
        if isinstance(self.content, list):
            return "".join(chunk.text for chunk in self.content)
        return self.content or ""


class _JsonGrammar(BaseModel):
    type: Literal["json", "json_object"]
    value: dict[str, Any]

    def schema_asked(self) -> dict[str, Any]:
        return self.value


class _NamedSchema(BaseModel):
    model_config = ConfigDict(populate_by_name=True)
    body: dict[str, Any] = Field(alias="schema")
    name: str | None = None


class _SchemaGrammar(BaseModel):
    type: Literal["json_schema"]
    value: _NamedSchema

    def schema_asked(self) -> dict[str, Any]:
        return self.value.body


class _ChatRequest(BaseModel):
    """The part of TGI's ChatRequest that has a meaning here; the rest is accepted and unused."""

    messages: list[_Message] = Field(min_length=1)
    max_tokens: Annotated[int, Field(ge=0, le=2**31 - 1)] | None = None
    stream: bool | None = None
    response_format: Annotated[_JsonGrammar | _SchemaGrammar, Field(discriminator="type")] | None = None


class _Refusal(Exception):
    def __init__(self, status: int, error_type: str, error: str) -> None:
        super().__init__(error)
        self.status = status
        self.error_type = error_type
        self.error = error


def create_app(
    *,
    max_concurrent_requests: int = MAX_CONCURRENT_REQUESTS,
    now: Callable[[], float] = time.time,
    new_id: Callable[[], str] = lambda: uuid.uuid4().hex,
) -> Starlette:
    """The ASGI application. More than `max_concurrent_requests` at once are answered 429, as TGI
    does, without a queue."""
    busy = 0

    async def chat(request: Request) -> Response:
        nonlocal busy
        if busy >= max_concurrent_requests:
            raise _Refusal(429, "overloaded", "Model is overloaded")
        busy += 1
        try:
            asked = _asked(await _body(request))
            return JSONResponse(await run_in_threadpool(_completion, asked, now(), new_id()))
        finally:
            busy -= 1

    async def info(request: Request) -> Response:
        del request
        return JSONResponse(_info(max_concurrent_requests))

    async def health(request: Request) -> Response:
        del request
        return Response(status_code=200)

    return Starlette(
        routes=[
            Route("/v1/chat/completions", chat, methods=["POST"]),
            Route("/info", info, methods=["GET"]),
            Route("/health", health, methods=["GET"]),
        ],
        exception_handlers={_Refusal: _refused},
    )


async def _refused(request: Request, error: Exception) -> Response:
    del request
    if not isinstance(error, _Refusal):
        raise error
    body = {"error": error.error, "error_type": error.error_type}
    return JSONResponse(body, status_code=error.status)


async def _body(request: Request) -> bytes:
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > MAX_BODY_BYTES:
            raise _Refusal(413, "validation", f"the body is longer than {MAX_BODY_BYTES} bytes")
        parts.append(part)
    return b"".join(parts)


def _asked(body: bytes) -> _ChatRequest:
    """The request, or a refusal that names the field but not its value."""
    try:
        asked = _ChatRequest.model_validate_json(body)
    except ValidationError as error:
        first = error.errors(include_input=False, include_context=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"][:3]) or "body"
        raise _invalid(f"{where}: {first['type']}") from None
    if asked.stream:
        raise _invalid("stream: this server answers in one piece only")
    if asked.response_format is not None:
        required = asked.response_format.schema_asked().get("required", [])
        if not isinstance(required, list) or not _FIELDS.issuperset(map(str, required)):
            raise _invalid("response_format: this server answers with reasoning and verdict only")
    return asked


def _completion(asked: _ChatRequest, now: float, identity: str) -> dict[str, Any]:
    target = _target(asked)
    try:
        rationale = examine(target.claim, target.total)
    except BrokenChain:
        raise _invalid(_NO_CLAIM) from None
    most = DEFAULT_MAX_TOKENS if asked.max_tokens is None else asked.max_tokens
    content, tokens, finish_reason = _within(rationale.model_dump_json(), most)
    prompt_tokens = sum(count_tokens(each.text()) for each in asked.messages)
    return {
        "object": "chat.completion",
        "id": identity,
        "created": int(now),
        "model": MODEL_ID,
        "system_fingerprint": f"ace-{__version__}",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": content},
                "logprobs": None,
                "finish_reason": finish_reason,
            }
        ],
        "usage": {
            "prompt_tokens": prompt_tokens,
            "completion_tokens": tokens,
            "total_tokens": prompt_tokens + tokens,
        },
    }


def _target(asked: _ChatRequest) -> Target:
    user = next((each for each in reversed(asked.messages) if each.role == "user"), None)
    try:
        return read_target(user.text() if user else "")
    except ValueError:
        raise _invalid(_NO_CLAIM) from None


def _within(content: str, max_tokens: int) -> tuple[str, int, str]:
    """The content cut at max_tokens, its tokens, and the reason it finished, as a model would."""
    ends = [match.end() for match in TOKEN.finditer(content)]
    if len(ends) <= max_tokens:
        return content, len(ends), "stop"
    return content[: ends[max_tokens - 1] if max_tokens else 0], max_tokens, "length"


def _invalid(problem: str) -> _Refusal:
    return _Refusal(422, "validation", f"Input validation error: {problem}")


def _info(max_concurrent_requests: int) -> dict[str, Any]:
    return {
        "model_id": MODEL_ID,
        "model_sha": None,
        "model_pipeline_tag": "text-generation",
        "max_concurrent_requests": max_concurrent_requests,
        "max_best_of": 1,
        "max_stop_sequences": 0,
        "max_input_tokens": MAX_INPUT_TOKENS,
        "max_total_tokens": MAX_TOTAL_TOKENS,
        "validation_workers": 1,
        "max_client_batch_size": 1,
        "router": "ace-structural-examiner",
        "version": __version__,
        "sha": None,
        "docker_label": None,
    }
