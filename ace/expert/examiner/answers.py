"""What to answer: the structural examiner's rationale for the schema of a prompt version, the smallest JSON
that fits for any other schema, and JSON that does not fit or prose if no schema is asked for.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from functools import lru_cache
from typing import Any, Final

from ace.claims.chains import BrokenChain
from ace.expert.examiner.structural import examine
from ace.expert.prompt.copt import PROMPTS, Target, read_target
from ace.expert.prompt.tokens import count_tokens
from ace.expert.protocol.chat import ChatRequest
from ace.expert.protocol.instances import other_json, prose, smallest_instance
from ace.expert.protocol.schemas import FreeForm

KEPT_ANSWERS: Final = 4_096

_FIELDS: Final = {name: frozenset(prompt.schema["required"]) for name, prompt in PROMPTS.items()}


def version_of(schema: dict[str, Any]) -> str | None:
    """The prompt version whose answer has all fields that the schema requires, or None."""
    required = schema.get("required", [])
    if not isinstance(required, list):
        return None
    return next(
        (version for version, fields in _FIELDS.items() if fields.issuperset(map(str, required))), None
    )


def rationale(target: Target, version: str) -> str:
    """What the structural examiner answers. Raises BrokenChain if the chain does not have ACE's form."""
    return examine(target.claim, version).model_dump_json()


@lru_cache(maxsize=KEPT_ANSWERS)
def tokens_of(text: str) -> int:
    """Its tokens, estimated. Cached, because most messages come with every request."""
    return count_tokens(text)


def prompt_tokens(request: ChatRequest) -> int:
    """The tokens of all messages, estimated."""
    return sum(tokens_of(each.text()) for each in request.messages)


class Answers:
    """The answers of one server. The examiner's, which take 20 ms of rules each, are cached by question.

    With `structural` False, every schema is answered with its smallest instance; with `enforced` False, the
    server accepts schemas and ignores them.
    """

    def __init__(self, *, structural: bool = True, enforced: bool = True) -> None:
        self._structural = structural
        self._enforced = enforced
        self._kept: OrderedDict[tuple[str, str], str] = OrderedDict()

    def at_hand(self, request: ChatRequest, schema: dict[str, Any] | FreeForm) -> str | None:
        """The answer if it needs no examination or is cached."""
        if schema is FreeForm.TEXT or not self._enforced:
            return prose()
        if schema is FreeForm.JSON:
            return other_json()
        version = version_of(schema) if self._structural and schema.get("required") else None
        if version is None:
            return json.dumps(smallest_instance(schema))
        return self._kept.get((version, request.question()))

    def examined(self, request: ChatRequest, schema: dict[str, Any]) -> str:
        """The examiner's answer; if there is no claim to examine, the smallest JSON of the schema."""
        question = request.question()
        version = version_of(schema) or "v1"
        try:
            answer = rationale(read_target(question), version)
        except (ValueError, BrokenChain):
            answer = json.dumps(smallest_instance(schema))
        self._kept[version, question] = answer
        while len(self._kept) > KEPT_ANSWERS:
            self._kept.popitem(last=False)
        return answer
