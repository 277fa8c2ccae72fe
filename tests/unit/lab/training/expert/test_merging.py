"""What a run leaves: the adapter gives the logits it was trained to, merged weights too, and they answer."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ace_lab.training.expert.base_models import tokenizer_of
from ace_lab.training.expert.examples import examples_of
from ace_lab.training.expert.merging import merge
from ace_lab.training.expert.run_folder import RunFolder
from ace_lab.training.expert.training import train, trainer_of
from tests.unit.lab.training.expert import models
from tests.unit.lab.training.expert.conftest import SMALL

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def merged(unbroken: Path, base: str) -> Path:
    return merge(unbroken / "adapter", base, unbroken / "merged")


def logits(model: Any, text: str, tokenizer: Any) -> Any:
    import torch

    with torch.no_grad():
        return model.eval().cpu()(**tokenizer(text, return_tensors="pt", add_special_tokens=False)).logits


def asked(base: str, *, fails: bool) -> tuple[list[Any], str]:
    [example] = examples_of([models.row(1, fails=fails)], SMALL)
    text = tokenizer_of(base).apply_chat_template(example.prompt, tokenize=False, add_generation_prompt=True)
    return example.prompt, str(text)


def test_the_adapter_gives_the_logits_of_the_model_that_was_trained(
    base: str, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch
    from peft import PeftModel
    from transformers import AutoModelForCausalLM

    kept: list[Any] = []

    def keep(*given: Any, **more: Any) -> Any:
        kept.append(trainer_of(*given, **more))
        return kept[0]

    monkeypatch.setattr("ace_lab.training.expert.training.trainer_of", keep)
    adapter = train(data, tmp_path, base, replace(SMALL, epochs=1))
    again = PeftModel.from_pretrained(AutoModelForCausalLM.from_pretrained(base), str(adapter))
    tokenizer, (_, text) = tokenizer_of(base), asked(base, fails=True)
    trained = logits(kept[0].model, text, tokenizer)
    assert torch.allclose(logits(again, text, tokenizer), trained, atol=1e-5)
    plain = logits(AutoModelForCausalLM.from_pretrained(base), text, tokenizer)
    assert (plain - trained).abs().max() > 0.1


def test_merged_weights_give_the_logits_of_the_adapter(unbroken: Path, merged: Path, base: str) -> None:
    import torch
    from peft import PeftModel
    from transformers import AutoModelForCausalLM

    tuned = PeftModel.from_pretrained(AutoModelForCausalLM.from_pretrained(base), str(unbroken / "adapter"))
    whole = AutoModelForCausalLM.from_pretrained(merged)
    assert not any("lora" in name for name, _ in whole.named_parameters())
    tokenizer, (_, text) = tokenizer_of(base), asked(base, fails=False)
    wanted = logits(tuned, text, tokenizer)
    assert torch.allclose(logits(whole, text, tokenizer), wanted, atol=1e-4 * float(wanted.abs().max()))


def test_merged_weights_answer_through_the_chat_template_and_stop(
    unbroken: Path, merged: Path, base: str
) -> None:
    from transformers import pipeline

    generator: Any = pipeline("text-generation", model=str(merged), device="cpu")
    for fails in (True, False):
        messages, _ = asked(base, fails=fails)
        [answer] = generator([messages], max_new_tokens=40, do_sample=False)
        said = answer[0]["generated_text"][-1]
        assert said["role"] == "assistant"
        assert json.loads(said["content"])["verdict"] in {"Pass", "Fail"}, said


def test_what_a_server_needs_is_there(merged: Path, base: str) -> None:
    from transformers import AutoTokenizer

    names = {path.name for path in merged.iterdir()}
    assert {"model.safetensors", "config.json", "generation_config.json", "tokenizer.json"} <= names
    assert {"tokenizer_config.json", "expert.json"} <= names
    published, served = AutoTokenizer.from_pretrained(base), AutoTokenizer.from_pretrained(merged)
    assert served.chat_template == published.chat_template == models.TEMPLATE
    # Padding was for training; a server is not to take the end of an answer for padding.
    assert served.pad_token is None
    # A server may have an older transformers than the one that was trained with: its files are the base's.
    for path in Path(base).iterdir():
        if path.suffix != ".safetensors":
            assert (merged / path.name).read_bytes() == path.read_bytes(), path.name


def test_the_adapter_says_how_it_was_made(unbroken: Path, base: str) -> None:
    about = json.loads((unbroken / "adapter" / "expert.json").read_text())
    assert about["base"] == Path(base).name
    assert about["examples"] == {"antecedent": 4, "pass": 4}
    assert about["updates"] == 32
    assert about["questions"].startswith("verdict-")
    assert set(about["losses"]) == {"loss", "eval_loss"}
    assert base not in (unbroken / "adapter" / "expert.json").read_text()
    assert not (unbroken / "adapter" / "README.md").exists()
    assert RunFolder(unbroken).ended
