"""The form of a language model's answers, whether right or wrong: length, quotations, time and cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ace_lab.evaluation.judges import rounded
from ace_lab.evaluation.run import EvaluationRun, usd_per_million
from ace_lab.experts.opinions import Opinion
from ace_lab.experts.remote import RemoteExpert


def expert_answers(run: EvaluationRun) -> dict[str, Any]:
    """Figures over every claim that the run has an opinion on, each counted once, including opinions cached
    by an earlier run. Failures and throughput are those of this run. Empty without a language model:
    the rules quote what they find, and their time is in the table of results."""
    expert = run.expert
    if not isinstance(expert, RemoteExpert):
        return {}
    had = [opinion for opinion in run.opinions_by_claim.values() if opinion is not None]
    seconds = [opinion.seconds for opinion in had]
    reported = sum(opinion.reported for opinion in had)
    return {
        "name": run.expert_name,
        "prompt": expert.prompt_version,
        "models": dict(expert.models),
        "n": len(had),
        "without_an_opinion": len(run.opinions_by_claim) - len(had),
        "failed_examinations": dict(expert.failures),
        **_tokens(had),
        "called_fail": _share(sum(opinion.fail for opinion in had), len(had)),
        "defects_reported": reported,
        "verified_quotes": _share(sum(opinion.verified for opinion in had), reported),
        "disputed": _share(sum(opinion.disputed for opinion in had), len(had)),
        "seconds_mean": rounded(np.mean(seconds)) if had else None,
        "seconds_p95": rounded(np.quantile(seconds, 0.95)) if had else None,
        "usd_per_million": _usd(float(np.mean(seconds)) if had else None, run),
        **_in_flight(run, expert.concurrency),
    }


def _tokens(had: Sequence[Opinion]) -> dict[str, Any]:
    """Tokens of prompts and answers, if the server reports them."""
    counted = [opinion for opinion in had if opinion.tokens]
    sizes = {
        "tokens_in": [opinion.tokens - opinion.answer_tokens for opinion in counted],
        "tokens_out": [opinion.answer_tokens for opinion in counted],
    }
    return {
        f"{name}_{what}": rounded(value, 1)
        for name, tokens in sizes.items()
        if tokens
        for what, value in (("mean", np.mean(tokens)), ("p95", np.quantile(tokens, 0.95)))
    }


def _in_flight(run: EvaluationRun, concurrency: int) -> dict[str, Any]:
    """Throughput and cost with many examinations in parallel; nothing if all opinions came from the cache."""
    if not run.examined:
        return {}
    each = run.examining_seconds / run.examined
    return {
        "in_flight": concurrency,
        "examined_in_this_run": run.examined,
        "claims_per_second_in_flight": rounded(1 / each, 2),
        "usd_per_million_in_flight": _usd(each, run),
    }


def _usd(seconds: float | None, run: EvaluationRun) -> float | None:
    found = usd_per_million(seconds, run.expert_usd_per_hour)
    return None if found is None else rounded(found, 2)


def _share(part: int, whole: int) -> float | None:
    return rounded(part / whole) if whole else None
