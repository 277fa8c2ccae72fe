"""Completions that arrive but are worthless, each made from the good one."""

from __future__ import annotations

import json
from typing import Any

from ace.expert.protocol.chat import Completion, cut_to_tokens
from ace.expert.protocol.instances import with_renamed_fields
from ace_lab.simulator.faults import Fault

CORRUPTING = frozenset(
    {Fault.GARBAGE, Fault.SCHEMA, Fault.WHITESPACE, Fault.TRUNCATED, Fault.LANGUAGE, Fault.EMPTY}
)

_CHINESE = (
    "首先把权利要求分解为各个技术特征. 然后逐一检查每个特征是否有前置依据以及范围是否清楚. 最后得出结论. "
)
_PROSE_FROM = 20


def corrupt(good: Completion, fault: Fault, max_tokens: int) -> Completion:
    """What the server answers in place of `good`, still in at most `max_tokens` tokens."""
    if fault is Fault.WHITESPACE:
        start = good.content[: good.content.find(":") + 1] or "{"
        return Completion(start + "\n" * (4 * max_tokens), "length", good.prompt_tokens, max_tokens)
    if fault is Fault.TRUNCATED:
        content, tokens, _ = cut_to_tokens(good.content, min(max_tokens, good.completion_tokens // 2))
        return Completion(content, "length", good.prompt_tokens, tokens)
    content, tokens, finish_reason = cut_to_tokens(_text(good.content, fault), max_tokens)
    return Completion(content, finish_reason, good.prompt_tokens, tokens)


def _text(content: str, fault: Fault) -> str:
    if fault is Fault.GARBAGE:
        return content[: len(content) // 2] + ' "", }]'
    if fault is Fault.SCHEMA:
        return with_renamed_fields(content)
    if fault is Fault.LANGUAGE:
        return _in_chinese(content)
    return ""


def _in_chinese(content: str) -> str:
    """The same JSON with every longer text in Chinese; the values of enumerations stay."""
    try:
        return json.dumps(_translated(json.loads(content)), ensure_ascii=False)
    except ValueError:
        return _CHINESE


def _translated(value: Any) -> Any:
    match value:
        case str():
            # As long as the original, so that it is within the same bounds.
            return (
                (_CHINESE * (len(value) // len(_CHINESE) + 1))[: len(value)]
                if len(value) > _PROSE_FROM
                else value
            )
        case list():
            return [_translated(each) for each in value]
        case dict():
            return {name: _translated(each) for name, each in value.items()}
    return value
