"""A Llama's weights as the base of an encoder: the same layers, but each token attends to all others.

A decoder without its causal mask makes a good classifier of tokens once it is fine-tuned (Li et al. 2023,
arXiv:2310.01208), and small decoders are easier to come by than encoders of their size. EuroBERT is the
architecture's name in transformers: Llama's layers and names of weights, without the mask.
"""

import json
import shutil
from pathlib import Path
from typing import Any

from ace.errors import Refused


def is_decoder(directory: Path) -> bool:
    """Whether the directory holds a Llama."""
    return (directory / "config.json").is_file() and _read(directory / "config.json")["model_type"] == "llama"


def encoder_of(decoder: Path, target: Path) -> Path:
    """Writes to `target` the encoder that the Llama in `decoder` becomes; returns `target`.

    Of its special tokens, that of the beginning serves as [CLS], that of the end as [SEP], and the padding or
    else another one as [PAD]. Raises Refused if there are not so many.
    """
    config, tokenizer = _read(decoder / "config.json"), _read(decoder / "tokenizer.json")
    special = {token["id"]: token["content"] for token in tokenizer["added_tokens"] if token["special"]}
    names = {config["bos_token_id"]: "[CLS]", _first(config["eos_token_id"]): "[SEP]"}
    spare = [*filter(lambda at: at is not None, [config.get("pad_token_id")]), *special]
    pad = next((at for at in spare if at not in names), None)
    if pad is None or not special.keys() >= names.keys():
        raise Refused(f"{decoder.name} has too few special tokens to mark a claim's parts", code="base")
    names[pad] = "[PAD]"
    for token in tokenizer["added_tokens"]:
        token["content"] = names.get(token["id"], token["content"])
    vocabulary = tokenizer["model"]["vocab"]
    for at, name in names.items():
        vocabulary.pop(special[at], None)
        vocabulary[name] = at
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for weights in decoder.glob("*.safetensors*"):
        shutil.copyfile(weights, target / weights.name)
    encoder = {"model_type": "eurobert", "architectures": ["EuroBertModel"]}
    encoder |= {"pad_token_id": pad, "mask_token_id": pad}  # no token is ever masked
    _write(target / "config.json", config | encoder)
    _write(target / "tokenizer.json", tokenizer)
    _write(target / "gatekeeper.json", {"base": f"{decoder.name}, without its causal mask", "stages": []})
    return target


def _first(ids: Any) -> int:
    """A configuration may name several ends."""
    return int(ids[0] if isinstance(ids, list) else ids)


def _read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def _write(path: Path, content: dict[str, Any]) -> None:
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
