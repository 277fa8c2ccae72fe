"""What to ask instead, after a fault that the same question would cause again.

Pure: a question and a fault in, another question or None out. It never returns a question twice.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from ace.claims.model import CHAIN_CUT, ClaimInput
from ace.expert.prompt.copt import Prompt
from ace.types.faults import FaultKind

FRESH_TEMPERATURE: Final = 0.7
"""Enough sampling for a different answer. ACE does not know the default of the server."""

_WORTH_MORE: Final = 1.25


@dataclass(frozen=True, slots=True)
class Question:
    """The question of one HTTP call, and the faults that have changed it so far."""

    claim: ClaimInput
    total: int
    prompt: Prompt
    max_tokens: int
    temperature: float | None = None
    cut: bool = False
    remedied: tuple[FaultKind, ...] = ()


def remedy(
    question: Question, kind: FaultKind, *, shorter: Prompt | None = None, max_tokens: int | None = None
) -> Question | None:
    """The question to ask after a fault of this kind, or None if there is no different one.

    `shorter` is a prompt version with a shorter answer, `max_tokens` the maximum that the server can write
    after this question. Each kind is remedied once, `too_long` twice: with half of the chain, then with none.
    """
    if kind is FaultKind.TOO_LONG:
        return _with_less_chain(question)
    if kind in question.remedied:
        return None
    now = replace(question, remedied=(*question.remedied, kind))
    briefer = None if shorter is None or shorter is question.prompt else replace(now, prompt=shorter)
    match kind:
        case FaultKind.TRUNCATED:
            doubled = min(2 * question.max_tokens, max_tokens or 2 * question.max_tokens)
            # With only a few tokens more, the answer would be cut off again.
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
