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
    config = directory / "config.json"
    return config.is_file() and _read(config).get("model_type") == "llama"


def encoder_of(decoder: Path, target: Path) -> Path:
    """Writes to `target` the encoder that the Llama in `decoder` becomes; returns `target`.

    Of its special tokens, that of the beginning serves as [CLS], that of the end as [SEP], and the padding or
    else another one as [PAD]. Raises Refused if there are not so many, or no weights as safetensors.
    """
    config, tokenizer = _read(decoder / "config.json"), _read(decoder / "tokenizer.json")
    weights = list(decoder.glob("*.safetensors*"))
    if not weights:
        raise Refused(f"{decoder.name} has no weights as safetensors", code="base")
    unknown = tokenizer["model"].get("unk_token")
    special = {
        token["id"]: token["content"]
        for token in tokenizer["added_tokens"]
        if token["special"] and token["content"] != unknown
    }
    begin, end = config.get("bos_token_id"), _first(config.get("eos_token_id"))
    pad = config.get("pad_token_id")
    if pad not in special.keys() - {begin, end}:
        pad = next((at for at in special if at not in {begin, end}), None)
    names = {begin: "[CLS]", end: "[SEP]", pad: "[PAD]"}
    if len(names) < 3 or not special.keys() >= names.keys():
        raise Refused(f"{decoder.name} has too few special tokens to mark a claim's parts", code="base")
    for token in tokenizer["added_tokens"]:
        token["content"] = names.get(token["id"], token["content"])
    vocabulary = tokenizer["model"]["vocab"]
    for at, name in names.items():
        vocabulary.pop(special[at], None)
        vocabulary[name] = at
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for file in weights:
        shutil.copyfile(file, target / file.name)
    encoder: dict[str, Any] = {"model_type": "eurobert", "architectures": ["EuroBertModel"]}
    encoder |= {"pad_token_id": pad, "mask_token_id": pad}  # no token is ever masked
    _write(target / "config.json", config | encoder)
    _write(target / "tokenizer.json", tokenizer)
    _write(target / "gatekeeper.json", {"base": f"{decoder.name}, without its causal mask", "stages": []})
    return target


def _first(ids: Any) -> Any:
    """The first of the ends that a configuration may name."""
    return ids[0] if isinstance(ids, list) and ids else ids


def _read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def _write(path: Path, content: dict[str, Any]) -> None:
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
