"""Writes a tiny Llama with random weights, and a vocabulary of its own, as a GGUF file.

Runs in the engine's environment, which has `gguf`, and not in the project's. The weights say nothing;
one channel of the residual stream is the same for every token, and through it the output layer leans
towards the tokens that end a string or a list, or away from them, and towards the commonest words:
without that, a string would go on until chance ends it, and nobody would take it for English.
"""

import argparse
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import gguf
import numpy as np
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

WIDTH: Final = 64
HEADS: Final = 1  # short heads make many small products, which are slow
LAYERS: Final = 2
INNER: Final = 128
CONTEXT: Final = 16_384
MOST_TOKENS: Final = 2_000

BEGIN, END = "<|im_start|>", "<|im_end|>"
TEMPLATE: Final = (
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
STEADY: Final = 4.0  # what every token has in the first channel
COMMON: Final = tuple(f"Ġ{word}" for word in ("the", "of", "and", "to", "is", "it", "that", "claim"))
COMMON_LEAN: Final = 5.0


def vocabulary(texts: Iterable[str]) -> Tokenizer:
    """A byte-pair vocabulary in which any text can be told, learned from these."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=MOST_TOKENS,
        special_tokens=[BEGIN, END],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


def tensors(tokens: list[str], *, lean: float, seed: int) -> dict[str, np.ndarray]:
    """The weights by llama.cpp's names; `lean` is what is added to the logits of endings."""
    rng = np.random.default_rng(seed)

    def drawn(*shape: int, scale: float) -> np.ndarray:
        return rng.normal(0.0, scale, shape).astype(np.float32)

    embedding = drawn(len(tokens), WIDTH, scale=1.0)
    embedding[:, 0] = STEADY
    output = drawn(len(tokens), WIDTH, scale=1.0 / np.sqrt(WIDTH))
    output[:, 0] = 0.0
    # The last norm divides by the root of the mean square, of which the steady channel has its part.
    steady = STEADY / np.sqrt(1.0 + STEADY**2 / WIDTH)
    output[[token in COMMON for token in tokens], 0] = COMMON_LEAN / steady
    output[[token.startswith(('"', "]")) for token in tokens], 0] = lean / steady
    made = {"token_embd.weight": embedding, "output.weight": output, "output_norm.weight": ones()}
    shapes = {
        **dict.fromkeys(("attn_q", "attn_k", "attn_v", "attn_output"), (WIDTH, WIDTH)),
        **dict.fromkeys(("ffn_gate", "ffn_up"), (INNER, WIDTH)),
        "ffn_down": (WIDTH, INNER),
    }
    for layer in range(LAYERS):
        for name, shape in shapes.items():
            made[f"blk.{layer}.{name}.weight"] = drawn(*shape, scale=0.05)
        for name in ("attn_norm", "ffn_norm"):
            made[f"blk.{layer}.{name}.weight"] = ones()
    return made


def ones() -> np.ndarray:
    return np.ones(WIDTH, dtype=np.float32)


def write(path: Path, texts: Iterable[str], *, lean: float, seed: int) -> None:
    """The whole model in one file."""
    tokenizer = vocabulary(texts)
    by_id = {number: token for token, number in tokenizer.get_vocab().items()}
    tokens = [by_id[number] for number in range(len(by_id))]
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name(f"tiny random llama, seed {seed}")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    writer.add_token_types(
        [gguf.TokenType.CONTROL if token in {BEGIN, END} else gguf.TokenType.NORMAL for token in tokens]
    )
    writer.add_token_merges(merges_of(tokenizer))
    writer.add_bos_token_id(tokens.index(BEGIN))
    writer.add_eos_token_id(tokens.index(END))
    writer.add_add_bos_token(False)
    writer.add_chat_template(TEMPLATE)
    for name, weights in tensors(tokens, lean=lean, seed=seed).items():
        writer.add_tensor(name, weights)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def merges_of(tokenizer: Tokenizer) -> list[str]:
    """The merges in their order, as GGUF has them: two parts with a space between."""
    merges = json.loads(tokenizer.to_str())["model"]["merges"]
    return [" ".join(pair) if isinstance(pair, list) else pair for pair in merges]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("texts", nargs="+", type=Path, help="files whose words make the vocabulary")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--lean", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=112)
    given = parser.parse_args()
    write(
        given.out,
        [text.read_text(encoding="utf-8") for text in given.texts],
        lean=given.lean,
        seed=given.seed,
    )
