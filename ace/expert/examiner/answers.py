"""What is answered: the structural examiner's rationale where a version of the prompt's schema is asked
for, the smallest fitting JSON for any other schema, and no fitting JSON where none is asked for.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from functools import lru_cache
from typing import Any

from ace.claims.chains import BrokenChain
from ace.expert.examiner.structural import examine
from ace.expert.prompt.copt import PROMPTS, Target, read_target
from ace.expert.prompt.tokens import count_tokens
from ace.expert.protocol.chat import ChatRequest
from ace.expert.protocol.instances import other_json, prose, smallest_instance
from ace.expert.protocol.schemas import FreeForm

KEPT_ANSWERS = 4_096

_FIELDS = {name: frozenset(prompt.schema["required"]) for name, prompt in PROMPTS.items()}


def version_of(schema: dict[str, Any]) -> str | None:
    """The version of the prompt whose answer has all fields that the schema requires, if there is one."""
    required = schema.get("required", [])
    if not isinstance(required, list):
        return None
    return next(
        (version for version, fields in _FIELDS.items() if fields.issuperset(map(str, required))), None
    )


def rationale(target: Target, version: str) -> str:
    """What the structural examiner answers. Raises BrokenChain for a chain that is not ACE's."""
    return examine(target.claim, target.total, version).model_dump_json()


@lru_cache(maxsize=KEPT_ANSWERS)
def tokens_of(text: str) -> int:
    """About its tokens; most messages come with every request."""
    return count_tokens(text)


def prompt_tokens(request: ChatRequest) -> int:
    """About the tokens of all messages."""
    return sum(tokens_of(each.text()) for each in request.messages)


class Answers:
    """Answers of one server. Those of the examiner, 20 ms of rules each, are kept by question.

    `structural` False answers every schema with its smallest instance; `enforced` False is a server
    that takes schemas and follows none.
    """

    def __init__(self, *, structural: bool = True, enforced: bool = True) -> None:
        self._structural = structural
        self._enforced = enforced
        self._kept: OrderedDict[tuple[str, str], str] = OrderedDict()

    def at_hand(self, request: ChatRequest, schema: dict[str, Any] | FreeForm) -> str | None:
        """The answer if it needs no examination."""
        if schema is FreeForm.TEXT or not self._enforced:
            return prose()
        if schema is FreeForm.JSON:
            return other_json()
        version = version_of(schema) if self._structural and schema.get("required") else None
        if version is None:
            return json.dumps(smallest_instance(schema))
        return self._kept.get((version, request.question()))

    def examined(self, request: ChatRequest, schema: dict[str, Any]) -> str:
        """The examiner's answer; where there is no claim to examine, JSON of the schema asked for."""
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
