"""QLoRA on a tiny random Llama: what is learnt, from which tokens, over a kill, and what comes out."""

import json
import shutil
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ace.errors import NotConfigured, Refused
from ace_lab.training.expert.base_models import tokenizer_of
from ace_lab.training.expert.examples import fitting
from ace_lab.training.expert.recipe import ExpertRecipe
from ace_lab.training.expert.run_folder import RunFolder
from ace_lab.training.expert.training import Bounds, train, trainer_of
from tests.unit.lab.training.expert import models
from tests.unit.lab.training.expert.conftest import SMALL

pytestmark = pytest.mark.slow


class Killed(Exception):
    """Stands for SIGKILL: nothing of the run handles it."""


def losses(out: Path, name: str = "loss") -> list[float]:
    return [record[name] for record in RunFolder(out).metrics() if name in record]


def test_loss_falls(unbroken: Path) -> None:
    found = losses(unbroken)
    assert len(found) == 32
    assert found[0] > 3.0
    assert sum(found[-4:]) / 4 < found[0] / 20
    held = losses(unbroken, "eval_loss")
    assert len(held) == 8
    assert held[-1] < held[0] / 3


def stopping(after: int) -> Callable[[Mapping[str, Any]], None]:
    def on_progress(record: Mapping[str, Any]) -> None:
        if record.get("step") == after and "loss" in record:
            raise Killed

    return on_progress


def test_a_run_that_was_killed_goes_on_with_the_same_losses(
    base: str, data: Path, unbroken: Path, tmp_path: Path
) -> None:
    with pytest.raises(Killed):
        train(data, tmp_path, base, SMALL, saved_seconds=0.0, on_progress=stopping(11))
    # The kill hit while a state was written: it is not gone on from.
    half = tmp_path / "training" / "checkpoint-12"
    half.mkdir()
    (half / "trainer_state.json").write_text('{"glob')
    told: list[Any] = []
    train(data, tmp_path, base, SMALL, on_progress=told.append)

    assert min(record["step"] for record in told if "loss" in record) == 11
    assert losses(tmp_path) == pytest.approx(losses(unbroken), rel=1e-6)
    assert losses(tmp_path, "eval_loss") == pytest.approx(losses(unbroken, "eval_loss"), rel=1e-6)
    assert sorted(path.name for path in (tmp_path / "training").iterdir()) == ["metrics.jsonl", "run.json"]


def test_a_run_that_ended_is_not_run_again_and_another_is_refused(
    base: str, data: Path, unbroken: Path
) -> None:
    told: list[Any] = []
    assert train(data, unbroken, base, SMALL, on_progress=told.append) == unbroken / "adapter"
    assert told == []
    with pytest.raises(Refused, match="another recipe"):
        train(data, unbroken, base, replace(SMALL, seed=2))
    with pytest.raises(Refused, match="another max_steps"):
        train(data, unbroken, base, SMALL, Bounds(max_steps=3))


@pytest.mark.parametrize(("target", "prompt"), [("verdict", "v1"), ("rationale", "v1"), ("rationale", "v2")])
def test_only_the_answer_and_its_end_carry_loss(target: Any, prompt: Any, base: str, tmp_path: Path) -> None:
    recipe = replace(SMALL, target=target, prompt=prompt, max_tokens=models.CONTEXT)
    tokenizer = tokenizer_of(base)
    rows = [models.row(1, fails=True), models.row(2, fails=False)]
    examples = fitting(rows, recipe, tokenizer)
    trainer = trainer_of(base, recipe, tokenizer, examples, None, tmp_path)
    batches = [trainer.data_collator([member]) for member in trainer.train_dataset]
    assert len(batches) == len(rows)
    for example, batch in zip(examples.kept, batches, strict=True):
        ids, labels = batch["input_ids"][0].tolist(), batch["labels"][0].tolist()
        # The words before the answer, as the server's template will have them.
        asked = tokenizer.apply_chat_template(example.prompt, add_generation_prompt=True, tokenize=False)
        before = tokenizer(asked, add_special_tokens=False)["input_ids"]
        own = tokenizer(f"{example.answer}<|eot_id|>", add_special_tokens=False)["input_ids"]
        assert ids == before + own
        assert labels == [-100] * len(before) + own
        assert "".join(tokenizer.convert_ids_to_tokens(ids[:1])) == "<|begin_of_text|>"


def test_padding_carries_no_loss_though_it_looks_like_the_end(base: str, tmp_path: Path) -> None:
    tokenizer = tokenizer_of(base)
    rows = [models.row(1, fails=True), models.row(2, fails=False, longer=9)]
    examples = fitting(rows, SMALL, tokenizer)
    trainer = trainer_of(base, SMALL, tokenizer, examples, None, tmp_path)
    batch = trainer.data_collator(list(trainer.train_dataset))
    end = tokenizer.eos_token_id
    assert tokenizer.pad_token_id == end
    for labels in batch["labels"].tolist():
        assert labels.count(end) == 1
    assert batch["labels"].shape[1] == max(examples.tokens)


def test_what_does_not_fit_is_left_out_whole(base: str, data: Path, tmp_path: Path) -> None:
    tokenizer = tokenizer_of(base)
    rows = [models.row(1, fails=True), models.row(2, fails=False, longer=400)]
    found = fitting(rows, SMALL, tokenizer)
    assert found.left_out == {"too_long": 1}
    assert [example.label for example in found.kept] == ["antecedent"]
    with pytest.raises(Refused, match=r"no row of .* fits into 64 tokens"):
        train(data, tmp_path, base, replace(SMALL, max_tokens=64))


def test_the_recipe_of_the_paper_runs_in_four_bits(base: str, data: Path, tmp_path: Path) -> None:
    import torch

    # bitsandbytes has NF4 on a CPU; of paged AdamW only the paging is missing there.
    recipe = ExpertRecipe(max_tokens=1024, epochs=2)
    unpaged = pytest.warns(UserWarning, match="Paged optimizers are not supported on CPU")
    with nullcontext() if torch.cuda.is_available() else unpaged:
        train(data, tmp_path, base, recipe, Bounds(max_steps=2))
    config = json.loads((tmp_path / "adapter" / "adapter_config.json").read_text())
    assert (config["r"], config["lora_alpha"], config["lora_dropout"]) == (16, 32, 0.05)
    linear = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
    assert {name.rpartition(".")[2] for name in config["target_modules"]} == set(linear)
    assert len(losses(tmp_path)) == len(losses(tmp_path, "eval_loss")) == 2


def test_four_bits_and_the_optimizer_are_those_asked_for(base: str, data: Path, tmp_path: Path) -> None:
    import torch
    from bitsandbytes.nn import Linear4bit

    recipe = ExpertRecipe(held_rows=0)
    tokenizer = tokenizer_of(base)
    examples = fitting([models.row(1, fails=True)], recipe, tokenizer)
    trainer = trainer_of(base, recipe, tokenizer, examples, None, tmp_path)
    assert (trainer.args.optim, trainer.args.learning_rate) == ("paged_adamw_32bit", 2e-4)
    assert (trainer.args.train_batch_size, trainer.args.gradient_accumulation_steps) == (1, 24)
    projections = [part for name, part in trainer.model.named_modules() if name.endswith("base_layer")]
    assert len(projections) == 14
    for part in projections:
        assert isinstance(part, Linear4bit)
        assert part.weight.quant_type == "nf4"
        assert part.weight.quant_state.nested
        assert part.compute_dtype is torch.bfloat16
    learnt = {name: value for name, value in trainer.model.named_parameters() if value.requires_grad}
    assert all("lora_" in name and value.dtype is torch.bfloat16 for name, value in learnt.items())


@pytest.mark.parametrize("named", ["/none/such", "nobody/nothing-of-the-kind"])
def test_a_base_that_cannot_be_had_is_refused(named: str, data: Path, tmp_path: Path) -> None:
    with pytest.raises(Refused, match=f"{named} cannot be loaded: set --base"):
        train(data, tmp_path, named, SMALL)


def test_a_base_that_is_quantised_already_is_refused(base: str, data: Path, tmp_path: Path) -> None:
    shutil.copytree(base, tmp_path / "awq")
    config = json.loads((tmp_path / "awq" / "config.json").read_text())
    config["quantization_config"] = {"quant_method": "awq", "bits": 4}
    (tmp_path / "awq" / "config.json").write_text(json.dumps(config))
    with pytest.raises(Refused, match="awq is quantised: use the model that it was made from"):
        train(data, tmp_path / "out", str(tmp_path / "awq"), SMALL)


def test_several_gpus_are_refused_before_anything_is_loaded(
    base: str, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("torch.cuda.device_count", lambda: 2)
    with pytest.raises(NotConfigured, match="CUDA_VISIBLE_DEVICES"):
        train(data, tmp_path / "out", base, SMALL)
    assert not (tmp_path / "out").exists()


def test_a_base_without_a_chat_template_is_refused(base: str, tmp_path: Path) -> None:
    shutil.copytree(base, tmp_path / "plain")
    (tmp_path / "plain" / "chat_template.jinja").unlink()
    with pytest.raises(Refused, match="plain has no chat template"):
        tokenizer_of(str(tmp_path / "plain"))
