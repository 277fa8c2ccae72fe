"""The questions to a model: instructions for one class of defect or for placebos, and a set as data.

Based on the paper's appendix C, in our own words. The examples come from many technologies, so that the
vocabulary of its examples does not give a class away.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from importlib import resources
from typing import Any

from ace.claims.model import ClaimSet
from ace.claims.taxonomy import LABELS, PASS
from ace.expert.prompt.tokens import count_tokens

LEAST_EDITS, MOST_EDITS = 5, 15
"""Per claim set, at the paper's density."""

_DIGEST_CHARACTERS = 12
_TEXTS = ("system", "many", "one", "placebo", *(label for label in LABELS if label != PASS))


def _list_of(**properties: Any) -> dict[str, Any]:
    entry = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    return {"type": "array", "items": entry}


_TEXT, _NUMBER = {"type": "string", "minLength": 1}, {"type": "integer"}

JSON_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "claims": _list_of(number=_NUMBER, text=_TEXT),
        "changes": _list_of(claim=_NUMBER, quote=_TEXT, explanation=_TEXT),
    },
    "required": ["claims", "changes"],
    "additionalProperties": False,
}
"""The answer. Without $ref, which not every server that decodes by schema follows."""


def messages(claims: ClaimSet, label: str, number: int | None) -> list[dict[str, str]]:
    """Chat messages that ask for edits of `label` ("pass" asks for placebos): LEAST_EDITS to MOST_EDITS
    all over the set, or one in claim `number`."""
    asked = _text("many" if number is None else "one")
    fillings = {
        "instructions": _text("placebo" if label == PASS else label),
        "least": str(LEAST_EDITS),
        "most": str(MOST_EDITS),
        "number": str(number),
    }
    for name, filling in fillings.items():
        asked = asked.replace(f"{{{name}}}", filling)
    head, _, tail = asked.partition("{block}")
    return [
        {"role": "system", "content": _text("system")},
        {"role": "user", "content": head + _block(claims) + tail},
    ]


def answer_tokens(claims: ClaimSet) -> int:
    """Enough tokens to repeat the whole set as JSON and report the maximum number of edits."""
    text = sum(count_tokens(claim.text) + 20 for claim in claims)
    return round(1.5 * text) + 100 * MOST_EDITS


@cache
def version() -> str:
    """inject-v1- and 12 hex digits of SHA-256 over all texts and the answer's schema."""
    fixed = json.dumps([*(_text(name) for name in _TEXTS), JSON_SCHEMA], sort_keys=True)
    return f"inject-v1-{_digest(fixed)}"


def _block(claims: ClaimSet) -> str:
    """The set between marks that carry a digest of it, so that no claim can close its own block."""
    lines = [json.dumps({"number": claim.number, "text": claim.text}, ensure_ascii=False) for claim in claims]
    content = "\n".join(lines)
    code = _digest(content)
    return f"<<<claims {code}>>>\n{content}\n<<<end {code}>>>"


def _digest(content: str) -> str:
    encoded = content.encode("utf-8", "surrogatepass")
    return hashlib.sha256(encoded).hexdigest()[:_DIGEST_CHARACTERS]


@cache
def _text(name: str) -> str:
    file = resources.files("ace_lab.llm") / "prompts" / f"{name}.txt"
    return file.read_text(encoding="utf-8").rstrip("\n")
