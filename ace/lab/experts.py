"""Experts as a measurement asks them: many claims at once, an opinion for each or none.

An examination that failed is None and counted by its kind; it is never taken for a verdict. What a
measurement does with claims that have no opinion is its own business.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Lock
from typing import Literal, Protocol
from urllib.parse import urlsplit

from ace.claims.chains import BrokenChain
from ace.claims.findings import Finding
from ace.claims.model import ClaimInput
from ace.claims.rules import Severity
from ace.errors import ExpertPermanent, ExpertTransient, Refused
from ace.expert.copt import PROMPTS
from ace.expert.dialects import Dialect
from ace.expert.structural import fails, find
from ace.expert.verification import verify

DEFAULT_CONCURRENCY = 8
_HOPELESS = frozenset({"unauthorised", "redirected", "untrusted"})
"""Kinds of fault that every further claim would meet too."""

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Opinion:
    """What an expert says of one claim.

    `error_class` is that of the gravest defect, None on a Pass and where none was named. `quotes` are
    the words of the claim that the defects are seen in, `reasons` the same with the class of each.
    `seconds` is the time of the examination, `tokens` those of prompt and answer where told.
    """

    fail: bool
    error_class: str | None
    quotes: tuple[str, ...]
    seconds: float
    tokens: int
    reasons: tuple[tuple[str, str], ...] = ()


class Expert(Protocol):
    """Examines claims for a measurement; `failures` counts the failed examinations by kind."""

    failures: Counter[str]

    @property
    def name(self) -> str:
        """Who it is, as reports say."""

    def examine(
        self, inputs: Sequence[ClaimInput], totals: Sequence[int], *, progress: Progress | None = None
    ) -> list[Opinion | None]:
        """An opinion for each input in order, None where the examination failed. `totals` has the
        number of claims in each input's filing; `progress` is told how many were done."""


class StructuralExpert:
    """The deterministic checks, in this process."""

    name = "structural"

    def __init__(self) -> None:
        self.failures: Counter[str] = Counter()

    def examine(
        self, inputs: Sequence[ClaimInput], totals: Sequence[int], *, progress: Progress | None = None
    ) -> list[Opinion | None]:
        """As Expert.examine. A chain that cannot be read counts as `chain`."""
        found: list[Opinion | None] = []
        for claim, total in zip(inputs, totals, strict=True):
            found.append(self._one(claim, total))
            if progress is not None:
                progress(1)
        return found

    def _one(self, claim: ClaimInput, total: int) -> Opinion | None:
        began = time.perf_counter()
        try:
            grave = [finding for finding in find(claim, total) if fails(finding)]
        except BrokenChain:
            self.failures["chain"] += 1
            return None
        grave.sort(key=_gravity, reverse=True)
        return Opinion(
            fail=bool(grave),
            error_class=grave[0].error_class.value if grave else None,
            quotes=tuple(dict.fromkeys(finding.quote for finding in grave)),
            seconds=time.perf_counter() - began,
            tokens=0,
            reasons=tuple((finding.error_class.value, finding.quote) for finding in grave),
        )


class RemoteExpert:
    """A language model, or whatever speaks its wire protocol, at `url` (ace.expert.client).

    `concurrency` examinations run at a time. `attempts` and `budget_seconds` bound the short retries
    of one; `prompt` is a version of the Chain of Patent Thought. Raises Refused where the URL is none.
    """

    def __init__(
        self,
        url: str,
        *,
        token: str | None = None,
        concurrency: int = DEFAULT_CONCURRENCY,
        timeout_seconds: float = 120.0,
        attempts: int = 3,
        budget_seconds: float = 20.0,
        max_tokens: int = 1024,
        prompt: str = "v1",
        dialect: Dialect | Literal["auto"] = "auto",
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise Refused("an expert is named by a URL like http://host:8080", code="expert_url")
        # Its HTTP stack takes a moment to import, which measurements without it need not wait for.
        from ace.expert.client import ExpertClient

        self._client = ExpertClient(
            url,
            dialect=dialect,
            token=token,
            prompt=PROMPTS[prompt],
            timeout_seconds=timeout_seconds,
            attempts=attempts,
            budget_seconds=budget_seconds,
            max_tokens=max_tokens,
        )
        # Without user and password, for reports.
        self._where = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path.rstrip('/')}"
        self._concurrency = max(1, concurrency)
        self._lock = Lock()
        self.failures: Counter[str] = Counter()
        self.models: Counter[str] = Counter()
        """Examinations by the model that the server named."""

    @property
    def name(self) -> str:
        """Where it is, and which model answered once one has."""
        return (
            f"{max(self.models, key=self.models.__getitem__)} at {self._where}"
            if self.models
            else self._where
        )

    def examine(
        self, inputs: Sequence[ClaimInput], totals: Sequence[int], *, progress: Progress | None = None
    ) -> list[Opinion | None]:
        """As Expert.examine. Raises ExpertPermanent or ExpertTransient where every further claim would
        fail too: a wrong token, a redirect, a certificate that is not trusted."""

        def one(claim: ClaimInput, total: int) -> Opinion | None:
            opinion = self._one(claim, total)
            if progress is not None:
                with self._lock:
                    progress(1)
            return opinion

        pool = ThreadPoolExecutor(self._concurrency, thread_name_prefix="expert")
        try:
            return list(pool.map(one, inputs, totals))
        finally:
            pool.shutdown(cancel_futures=True)

    def _one(self, claim: ClaimInput, total: int) -> Opinion | None:
        try:
            answer = self._client.examine(claim, total)
        except (ExpertTransient, ExpertPermanent) as fault:
            with self._lock:
                self.failures[fault.kind] += 1
            if fault.kind in _HOPELESS:
                raise
            return None
        with self._lock:
            self.models[answer.model] += 1
        rationale = answer.rationale
        error_class = rationale.error_class
        reasons: tuple[tuple[str, str], ...] = ()
        if rationale.verdict == "Fail":
            verified = verify(rationale, claim).verified
            reasons = tuple(
                (each.told.error_class.value, claim.text[slice(*each.span)])
                for each in verified
                if each.told.error_class and each.span
            )
        return Opinion(
            fail=rationale.verdict == "Fail",
            error_class=None if error_class is None else error_class.value,
            quotes=tuple(dict.fromkeys(quote for _, quote in reasons)),
            seconds=answer.seconds,
            tokens=(answer.prompt_tokens or 0) + (answer.completion_tokens or 0),
            reasons=reasons,
        )


def expert_of(
    name: str, *, token: str | None = None, concurrency: int = DEFAULT_CONCURRENCY
) -> Expert | None:
    """The expert that a command line names: "structural", "none" (None), or a URL."""
    if name == "none":
        return None
    if name == StructuralExpert.name:
        return StructuralExpert()
    from ace.settings import Settings

    return RemoteExpert(name, token=token, concurrency=concurrency, prompt=Settings().expert_prompt)


_SEVERITIES = (Severity.NOTE, Severity.WARNING, Severity.ERROR)


def _gravity(finding: Finding) -> tuple[int, float]:
    return _SEVERITIES.index(finding.severity), finding.confidence
