"""What trl, peft and transformers warn each other about, what no test may do, and one run for all."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ace_lab.training.expert.recipe import ExpertRecipe
from tests.unit.lab.training.expert import models

# Theirs, word by word: any other warning fails.
THEIRS = (
    # peft and trl still read the old name of activation checkpointing.
    r"ignore:`is_gradient_checkpointing` is deprecated:FutureWarning",
)

SMALL = ExpertRecipe(
    quantize="none", optimizer="adamw_torch", precision="fp32", epochs=8, accumulation=2,
    learning_rate=3e-2, clip=1.0, held_rows=2, evaluations=1, max_tokens=1024,
)  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts the filters on the tests of this folder."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            for theirs in THEIRS:
                item.add_marker(pytest.mark.filterwarnings(theirs))


@pytest.fixture(scope="package", autouse=True)
def alone() -> Iterator[None]:
    """No test asks the hub for anything, and one thread is faster for models this small."""
    import huggingface_hub.constants
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
        yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="package")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(models.base(tmp_path_factory.mktemp("base")))


@pytest.fixture(scope="package")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return models.data(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="package")
def unbroken(base: str, data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run to its end."""
    from ace_lab.training.expert.training import train

    out = tmp_path_factory.mktemp("unbroken")
    train(data, out, base, SMALL)
    return out
