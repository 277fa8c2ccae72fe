"""A tiny random Llama that speaks Llama 3's chat format, and rows to train it on: nothing is downloaded."""

import json
from pathlib import Path

from ace.expert.prompt.copt import PROMPTS
from ace_lab.data import rows
from ace_lab.data.rows import Row
from ace_lab.training.expert.examples import verdict_system

TEMPLATE = (
    "{% for message in messages %}{% if loop.first %}{{ bos_token }}{% endif %}"
    "{{ '<|start_header_id|>' + message['role'] + '<|end_header_id|>\n\n' + message['content'] | trim"
    " + '<|eot_id|>' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|start_header_id|>assistant<|end_header_id|>\n\n' }}{% endif %}"
)
SPECIAL = ("<|begin_of_text|>", "<|end_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>")
VOCABULARY = 800
CONTEXT = 4_096


def base(directory: Path) -> Path:
    """Two random layers of width 32, a byte-pair tokenizer made of ACE's own prompts, a generation config."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import GenerationConfig, LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    texts = [verdict_system(), *(prompt.system for prompt in PROMPTS.values())]
    texts += [shown.answer for prompt in PROMPTS.values() for shown in prompt.demonstrations]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY, special_tokens=list(SPECIAL), initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(texts, trainer)
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token=SPECIAL[0], eos_token=SPECIAL[-1], chat_template=TEMPLATE
    )
    fast.save_pretrained(directory)
    torch.manual_seed(7)
    config = LlamaConfig(
        vocab_size=tokenizer.get_vocab_size(),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=CONTEXT,
        bos_token_id=fast.bos_token_id,
        eos_token_id=fast.eos_token_id,
        initializer_range=0.4,  # large weights: what is trained or merged wrongly would show
    )
    model = LlamaForCausalLM(config)
    ends = [fast.convert_tokens_to_ids(mark) for mark in ("<|end_of_text|>", "<|eot_id|>")]
    model.generation_config = GenerationConfig(bos_token_id=fast.bos_token_id, eos_token_id=ends)
    model.save_pretrained(directory)
    return directory


def row(at: int, *, fails: bool, split: str = "train", longer: int = 0) -> Row:
    """A pump, sound or with a valve that nothing introduces."""
    text = f"A pump {at} comprising a rotor{', a rotor' * longer} and a housing around the rotor."
    end = (0, 0)
    if fails:
        text = text.replace("around the rotor", "around the valve")
        start = text.index("the valve")
        end = (start, start + len("the valve"))
    return Row(
        split=split, family=f"F{at}", source="ours", number=1, text=text, ancestors=(),
        label="antecedent" if fails else "pass", edit="noun_replaced" if fails else "none",
        generator="rules" if fails else "none", spans=(end,) if fails else (), origin=f"F{at}/1",
    )  # fmt: skip


def data(directory: Path, train: int = 8, held: int = 2) -> Path:
    """A data directory: train.jsonl and calibration.jsonl, half of each defective, and a manifest."""
    for split, count in (("train", train), ("calibration", held)):
        made = [row(at // 2, fails=at % 2 == 1, split=split) for at in range(count)]
        rows.write(directory / f"{split}.jsonl", made)
    counts = {
        "rows": train,
        "sources": {"ours": train},
        "generators": {"none": train // 2, "rules": train // 2},
    }
    manifest = {"options": {"seed": 1}, "files": {"train.jsonl": counts}}
    (directory / "manifest.json").write_text(json.dumps(manifest))
    return directory
