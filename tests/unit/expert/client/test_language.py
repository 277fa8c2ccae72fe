"""Which answers are not in English: judged by what the model says for itself, and not by what it quotes."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from ace.claims.model import ClaimInput
from ace.claims.readers import read_text
from ace.errors import ExpertTransient
from ace.expert.client.expert_client import ExpertClient
from ace.expert.client.language import is_english
from ace.expert.examiner.structural import examine
from ace.expert.prompt.copt import PROMPTS
from ace.local.samples import load
from ace_lab.simulator.server import Simulator

CLAIM = ClaimInput(
    2, "The lamp of claim 1, wherein the Lampenschirm und die Feder sind rot.", ("1. A lamp.",)
)
QUOTE = "the Lampenschirm und die Feder sind rot"


@pytest.fixture(scope="module")
def simulator() -> Iterator[Simulator]:
    with Simulator().run() as running:
        yield running


def steps(explanation: str | None, reasoning: str, quote: str = "the spring") -> dict[str, Any]:
    """An answer to version 2, with a finding if there is an explanation."""
    sound = dict.fromkeys(("antecedent", "dependency", "logical", "ambiguity", "syntax"), "sound")
    law = "35 U.S.C. 112(b); MPEP 2173.05(e)"
    finding = {"class": "antecedent", "quote": quote, "law": law, "explanation": explanation}
    return {
        "preamble": "The lamp of claim 1",
        "transition": "wherein",
        "elements": ["the spring of the lamp is fixed to the base of the lamp and to the shade"] * 5,
        **(sound if explanation is None else {**sound, "antecedent": "defect"}),
        "findings": [] if explanation is None else [finding],
        "reasoning": reasoning,
        "verdict": "Pass" if explanation is None else "Fail",
    }


def prose(first: str, second: str, third: str) -> dict[str, Any]:
    """An answer to version 1, under its headings."""
    reasoning = (
        f"Step 1 [Element Parsing]: Preamble: 'The lamp of claim 1'. Transition: 'wherein'. {first} "
        f"Step 2 [Statutory Compliance]: antecedent: {second} dependency: sound. logical: sound. "
        f"ambiguity: sound. syntax: sound. Step 3 [Verdict]: {third}"
    )
    return {"reasoning": reasoning, "verdict": "Fail"}


ANOTHER: dict[str, dict[str, Any]] = {
    "German": steps(
        "Die Feder wird im Anspruch 1 nicht eingeführt und hat daher keine Grundlage.",
        "Der Anspruch ist unklar.",
    ),
    "French": steps(
        "Le ressort n'a pas d'antécédent dans la revendication 1.",
        "La revendication est rejetée pour ce défaut.",
    ),
    "Chinese": steps("权利要求一没有引入弹簧, 因此该术语缺乏前置依据.", "发现一个缺陷, 权利要求不清楚."),
    "a German explanation, an English summary": steps(
        "Die Feder ist im Anspruch 1 nicht genannt.",
        "One defect was found: the spring has no antecedent basis.",
    ),
    "a French pass": steps(None, "Aucun défaut n'a été trouvé dans la revendication."),
    "a Chinese pass": steps(None, "没有发现缺陷."),
    "German, v1": prose(
        "Der Körper nennt eine Feder.",
        "'the spring' wird hier zum ersten Mal genannt.",
        "Der Anspruch ist unklar.",
    ),
    "French, v1": prose(
        "Le corps nomme un ressort.",
        "'the spring' est cité sans antécédent.",
        "La revendication est rejetée.",
    ),
    "Chinese, v1": prose("该权利要求包括一个弹簧.", "'the spring' 缺乏前置依据.", "权利要求不清楚."),
}
ENGLISH: dict[str, dict[str, Any]] = {
    "few words": steps("No earlier mention.", "Unsupported."),
    "a pass in few words": steps(None, "No defect."),
    "a foreign quotation": steps("Neither claim introduces it.", "One defect was found.", QUOTE),
    "foreign words quoted again": steps(
        f"'{QUOTE}' and “{QUOTE}” have no basis, nor does the word „Lampenschirm“ mean anything.",
        f'It is unclear what "{QUOTE}" is.',
        QUOTE,
    ),
    "few words, v1": prose("", "'the spring' lacks basis.", "Fail [antecedent]."),
    "a foreign quotation, v1": prose(
        f"Body: '{QUOTE}'.", f"'{QUOTE}' is new in this claim.", "one defect was found [antecedent]."
    ),
}


def asked(simulator: Simulator, answer: dict[str, Any]) -> str:
    """The examination's fault, or its verdict."""
    simulator.follow({"content": json.dumps(answer, ensure_ascii=False), "times": 9})
    prompt = PROMPTS["v2" if "findings" in answer else "v1"]
    client = ExpertClient(simulator.url, prompt=prompt, attempts=1, timeout_seconds=20)
    try:
        return client.examine(CLAIM, 2).rationale.verdict
    except ExpertTransient as raised:
        return raised.kind
    finally:
        client.close()


@pytest.mark.parametrize("answer", ANOTHER.values(), ids=ANOTHER)
def test_an_answer_in_another_language_is_none(simulator: Simulator, answer: dict[str, Any]) -> None:
    assert asked(simulator, answer) == "language"


@pytest.mark.parametrize("answer", ENGLISH.values(), ids=ENGLISH)
def test_an_answer_in_english_is_one_whatever_it_quotes(simulator: Simulator, answer: dict[str, Any]) -> None:
    assert asked(simulator, answer) == answer["verdict"]


@pytest.mark.parametrize("version", PROMPTS)
def test_no_answer_of_the_rules_or_of_the_prompt_is_taken_for_another_language(version: str) -> None:
    sets = [read_text(sample.text) for sample in load()]
    told = [examine(each.input_of(claim.number), version) for each in sets for claim in each]
    answers = [each.model_dump_json(by_alias=True) for each in told]
    answers += [shown.answer for shown in PROMPTS[version].demonstrations]
    for answer in answers:
        spoken = PROMPTS[version].parse(answer, "stop").spoken
        assert spoken
        assert is_english(*spoken), spoken
