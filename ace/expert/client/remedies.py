"""What to ask instead, after a fault that the same question would bring again.

Pure: a question and a fault in, another question or None out. No question is ever put twice for it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ace.claims.model import CHAIN_CUT, ClaimInput
from ace.expert.client.faults import FaultKind
from ace.expert.prompt.copt import Prompt

FRESH_TEMPERATURE = 0.7
"""Sampling that leaves the way a model took; what the server's own default is, ACE does not know."""

_WORTH_MORE = 1.25


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of the expert in one HTTP call, and which faults have changed it so far."""

    claim: ClaimInput
    total: int
    prompt: Prompt
    max_tokens: int
    temperature: float | None = None
    cut: bool = False
    remedied: tuple[FaultKind, ...] = ()


def remedy(
    question: Question, kind: FaultKind, *, shorter: Prompt | None = None, most_tokens: int | None = None
) -> Question | None:
    """The question to ask after a fault of this kind, or None where there is none that differs.

    `shorter` is a prompt version with a shorter answer, `most_tokens` what the server can write at most
    after this question. Each kind is remedied once, `too_long` twice: half of the chain, then none.
    """
    if kind is FaultKind.TOO_LONG:
        return _with_less_chain(question)
    if kind in question.remedied:
        return None
    now = replace(question, remedied=(*question.remedied, kind))
    briefer = None if shorter is None or shorter is question.prompt else replace(now, prompt=shorter)
    match kind:
        case FaultKind.TRUNCATED:
            doubled = min(2 * question.max_tokens, most_tokens or 2 * question.max_tokens)
            # A few tokens more would be cut off as well.
            return (
                replace(now, max_tokens=doubled) if doubled >= _WORTH_MORE * question.max_tokens else briefer
            )
        case FaultKind.WHITESPACE:
            return briefer or replace(now, temperature=FRESH_TEMPERATURE)
        case FaultKind.LANGUAGE:
            return replace(now, temperature=FRESH_TEMPERATURE)
        case _:
            return None


def _with_less_chain(question: Question) -> Question | None:
    """The nearer half of the ancestors; after that, none."""
    whole = tuple(line for line in question.claim.ancestors if line != CHAIN_CUT)
    if not whole:
        return None
    kept = () if question.cut else whole[: len(whole) // 2]
    claim = replace(question.claim, ancestors=(*kept, CHAIN_CUT))
    return replace(question, claim=claim, cut=True, remedied=(*question.remedied, FaultKind.TOO_LONG))
