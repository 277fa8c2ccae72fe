"""What a second run finds again, and what it must not."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ace.claims.model import ClaimInput
from ace_lab.evaluation import cache
from ace_lab.evaluation.cache import AnswerCache
from ace_lab.experts.opinions import IndexedOpinion, Opinion, StructuralExpert
from tests.unit.lab.evaluation.made import Knowing, run

CLAIMS = [
    ClaimInput(1, "A pump comprising a rotor and a sprocket."),
    ClaimInput(2, "The pump of claim 1, wherein the lid is red.", ("1. A pump comprising a rotor.",)),
]
SAID = Opinion(
    True, "antecedent", ("the lid", "not there"), 0.25, 70, (("antecedent", "the lid"),), 30, 2, 1, True
)


def test_opinions_come_back_with_their_words_but_the_file_holds_none(tmp_path: Path) -> None:
    AnswerCache(tmp_path).store_opinion("an expert", CLAIMS[1], 2, SAID)
    first, second = AnswerCache(tmp_path).opinions("an expert", CLAIMS, [2, 2])
    assert first is None
    assert second == replace(SAID, quotes=("the lid",))
    written = "".join(path.read_text() for path in tmp_path.glob("*.jsonl"))
    assert "lid" not in written
    assert "pump" not in written


@pytest.mark.parametrize(
    ("expert", "inputs", "totals"),
    [
        ("another", CLAIMS, [2, 2]),
        ("an expert", CLAIMS, [2, 3]),
        ("an expert", [CLAIMS[0], ClaimInput(2, CLAIMS[1].text)], [2, 2]),
    ],
)
def test_another_question_is_not_answered(
    expert: str, inputs: list[ClaimInput], totals: list[int], tmp_path: Path
) -> None:
    AnswerCache(tmp_path).store_opinion("an expert", CLAIMS[1], 2, SAID)
    assert AnswerCache(tmp_path).opinions(expert, inputs, totals)[1] is None


def test_a_line_that_a_kill_left_half_written_is_asked_for_again(tmp_path: Path) -> None:
    kept = AnswerCache(tmp_path)
    for claim in CLAIMS:
        kept.store_opinion("an expert", claim, 2, SAID)
    path = next(tmp_path.glob("*.jsonl"))
    path.write_text(path.read_text()[:-30])
    first, second = AnswerCache(tmp_path).opinions("an expert", CLAIMS, [2, 2])
    assert first is not None
    assert second is None


def test_claims_are_scored_once_and_a_change_of_rules_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = Knowing({CLAIMS[1].text: "antecedent"})
    for _ in range(2):
        table = run(tmp_path, engine)
        assert table.logits("step", CLAIMS).argmax(axis=1).tolist() == [0, 1]
        assert table.scored == 2
        assert (table.seconds_per_claim or 0) > 0  # the time of the first run is kept too
    assert engine.asked == 2
    run(tmp_path, engine).logits("step", CLAIMS[:1])
    assert engine.asked == 3
    monkeypatch.setattr(cache, "rules_digest", lambda: "other rules")
    run(tmp_path, engine).logits("step", CLAIMS)
    assert engine.asked == 5


def test_an_expert_is_asked_only_for_what_is_missing(tmp_path: Path) -> None:
    class Counting(StructuralExpert):
        asked = 0

        def opinions(self, inputs: Sequence[ClaimInput], totals: Sequence[int]) -> Iterator[IndexedOpinion]:
            for told in super().opinions(inputs, totals):
                self.asked += 1
                yield told

    expert = Counting()
    for _ in range(2):
        table = run(tmp_path, Knowing({}), expert)
        fails = [opinion is not None and opinion.fail for opinion in table.opinions("step", CLAIMS, [2, 2])]
        assert fails == [False, True]
    assert expert.asked == 2
    assert run(tmp_path, Knowing({})).opinions("nobody is asked", CLAIMS, [2, 2]) == [None, None]


def test_what_was_said_before_a_run_was_stopped_is_not_asked_again(tmp_path: Path) -> None:
    class Stopped(StructuralExpert):
        def opinions(self, inputs: Sequence[ClaimInput], totals: Sequence[int]) -> Iterator[IndexedOpinion]:
            yield next(super().opinions(inputs, totals))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, Knowing({}), Stopped()).opinions("step", CLAIMS, [2, 2])
    first, second = AnswerCache(tmp_path).opinions(Stopped.key, CLAIMS, [2, 2])
    assert (first is None, second is None) == (False, True)


def test_the_folder_keeps_itself_out_of_version_control(tmp_path: Path) -> None:
    AnswerCache(tmp_path / "cache").store_logits("r", CLAIMS, np.zeros((2, 6)), 0.1)
    assert (tmp_path / "cache" / ".gitignore").read_text() == "*\n"
