"""Asks a chat endpoint with OpenAI's protocol: vLLM, SGLang, TGI, llama.cpp and others.

Every wait is bounded. Faults are those of the expert's client (ExpertTransient, ExpertPermanent), so that
none repeats what a server wrote.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

import httpx
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_after_attempt

from ace.errors import ExpertPermanent, ExpertTransient
from ace.expert.client.faults import fault_of_status
from ace.expert.client.retry import parse_retry_after
from ace_lab.llm.prompts import JSON_SCHEMA

FIRST_WAIT_SECONDS: Final = 1.0
LONGEST_WAIT_SECONDS: Final = 60.0
TEMPERATURE: Final = 0.7

_PATH = "/chat/completions"
_FORMATS: tuple[dict[str, Any] | None, ...] = (
    {"type": "json_schema", "json_schema": {"name": "edited", "schema": JSON_SCHEMA, "strict": True}},
    {"type": "json", "value": JSON_SCHEMA},
    None,
)
"""Ways to request the schema: OpenAI's, TGI's own, and none, which leaves it to the prompt."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model wrote; tokens are 0 if the server does not count them."""

    content: str
    finish_reason: str | None
    prompt_tokens: int
    completion_tokens: int


class Generator:
    """A model behind a URL ("http://host:8000", with or without "/v1"). For one event loop.

    `timeout_seconds` bounds a whole answer, `attempts` the tries of one question on 429, 5xx and
    broken connections. The way of requesting JSON that the server supports is detected once.
    """

    def __init__(
        self,
        name: str,
        url: str,
        *,
        token: str | None = None,
        timeout_seconds: float = 600.0,
        attempts: int = 5,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        rng: random.Random | None = None,
    ) -> None:
        self.name = name
        self._url = _endpoint(url)
        self._headers = {"authorization": f"Bearer {token}"} if token else {}
        self._timeout_seconds = timeout_seconds
        self._attempts = attempts
        self._sleep = sleep
        self._rng = rng or random.Random()
        self._format = 0
        self._format_is_known = False

    async def ask(
        self, http: httpx.AsyncClient, messages: list[dict[str, str]], *, max_tokens: int, seed: int
    ) -> Reply:
        """The model's answer. Raises ExpertTransient once the tries are spent, and ExpertPermanent
        (validation: this question is refused; unauthorised; redirected)."""
        body = {
            "model": self.name,
            "messages": messages,
            "max_tokens": max_tokens,
            "temperature": TEMPERATURE,
            "seed": seed,
        }
        retrying = AsyncRetrying(
            retry=retry_if_exception(_curable_at_once),
            stop=stop_after_attempt(self._attempts),
            wait=self._wait,
            sleep=self._sleep,
            reraise=True,
        )
        reply: Reply = await retrying(self._ask, http, body)
        return reply

    async def _ask(self, http: httpx.AsyncClient, body: dict[str, Any]) -> Reply:
        while True:
            at = self._format
            asked = body if _FORMATS[at] is None else {**body, "response_format": _FORMATS[at]}
            response = await self._post(http, asked)
            if response.status_code in {400, 422} and not self._format_is_known and at + 1 < len(_FORMATS):
                self._format = max(self._format, at + 1)
                continue
            if response.status_code != 200:
                raise _fault_of(response)
            self._format_is_known = True
            return _reply(response)

    async def _post(self, http: httpx.AsyncClient, body: dict[str, Any]) -> httpx.Response:
        """One HTTP call. Errors are replaced, never chained, because theirs contain the server's words."""
        try:
            async with asyncio.timeout(self._timeout_seconds):
                return await http.post(self._url, json=body, headers=self._headers)
        except TimeoutError:
            fault = ExpertTransient("timeout", "the model did not answer in time")
        except httpx.HTTPError as error:
            fault = ExpertTransient("unreachable", f"the connection failed ({type(error).__name__})")
        raise fault

    def _wait(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        asked = error.retry_after if isinstance(error, ExpertTransient) else None
        ceiling = min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2.0 ** (state.attempt_number - 1))
        return max(self._rng.uniform(0.0, ceiling), min(asked or 0.0, LONGEST_WAIT_SECONDS))


def _endpoint(url: str) -> str:
    url = url.rstrip("/")
    if url.endswith(_PATH):
        return url
    return f"{url}{_PATH}" if url.endswith("/v1") else f"{url}/v1{_PATH}"


def _curable_at_once(error: BaseException) -> bool:
    """A timeout has used its time up, and an answer in another shape would come again."""
    return isinstance(error, ExpertTransient) and error.kind not in {"timeout", "schema"}


def _fault_of(response: httpx.Response) -> ExpertTransient | ExpertPermanent:
    if 300 <= response.status_code < 400:
        return ExpertPermanent("redirected", "the server redirects: name its own address")
    retry_after = parse_retry_after(response.headers.get("retry-after"), datetime.now(UTC))
    return fault_of_status(response.status_code, retry_after)


def _reply(response: httpx.Response) -> Reply:
    try:
        found = response.json()
        choice, usage = found["choices"][0], found.get("usage") or {}
        content = choice["message"]["content"]
        if not isinstance(content, str):
            raise TypeError
        return Reply(
            content,
            choice.get("finish_reason"),
            int(usage.get("prompt_tokens") or 0),
            int(usage.get("completion_tokens") or 0),
        )
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        pass
    raise ExpertTransient("schema", "the answer is no chat completion")
