"""A chat completion as a server sends it, in any of the dialects, read into a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ace.errors import ExpertPermanent, ExpertTransient
from ace.expert.client.faults import FaultKind, fault


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server answered. The tokens are None if it does not report them."""

    text: str | None
    finish_reason: str | None
    model: str | None
    prompt_tokens: int | None
    completion_tokens: int | None


def reply_of(answer: Any) -> Reply:
    """The completion in the JSON of an answer. Raises the fault "schema" if there is none."""
    try:
        choice, usage, model = answer["choices"][0], answer.get("usage"), answer.get("model")
        text, finish_reason = choice["message"]["content"], choice.get("finish_reason")
    except (AttributeError, LookupError, TypeError):
        raise _no_completion() from None
    if not all(isinstance(part, str | None) for part in (text, finish_reason, model)):
        raise _no_completion()
    return Reply(
        text, finish_reason, model, _count(usage, "prompt_tokens"), _count(usage, "completion_tokens")
    )


def _no_completion() -> ExpertTransient | ExpertPermanent:
    return fault(FaultKind.SCHEMA, detail="no chat completion")


def _count(usage: Any, name: str) -> int | None:
    value = usage.get(name) if isinstance(usage, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
