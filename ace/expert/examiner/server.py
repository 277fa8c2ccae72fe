"""The embedded expert: the structural examiner behind TGI's /v1/chat/completions, /info and /health.

Its model id and every answer say that it is a set of rules and not an LLM. It understands only the messages
of copt.Prompt and the schemas of their answers. Error bodies are TGI's, {"error", "error_type"}, and never
repeat what was sent.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from typing import Final

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ace import __version__
from ace.claims.analysis import AnalysedClaim, from_json
from ace.claims.chains import BrokenChain
from ace.expert.client.dialects import ANALYSIS_FIELD, EXAMINER, Dialect
from ace.expert.examiner.answers import prompt_tokens, rationale, version_of
from ace.expert.prompt.copt import Target, read_target
from ace.expert.protocol.admission import Admission
from ace.expert.protocol.chat import (
    MAX_BODY_BYTES,
    ChatRequest,
    Completion,
    Envelope,
    cut_to_tokens,
    read_body,
    read_request,
)
from ace.expert.protocol.refusals import Refusal, error_response
from ace.expert.protocol.schemas import tgi_schema
from ace.expert.protocol.server_info import ServerLimits, tgi_info

__all__ = ["MAX_BODY_BYTES", "MODEL_ID", "create_app"]

MODEL_ID: Final = f"{EXAMINER}-v2 (rules, not an LLM)"
MAX_CONCURRENT_REQUESTS: Final = 128
MAX_INPUT_TOKENS: Final = 131_072
MAX_TOTAL_TOKENS: Final = 135_168

_NO_CLAIM: Final = "messages: the last user message contains no claim in ACE's form"


def create_app(
    *,
    max_concurrent_requests: int = MAX_CONCURRENT_REQUESTS,
    now: Callable[[], float] = time.time,
    new_id: Callable[[], str] = lambda: uuid.uuid4().hex,
) -> Starlette:
    """The ASGI application. It has no queue: beyond `max_concurrent_requests` it answers 429, as TGI does."""
    admission = Admission(max_concurrent_requests)
    limits = ServerLimits(max_concurrent_requests, MAX_INPUT_TOKENS, MAX_TOTAL_TOKENS)

    async def chat(request: Request) -> Response:
        async with admission.slot():
            asked = read_request(await read_body(request.stream()))
            completion = await run_in_threadpool(_completion, asked)
        envelope = Envelope(new_id(), int(now()), MODEL_ID, f"ace-{__version__}")
        return JSONResponse(envelope.whole(completion))

    async def info(request: Request) -> Response:
        del request
        return JSONResponse(tgi_info(MODEL_ID, limits, router="ace-structural-examiner"))

    async def health(request: Request) -> Response:
        del request
        return Response(status_code=200)

    return Starlette(
        routes=[
            Route("/v1/chat/completions", chat, methods=["POST"]),
            Route("/info", info, methods=["GET"]),
            Route("/health", health, methods=["GET"]),
        ],
        exception_handlers={Refusal: _refused, ClientDisconnect: _gone},
    )


async def _gone(request: Request, error: Exception) -> Response:
    """Nobody reads it: the client hung up before its request was whole."""
    del request, error
    return Response(status_code=408)


async def _refused(request: Request, error: Exception) -> Response:
    del request
    if not isinstance(error, Refusal):
        raise error
    answer = error_response(Dialect.TGI, error)
    return JSONResponse(answer.body, status_code=answer.status)


def _completion(asked: ChatRequest) -> Completion:
    if asked.stream:
        raise Refusal("validation", "stream: this server does not stream its answers")
    version = _version(asked)
    try:
        answer = rationale(_target(asked), version)
    except (ValueError, BrokenChain):
        raise Refusal("validation", _NO_CLAIM) from None
    content, tokens, finish_reason = cut_to_tokens(answer, asked.max_answer_tokens())
    return Completion(content, finish_reason, prompt_tokens(asked), tokens)


def _target(asked: ChatRequest) -> Target:
    """The claim that is asked about, with its analysis if the client sent it. Raises ValueError or
    Refusal."""
    target = read_target(asked.question())
    stored = (asked.model_extra or {}).get(ANALYSIS_FIELD)
    if stored is None:
        return target
    claim = target.claim
    try:
        analysis = from_json(stored, claim.number, claim.text)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError):
        raise Refusal("validation", f"{ANALYSIS_FIELD}: not an analysis of this version") from None
    return Target(AnalysedClaim.of(claim, analysis), target.total)


def _version(asked: ChatRequest) -> str:
    """The prompt version whose answer is asked for; v1 if no schema is given."""
    version = version_of({} if asked.response_format is None else tgi_schema(asked.response_format))
    if version is None:
        raise Refusal(
            "validation", "response_format: this server answers only with the schemas of ACE's prompts"
        )
    return version
