"""The plan: counts that are exact, and a memory that adds up."""

from dataclasses import replace
from pathlib import Path

import pytest
from transformers import LlamaConfig

from ace.errors import Refused
from ace_lab.training.expert.base_models import tokenizer_of
from ace_lab.training.expert.examples import fitting, read_split
from ace_lab.training.expert.planning import NF4_BYTES, ParameterCounts, plan, training_memory
from ace_lab.training.expert.recipe import ExpertRecipe
from tests.unit.lab.training.expert.conftest import SMALL

pytestmark = pytest.mark.slow

LLAMA_3_70B = LlamaConfig(
    vocab_size=128_256, hidden_size=8_192, intermediate_size=28_672, num_hidden_layers=80,
    num_attention_heads=64, num_key_value_heads=8,
)  # fmt: skip


def test_the_plan_counts_what_training_will_see(base: str, data: Path) -> None:
    found = plan(data, base, SMALL)
    seen = fitting(read_split(data / "train.jsonl", None, 1), SMALL, tokenizer_of(base))
    assert found["examples"] == {"antecedent": 4, "pass": 4}
    assert found["tokens"]["total"] == sum(seen.tokens)
    assert found["tokens"]["longest"] == max(seen.tokens)
    assert found["updates"] == 32
    assert plan(data, base, SMALL, max_steps=3)["updates"] == 3
    assert plan(data, base, SMALL, limit_rows=4)["rows"] == 4
    short = plan(data, base, replace(SMALL, max_tokens=64))
    assert (short["left_out"], short["examples"], short["updates"]) == ({"too_long": 8}, {}, 0)


def test_parameters_are_those_of_the_model_and_of_its_adapters(base: str, data: Path, unbroken: Path) -> None:
    from safetensors.torch import load_file

    found = plan(data, base, SMALL)["parameters"]
    for name, path in (
        ("base", Path(base) / "model.safetensors"),
        ("adapter", unbroken / "adapter" / "adapter_model.safetensors"),
    ):
        assert found[name] == sum(value.numel() for value in load_file(path).values()), name


def test_the_memory_of_the_papers_model_fits_an_h100_as_it_did_there() -> None:
    recipe = ExpertRecipe()
    weights = ParameterCounts.of(LLAMA_3_70B, recipe)
    assert weights.linear + weights.other == 70_553_706_496  # as published
    assert weights.adapter == 207_093_760
    memory = training_memory(weights, LLAMA_3_70B, recipe, 4_096)
    parts = [value for name, value in memory.items() if name != "total"]
    assert memory["total"] == pytest.approx(sum(parts), abs=0.05)
    assert 36 < memory["base"] < 38
    assert memory["total"] < 74.5  # GiB of 80 GB
    whole = training_memory(weights, LLAMA_3_70B, replace(recipe, quantize="none"), 4_096)
    assert whole["base"] == pytest.approx(70_553_706_496 * 2 / 2**30, abs=0.01)


def test_a_weight_in_four_bits_takes_what_bitsandbytes_gives_it() -> None:
    import torch
    from bitsandbytes.functional import quantize_4bit

    weights = torch.randn(1024, 1024)
    packed, state = quantize_4bit(weights, compress_statistics=True, quant_type="nf4", blocksize=64)
    taken = packed.nbytes + state.absmax.nbytes + state.state2.absmax.nbytes
    assert taken / weights.numel() == NF4_BYTES


def test_data_that_is_not_there_is_refused(base: str, tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"train\.jsonl cannot be read"):
        plan(tmp_path, base, SMALL)
    (tmp_path / "train.jsonl").write_text("{}\n")
    with pytest.raises(Refused, match=r"line 1 of train\.jsonl is not a row"):
        plan(tmp_path, base, SMALL)
