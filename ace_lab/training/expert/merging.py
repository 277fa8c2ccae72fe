"""Merges the adapter into the weights of its base: one directory that TGI, vLLM or SGLang can serve."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from peft import PeftModel
from transformers import AutoModelForCausalLM

from ace.errors import Refused
from ace_lab.training.expert.base_models import SHAPE, TOKENIZER, copy_published, name_of
from ace_lab.training.expert.run_folder import emptied, replaced
from ace_lab.training.expert.training import ABOUT

SHARD = "5GB"
"""Size of a weights file; servers load them one by one."""


def merge(adapter: Path, base: str, target: Path) -> Path:
    """Writes the weights and expert.json to `target`; config, generation config and tokenizer are the base's.

    The base is loaded in its published precision, into main memory: in four-bit weights the adapter would be
    lost to rounding. Raises Refused if the base cannot be loaded.
    """
    try:
        whole = AutoModelForCausalLM.from_pretrained(base, dtype="auto", device_map={"": "cpu"})
    except OSError as error:
        raise Refused(f"the weights of {name_of(base)} cannot be loaded", code="base") from error
    tuned = PeftModel.from_pretrained(whole, str(adapter))
    merged = tuned.merge_and_unload(safe_merge=True)
    beside = emptied(target)
    merged.save_pretrained(beside, max_shard_size=SHARD)
    copy_published(base, (*SHAPE, *TOKENIZER), beside)
    about = json.loads((adapter / ABOUT).read_text(encoding="utf-8"))
    (beside / ABOUT).write_text(json.dumps({**about, "merged": True}, indent=2) + "\n", encoding="utf-8")
    for card in adapter.glob("MODEL_CARD.md"):
        shutil.copyfile(card, beside / card.name)
    return replaced(beside, target)
