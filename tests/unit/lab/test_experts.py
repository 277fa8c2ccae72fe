"""Experts for measuring: the rules in process, and a server that does not always answer."""

import json
from collections.abc import Iterator

import pytest
from huggingface_hub import close_session

from ace.claims.model import ClaimInput
from ace.errors import ExpertPermanent, Refused
from ace.expert.dialects import Dialect
from ace.lab.experts import RemoteExpert, StructuralExpert, expert_of
from tests.unit.expert.scripted import ScriptedServer, completion, error

PUMP = "1. A pump comprising a rod."
SOUND = ClaimInput(2, "The pump of claim 1, wherein the rod is round.", (PUMP,))
BASELESS = ClaimInput(3, "The pump of claim 1, wherein the spring is steel.", (PUMP,))
BROKEN = ClaimInput(4, "The pump of claim 1.", ("A pump without a number.",))


@pytest.fixture(autouse=True)
def _close_connections() -> Iterator[None]:
    yield
    close_session()


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


def rationale(reasoning: str, verdict: str) -> str:
    return json.dumps({"reasoning": reasoning, "verdict": verdict})


def test_a_server_answers_each_claim_or_fails_it() -> None:
    failing = rationale(
        "Step 2: antecedent: 'the spring' is new. Step 3 [Verdict]: a defect [antecedent].", "Fail"
    )
    steps = (completion(failing), completion("no JSON"), completion(rationale("Step 3: none.", "Pass")))
    with ScriptedServer(*steps) as server:
        expert = RemoteExpert(server.url, concurrency=1, budget_seconds=0.0, dialect=Dialect.TGI)
        first, second, third = expert.examine([BASELESS, SOUND, SOUND], [4, 4, 4])
    assert first is not None
    assert (first.fail, first.error_class, first.quotes, first.tokens) == (
        True,
        "antecedent",
        ("the spring",),
        60,
    )
    assert second is None
    assert third is not None
    assert (third.fail, third.error_class, third.quotes) == (False, None, ())
    assert expert.failures == {"schema": 1}
    assert expert.name.startswith("test/model at http://")


def test_answers_keep_their_places_when_many_run_at_a_time() -> None:
    inputs = [ClaimInput(number, f"Pump {number}.") for number in range(1, 25)]
    with ScriptedServer(*[completion(rationale("Step 3: none.", "Pass"))] * len(inputs)) as server:
        opinions = RemoteExpert(server.url, concurrency=6, dialect=Dialect.TGI).examine(inputs, [24] * 24)
    assert [opinion is not None and opinion.fail for opinion in opinions] == [False] * 24


def test_a_wrong_token_stops_the_measurement() -> None:
    with ScriptedServer(*[error(401, "unauthorised", BASELESS.text)] * 9) as server:
        expert = RemoteExpert(server.url, concurrency=1, dialect=Dialect.TGI)
        with pytest.raises(ExpertPermanent, match="401"):
            expert.examine([SOUND] * 9, [4] * 9)


@pytest.mark.parametrize("url", ["tgi:8080", "ftp://tgi", "structura", "http://"])
def test_what_is_no_url_is_refused(url: str) -> None:
    with pytest.raises(Refused, match="http://"):
        expert_of(url)


def test_experts_by_name() -> None:
    assert expert_of("none") is None
    assert isinstance(expert_of("structural"), StructuralExpert)
    remote = expert_of("http://user:secret@tgi:8080/v1/")
    assert remote is not None
    assert remote.name == "http://tgi:8080/v1"
