"""The base model of an expert: its tokenizer, its configuration, its name and its published files."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from huggingface_hub import hf_hub_download
from huggingface_hub.errors import EntryNotFoundError
from transformers import AutoConfig, AutoTokenizer, PretrainedConfig, PreTrainedTokenizerBase

from ace.errors import Refused

TOKENIZER = (
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "tokenizer.model",
    "chat_template.jinja",
)
SHAPE = ("config.json", "generation_config.json")


def tokenizer_of(base: str) -> PreTrainedTokenizerBase:
    """The tokenizer of a directory or of a repository of the hub; it can pad.

    Raises Refused if it cannot be loaded or has no chat template.
    """
    load: Any = AutoTokenizer.from_pretrained
    tokenizer: PreTrainedTokenizerBase = _loaded(load, base)
    if not tokenizer.chat_template:
        raise Refused(f"{name_of(base)} has no chat template: use an instruction-tuned model", code="base")
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer


def config_of(base: str) -> PretrainedConfig:
    """The configuration of the model. Raises Refused if it cannot be loaded or its weights are quantised."""
    config: PretrainedConfig = _loaded(AutoConfig.from_pretrained, base)
    if getattr(config, "quantization_config", None):
        raise Refused(f"{name_of(base)} is quantised: use the model that it was made from", code="base")
    return config


def copy_published(base: str, names: tuple[str, ...], target: Path) -> None:
    """Copies those of the files that the base has, unchanged, because an older transformers in a server might
    not read what this version would write."""
    for name in names:
        if Path(base).is_dir():
            path = Path(base) / name
        else:
            try:
                path = Path(hf_hub_download(base, name))
            except EntryNotFoundError:
                continue
        if path.is_file():
            shutil.copyfile(path, target / name)


def name_of(base: str) -> str:
    """The name of the base outside this machine: never a path."""
    return Path(base).name if Path(base).is_dir() else base


def _loaded(load: Any, base: str) -> Any:
    try:
        return load(base)
    except (OSError, ValueError) as error:
        raise Refused(
            f"{name_of(base)} cannot be loaded: set --base to a directory, or to a model on the hub that"
            " HF_TOKEN may read",
            code="base",
        ) from error
