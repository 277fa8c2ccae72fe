"""One question over the wire, in any of the dialects: the completion that came back, or the fault.

Errors are replaced, never chained: theirs hold the server's words, and servers echo what they were sent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, Literal
from weakref import finalize

import httpx2
from huggingface_hub import InferenceClient, set_client_factory
from huggingface_hub.errors import HfHubHTTPError

from ace.errors import ExpertPermanent, ExpertTransient
from ace.expert.client.dialects import Dialect, chat_url, root_url
from ace.expert.client.faults import Kind, fault, fault_of_status, kind_of
from ace.expert.client.probing import Probe, authorisation, look
from ace.expert.client.retry import parse_retry_after
from ace.expert.client.session import session_factory, within

# Without any token InferenceClient would send the one saved on this machine to a foreign server.
_NO_TOKEN = "none"  # noqa: S105 not a secret


@dataclass(frozen=True, slots=True)
class Completion:
    """What came back; tokens are None where they were not told."""

    text: str | None
    finish_reason: str | None
    model: str | None
    prompt_tokens: int | None
    completion_tokens: int | None


class Wire:
    """The connections to one server, for any number of threads. Raises NotConfigured where `ca_file`
    cannot be used."""

    def __init__(
        self,
        url: str,
        *,
        token: str | None,
        ca_file: Path | None,
        now: Callable[[], datetime],
    ) -> None:
        # Its own timeout would be one for each read; the deadline bounds them all.
        self._tgi = InferenceClient(base_url=root_url(url), token=token or _NO_TOKEN)
        self._http = session_factory(url, ca_file)()
        finalize(self, self._http.close)  # an owner who never closes it leaves no socket open
        self._url = url
        self._headers = authorisation(token)
        self._now = now

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def look(self, dialect: Dialect | Literal["auto"]) -> Probe:
        """What the server tells of itself."""
        return look(self._http, self._url, self._headers, dialect)

    def ask(self, dialect: Dialect, asked: dict[str, Any], seconds: float) -> Completion:
        """One HTTP call with a body of dialects.py, over within `seconds`; raises its fault."""
        with within(seconds) as deadline:
            try:
                return _completion(self._tgis(asked) if dialect is Dialect.TGI else self._posted(asked))
            except (ExpertPermanent, ExpertTransient):
                raise
            except HfHubHTTPError as error:
                raised = self._fault_of(error.response)
            except Exception as error:
                # Whatever a foreign server can make the library stumble over is the answer's fault; an
                # error status with an odd body makes it stumble too.
                response = _response_behind(error)
                if response is None:
                    kind = kind_of(error=error, received=deadline.received) or Kind.SCHEMA
                    raised = fault(kind, detail=type(error).__name__)
                else:
                    raised = self._fault_of(response)
        raise raised

    def _tgis(self, asked: dict[str, Any]) -> Any:
        with _lent(self._http):
            return self._tgi.chat_completion(
                asked["messages"],
                model=asked["model"],
                max_tokens=asked["max_tokens"],
                response_format=asked["response_format"],
                temperature=asked.get("temperature"),
                seed=asked.get("seed"),
            )

    def _posted(self, asked: dict[str, Any]) -> Any:
        response = self._http.post(chat_url(self._url), json=asked, headers=self._headers)
        if response.status_code != 200:
            raise self._fault_of(response)
        return response.json()

    def _fault_of(self, response: httpx2.Response) -> ExpertTransient | ExpertPermanent:
        retry_after = parse_retry_after(response.headers.get("retry-after"), self._now())
        try:
            said = response.text
        except httpx2.ResponseNotRead:
            said = ""
        return fault_of_status(response.status_code, retry_after, said)


_lender: ContextVar[httpx2.Client | None] = ContextVar("lender", default=None)


@contextmanager
def _lent(own: httpx2.Client) -> Iterator[None]:
    """What huggingface_hub sends in this block, `own` sends: the library has one session for the process,
    but each server its own authority, proxy and connections."""
    _take_over()
    token = _lender.set(own)
    try:
        yield
    finally:
        _lender.reset(token)


@cache
def _take_over() -> None:
    set_client_factory(lambda: _Borrowing(follow_redirects=True, timeout=None))


class _Borrowing(httpx2.Client):
    """huggingface_hub's session: as it would be, where nobody lends it another."""

    def send(self, request: httpx2.Request, **how: Any) -> httpx2.Response:
        own = _lender.get()
        return super().send(request, **how) if own is None else own.send(request, **how)


def _completion(found: Any) -> Completion:
    """The parts of a chat completion, in any dialect; raises where it is none."""
    try:
        choice, usage = found["choices"][0], found.get("usage")
        text, finish_reason, model = (
            choice["message"]["content"],
            choice.get("finish_reason"),
            found.get("model"),
        )
    except (AttributeError, LookupError, TypeError):
        raise _no_completion() from None
    if not all(isinstance(part, str | None) for part in (text, finish_reason, model)):
        raise _no_completion()
    return Completion(
        text, finish_reason, model, _count(usage, "prompt_tokens"), _count(usage, "completion_tokens")
    )


def _response_behind(error: BaseException) -> httpx2.Response | None:
    """The error response that the library was reading when it raised `error`."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, httpx2.HTTPStatusError):
        cause = cause.__cause__ or cause.__context__
    return cause.response if cause is not None else None


def _no_completion() -> ExpertTransient | ExpertPermanent:
    return fault(Kind.SCHEMA, detail="no chat completion")


def _count(usage: Any, name: str) -> int | None:
    value = usage.get(name) if isinstance(usage, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
