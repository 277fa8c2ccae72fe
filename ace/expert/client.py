"""The client of an LLM server in TGI's dialect: one claim in, one checked rationale out.

Every fault becomes ExpertTransient or ExpertPermanent with a `kind`; no message repeats a claim or
anything that the server wrote, because servers echo what they were sent. A claim goes to the server
that was named and to no other: redirects are refused, and so are certificates that do not fit.
"""

from __future__ import annotations

import random
import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
from huggingface_hub import InferenceClient, set_client_factory
from huggingface_hub.errors import HfHubHTTPError

from ace.claims.model import ClaimInput
from ace.errors import ExpertPermanent, ExpertTransient, NotConfigured
from ace.expert.copt import PROMPT, Prompt
from ace.expert.rationale import JSON_SCHEMA, Rationale, parse
from ace.expert.retry import parse_retry_after, short_retries

# TGI's own grammar form. InferenceClient rewrites {"type": "json_schema", ...}; this it leaves alone.
# (Its signature knows only OpenAI's forms, hence Any.)
RESPONSE_FORMAT: Any = {"type": "json", "value": JSON_SCHEMA}

# Without any token InferenceClient would send the one saved on this machine to a foreign server.
_NO_TOKEN = "none"  # noqa: S105 not a secret

_TRANSIENT_STATUS = {
    404: "unavailable",
    408: "timeout",
    424: "generation",
    425: "unavailable",
    429: "overloaded",
}
_UNAUTHORISED = frozenset({401, 403, 407})


@dataclass(frozen=True, slots=True)
class Answer:
    """One good answer. `raw` is the text as the server sent it; tokens are None if not told."""

    raw: str
    rationale: Rationale
    model: str
    prompt_tokens: int | None
    completion_tokens: int | None
    seconds: float


class ExpertClient:
    """Examines claims through the server at `url`. One client serves any number of threads.

    `timeout_seconds` bounds each wait for the server, `attempts` and `budget_seconds` the short
    retries of one examination, `max_tokens` the answer. `ca_file` names the only authority (PEM)
    that may have signed the server's certificate, in place of the system's; raises NotConfigured
    where it cannot be used. huggingface_hub has one HTTP client for the process, so the authority
    of the last ExpertClient holds for all.
    """

    def __init__(
        self,
        url: str,
        *,
        token: str | None = None,
        ca_file: Path | None = None,
        timeout_seconds: float = 120.0,
        max_tokens: int = 1024,
        attempts: int = 3,
        budget_seconds: float = 20.0,
        prompt: Prompt = PROMPT,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        rng: random.Random | None = None,
    ) -> None:
        set_client_factory(partial(_session, _trusted(url, ca_file)))
        self._client = InferenceClient(model=url, token=token or _NO_TOKEN, timeout=timeout_seconds)
        self._max_tokens = max_tokens
        self._attempts = attempts
        self._budget_seconds = budget_seconds
        self._prompt = prompt
        self._sleep = sleep
        self._clock = clock
        self._now = now
        self._rng = rng or random.Random()
        self.prompt_version = prompt.version

    def examine(self, claim: ClaimInput, total: int) -> Answer:
        """The expert's answer about `claim`, one of `total` in its set.

        Raises ExpertTransient (kinds overloaded, generation, unavailable, unreachable, untrusted,
        timeout, truncated, schema) once the short retries are spent, and ExpertPermanent
        (validation, unauthorised, redirected).
        """
        messages = self._prompt.messages(claim, total)
        retrying = short_retries(
            attempts=self._attempts,
            budget_seconds=self._budget_seconds,
            rng=self._rng,
            sleep=self._sleep,
        )
        answer: Answer = retrying(self._ask, messages)
        return answer

    def _ask(self, messages: list[dict[str, str]]) -> Answer:
        started = self._clock()
        completion = self._complete(messages)
        seconds = self._clock() - started
        try:
            choice = completion.choices[0]
            raw, finish_reason = choice.message.content, choice.finish_reason
            model = completion.model
            usage = completion.usage
        except (AttributeError, IndexError, KeyError, TypeError):
            raise _no_completion() from None
        if not isinstance(raw, str | None) or not isinstance(model, str | None):
            raise _no_completion()
        rationale = parse(raw, finish_reason)
        return Answer(
            raw=raw or "",
            rationale=rationale,
            model=model or "unknown",
            prompt_tokens=_count(usage, "prompt_tokens"),
            completion_tokens=_count(usage, "completion_tokens"),
            seconds=seconds,
        )

    def _complete(self, messages: list[dict[str, str]]) -> Any:
        """One HTTP call. Errors are replaced, never chained: theirs hold the server's words."""
        fault: ExpertTransient | ExpertPermanent
        try:
            return self._client.chat_completion(
                [dict(message) for message in messages],
                max_tokens=self._max_tokens,
                response_format=RESPONSE_FORMAT,
            )
        except ExpertPermanent:  # of the session: redirected
            raise
        except HfHubHTTPError as error:
            fault = self._fault_of(error.response)
        except TimeoutError:
            fault = ExpertTransient("timeout", "the expert did not answer in time")
        except (httpx2.TransportError, OSError) as error:
            fault = _fault_of_connection(error)
        except Exception as error:
            # Whatever a foreign server can make the library stumble over is the answer's fault; an
            # error status with an odd body makes it stumble too.
            response = _response_behind(error)
            fault = (
                ExpertTransient("schema", f"the answer is no chat completion ({type(error).__name__})")
                if response is None
                else self._fault_of(response)
            )
        raise fault

    def _fault_of(self, response: httpx2.Response) -> ExpertTransient | ExpertPermanent:
        retry_after = parse_retry_after(response.headers.get("retry-after"), self._now())
        return fault_of_status(response.status_code, retry_after)


def _trusted(url: str, ca_file: Path | None) -> ssl.SSLContext | bool:
    """What the HTTP client is to trust: the authority in `ca_file`, or True for the system's."""
    if ca_file is None:
        return True
    if urlsplit(url).scheme != "https":
        raise NotConfigured("ACE_EXPERT_CA_FILE is set, but ACE_EXPERT_URL does not begin with https://")
    try:
        return ssl.create_default_context(cafile=ca_file)
    except OSError as error:  # ssl.SSLError is one too
        reason = type(error).__name__
    raise NotConfigured(f"ACE_EXPERT_CA_FILE cannot be used: it must hold certificates in PEM ({reason})")


def _session(trusted: ssl.SSLContext | bool) -> httpx2.Client:
    """The HTTP client of all requests. huggingface_hub's own follows redirects, with the claim in
    hand, and with HF_DEBUG it logs what it sends."""
    return httpx2.Client(
        verify=trusted, follow_redirects=False, event_hooks={"response": [_refuse_redirect]}, timeout=None
    )


def _refuse_redirect(response: httpx2.Response) -> None:
    if 300 <= response.status_code < 400:
        raise ExpertPermanent(
            "redirected",
            f"the expert answered {response.status_code}: name its own address in ACE_EXPERT_URL",
        )


def _fault_of_connection(error: BaseException) -> ExpertTransient:
    """A certificate that is not trusted has a kind of its own: somebody has to look at it."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return ExpertTransient(
                "untrusted",
                "the expert's certificate has expired, is another host's, or is not signed by an"
                " authority that is trusted (ACE_EXPERT_CA_FILE)",
            )
        cause = cause.__cause__ or cause.__context__
    return ExpertTransient("unreachable", f"the connection to the expert failed ({type(error).__name__})")


def fault_of_status(status: int, retry_after: float | None = None) -> ExpertTransient | ExpertPermanent:
    """The error for an HTTP status, by TGI's use of it (429 overloaded, 424 generation, 422
    validation, 500 incomplete generation) and common sense for the rest."""
    message = f"the expert answered {status}"
    if status in _UNAUTHORISED:
        return ExpertPermanent("unauthorised", f"{message}: check its token")
    if status in _TRANSIENT_STATUS:
        return ExpertTransient(_TRANSIENT_STATUS[status], message, retry_after)
    if 400 <= status < 500:
        return ExpertPermanent("validation", f"{message}: it refuses this request")
    return ExpertTransient("unavailable", message, retry_after)


def _response_behind(error: BaseException) -> httpx2.Response | None:
    """The error response that the library was reading when it raised `error`."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, httpx2.HTTPStatusError):
        cause = cause.__cause__ or cause.__context__
    return cause.response if cause is not None else None


def _no_completion() -> ExpertTransient:
    return ExpertTransient("schema", "the answer is no chat completion")


def _count(usage: Any, name: str) -> int | None:
    value = getattr(usage, name, None)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
