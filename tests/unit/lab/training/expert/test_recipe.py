"""The recipe: the paper's by default, and what cannot be is refused with its field."""

from pathlib import Path
from typing import Any

import pytest

from ace.errors import Refused
from ace_lab.training.expert.recipe import RECIPES, ExpertRecipe, read_recipe


def test_the_defaults_are_the_papers() -> None:
    ours = read_recipe("paper")
    assert (ours.quantize, ours.lora_rank, ours.lora_alpha, ours.lora_dropout) == ("nf4", 16, 32, 0.05)
    assert (ours.optimizer, ours.learning_rate, ours.precision) == ("paged_adamw_32bit", 2e-4, "bf16")
    assert (ours.batch_rows, ours.accumulation, ours.max_tokens) == (1, 24, 4096)
    assert (ours.target, ours.prompt) == ("verdict", "v1")


@pytest.mark.parametrize("path", sorted(RECIPES.glob("*.toml")), ids=lambda path: path.stem)
def test_each_of_our_recipes_can_be_read(path: Path) -> None:
    assert read_recipe(path.stem) != ExpertRecipe()
    assert read_recipe(str(path)) == read_recipe(path.stem)
    assert read_recipe(path.stem, seed=9).seed == 9


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"target": "essay"}, "target must be verdict or rationale"),
        ({"prompt": "v2"}, "prompt must be v1 if the target is a verdict only"),
        ({"prompt": "v9", "target": "rationale"}, "prompt must be v1 or v2"),
        ({"quantize": "int8"}, "quantize must be nf4 or none"),
        ({"optimizer": "sgd"}, "optimizer must be paged_adamw_32bit or adamw_torch"),
        ({"lora_dropout": 1.0}, "lora_dropout must be in"),
        ({"max_tokens": 10}, "max_tokens must be at least 64"),
        ({"learning_rate": 0.0}, "learning_rate must be positive"),
    ],
)
def test_what_cannot_be_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(Refused, match=message) as refused:
        ExpertRecipe(**changes)
    assert refused.value.pointer == f"/{next(iter(changes))}"


def test_unknown_recipes_and_fields_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="a file, or one of paper, rationale, small"):
        read_recipe("none-such")
    (tmp_path / "mine.toml").write_text("rank = 3\n")
    with pytest.raises(Refused, match="no field rank"):
        read_recipe(str(tmp_path / "mine.toml"))
    (tmp_path / "mine.toml").write_text("rank =\n")
    with pytest.raises(Refused, match=r"mine\.toml cannot be read"):
        read_recipe(str(tmp_path / "mine.toml"))
