"""How requests reach the API: over one pool of connections, with bounded retries.

Nothing here knows what a request means; the caller says whether it may be retried.
"""

import asyncio
import random
from collections.abc import AsyncGenerator, Callable, Mapping
from typing import Any, Final, TypeVar

import httpx
from pydantic import ValidationError

from patent_ace_client.errors import ApiError, Unreachable, error_of
from patent_ace_client.model import Model
from patent_ace_client.retrying import RETRIED, asked_seconds, pause_seconds
from patent_ace_client.sleeping import AsyncSleep

M = TypeVar("M", bound=Model)
V = TypeVar("V")

NOT_MODIFIED: Final = 304
MAX_ANSWER_BYTES: Final = 100_000_000
"""Far more than the API answers; what comes beyond it is not read."""

SILENCE_SECONDS: Final = 45
"""Of a stream, which gives a sign of life every 15 seconds: after so much silence it is broken."""

_FRAMING: Final = frozenset({"content-encoding", "content-length", "transfer-encoding"})


class AsyncSender:
    """Sends requests with one key. Waits as long as the server asks, or backs off exponentially with jitter.

    `on_pause` is called with the seconds and the reason before each wait.
    """

    def __init__(
        self,
        url: str,
        key: str,
        *,
        timeout_seconds: float,
        retries: int,
        transport: httpx.AsyncBaseTransport | None,
        sleep: AsyncSleep = asyncio.sleep,
        rng: random.Random | None = None,
    ) -> None:
        self.retries = retries
        self.on_pause: Callable[[float, str], object] = lambda _seconds, _reason: None
        self._timeout_seconds = timeout_seconds
        self._sleep = sleep
        self._rng = rng or random.Random()  # jitter
        self._http = httpx.AsyncClient(
            base_url=usable_url(url),
            headers={"Authorization": f"Bearer {usable_key(key)}"},
            transport=transport,
        )

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def get(self, kind: type[M], path: str, **more: Any) -> M:
        """The answer to a GET, as `kind`."""
        return parsed(kind, await self.request("GET", path, **more))

    async def post(self, kind: type[M], path: str, **more: Any) -> M:
        """The answer to a POST, as `kind`."""
        return parsed(kind, await self.request("POST", path, **more))

    async def request(
        self,
        method: str,
        path: str,
        *,
        wait_seconds: int | None = None,
        headers: Mapping[str, str] | None = None,
        retries: int | None = None,
        **more: Any,
    ) -> httpx.Response:
        """The answer to a request, after retries: a success, or 304. Raises `ApiError` for any other."""
        sent = dict(headers or {})
        if wait_seconds is not None:
            sent["Prefer"] = f"wait={wait_seconds}"
        timeout = httpx.Timeout(self._timeout_seconds, read=self._timeout_seconds + (wait_seconds or 0))
        retries = self.retries if retries is None else retries
        attempt = 0
        while True:
            try:
                response = await self._answer(method, path, headers=sent, timeout=timeout, **more)
            except httpx.TransportError as error:
                refused: ApiError = _unreached(error)
                asked, again = None, True
            else:
                if response.is_success or response.status_code == NOT_MODIFIED:
                    return response
                refused = _refusal(response)
                asked = asked_seconds(response.headers.get("Retry-After"))
                again = response.status_code in RETRIED
            if attempt == retries or not again:
                raise refused
            await self.pause(attempt, asked, str(refused))
            attempt += 1

    async def lines(
        self, path: str, *, headers: Mapping[str, str] | None = None, **more: Any
    ) -> AsyncGenerator[str]:
        """The lines of one stream of server-sent events, as they come. It is opened once, and not again."""
        timeout = httpx.Timeout(self._timeout_seconds, read=SILENCE_SECONDS)
        sent = {"Accept": "text/event-stream", **(headers or {})}
        try:
            async with self._http.stream("GET", path, headers=sent, timeout=timeout, **more) as response:
                if not response.is_success:
                    await response.aread()
                    raise _refusal(response)
                async for line in response.aiter_lines():
                    yield line
        except httpx.TransportError as error:
            raise _unreached(error) from None

    async def _answer(self, method: str, path: str, **more: Any) -> httpx.Response:
        """The whole answer, uncompressed. Raises `Unreachable` for one that is too long."""
        async with self._http.stream(method, path, **more) as response:
            content = bytearray()
            async for part in response.aiter_bytes():
                content += part
                if len(content) > MAX_ANSWER_BYTES:
                    raise Unreachable(
                        {"detail": f"the API's answer has more than {MAX_ANSWER_BYTES:,} bytes"}
                    )
        plain = [(name, value) for name, value in response.headers.multi_items() if name not in _FRAMING]
        return httpx.Response(
            response.status_code, headers=plain, content=bytes(content), request=response.request
        )

    async def pause(self, attempt: int, retry_after: float | None, reason: str) -> None:
        """Waits before the next attempt: `retry_after` seconds if the server asked for them."""
        seconds = pause_seconds(attempt, retry_after, self._rng)
        self.on_pause(seconds, reason)
        await self._sleep(seconds)


def usable_url(url: str) -> str:
    """The URL without white space around it. Raises ValueError unless it is one of HTTP with a host."""
    found = url.strip()
    try:
        parsed_url = httpx.URL(found)
    except httpx.InvalidURL:
        parsed_url = httpx.URL("")
    if parsed_url.scheme not in {"http", "https"} or not parsed_url.host:
        raise ValueError(f"the URL of the API must begin with http:// or https:// and a host, not {url!r}")
    return found


def usable_key(key: str) -> str:
    """The key without white space around it. Raises ValueError for one that no header can hold."""
    found = key.strip()
    if not found or not found.isascii() or not found.isprintable() or " " in found:
        raise ValueError("the key of the API is empty, or has characters that no key has")
    return found


def given(**fields: V | None) -> dict[str, V]:
    """The fields that are given."""
    return {name: value for name, value in fields.items() if value is not None}


def parsed(kind: type[M], response: httpx.Response) -> M:
    """A successful answer as `kind`. Raises `ApiError` if it does not fit."""
    try:
        return kind.model_validate_json(response.content)
    except ValidationError as error:
        place = "/".join(map(str, error.errors(include_input=False)[0]["loc"])) or "it is not JSON"
        words = f"the API's answer is not as this version of the client knows it: {place}"
        raise ApiError({"detail": words}, response.headers.get("X-Request-Id")) from None


def _unreached(error: httpx.TransportError) -> Unreachable:
    place = httpx.URL(error.request.url).copy_with(raw_path=b"")
    return Unreachable({"detail": f"the API at {place} cannot be reached: {type(error).__name__}"})


def _refusal(response: httpx.Response) -> ApiError:
    try:
        body = response.json()
    except (ValueError, RecursionError):
        body = None  # an error page of some proxy
    problem = body if isinstance(body, dict) else {}
    return error_of(response.status_code, problem, response.headers.get("X-Request-Id"))
