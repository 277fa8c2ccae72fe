"""How requests reach the API: over one pool of connections, with bounded retries.

Nothing here knows what a request means; the caller says whether it may be retried.
"""

import random
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

import httpx

from ace.client.answers import Unreachable, error_of

LONGEST_PAUSE_SECONDS: Final = 30.0
RETRIED: Final = frozenset({429, 502, 503, 504})
MAX_ANSWER_BYTES: Final = 100_000_000
"""Far more than the API answers; what comes beyond it is not read."""

_FRAMING: Final = frozenset({"content-encoding", "content-length", "transfer-encoding"})


class Sender:
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
        transport: httpx.BaseTransport | None,
        sleep: Callable[[float], object] = time.sleep,
        rng: random.Random | None = None,
    ) -> None:
        self.retries = retries
        self.on_pause: Callable[[float, str], object] = lambda _seconds, _reason: None
        self._timeout_seconds = timeout_seconds
        self._sleep = sleep
        self._rng = rng or random.Random()  # jitter
        self._http = httpx.Client(
            base_url=url, headers={"Authorization": f"Bearer {key}"}, transport=transport
        )

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def json(self, method: str, path: str, **more: Any) -> Any:
        """The JSON of a successful answer; raises `ApiError` for any other."""
        return self.request(method, path, **more).json()

    def request(
        self,
        method: str,
        path: str,
        *,
        wait_seconds: int | None = None,
        headers: Mapping[str, str] | None = None,
        retries: int | None = None,
        **more: Any,
    ) -> httpx.Response:
        """The successful answer to a request, after retries; raises `ApiError` for any other."""
        sent = dict(headers or {})
        if wait_seconds is not None:
            sent["Prefer"] = f"wait={wait_seconds}"
        timeout = httpx.Timeout(self._timeout_seconds, read=self._timeout_seconds + (wait_seconds or 0))
        retries = self.retries if retries is None else retries
        for attempt in range(retries + 1):
            last = attempt == retries
            try:
                response = self._answer(method, path, headers=sent, timeout=timeout, **more)
            except httpx.TransportError as error:
                words = f"the API cannot be reached: {type(error).__name__}"
                if last:
                    raise Unreachable({"detail": words}) from error
                self.pause(attempt, None, words)
                continue
            if response.is_success:
                return response
            problem = _problem(response)
            refused = error_of(response.status_code, problem)
            if last or response.status_code not in RETRIED:
                raise refused
            asked = response.headers.get("Retry-After", "")
            self.pause(attempt, float(asked) if asked.isdecimal() else None, str(refused))
        raise AssertionError("unreachable: the last attempt returns or raises")

    def _answer(self, method: str, path: str, **more: Any) -> httpx.Response:
        """The whole answer, uncompressed. Raises `Unreachable` for one that is too long."""
        with self._http.stream(method, path, **more) as response:
            content = bytearray()
            for part in response.iter_bytes():
                content += part
                if len(content) > MAX_ANSWER_BYTES:
                    raise Unreachable(
                        {"detail": f"the API's answer has more than {MAX_ANSWER_BYTES:,} bytes"}
                    )
        plain = [(name, value) for name, value in response.headers.multi_items() if name not in _FRAMING]
        return httpx.Response(
            response.status_code, headers=plain, content=bytes(content), request=response.request
        )

    def pause(self, attempt: int, retry_after: float | None, reason: str) -> None:
        """Waits before the next attempt: `retry_after` seconds if the server asked for them."""
        if retry_after is None:
            seconds = min(0.2 * 2**attempt, LONGEST_PAUSE_SECONDS) * self._rng.uniform(0.5, 1)
        else:
            seconds = min(retry_after, LONGEST_PAUSE_SECONDS)
        self.on_pause(seconds, reason)
        self._sleep(seconds)


def _problem(response: httpx.Response) -> Mapping[str, Any]:
    try:
        body = response.json()
    except ValueError:
        return {}  # an error page of some proxy
    return body if isinstance(body, dict) else {}
