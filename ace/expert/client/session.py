"""HTTP with one server: questions, which go through huggingface_hub if it is TGI, and requests for what it
reports about itself. Every fault is raised as one of our own errors.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Self, TypeVar
from uuid import uuid4
from weakref import WeakValueDictionary, finalize

import httpx2
from huggingface_hub import InferenceClient, get_session, set_client_factory

from ace.errors import ExpertPermanent, ExpertTransient
from ace.expert.client.dialects import chat_url, root_url
from ace.expert.client.faults import no_completion
from ace.expert.client.transport import MAX_ANSWER_BYTES, ServerTransport

# Without any token InferenceClient would send the one saved on this machine to a foreign server.
_NO_TOKEN: Final = "none"  # noqa: S105 not a secret
_SESSION_HEADER: Final = "x-ace-session"

T = TypeVar("T")


class Session:
    """Connections to the server at `url`, for any number of threads; a context manager that closes them.

    Raises NotConfigured if `ca_file` cannot be used. The other methods raise ExpertTransient and
    ExpertPermanent.
    """

    def __init__(
        self,
        url: str,
        *,
        token: str | None = None,
        ca_file: Path | None = None,
        max_answer_bytes: int = MAX_ANSWER_BYTES,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._root = root_url(url)
        self._chat = chat_url(url)
        self._token = token
        self._headers = {} if token is None else {"authorization": f"Bearer {token}"}
        transport = ServerTransport(url, ca_file, now=now, max_answer_bytes=max_answer_bytes)
        self._http = httpx2.Client(transport=transport, follow_redirects=False)
        self._name = _registered(self._http)
        finalize(self, self._http.close)  # an owner who never closes it leaves no socket open

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def get(self, path: str, seconds: float) -> tuple[int, Any]:
        """The status at this path of the server, and the JSON if there is any; None otherwise."""
        response = _ours(
            lambda: self._http.get(f"{self._root}{path}", headers=self._headers, timeout=seconds)
        )
        try:
            return response.status_code, response.json()
        except (ValueError, RecursionError):  # no JSON, or JSON of absurd depth
            return response.status_code, None

    def ask(self, body: dict[str, Any], seconds: float) -> Any:
        """The JSON that the server answers to a body of dialects.py within `seconds`."""
        return _ours(
            lambda: self._http.post(self._chat, json=body, headers=self._headers, timeout=seconds).json()
        )

    def ask_tgi(self, body: dict[str, Any], seconds: float) -> Any:
        """The same through huggingface_hub."""
        _route_through_sessions()
        client = InferenceClient(
            base_url=self._root,
            token=self._token or _NO_TOKEN,
            timeout=seconds,
            headers={_SESSION_HEADER: self._name},
        )
        return _ours(
            lambda: client.chat_completion(
                body["messages"],
                model=body["model"],
                max_tokens=body["max_tokens"],
                response_format=body["response_format"],
                temperature=body.get("temperature"),
                seed=body.get("seed"),
                extra_body=body.get("extra_body"),
            )
        )


# huggingface_hub sends everything through one HTTP client of the process, but each of our servers has its own
# authority, proxy and connections. So a request names its session in a header, which is taken off again.

_sessions: WeakValueDictionary[str, httpx2.Client] = WeakValueDictionary()


class _HubClient(httpx2.Client):
    """huggingface_hub's HTTP client. A request that names one of our sessions goes through that session."""

    def __init__(self) -> None:
        super().__init__(follow_redirects=True, timeout=None)

    def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        name = request.headers.pop(_SESSION_HEADER, None)
        if name is None:
            return super().send(request, **options)
        return _sessions[name].send(request, **options)


def _registered(http: httpx2.Client) -> str:
    name = uuid4().hex
    _sessions[name] = http
    return name


def _route_through_sessions() -> None:
    """Sets huggingface_hub up on the first call of the process, and again if somebody else has since."""
    if not isinstance(get_session(), _HubClient):
        set_client_factory(_HubClient)


def _ours(call: Callable[[], T]) -> T:
    """What the call returns. A library may stumble over anything a foreign server writes; its errors are
    replaced and never chained, because they hold what was sent."""
    try:
        return call()
    except (ExpertPermanent, ExpertTransient):
        raise
    except Exception as error:
        name = type(error).__name__
    raise no_completion(name)
