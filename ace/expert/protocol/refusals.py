"""How each server rejects a request: the status, shape and words of its error.

They are those of TGI 3, vLLM 0.16 and later, SGLang 0.5, llama-server and OpenAI. None repeats what was sent.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from ace.expert.client.dialects import Dialect


class Counted(NamedTuple):
    """The tokens of a request that is too long."""

    prompt: int
    asked: int
    limit: int


class Refusal(Exception):
    """A rejected request. `kind` is a fault's name, "full" (no slot and no room to wait) or "too_large"."""

    def __init__(
        self,
        kind: str,
        problem: str = "",
        *,
        counted: Counted | None = None,
        status: int | None = None,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(kind)
        self.kind = kind
        self.problem = problem
        self.counted = counted or Counted(0, 0, 0)
        self.status = status
        self.retry_after = retry_after


class ErrorResponse(NamedTuple):
    """An error as it is sent: a dict as JSON, a str as a page."""

    status: int
    body: dict[str, Any] | str
    headers: dict[str, str]


_GATEWAYS: Final = {502: "Bad Gateway", 504: "Gateway Time-out"}

# kind: (status, the server's word for it, message); {…} are fields of Counted, and the problem.
_TGI: Final = {
    "overloaded": (429, "overloaded", "Model is overloaded"),
    "full": (429, "overloaded", "Model is overloaded"),
    "generation": (424, "generation", "Request failed during generation: Server error: simulated"),
    "incomplete": (500, "incomplete_generation", "Incomplete generation"),
    "unavailable": (503, "healthcheck", "unhealthy"),
    "validation": (422, "validation", "Input validation error: {problem}"),
    "too_long": (
        422,
        "validation",
        (
            "Input validation error: `inputs` tokens + `max_new_tokens` must be <= {limit}. Given: {prompt}"
            " `inputs` tokens and {asked} `max_new_tokens`"
        ),
    ),
    "too_large": (413, "validation", "{problem}"),
}
_VLLM: Final = {
    "overloaded": (429, "RateLimitError", "Too many requests"),
    "full": (503, "ServiceUnavailableError", "The request queue is full"),
    "generation": (500, "InternalServerError", "EngineCore encountered an issue"),
    "incomplete": (500, "InternalServerError", "Internal server error"),
    "unavailable": (503, "ServiceUnavailableError", "The engine is not ready"),
    "validation": (400, "BadRequestError", "{problem}"),
    "too_long": (
        400,
        "BadRequestError",
        (
            "You passed {prompt} input tokens and requested {asked} output tokens. However, the model's"
            " context length is only {limit} tokens. Please reduce the length of the input prompt."
            " (parameter=input_tokens, value={prompt})"
        ),
    ),
    "too_large": (413, "BadRequestError", "{problem}"),
}
_SGLANG: Final = {
    **_VLLM,
    "full": (503, "ServiceUnavailable", "The request queue is full."),
    "too_long": (
        400,
        "BadRequestError",
        "The input ({prompt} tokens) is longer than the model's context length ({limit} tokens).",
    ),
}
_LLAMACPP: Final = {
    "overloaded": (429, "unavailable_error", "Too many requests"),
    "full": (503, "unavailable_error", "No slot available"),
    "generation": (500, "server_error", "Compute error."),
    "incomplete": (500, "server_error", "Compute error."),
    "unavailable": (503, "unavailable_error", "Loading model"),
    "validation": (400, "invalid_request_error", "{problem}"),
    "too_long": (
        400,
        "exceed_context_size_error",
        "request ({prompt} tokens) exceeds the available context size ({limit} tokens), try increasing it",
    ),
    "too_large": (413, "invalid_request_error", "{problem}"),
    "unauthorised": (401, "authentication_error", "Invalid API Key"),
}
_OPENAI: Final = {
    "overloaded": (429, "rate_limit_exceeded", "Rate limit reached. Please try again later."),
    "full": (429, "rate_limit_exceeded", "Rate limit reached. Please try again later."),
    "generation": (500, "server_error", "The server had an error while processing your request."),
    "incomplete": (500, "server_error", "The server had an error while processing your request."),
    "unavailable": (503, "server_error", "The server is overloaded or not ready yet."),
    "validation": (400, "invalid_value", "{problem}"),
    "too_long": (
        400,
        "context_length_exceeded",
        (
            "This model's maximum context length is {limit} tokens. However, you requested {prompt} tokens in"
            " the messages and {asked} in the completion. Please reduce the length of the messages or"
            " completion."
        ),
    ),
    "too_large": (413, "invalid_value", "{problem}"),
    "unauthorised": (401, "invalid_api_key", "Incorrect API key provided."),
}
_WORDS: Final = {
    Dialect.TGI: _TGI,
    Dialect.VLLM: _VLLM,
    Dialect.SGLANG: _SGLANG,
    Dialect.LLAMACPP: _LLAMACPP,
    Dialect.OPENAI: _OPENAI,
}


def error_response(dialect: Dialect, refusal: Refusal) -> ErrorResponse:
    """The refusal as the server would word it. A gateway answers with its own page, whatever the server."""
    headers = {} if refusal.retry_after is None else {"retry-after": str(refusal.retry_after)}
    if refusal.status in _GATEWAYS:
        title = f"{refusal.status} {_GATEWAYS[refusal.status]}"
        page = f"<html><head><title>{title}</title></head><body><h1>{title}</h1></body></html>"
        return ErrorResponse(refusal.status, page, headers)
    words = _WORDS[dialect]
    if refusal.kind == "unauthorised" and refusal.kind not in words:
        return _unauthorised(dialect)
    status, word, message = words[refusal.kind]
    text = message.format(problem=refusal.problem, **refusal.counted._asdict())
    return ErrorResponse(status, _shaped(dialect, status, word, text, refusal.counted), headers)


def _unauthorised(dialect: Dialect) -> ErrorResponse:
    """TGI sends an empty body with its 401, vLLM and SGLang one word."""
    return ErrorResponse(401, "" if dialect is Dialect.TGI else {"error": "Unauthorized"}, {})


def _shaped(dialect: Dialect, status: int, word: str, text: str, counted: Counted) -> dict[str, Any]:
    match dialect:
        case Dialect.TGI:
            return {"error": text, "error_type": word}
        case Dialect.SGLANG:
            return {"object": "error", "message": text, "type": word, "param": None, "code": status}
        case Dialect.LLAMACPP:
            sizes = {"n_prompt_tokens": counted.prompt, "n_ctx": counted.limit} if counted.limit else {}
            return {"error": {"code": status, "message": text, "type": word, **sizes}}
        case Dialect.VLLM:
            param = "input_tokens" if counted.limit else None
            return {"error": {"message": text, "type": word, "param": param, "code": status}}
    family = "server_error" if status >= 500 else "requests" if status == 429 else "invalid_request_error"
    return {"error": {"message": text, "type": family, "param": None, "code": word}}
