"""A chat completion as a server sends it, in any of the dialects, read into a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from ace.expert.client.faults import no_completion

_NAME_CHARACTERS: Final = 512
_LARGEST_COUNT: Final = 1_000_000_000  # the database stores counts in 32 bits


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server answered. The tokens are None if it does not report them."""

    text: str | None
    finish_reason: str | None
    model: str | None
    prompt_tokens: int | None
    completion_tokens: int | None


def reply_of(answer: Any) -> Reply:
    """The completion in the JSON of an answer. Raises the fault "unavailable" if there is none."""
    try:
        choice, usage, model = answer["choices"][0], answer.get("usage"), answer.get("model")
        text, finish_reason = choice["message"]["content"], choice.get("finish_reason")
    except (AttributeError, LookupError, TypeError):
        raise no_completion("no chat completion") from None
    if not all(isinstance(part, str | None) for part in (text, finish_reason, model)):
        raise no_completion("no chat completion")
    return Reply(
        text,
        finish_reason,
        name_in(model),
        _count(usage, "prompt_tokens"),
        _count(usage, "completion_tokens"),
    )


def name_in(value: Any) -> str | None:
    """A name that a server reports, such as its model's; None if it cannot be stored and shown as it is."""
    fits = isinstance(value, str) and 0 < len(value) <= _NAME_CHARACTERS and value.isprintable()
    return value if fits else None


def _count(usage: Any, name: str) -> int | None:
    value = usage.get(name) if isinstance(usage, dict) else None
    fits = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _LARGEST_COUNT
    return value if fits else None
