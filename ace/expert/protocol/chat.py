"""A chat request as it arrives and a completion as it is sent, in the form that all servers share."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ace.expert.prompt.tokens import TOKEN
from ace.expert.protocol.refusals import Refusal

MAX_BODY_BYTES: Final = 2_000_000
DEFAULT_MAX_TOKENS: Final = 1_024


class TextChunk(BaseModel):
    """A part of a message."""

    type: Literal["text"]
    text: str


class Message(BaseModel):
    """A chat message; the only parts that are understood are text."""

    role: str
    content: str | list[TextChunk] | None = None

    def text(self) -> str:
        """All its text."""
        if isinstance(self.content, list):
            return "".join(chunk.text for chunk in self.content)
        return self.content or ""


class StreamOptions(BaseModel):
    """What a stream contains besides the answer."""

    include_usage: bool | None = None


class ChatRequest(BaseModel):
    """The part of a chat request that has a meaning here; the rest is accepted and ignored."""

    model_config = ConfigDict(extra="allow")

    messages: list[Message] = Field(min_length=1)
    max_tokens: Annotated[int, Field(ge=0, le=2**31 - 1)] | None = None
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    response_format: dict[str, Any] | None = None

    def question(self) -> str:
        """The text of the last message from the user."""
        user = next((each for each in reversed(self.messages) if each.role == "user"), None)
        return user.text() if user else ""

    def max_answer_tokens(self) -> int:
        """The maximum number of tokens of the answer."""
        return DEFAULT_MAX_TOKENS if self.max_tokens is None else self.max_tokens


@dataclass(frozen=True, slots=True)
class Completion:
    """An answer and what it cost; `finish_reason` is "stop" or "length"."""

    content: str
    finish_reason: str
    prompt_tokens: int
    completion_tokens: int

    def usage(self) -> dict[str, int]:
        """The tokens, as every server reports them."""
        return {
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "total_tokens": self.prompt_tokens + self.completion_tokens,
        }


@dataclass(frozen=True, slots=True)
class Envelope:
    """The fields around an answer."""

    identity: str
    created: int
    model: str
    fingerprint: str

    def whole(self, completion: Completion) -> dict[str, Any]:
        """The answer in one piece."""
        message = {"role": "assistant", "content": completion.content}
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": completion.finish_reason}
        return self._around("chat.completion", [choice], usage=completion.usage())

    def chunks(
        self, completion: Completion, tokens_each: int, include_usage: bool
    ) -> Iterator[dict[str, Any]]:
        """The answer as the chunks of a stream; the last one with a choice has the finish reason."""
        for piece in pieces(completion.content, tokens_each):
            delta = {"role": "assistant", "content": piece}
            yield self._chunk([_streamed(delta, None)])
        yield self._chunk([_streamed({"role": "assistant", "content": ""}, completion.finish_reason)])
        if include_usage:
            yield {**self._chunk([]), "usage": completion.usage()}

    def _chunk(self, choices: list[dict[str, Any]]) -> dict[str, Any]:
        return self._around("chat.completion.chunk", choices)

    def _around(self, kind: str, choices: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
        return {
            "object": kind,
            "id": self.identity,
            "created": self.created,
            "model": self.model,
            "system_fingerprint": self.fingerprint,
            "choices": choices,
            **more,
        }


def _streamed(delta: dict[str, Any], finish_reason: str | None) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish_reason}


async def read_body(parts: AsyncIterator[bytes]) -> bytes:
    """The body of a request. Raises Refusal if it is longer than MAX_BODY_BYTES."""
    read: list[bytes] = []
    size = 0
    async for part in parts:
        size += len(part)
        if size > MAX_BODY_BYTES:
            raise Refusal("too_large", f"the body is longer than {MAX_BODY_BYTES} bytes")
        read.append(part)
    return b"".join(read)


def read_request(body: bytes) -> ChatRequest:
    """The request. Raises a Refusal that names the field but not its value."""
    try:
        return ChatRequest.model_validate_json(body)
    except ValidationError as error:
        first = error.errors(include_input=False, include_context=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"][:3]) or "body"
        raise Refusal("validation", f"{where}: {first['type']}") from None


def cut_to_tokens(content: str, max_tokens: int) -> tuple[str, int, str]:
    """The content cut at `max_tokens`, its number of tokens, and the finish reason."""
    ends = [match.end() for match in TOKEN.finditer(content)]
    if len(ends) <= max_tokens:
        return content, len(ends), "stop"
    return content[: ends[max_tokens - 1] if max_tokens else 0], max_tokens, "length"


def pieces(content: str, tokens_each: int) -> Iterator[str]:
    """The content, cut after every `tokens_each` tokens; nothing is lost."""
    ends = [match.end() for match in TOKEN.finditer(content)][tokens_each - 1 :: tokens_each]
    for start, end in zip([0, *ends], [*ends, len(content)], strict=True):
        if end > start:
            yield content[start:end]
