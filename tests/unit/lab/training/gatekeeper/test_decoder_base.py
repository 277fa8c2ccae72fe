"""A Llama as an encoder: its weights as they were, without its mask, and tokens to mark a claim's parts."""

import json
import shutil
from pathlib import Path

import pytest

from ace.errors import Refused
from ace.gatekeeper.inputs import ClaimInput
from ace.gatekeeper.tokens import PairTokenizer
from ace_lab.training.gatekeeper import decoder_base, training
from tests.unit.lab.training.expert import models

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # torch's own


@pytest.fixture(scope="module")
def decoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return models.base(tmp_path_factory.mktemp("models") / "tiny-llama")


@pytest.fixture(scope="module")
def encoder(decoder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return decoder_base.encoder_of(decoder, tmp_path_factory.mktemp("encoders") / "base")


def test_it_is_the_decoder_but_for_the_mask(decoder: Path, encoder: Path) -> None:
    import torch
    from transformers import AutoModel

    before, after = (AutoModel.from_pretrained(each).eval() for each in (decoder, encoder))
    ids = torch.arange(20, 32).unsqueeze(0)
    past = torch.ones(12, 12, dtype=torch.bool).tril()[None, None]
    with torch.inference_mode():
        expected, masked, unmasked = before(ids)[0], after(ids, attention_mask=past)[0], after(ids)[0]
    torch.testing.assert_close(masked, expected)
    assert (unmasked - expected)[0, 0].abs().max() > 0.01  # the first token sees the others


def test_a_claim_is_laid_out_with_its_special_tokens(decoder: Path, encoder: Path) -> None:
    tokenizer = PairTokenizer(encoder / "tokenizer.json", max_tokens=64)
    (ids, head), *_ = tokenizer.encode([ClaimInput(2, "The pump of claim 1.", ("1. A pump.",))])
    config = json.loads((decoder / "config.json").read_text())

    assert ids[0] == config["bos_token_id"]
    assert ids[head - 1] == ids[-1] == config["eos_token_id"]
    assert tokenizer.pad not in ids
    assert json.loads((encoder / "config.json").read_text())["pad_token_id"] == tokenizer.pad


def test_a_model_tells_what_it_was_made_of(decoder: Path, encoder: Path) -> None:
    assert training.history(encoder) == {"base": "tiny-llama, without its causal mask", "stages": []}
    assert decoder_base.is_decoder(decoder)
    assert not decoder_base.is_decoder(encoder)
    assert not decoder_base.is_decoder(decoder / "none")


def test_a_decoder_with_too_few_special_tokens_is_refused(decoder: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(decoder, tmp_path / "copy")
    config, tokenizer = (json.loads((copy / name).read_text()) for name in ("config.json", "tokenizer.json"))
    (copy / "config.json").write_text(json.dumps(config | {"eos_token_id": config["bos_token_id"]}))
    with pytest.raises(Refused, match="too few special tokens"):
        decoder_base.encoder_of(copy, tmp_path / "out")

    (copy / "config.json").write_text(json.dumps(config))
    kept = {config["bos_token_id"], config["eos_token_id"]}
    tokenizer["added_tokens"] = [token for token in tokenizer["added_tokens"] if token["id"] in kept]
    (copy / "tokenizer.json").write_text(json.dumps(tokenizer))
    with pytest.raises(Refused, match="too few special tokens"):
        decoder_base.encoder_of(copy, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_decoder_without_safetensors_is_refused(decoder: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(decoder, tmp_path / "copy")
    (copy / "model.safetensors").rename(copy / "pytorch_model.bin")
    with pytest.raises(Refused, match="no weights as safetensors"):
        decoder_base.encoder_of(copy, tmp_path / "out")


def test_a_run_does_not_go_on_from_another_decoder(decoder: Path, tmp_path: Path) -> None:
    other = shutil.copytree(decoder, tmp_path / "other-llama")
    identities = set()
    for each in (decoder, other):
        base = decoder_base.encoder_of(each, tmp_path / "base")
        identities.add(training.identity_of(base))
    assert len(identities) == 2
