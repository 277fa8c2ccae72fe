"""The frozen questions (frozen.toml) with our answers, and the digests of how they were asked (frozen.json).

`python -m tests.unit.expert.prompt.frozen` writes the digests anew after a deliberate change of a prompt.
"""

import json
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from ace.claims.model import ClaimInput
from ace.claims.readers import read_text
from ace.claims.taxonomy import ErrorClass
from ace.expert.prompt.blocks import tag_of
from ace.expert.prompt.copt import PROMPTS
from ace.expert.prompt.steps import Defect, Steps
from ace.types.rationale import CheckOutcome

HERE = Path(__file__).parent
DIGESTS = HERE / "frozen.json"
_DIGITS = 16


class Frozen(NamedTuple):
    """A question, and the answer that we would give."""

    claim: ClaimInput
    total: int
    answer: Steps


def questions() -> Iterator[Frozen]:
    """All of them, in the order of the file."""
    for each in tomllib.loads((HERE / "frozen.toml").read_text(encoding="utf-8"))["sets"]:
        claims = read_text(each["claims"].strip(), partial=True)
        for answer in each["answers"]:
            asked = claims.input_of(answer["claim"])
            yield Frozen(asked, len(claims), _steps(**{key: answer[key] for key in answer if key != "claim"}))


def _steps(parts: list[str], verdict: str, defects: list[list[str]], why: str) -> Steps:
    preamble, transition, *elements = parts
    named = {kind for kind, _, _ in defects}
    return Steps.model_validate(
        {
            "preamble": preamble,
            "transition": transition,
            "elements": elements,
            **{
                kind.value: CheckOutcome.DEFECT if kind.value in named else CheckOutcome.SOUND
                for kind in ErrorClass
            },
            "findings": [
                Defect(error_class=ErrorClass(kind), quote=quote, law=ErrorClass(kind).law, explanation=said)
                for kind, quote, said in defects
            ],
            "reasoning": why,
            "verdict": verdict,
        }
    )


def digests() -> dict[str, list[str]]:
    """For each version its own name, and the digest of every question as it is asked. What the rules believe
    is left out: it changes with the rules."""
    made = {}
    for name, prompt in PROMPTS.items():
        asking = replace(prompt, believe=lambda _claim: "-")
        asked = [asking.messages(each.claim, each.total)[-1]["content"] for each in questions()]
        made[name] = [prompt.version, *(tag_of(each, _DIGITS) for each in asked)]
    return made


if __name__ == "__main__":
    DIGESTS.write_text(json.dumps(digests(), indent=1) + "\n", encoding="utf-8")
