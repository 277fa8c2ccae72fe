"""A disputed answer is asked again, of a simulated server: how often, how, and what comes of it."""

import json
import random
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any

import pytest

from ace.claims.model import ClaimInput
from ace.errors import ExpertTransient
from ace.expert.client.answer import Answer
from ace.expert.client.dialects import Dialect
from ace.expert.client.expert_client import ExpertClient
from ace.expert.client.opinions import Opinions, conclude
from ace.expert.client.remedies import FRESH_TEMPERATURE
from ace.types.examination import Conclusion
from ace_lab.simulator.server import Simulator

SOUND = ClaimInput(1, "A lamp comprising a base and a shade.")
NOWHERE = ClaimInput(2, "The lamp of claim 7, wherein a shade is red.", ("1. A lamp.",))

STEP = "Step 1 [Element Parsing]: a lamp. Step 2 [Statutory Compliance]:"
ANSWERS = {
    "P": (f"{STEP} all is well. Step 3 [Verdict]: it passes.", "Pass"),
    "F": (f"{STEP} 'the lever' has no basis [antecedent]. Step 3 [Verdict]: it fails [antecedent].", "Fail"),
    "V": (f"{STEP} 'a shade' is unclear [ambiguity]. Step 3 [Verdict]: it fails [ambiguity].", "Fail"),
}


def said(letters: str) -> list[dict[str, Any]]:
    """A script of answers: P passes, F fails and quotes what is not there, V fails and quotes what is."""
    contents = [dict(zip(("reasoning", "verdict"), ANSWERS[letter], strict=True)) for letter in letters]
    return [{"content": json.dumps(content)} for content in contents]


@contextmanager
def asking(script: Sequence[dict[str, Any]], **client: Any) -> Iterator[tuple[ExpertClient, Simulator]]:
    """A client of a server that answers by a script."""
    settings = {"dialect": Dialect.VLLM, "model": "m", "rng": random.Random(1), **client}
    with Simulator(script=script, kept_requests=50, dialect=settings["dialect"]).run() as server:
        expert = ExpertClient(server.url, sleep=lambda _: None, **settings)
        with closing(expert):
            yield expert, server


def ask(
    letters: str, most: int, claim: ClaimInput = SOUND
) -> tuple[Conclusion[Answer], list[dict[str, Any]]]:
    with asking(said(letters)) as (expert, server):
        found = conclude(expert, claim, 2, opinions=Opinions(most))
        return found, server.requests


@pytest.mark.parametrize(
    ("letters", "most", "claim", "verdict", "kinds", "agreeing", "opinions"),
    [
        ("P", 3, SOUND, "Pass", [], 1, 1),  # nothing is disputed
        ("V", 3, SOUND, "Fail", [], 1, 1),
        ("F", 1, SOUND, "Fail", ["unproved"], 1, 1),  # no second opinion is wanted
        ("FFV", 3, SOUND, "Fail", ["unproved"], 3, 3),
        ("FPP", 3, SOUND, "Pass", ["unproved"], 2, 3),
        ("FPPFF", 5, SOUND, "Fail", ["unproved"], 3, 5),
        ("PVV", 3, NOWHERE, "Fail", ["contradicted"], 2, 3),
        ("PPV", 3, NOWHERE, "Pass", ["contradicted"], 2, 3),
        ("FPP", 3, NOWHERE, "Pass", ["unproved", "contradicted"], 2, 3),
    ],
)
def test_the_majority_decides_and_the_dispute_stays_visible(
    letters: str,
    most: int,
    claim: ClaimInput,
    verdict: str,
    kinds: list[str],
    agreeing: int,
    opinions: int,
) -> None:
    found, requests = ask(letters, most, claim)
    assert (found.answer.rationale.verdict, found.agreeing, found.opinions) == (verdict, agreeing, opinions)
    assert found.verified.verdict == found.answer.rationale.verdict
    assert [each.kind for each in found.verified.disagreements] == kinds
    assert len(requests) == found.answer.calls == opinions


def test_the_best_borne_out_answer_of_the_majority_stands() -> None:
    found, _ = ask("FFV", 3)
    assert found.answer.rationale.error_class == "ambiguity"
    assert [each.span for each in found.verified.findings] == [(29, 36)]


def test_every_opinion_is_counted() -> None:
    one, _ = ask("F", 1)
    three, _ = ask("FFF", 3)
    for name in ("prompt_tokens", "completion_tokens", "calls"):
        assert getattr(three.answer, name) == 3 * getattr(one.answer, name) > 0


@pytest.mark.parametrize("dialect", Dialect)
def test_only_a_further_opinion_is_sampled_each_with_a_seed_of_its_own(dialect: Dialect) -> None:
    with asking(said("FFFFF"), dialect=dialect) as (expert, server):
        conclude(expert, SOUND, 1, opinions=Opinions(5))
        first, *others = server.requests
    assert not {"temperature", "seed"} & first.keys()
    assert [one["temperature"] for one in others] == [FRESH_TEMPERATURE] * 4
    assert len({one["seed"] for one in others}) == 4
    for one in others:
        assert {**one, "temperature": None, "seed": None} == {**first, "temperature": None, "seed": None}


def test_the_seeds_are_the_same_each_time() -> None:
    assert [ask("FFF", 3)[1][n].get("seed") for n in range(3)] == [
        ask("FFF", 3)[1][n].get("seed") for n in range(3)
    ]


def test_an_opinion_that_is_worthless_is_asked_for_with_another_seed() -> None:
    ran_on = {"content": '{"reasoning":' + " " * 300, "finish_reason": "length"}
    with asking([*said("F"), ran_on, *said("PP")]) as (expert, server):
        found = conclude(expert, SOUND, 1, opinions=Opinions(3))
        seeds = [one.get("seed") for one in server.requests]
    assert (found.opinions, found.answer.rationale.verdict) == (3, "Pass")
    assert len(set(seeds)) == 4


@pytest.mark.parametrize(
    ("after", "opinions", "verdict"), [("F", 1, "Fail"), ("FP", 2, "Fail"), ("FPP", 3, "Pass")]
)
def test_a_fault_of_a_further_opinion_ends_the_asking_and_loses_no_answer(
    after: str, opinions: int, verdict: str
) -> None:
    with asking([*said(after), {"fault": "overloaded", "times": 9}]) as (expert, server):
        found = conclude(expert, SOUND, 1, opinions=Opinions(5))
        assert server.stats()["calls"] == opinions + 1
    assert (found.opinions, found.answer.rationale.verdict) == (opinions, verdict)
    assert found.verified.disputed


def test_a_fault_of_the_first_question_is_one_of_the_examination() -> None:
    with asking([{"fault": "overloaded", "times": 9}]) as (expert, _), pytest.raises(ExpertTransient):
        conclude(expert, SOUND, 1, opinions=Opinions(5))


def test_no_further_opinion_is_begun_when_the_time_is_over() -> None:
    ticks = iter([0.0, 4.0, 9.0, 10.0])
    with asking(said("FFFFF")) as (expert, _):
        found = conclude(expert, SOUND, 1, opinions=Opinions(5, budget_seconds=10), clock=lambda: next(ticks))
    assert found.opinions == 3


def test_a_further_opinion_takes_no_longer_than_its_budget() -> None:
    hanging = asking([{"fault": "hang"}], timeout_seconds=60)
    with hanging as (expert, _), pytest.raises(ExpertTransient) as caught:
        expert.examine(SOUND, 1, opinion=1, budget_seconds=0.2)
    assert caught.value.kind == "timeout"
