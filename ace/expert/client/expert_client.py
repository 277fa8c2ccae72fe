"""The client of an LLM server in any of the dialects: one claim in, one checked rationale out.

Every fault becomes ExpertTransient or ExpertPermanent with a `kind`; no message repeats a claim or anything
that the server wrote, because servers echo what they were sent. A claim goes only to the server that was
named: redirects are refused, and so are certificates that do not fit.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Final, Literal

from ace.claims.analysis import AnalysedClaim, as_json
from ace.claims.model import ClaimInput
from ace.errors import ExpertPermanent, ExpertTransient
from ace.expert.client.answer import Answer
from ace.expert.client.dialects import ANALYSIS_FIELD, EXAMINER, Dialect, body
from ace.expert.client.faults import fault, kind_of_completion
from ace.expert.client.language import is_english
from ace.expert.client.probing import Probe, look
from ace.expert.client.remedies import FRESH_TEMPERATURE, Question, remedy
from ace.expert.client.reply import reply_of
from ace.expert.client.retry import short_retries
from ace.expert.client.session import Session
from ace.expert.client.transport import MAX_ANSWER_BYTES
from ace.expert.prompt.copt import PROMPT, Prompt
from ace.types.faults import FaultKind

log = logging.getLogger(__name__)

_MAY_HAVE_CHANGED: Final = frozenset(
    {
        FaultKind.UNREACHABLE,
        FaultKind.UNAVAILABLE,
        FaultKind.UNTRUSTED,
        FaultKind.REFUSED,
        FaultKind.VALIDATION,
        FaultKind.SCHEMA,
        FaultKind.EMPTY,
    }
)
"""The faults after which the server is looked at again: another may come back, or this one may have been
starting when it was looked at."""
_MIN_CALL_SECONDS: Final = 1.0
_SEEDS: Final = 100  # reserved for each opinion: more than an examination has calls


@dataclass(slots=True)
class _Progress:
    """How far an examination has come: what is asked next, and what has happened so far."""

    question: Question
    until: float  # when the time for all its calls is over
    opinion: int = 0
    calls: int = 0
    changed: bool = False  # the question differs from the one asked last
    prompt_tokens: int | None = None
    truncated: ExpertTransient | ExpertPermanent | None = None


class ExpertClient:
    """Examines claims through the server at `url`. One client serves any number of threads.

    `dialect` "auto" looks at the server before the first question, and again after an outage.
    `timeout_seconds` bounds each HTTP call as a whole, `attempts` their number in one examination,
    `budget_seconds` the time in which another call may begin, `max_tokens` the answer, `max_answer_bytes` all
    that a server may send in one call. `shorter` is a prompt version to fall back on if an answer is cut off.
    `ca_file` names the only authority (PEM) that may have signed the server's certificate, in place of the
    system's. Raises NotConfigured if it cannot be used.
    """

    def __init__(
        self,
        url: str,
        *,
        dialect: Dialect | Literal["auto"] = Dialect.TGI,
        model: str | None = None,
        token: str | None = None,
        ca_file: Path | None = None,
        timeout_seconds: float = 120.0,
        max_tokens: int = 1024,
        max_answer_bytes: int = MAX_ANSWER_BYTES,
        attempts: int = 3,
        budget_seconds: float = 20.0,
        prompt: Prompt = PROMPT,
        shorter: Prompt | None = None,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        rng: random.Random | None = None,
    ) -> None:
        self._session = Session(url, token=token, ca_file=ca_file, max_answer_bytes=max_answer_bytes, now=now)
        self._dialect: Dialect | Literal["auto"] = dialect
        self._model = model
        self._timeout_seconds = timeout_seconds
        self._max_tokens = max_tokens
        self._attempts = attempts
        self._budget_seconds = max(budget_seconds, timeout_seconds)
        self._retry_seconds = budget_seconds
        self._prompt = prompt
        self._shorter = shorter
        self._sleep = sleep
        self._clock = clock
        self._rng = rng or random.Random()
        self._look_lock = Lock()
        self._served: Probe | None = None
        self._reported: Probe | None = None
        self._failed_look: tuple[float, ExpertTransient | ExpertPermanent] | None = None
        self.prompt_version = prompt.version

    def close(self) -> None:
        """Closes the client's connections."""
        self._session.close()

    def served(self) -> Probe:
        """What the server reports about itself; asked for once. Raises what `examine` raises."""
        if (known := self._served) is not None:
            return known
        asked_at = self._clock()
        with self._look_lock:
            return self._served or self._look(asked_at)

    def examine(
        self, claim: ClaimInput, total: int, *, opinion: int = 0, budget_seconds: float | None = None
    ) -> Answer:
        """The expert's answer about `claim`, one of `total` in its set.

        With `opinion` above 0 it is a further opinion: sampled, with seeds that depend on that number alone,
        and within `budget_seconds`.

        Raises ExpertTransient or ExpertPermanent, with a kind of faults.FaultKind, when the short retries and
        the remedies are used up.
        """
        question = Question(claim, total, self._prompt, self._max_tokens)
        if opinion:
            question = replace(question, temperature=FRESH_TEMPERATURE)
        budget = self._budget_seconds if budget_seconds is None else budget_seconds
        progress = _Progress(question, until=self._clock() + budget, opinion=opinion)
        retrying = short_retries(
            attempts=self._attempts,
            budget_seconds=min(self._retry_seconds, budget),
            rng=self._rng,
            sleep=self._sleep,
            changed=lambda: progress.changed,
        )
        try:
            answer: Answer = retrying(self._ask, progress)
        except (ExpertTransient, ExpertPermanent) as raised:
            if raised.kind in _MAY_HAVE_CHANGED:
                self._served = None
            raise
        return answer

    def _ask(self, progress: _Progress) -> Answer:
        """Asks once. After a fault, the progress has a better question if there is one."""
        progress.changed = False
        try:
            return self._answer(progress)
        except (ExpertTransient, ExpertPermanent) as raised:
            kind = FaultKind(raised.kind)
            if kind is FaultKind.TOO_LONG and progress.truncated is not None:
                # Only the longer answer that was asked for made it too long.
                raise progress.truncated from None
            if kind is FaultKind.TRUNCATED:
                progress.truncated = raised
            better = remedy(
                progress.question,
                kind,
                shorter=self._shorter,
                max_tokens=self._max_tokens_for(kind, progress),
            )
            if better is not None:
                progress.question, progress.changed = better, True
            raise

    def _answer(self, progress: _Progress) -> Answer:
        served = self._known()
        model = self._model or (None if served.dialect is Dialect.TGI else served.model)
        if model is None and served.dialect is Dialect.OPENAI:
            # It would reject every claim without one, and a rejection is permanent.
            raise ExpertTransient(FaultKind.UNAVAILABLE, "the expert names no model: set ACE_EXPERT_MODEL")
        question = progress.question
        asked = body(
            served.dialect,
            question.prompt.messages(question.claim, question.total),
            question.prompt.schema,
            max_tokens=question.max_tokens,
            model=model,
            temperature=question.temperature,
            # A question that is asked again must not get the same answer.
            seed=_SEEDS * progress.opinion + progress.calls if progress.opinion else None,
        )
        if isinstance(question.claim, AnalysedClaim) and (served.model or "").startswith(EXAMINER):
            asked["extra_body"] = {ANALYSIS_FIELD: as_json(question.claim.analysis)}
        seconds = self._seconds_for(progress)
        progress.calls += 1
        started = self._clock()
        ask = self._session.ask_tgi if served.dialect is Dialect.TGI else self._session.ask
        completion = reply_of(ask(asked, seconds))
        ended = self._clock()
        progress.prompt_tokens = completion.prompt_tokens
        raw, finish_reason = completion.text, completion.finish_reason
        if (kind := kind_of_completion(raw, finish_reason)) is not None:
            raise fault(kind)
        rationale = question.prompt.parse(raw, finish_reason)
        if not is_english(*rationale.spoken):
            raise fault(FaultKind.LANGUAGE)
        return Answer(
            raw=raw or "",
            rationale=rationale,
            model=completion.model or "unknown",
            prompt_tokens=completion.prompt_tokens,
            completion_tokens=completion.completion_tokens,
            seconds=ended - started,
            calls=progress.calls,
            dialect=served.dialect,
            cut=question.cut,
            prompt_version=question.prompt.version,
        )

    def _seconds_for(self, progress: _Progress) -> float:
        """The time for the next call: less if earlier ones have used up that of the examination."""
        left = progress.until - self._clock()
        return min(self._timeout_seconds, max(left, _MIN_CALL_SECONDS))

    def _max_tokens_for(self, kind: FaultKind, progress: _Progress) -> int | None:
        """The longest answer that the server can give to this prompt, if it is known."""
        if kind is not FaultKind.TRUNCATED or self._served is None:
            return None
        maximum, taken = self._served.max_total_tokens, progress.prompt_tokens
        return None if maximum is None or taken is None else max(maximum - taken, 1)

    def _known(self) -> Probe:
        """What a question needs to know about the server: its dialect, and usually its model's name."""
        if self._dialect == "auto" or (self._dialect is not Dialect.TGI and self._model is None):
            return self.served()
        return self._served or Probe(self._dialect)

    def _look(self, asked_at: float) -> Probe:
        if self._failed_look is not None and self._failed_look[0] >= asked_at:
            # Another thread found nobody there while this one waited.
            failure = self._failed_look[1]
            raise type(failure)(failure.kind, str(failure))
        try:
            found = look(self._session, self._dialect)
        except (ExpertTransient, ExpertPermanent) as raised:
            self._failed_look = (self._clock(), raised)
            raise
        self._served = found
        if found == self._reported:
            return found
        self._reported = found
        log.info(
            "expert found",
            extra={
                "dialect": found.dialect.value,
                "model": found.model,
                "max_concurrent": found.max_concurrent,
                "max_input_tokens": found.max_input_tokens,
            },
        )
        return found
