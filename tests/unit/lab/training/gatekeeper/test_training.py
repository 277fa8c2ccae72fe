"""Training on a toy: it learns, stops when it should, goes on after a kill as if nothing had been."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ace.claims.taxonomy import LABELS
from ace.errors import Refused
from ace.gatekeeper.tokens import PairTokenizer
from ace_lab.training.gatekeeper import training
from ace_lab.training.gatekeeper.examples import Example, planned, read_examples
from ace_lab.training.gatekeeper.recipe import GatekeeperRecipe, read_recipe
from ace_lab.training.gatekeeper.trainer import IGNORED, Trainer, token_targets
from tests.unit.gatekeeper import toy

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # torch's and transformers' own

RECIPE = GatekeeperRecipe(
    head="tokens", epochs=2, learning_rate=3e-3, batch_rows=8, max_tokens=48, hints=False, evaluations=2,
    dropout=0.0, precision="fp32",
)  # fmt: skip


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return toy.data(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return toy.base(tmp_path_factory.mktemp("bert"))


@pytest.fixture(scope="module")
def modern(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return toy.base(tmp_path_factory.mktemp("modern"), "modernbert")


def metrics(out: Path) -> list[dict[str, Any]]:
    lines = (out / "training" / "metrics.jsonl").read_text().splitlines()
    return [{k: v for k, v in json.loads(line).items() if k not in {"seconds", "rows_s"}} for line in lines]


def weights(checkpoint: Path) -> dict[str, Any]:
    from safetensors.numpy import load_file

    return dict(load_file(checkpoint / "model.safetensors"))


def same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return one.keys() == other.keys() and all(np.array_equal(one[key], other[key]) for key in one)


@pytest.mark.parametrize(
    ("encoder", "changes"),
    [
        ("base", {}),
        ("base", {"head": "cls", "epochs": 12}),
        ("base", {"precision": "bf16", "freeze_words": True}),
        ("base", {"batch_tokens": 160}),
        ("modern", {}),
        ("modern", {"head": "cls"}),
    ],
)
def test_a_toy_is_learnt(
    encoder: str, changes: dict[str, Any], data: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    recipe = replace(RECIPE, **{"epochs": 5, "patience": 99, **changes})
    checkpoint = training.train(data, tmp_path, request.getfixturevalue(encoder), recipe, threads=1)

    noted = metrics(tmp_path)
    losses = [line["loss"] for line in noted if "loss" in line]
    assert losses[-1] < 0.8 * losses[0]
    assert max(line["macro_f1"] for line in noted if "macro_f1" in line) > 0.8
    about = json.loads((checkpoint / "gatekeeper.json").read_text())
    assert about["labels"] == list(LABELS)
    assert (about["head"], about["hints"], about["max_tokens"]) == (recipe.head, False, 48)
    assert about["stages"][-1]["ended"] == "done"
    config = json.loads((checkpoint / "config.json").read_text())
    kind = "Token" if recipe.head == "tokens" else "Sequence"
    assert config["architectures"][0].endswith(f"For{kind}Classification")
    assert str(tmp_path) not in json.dumps([about, config])


class Killed(Exception):
    """What a kill -9 is to a run in this process."""


def killed_after(evaluation_steps: int) -> Callable[[Mapping[str, Any]], None]:
    def on_progress(record: Mapping[str, Any]) -> None:
        nonlocal evaluation_steps
        evaluation_steps -= "macro_f1" in record
        if evaluation_steps < 0:
            raise Killed

    return on_progress


def test_a_killed_run_goes_on_to_the_same_weights(data: Path, base: Path, tmp_path: Path) -> None:
    recipe = replace(RECIPE, dropout=0.1)
    whole = training.train(data, tmp_path / "whole", base, recipe, threads=1)
    broken = tmp_path / "broken"
    for evaluation_steps in (1, 0, 1):
        with pytest.raises(Killed):
            training.train(
                data,
                broken,
                base,
                recipe,
                threads=1,
                saved_seconds=0,
                on_progress=killed_after(evaluation_steps),
            )
    # A kill while files are written leaves halves beside the whole ones.
    (broken / "training" / "state.tmp").write_bytes(b"half")
    with (broken / "training" / "metrics.jsonl").open("a") as lines:
        lines.write('{"step": 31, "los')
    again = training.train(data, broken, base, recipe, threads=1)

    assert same(weights(whole), weights(again))
    assert metrics(broken) == metrics(tmp_path / "whole")


def test_a_finished_run_is_not_run_again(data: Path, base: Path, tmp_path: Path) -> None:
    first = weights(training.train(data, tmp_path, base, RECIPE, threads=1))
    told: list[Mapping[str, Any]] = []
    again = weights(training.train(data, tmp_path, base, RECIPE, threads=1, on_progress=told.append))

    assert same(first, again)
    assert not [record for record in told if "loss" in record]


@pytest.mark.parametrize(
    ("seed", "is_same"),
    [(1, True), (2, False)],
)
def test_the_seed_decides(seed: int, is_same: bool, data: Path, base: Path, tmp_path: Path) -> None:
    recipe = replace(RECIPE, epochs=1)
    first = training.train(data, tmp_path / "a", base, recipe, threads=1)
    second = training.train(data, tmp_path / "b", base, replace(recipe, seed=seed), threads=1)
    assert same(weights(first), weights(second)) is is_same


def test_another_run_in_the_same_place_is_refused_until_it_is_forgotten(
    data: Path, base: Path, tmp_path: Path
) -> None:
    training.train(data, tmp_path, base, replace(RECIPE, epochs=1), threads=1)
    with pytest.raises(Refused, match="another recipe"):
        training.train(data, tmp_path, base, RECIPE, threads=1)
    training.discard_state(tmp_path)
    training.train(data, tmp_path, base, RECIPE, threads=1, limit_rows=40)


def scripted(monkeypatch: pytest.MonkeyPatch, *scores: float) -> None:
    coming = iter(scores)
    monkeypatch.setattr(training, "measures", lambda *_: {"macro_f1": next(coming)})


def test_it_goes_halfway_from_a_model_that_was_trained_before(data: Path, base: Path, tmp_path: Path) -> None:
    recipe = replace(RECIPE, epochs=1)
    first = training.train(data, tmp_path / "first", base, recipe, threads=1)
    whole = weights(training.train(data, tmp_path / "whole", first, recipe, threads=1))
    half = training.train(data, tmp_path / "half", first, replace(recipe, base_share=0.5), threads=1)
    start = weights(first)
    assert not same(start, whole)
    for name, each in weights(half).items():
        np.testing.assert_allclose(each, (start[name] + whole[name]) / 2, atol=1e-6)


def test_a_share_of_a_base_without_a_head_is_refused(data: Path, base: Path, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="base_share"):
        training.train(data, tmp_path, base, replace(RECIPE, base_share=0.5), threads=1)


def test_it_stops_when_patience_ends_and_keeps_the_best(
    data: Path, base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted(monkeypatch, 0.3, 0.5, 0.4, 0.5, 0.9, 0.9)
    recipe = replace(RECIPE, epochs=3, patience=2)
    kept = training.train(data, tmp_path / "stopped", base, recipe, threads=1)
    stage = json.loads((kept / "gatekeeper.json").read_text())["stages"][-1]
    assert (stage["ended"], stage["best_step"], stage["steps"]) == ("patience", 20, 40)
    assert stage["planned_steps"] == 60

    scripted(monkeypatch, 0.3, 0.5, 0.4, 0.4, 0.4, 0.6)
    other = training.train(data, tmp_path / "whole", base, replace(recipe, patience=9), threads=1)
    best_of_other = training.CheckpointFolder(tmp_path / "whole" / "training").best()
    assert not same(weights(kept), weights(other))
    assert same(weights(other), {key: value.numpy() for key, value in best_of_other.items()})


def test_a_run_bound_by_time_ends_annealed(data: Path, base: Path, tmp_path: Path) -> None:
    """A clock that goes a second a look at it: the run has about a third of the time it would take."""
    now = iter(range(10**6))
    told: list[Mapping[str, Any]] = []
    training.train(
        data, tmp_path, base, replace(RECIPE, epochs=5), threads=1, max_minutes=1.0, clock=lambda: next(now),
        on_progress=told.append,
    )  # fmt: skip
    stage = json.loads((tmp_path / "checkpoint" / "gatekeeper.json").read_text())["stages"][-1]
    rates = [record["rate"] for record in told if "rate" in record]

    assert stage["ended"] == "time"
    assert 15 <= stage["steps"] <= 60 < stage["planned_steps"]
    assert 1.0 <= stage["minutes"] < 1.2
    assert rates[-1] < 0.5


@pytest.mark.parametrize(
    ("share", "factor"),
    [(0.0, 0.1), (0.05, 0.6), (0.09, 1.0), (0.1, 1.0), (0.55, 0.5), (0.991, 0.01), (1.0, 0.0)],
)
def test_the_rate_rises_and_falls(share: float, factor: float) -> None:
    assert training.rate(share, 0.1, 0.01) == pytest.approx(factor)


def test_the_rate_without_warm_up_begins_at_its_highest() -> None:
    assert training.rate(0.0, 0.0, 0.01) == 1.0


@pytest.mark.parametrize(
    ("epochs", "per_epoch", "expected"),
    [([10, 10], 2, {5, 10, 15, 20}), ([3], 4, {1, 2, 3}), ([9, 10], 1, {9, 19})],
)
def test_looks_are_even(epochs: list[int], per_epoch: int, expected: set[int]) -> None:
    assert training.evaluation_steps(epochs, per_epoch) == expected


def test_measures_count_what_they_say() -> None:
    logits = np.full((5, 6), -5.0, dtype=np.float32)
    for row, called in enumerate([0, 0, 1, 1, 5]):
        logits[row, called] = 5.0
    found = training.measures(logits, np.asarray([0, 1, 1, 0, 5]))
    assert found["accuracy"] == pytest.approx(0.6)
    assert found["macro_f1"] == pytest.approx((0.5 + 0.5 + 1.0) / 3)
    assert found["binary"] == pytest.approx(0.6)
    assert found["recall"] == {"pass": 0.5, "antecedent": 0.5, "syntax": 1.0}


def test_token_targets_mark_the_defect_in_the_claim_alone() -> None:
    rows = [
        Example(([2, 9, 9, 9, 3, 8, 3], 5), 3, (2, 3)),
        Example(([2, 9, 3], 3), 0, ()),
    ]
    i = IGNORED
    expected = [[0, 0, 3, 3, 0, i, i, i], [0, 0, 0, i, i, i, i, i]]
    assert token_targets(rows, 8).tolist() == expected


@pytest.mark.parametrize("head", ["cls", "tokens"])
def test_the_loss_is_what_it_says(head: Any, base: Path) -> None:
    """Against plain loops over the model's own logits."""
    recipe = replace(RECIPE, head=head, head_dropout=0.0, precision="fp32")
    trainer = Trainer(base, recipe, 0)
    rows = [Example(([2, 5, 6, 7, 3, 8, 3], 5), 3, (2, 3)), Example(([2, 9, 3], 3), 0, ())]
    trainer.scorer.eval()
    of_claims, of_tokens = (float(loss) for loss in trainer.losses(rows))

    def nll(logits: Any, label: int) -> float:
        return float(np.log(np.exp(logits - logits.max()).sum()) - (logits - logits.max())[label])

    pooled = trainer.logits(rows).astype(np.float64)
    assert of_claims == pytest.approx(np.mean([nll(pooled[0], 3), nll(pooled[1], 0)]), abs=1e-4)
    if head == "cls":
        assert of_tokens == 0.0
        return
    losses, shares = [], []
    for row, labels in zip(rows, ([0, 0, 3, 3, 0], [0, 0, 0]), strict=True):
        given = {name: trainer.torch.tensor([values], device=trainer.device) for name, values in {
            "input_ids": row.encoded[0], "attention_mask": [1] * len(row.encoded[0]),
            "token_type_ids": [int(at >= row.encoded[1]) for at in range(len(row.encoded[0]))],
        }.items()}  # fmt: skip
        raw = trainer.scorer.raw(**given)[0].detach().cpu().numpy().astype(np.float64)
        for at, label in enumerate(labels):
            share = recipe.sound_token_weight if label == 0 else 1.0
            losses.append(share * nll(raw[at], label))
            shares.append(share)
    assert of_tokens == pytest.approx(sum(losses) / sum(shares), abs=1e-4)


@pytest.mark.parametrize("frozen", [True, False])
def test_frozen_words_stay(frozen: bool, base: Path) -> None:
    trainer = Trainer(base, replace(RECIPE, freeze_words=frozen), 0)
    words = trainer.scorer.model.get_input_embeddings().weight
    before = words.detach().clone()
    trainer.step([Example(([2, 5, 6, 3], 4), 1, (2,))], 1.0)
    assert bool((words == before).all()) is frozen


@pytest.mark.parametrize("dropped", [0, 5])
def test_attention_for_bf16_is_attention(dropped: int) -> None:
    import torch

    from ace_lab.training.gatekeeper.attention import attention

    torch.manual_seed(3)
    shape = (3, 4, 20, 8)
    given = [torch.randn(shape).to(torch.bfloat16).requires_grad_() for _ in range(3)]
    wide = [tensor.detach().float().requires_grad_() for tensor in given]
    mask = torch.ones(3, 20, dtype=torch.bool)
    mask[1, 20 - dropped :] = False
    aim = torch.randn(3, 20, 4, 8)
    found, _ = attention(torch.nn.Identity(), *given, mask if dropped else None)
    right = torch.nn.functional.scaled_dot_product_attention(*wide, attn_mask=mask[:, None, None])
    gradients = torch.autograd.grad(found, given, aim.to(torch.bfloat16))
    right_gradients = torch.autograd.grad(right.transpose(1, 2), wide, aim)

    for one, other in zip([found, *gradients], [right.transpose(1, 2), *right_gradients], strict=True):
        assert torch.allclose(one.float(), other, atol=0.04)
    if dropped:
        assert not gradients[2][1, :, 20 - dropped :].any()


def examples(*lengths: int) -> list[Example]:
    return [Example(([2] * length, length), 0, ()) for length in lengths]


@pytest.mark.parametrize("batch_tokens", [None, 256])
def test_a_plan_shows_each_row_once_an_epoch(batch_tokens: int | None) -> None:
    rows = examples(*(5 + (7 * at) % 43 for at in range(101)))
    recipe = replace(RECIPE, batch_tokens=batch_tokens, batch_rows=16)
    plan = planned(rows, recipe)

    assert planned(rows, recipe) == plan
    assert planned(rows, replace(recipe, seed=2)) != plan
    assert plan[0] != plan[1]
    for epoch in plan:
        assert sorted(at for batch in epoch for at in batch) == list(range(101))
        assert max(map(len, epoch)) <= 16
        widest = [max(len(rows[at].encoded[0]) for at in batch) for batch in epoch]
        if batch_tokens:
            assert all(-(-w // 16) * 16 * len(b) <= 256 for w, b in zip(widest, epoch, strict=True))


def test_rows_whose_defect_is_cut_off_are_left_out(base: Path, tmp_path: Path) -> None:
    long = "a pump , " + "a rotor " * 60 + "to " + "a lid " * 60 + "and"
    lines = [
        {"text": "a pump to a lid", "label": "ambiguity", "spans": [[7, 9]]},
        {"text": long, "label": "ambiguity", "spans": [[long.index("to "), long.index("to ") + 2]]},
        {"text": long, "label": "logical", "spans": [[7, 8], [len(long) - 3, len(long)]]},
        {"text": long, "label": "pass", "spans": []},
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(json.dumps({"number": 1, "ancestors": [], **line}) for line in lines))
    found = read_examples(path, PairTokenizer(base / "tokenizer.json", max_tokens=48))

    assert [row.label for row in found] == [LABELS.index(name) for name in ("ambiguity", "logical", "pass")]
    assert found[0].marked == (5,)  # [CLS] 1 . a pump to
    assert found[1].marked == (5, 46)


def test_some_rows_are_read_without_hints(data: Path, base: Path) -> None:
    tokenizer = PairTokenizer(base / "tokenizer.json", max_tokens=48, hints=True)

    def lengths(**given: float) -> list[int]:
        return [len(row.encoded[0]) for row in read_examples(data / "calibration.jsonl", tokenizer, **given)]

    hinted, bare = lengths(), lengths(hint_dropout=0.999999)
    assert all(with_hint > without for with_hint, without in zip(hinted, bare, strict=True))
    mixed = lengths(hint_dropout=0.5)
    dropped = sum(one == without for one, without in zip(mixed, bare, strict=True))
    assert 0.3 < dropped / len(mixed) < 0.7
    assert all(one in pair for one, *pair in zip(mixed, hinted, bare, strict=True))


@pytest.mark.parametrize(
    "line",
    [
        "no json",
        '{"number": 1}',
        '{"number": 1, "text": "secret", "ancestors": [], "label": "x", "spans": []}',
    ],
)
def test_a_line_that_is_no_row_is_refused_unquoted(line: str, base: Path, tmp_path: Path) -> None:
    path = tmp_path / "train.jsonl"
    path.write_text(line + "\n")
    with pytest.raises(Refused, match=r"train\.jsonl has a line that is not a row") as refused:
        read_examples(path, PairTokenizer(base / "tokenizer.json", max_tokens=48))
    assert "secret" not in str(refused.value)


def test_an_encoder_that_reads_less_is_refused(base: Path) -> None:
    with pytest.raises(Refused, match="max_tokens is 512, but the encoder reads at most 64"):
        Trainer(base, replace(RECIPE, max_tokens=512), 0)


def test_a_base_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"no tokenizer\.json"):
        training.tokenizer_of(tmp_path)


def test_recipes() -> None:
    paper, ours = read_recipe("paper"), read_recipe("minilm", seed=4)
    assert (paper.max_tokens, paper.batch_rows, paper.learning_rate) == (512, 32, 2e-5)
    assert (paper.epochs, paper.weight_decay, paper.head, paper.hints) == (5, 0.01, "cls", True)
    assert (ours.head, ours.max_tokens, ours.batch_tokens, ours.seed) == ("tokens", 512, 2560, 4)
    assert (ours.freeze_words, ours.usual_tokens, ours.hint_dropout) == (True, 256, 0.5)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("epocs = 3", "no field epocs"),
        ("epochs = 0", "epochs must be at least 1"),
        ("head = 'both'", "head must be cls or tokens"),
        ("precision = 'fp8'", "precision must be"),
        ("warmup = 1.0", r"warmup must be in \[0, 1\)"),
        ("learning_rate = 0.0", "learning_rate must be positive"),
        ("batch_tokens = 100", "batch_tokens must be at least max_tokens, 512"),
        ("epochs = ", "cannot be read"),
    ],
)
def test_a_recipe_that_cannot_be_is_refused(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(text)
    with pytest.raises(Refused, match=message):
        read_recipe(str(path))


def test_an_unknown_recipe_names_the_known() -> None:
    with pytest.raises(Refused, match="one of paper, labelled, large, minilm"):
        read_recipe("none-such")
