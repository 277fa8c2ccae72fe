"""Experts for measuring: the rules in process, and a server that does not always answer."""

import json
import threading
import time
from itertools import count
from typing import Any

import pytest

from ace.claims.model import ClaimInput
from ace.errors import ExpertPermanent, ExpertTransient, Refused
from ace.expert.client.dialects import Dialect
from ace.expert.prompt.copt import PROMPTS
from ace_lab.experts.opinions import StructuralExpert
from ace_lab.experts.remote import RemoteExpert, expert_named
from ace_lab.simulator.server import Simulator

GIVEN_UP_AFTER = 16  # examinations in a row, and one for each that is under way

PUMP = "1. A pump comprising a rod."
SOUND = ClaimInput(2, "The pump of claim 1, wherein the rod is round.", (PUMP,))
BASELESS = ClaimInput(3, "The pump of claim 1, wherein the spring is steel.", (PUMP,))
BROKEN = ClaimInput(4, "The pump of claim 1.", ("A pump without a number.",))


def test_the_rules_in_process() -> None:
    told: list[int] = []
    expert = StructuralExpert()
    sound, baseless, broken = expert.examine([SOUND, BASELESS, BROKEN], [4, 4, 4], progress=told.append)
    assert sound is not None
    assert (sound.fail, sound.error_class, sound.quotes) == (False, None, ())
    assert baseless is not None
    assert (baseless.fail, baseless.error_class, baseless.quotes) == (True, "antecedent", ("the spring",))
    assert baseless.reasons == (("antecedent", "the spring"),)
    assert broken is None
    assert expert.failures == {"chain": 1}
    assert told == [1, 1, 1]


def said(reasoning: str, verdict: str) -> dict[str, str]:
    return {"content": json.dumps({"reasoning": reasoning, "verdict": verdict})}


def test_a_server_answers_each_claim_or_fails_it_and_is_asked_again_what_may_do_better() -> None:
    failing = said(
        "Step 2: antecedent: 'the spring' is new. Step 3 [Verdict]: a defect [antecedent].", "Fail"
    )
    passing = said("Step 3: none.", "Pass")
    waits: list[float] = []
    with Simulator(
        script=[failing, {"fault": "garbage"}, {"fault": "validation"}, passing]
    ).run() as simulator:
        expert = RemoteExpert(
            simulator.url, concurrency=1, budget_seconds=0.0, dialect=Dialect.TGI, sleep=waits.append
        )
        first, second, third = expert.examine([BASELESS, SOUND, SOUND], [4, 4, 4])
        stats = simulator.stats()
    assert first is not None
    assert (first.fail, first.error_class, first.quotes) == (True, "antecedent", ("the spring",))
    assert (first.reported, first.verified, first.disputed) == (1, 1, False)
    assert second is not None
    assert (second.fail, second.error_class, second.quotes) == (False, None, ())
    assert third is None
    assert 0 < first.tokens + second.tokens < stats["prompt_tokens"] + stats["completion_tokens"]
    assert 0 < first.answer_tokens < first.tokens
    assert expert.failures == {"schema": 1, "validation": 1}
    assert len(waits) == 1
    assert waits[0] > 0
    assert expert.name.startswith(f"{simulator.model} at http://")


@pytest.mark.parametrize("prompt", PROMPTS)
def test_a_fault_in_every_fifth_call_costs_no_opinion(prompt: str) -> None:
    # With this seed seven of the first 30 calls fail and one of the next 40, none of them by taking too
    # long: whichever claim meets them, none meets one in each of its rounds.
    inputs = [SOUND, BASELESS] * 15
    with Simulator(faults_total=0.2, seed=2350, slots=4).run() as simulator:
        expert = RemoteExpert(
            simulator.url, prompt=prompt, concurrency=32, timeout_seconds=60, sleep=lambda _: None
        )
        opinions = expert.examine(inputs, [4] * len(inputs))
        most = simulator.stats()["max_in_flight"]
    assert [opinion is not None and opinion.fail for opinion in opinions] == [False, True] * 15
    assert expert.failures.total() > 0
    assert most <= 4  # what the server says that it takes


def test_quotations_that_are_made_up_and_verdicts_in_dispute_are_told() -> None:
    made_up = said("Step 2: antecedent: 'the anvil' is new. Step 3 [Verdict]: a defect [antecedent].", "Fail")
    with Simulator(script=[made_up]).run() as simulator:
        (opinion,) = RemoteExpert(simulator.url, dialect=Dialect.TGI).examine([BASELESS], [4])
    assert opinion is not None
    assert (opinion.fail, opinion.quotes) == (True, ())
    assert (opinion.reported, opinion.verified, opinion.disputed) == (1, 0, True)


def test_a_server_that_goes_away_ends_the_measurement() -> None:
    # given a server that breaks off once its first answer was read, and is slow to do so when nobody
    # should ask any more
    was_read, calls = threading.Event(), count(1)

    def answer(_: Any) -> dict[str, Any]:
        call = next(calls)
        if call == 1:
            return {}
        was_read.wait(60)
        if call > 1 + GIVEN_UP_AFTER + 2:
            time.sleep(0.5)
        return {"fault": "reset"}

    with Simulator(answer=answer).run() as simulator:
        expert = RemoteExpert(
            simulator.url, dialect=Dialect.TGI, concurrency=2, attempts=1, sleep=lambda _: None
        )
        told = expert.opinions([SOUND] * 200, [4] * 200)
        assert next(told)[1] is not None
        was_read.set()
        with pytest.raises(ExpertTransient, match="in a row"):
            list(told)
        assert simulator.stats()["calls"] < 50


def test_kept_opinions_are_known_by_model_prompt_and_length() -> None:
    with Simulator().run() as simulator:
        keys = {
            RemoteExpert(simulator.url, prompt=prompt, max_tokens=most, model=model).key
            for prompt in PROMPTS
            for most in (512, 1024)
            for model in (None, "other")
        }
        assert RemoteExpert(simulator.url).key in keys
    assert len(keys) == 8
    assert any(simulator.model in key for key in keys)


def test_answers_keep_their_places_when_many_run_at_a_time() -> None:
    inputs = [SOUND, BASELESS] * 12
    with Simulator(latency="lognormal:0.01,1").run() as simulator:
        opinions = RemoteExpert(simulator.url, concurrency=6, dialect=Dialect.TGI).examine(inputs, [4] * 24)
    assert [opinion is not None and opinion.fail for opinion in opinions] == [False, True] * 12


def test_a_wrong_token_stops_the_measurement() -> None:
    with Simulator(script=[{"fault": "unauthorised", "times": 9}]).run() as simulator:
        expert = RemoteExpert(simulator.url, concurrency=1, dialect=Dialect.TGI)
        with pytest.raises(ExpertPermanent, match="401"):
            expert.examine([SOUND] * 9, [4] * 9)


@pytest.mark.parametrize("url", ["tgi:8080", "ftp://tgi", "structura", "http://"])
def test_what_is_no_url_is_refused(url: str) -> None:
    with pytest.raises(Refused, match="http://"):
        expert_named(url)


def test_experts_by_name() -> None:
    assert expert_named("none") is None
    assert isinstance(expert_named("structural"), StructuralExpert)
    remote = expert_named("http://user:secret@tgi:8080/v1/")
    assert remote is not None
    assert remote.name == "http://tgi:8080/v1"


@pytest.mark.parametrize(("given", "sent"), [(None, "of the settings"), ("given", "given")])
def test_a_server_gets_the_token_of_the_settings_unless_another_is_given(
    monkeypatch: pytest.MonkeyPatch, given: str | None, sent: str
) -> None:
    monkeypatch.setenv("ACE_EXPERT_TOKEN", "of the settings")
    with Simulator(kept_requests=20).run() as simulator:
        expert = expert_named(simulator.url, token=given)
        assert expert is not None
        assert expert.examine([SOUND], [4]) != [None]
        asked = {each.headers.get("authorization") for each in simulator.received if each.body}
    assert asked == {f"Bearer {sent}"}
