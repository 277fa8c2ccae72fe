"""Asks an LLM server for opinions on many claims at once.

A failed examination is tried again if it may succeed later. A fault that every further claim would meet
too ends the run.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from threading import Lock
from typing import Literal
from urllib.parse import urlsplit

from ace.claims.model import ClaimInput
from ace.errors import ExpertPermanent, ExpertTransient, Refused
from ace.expert.client.dialects import Dialect
from ace.expert.client.handling import Blame, handling_of
from ace.expert.client.retry import due_in
from ace.expert.prompt.copt import PROMPTS
from ace.expert.prompt.verification import verify
from ace_lab.experts.opinions import Expert, IndexedOpinion, Opinion, Progress, StructuralExpert, in_order

DEFAULT_CONCURRENCY = 8
ROUNDS = 4
"""Maximum examinations of a claim. The slow stage tries more often, over hours."""

_AWAY = 16
"""Consecutive failures that are the server's fault, not counting those in flight, before the run gives up."""

_HOPELESS = frozenset({"unauthorised", "redirected", "untrusted", "encoded"})
"""Kinds of fault that every further claim would meet too."""


class RemoteExpert:
    """A language model, or any server with the same protocol, at `url` (ace.expert.client.expert_client).

    `concurrency` examinations run at a time, or fewer if the server accepts fewer.
    `attempts` and `budget_seconds` bound the short retries of one; a claim is examined up to `rounds`
    times. `prompt` is a version of the Chain of Patent Thought. Raises Refused if the URL is not one.
    """

    def __init__(
        self,
        url: str,
        *,
        token: str | None = None,
        model: str | None = None,
        ca_file: Path | None = None,
        concurrency: int = DEFAULT_CONCURRENCY,
        timeout_seconds: float = 120.0,
        attempts: int = 3,
        budget_seconds: float = 20.0,
        max_tokens: int = 1024,
        max_answer_bytes: int = 1_000_000,
        prompt: str = "v1",
        dialect: Dialect | Literal["auto"] = "auto",
        rounds: int = ROUNDS,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise Refused("an expert must be a URL such as http://host:8080", code="expert_url")
        # Imported late, because measurements without a server do not need its HTTP stack.
        from ace.expert.client.expert_client import ExpertClient

        self._client = ExpertClient(
            url,
            dialect=dialect,
            model=model,
            token=token,
            ca_file=ca_file,
            prompt=PROMPTS[prompt],
            timeout_seconds=timeout_seconds,
            attempts=attempts,
            budget_seconds=budget_seconds,
            max_tokens=max_tokens,
            max_answer_bytes=max_answer_bytes,
        )
        # Without user and password, for reports.
        self._where = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path.rstrip('/')}"
        self._model = model
        self._max_tokens = max_tokens
        self._concurrency = max(1, concurrency)
        self._rounds = rounds
        self._sleep = sleep
        self._lock = Lock()
        self.failures: Counter[str] = Counter()
        self.models: Counter[str] = Counter()
        """Examinations by the model that the server named."""

    @property
    def name(self) -> str:
        """Its address and, once it has answered, its model."""
        return (
            f"{max(self.models, key=self.models.__getitem__)} at {self._where}"
            if self.models
            else self._where
        )

    @property
    def prompt_version(self) -> str:
        """The version of the prompt."""
        return self._client.prompt_version

    @property
    def key(self) -> str:
        """Address, model, prompt version and maximum answer length. Queries the server, and raises
        ExpertTransient or ExpertPermanent if it is unreachable."""
        model = self._model or self._client.served().model
        return f"{self._where} {model} {self.prompt_version} {self._max_tokens}"

    @property
    def concurrency(self) -> int:
        """Examinations at the same time. Queries the server as `key` does."""
        return min(self._concurrency, self._client.served().max_concurrent or self._concurrency)

    def examine(
        self, inputs: Sequence[ClaimInput], totals: Sequence[int], *, progress: Progress | None = None
    ) -> list[Opinion | None]:
        """As Expert.examine; raises what `opinions` raises."""
        return in_order(self.opinions(inputs, totals), len(inputs), progress)

    def opinions(self, inputs: Sequence[ClaimInput], totals: Sequence[int]) -> Iterator[IndexedOpinion]:
        """As Expert.opinions. Raises ExpertPermanent or ExpertTransient if every further claim would
        fail too: wrong token, redirect, untrusted certificate, unreachable server."""
        concurrency = self.concurrency
        pool = ThreadPoolExecutor(concurrency, thread_name_prefix="expert")
        rng, left, in_a_row = random.Random(), list(range(len(inputs))), 0
        try:
            for turn in range(1, self._rounds + 1):
                futures = {pool.submit(self._one, inputs[at], totals[at]): at for at in left}
                again: list[int] = []
                waits = 0.0
                for done in as_completed(futures):
                    found = done.result()
                    if isinstance(found, Opinion):
                        in_a_row = 0
                        yield futures.pop(done), found
                        continue
                    in_a_row += handling_of(found.kind).blame is Blame.ENDPOINT
                    if in_a_row >= _AWAY + concurrency:
                        raise ExpertTransient(found.kind, f"{in_a_row} examinations in a row failed: {found}")
                    if isinstance(found, ExpertPermanent) or turn == self._rounds:
                        yield futures.pop(done), None
                    else:
                        again.append(futures.pop(done))
                        waits = max(waits, due_in(turn, found.retry_after, rng=rng) or 0.0)
                left = again
                if not left:
                    return
                self._sleep(waits)
        finally:
            pool.shutdown(cancel_futures=True)

    def _one(self, claim: ClaimInput, total: int) -> Opinion | ExpertTransient | ExpertPermanent:
        """The opinion, or the fault instead; raises faults that every claim would meet."""
        try:
            answer = self._client.examine(claim, total)
        except (ExpertTransient, ExpertPermanent) as fault:
            with self._lock:
                self.failures[fault.kind] += 1
            if fault.kind in _HOPELESS:
                raise
            return fault
        with self._lock:
            self.models[answer.model] += 1
        rationale = answer.rationale
        held = verify(rationale, claim)
        reasons = tuple(
            (each.stated.error_class.value, claim.text[slice(*each.span)])
            for each in held.verified
            if rationale.verdict == "Fail" and each.stated.error_class and each.span
        )
        error_class = rationale.error_class
        return Opinion(
            fail=rationale.verdict == "Fail",
            error_class=None if error_class is None else error_class.value,
            quotes=tuple(dict.fromkeys(quote for _, quote in reasons)),
            seconds=answer.seconds,
            tokens=(answer.prompt_tokens or 0) + (answer.completion_tokens or 0),
            reasons=reasons,
            answer_tokens=answer.completion_tokens or 0,
            reported=len(held.findings),
            verified=len(held.verified),
            disputed=held.disputed,
        )


def expert_named(
    name: str, *, token: str | None = None, concurrency: int = DEFAULT_CONCURRENCY
) -> Expert | None:
    """The expert that a command line names: "structural", "none" (None), or a URL, which is asked as
    the settings of the slow stage say; a `token` takes the place of the one in the settings."""
    if name == "none":
        return None
    if name == StructuralExpert.name:
        return StructuralExpert()
    from ace.settings import Settings

    settings = Settings()
    secret = settings.expert_token
    return RemoteExpert(
        name,
        token=token or (None if secret is None else secret.get_secret_value()),
        model=settings.expert_model,
        ca_file=settings.expert_ca_file,
        concurrency=concurrency,
        timeout_seconds=settings.expert_timeout_seconds,
        attempts=settings.expert_attempts,
        budget_seconds=settings.expert_budget_seconds,
        max_tokens=settings.expert_max_tokens,
        max_answer_bytes=settings.expert_max_answer_bytes,
        prompt=settings.expert_prompt,
        dialect="auto" if settings.expert_dialect == "auto" else Dialect(settings.expert_dialect),
    )
