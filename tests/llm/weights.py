"""A Llama's weights from GGUF to a directory that transformers reads, and back: to train what comes as GGUF.

Runs in the engine's environment, which has `gguf`, and not in the project's. Quantised weights become 32-bit
floats. On the way back the matrices are stored in eight bits, since four would round the training away, and
the rest (vocabulary, chat template, sizes) is taken from the file that was unpacked. This suits a Llama with
a byte-pair vocabulary that splits off digits, as SmolLM2 has; llama.cpp's own source has a converter for
others.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import gguf
import numpy as np
from safetensors.numpy import load_file, save_file
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

IN_LAYER: Final = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
OUTSIDE: Final = {"token_embd": "model.embed_tokens", "output_norm": "model.norm"}
"""Tensors by llama.cpp's names and by those of transformers; the output layer is the embedding."""


def names(layers: int) -> Iterator[tuple[str, str]]:
    """Every tensor's name in GGUF and in transformers."""
    for ours, theirs in OUTSIDE.items():
        yield f"{ours}.weight", f"{theirs}.weight"
    for layer in range(layers):
        for ours, theirs in IN_LAYER.items():
            yield f"blk.{layer}.{ours}.weight", f"model.layers.{layer}.{theirs}.weight"


def halves_apart(weights: np.ndarray, heads: int) -> np.ndarray:
    """The rows of each head as transformers rotates them: first halves of the pairs, then second halves."""
    pairs = weights.reshape(heads, -1, 2, weights.shape[1])
    return pairs.swapaxes(1, 2).reshape(weights.shape)


def halves_together(weights: np.ndarray, heads: int) -> np.ndarray:
    """The rows of each head as llama.cpp rotates them: pair by pair."""
    halves = weights.reshape(heads, 2, -1, weights.shape[1])
    return halves.swapaxes(1, 2).reshape(weights.shape)


class Source:
    """What a GGUF file says of its model."""

    def __init__(self, path: Path) -> None:
        self.reader = gguf.GGUFReader(path)
        self.tensors = {tensor.name: tensor for tensor in self.reader.tensors}
        self.layers: int = self.value("llama.block_count")

    def value(self, name: str) -> Any:
        """A field's value."""
        return self.reader.fields[name].contents()

    def heads(self, name: str) -> int | None:
        """The number of heads if the tensor's rows are rotated by head."""
        count = {"attn_q": "head_count", "attn_k": "head_count_kv"}.get(name.split(".")[-2])
        return None if count is None else self.value(f"llama.attention.{count}")


def unpack(path: Path, directory: Path) -> None:
    """Weights, configuration and tokenizer. Raises ValueError if the file has tensors that we do not know."""
    source = Source(path)
    named = dict(names(source.layers))
    if unknown := source.tensors.keys() - named.keys():
        raise ValueError(f"unknown tensors: {', '.join(sorted(unknown))}")
    weights = {}
    for ours, theirs in named.items():
        tensor = source.tensors[ours]
        found = gguf.quants.dequantize(tensor.data, tensor.tensor_type).astype(np.float32)
        heads = source.heads(ours)
        weights[theirs] = found if heads is None else np.ascontiguousarray(halves_apart(found, heads))
    directory.mkdir(parents=True, exist_ok=True)
    save_file(weights, directory / "model.safetensors", metadata={"format": "pt"})
    vocabulary = source.value("tokenizer.ggml.tokens")
    ids = {name: source.value(f"tokenizer.ggml.{name}_token_id") for name in ("bos", "eos")}
    _write(
        directory / "config.json",
        configuration(source) | {f"{name}_token_id": at for name, at in ids.items()},
    )
    _write(directory / "generation_config.json", {f"{name}_token_id": at for name, at in ids.items()})
    tokenizer(source).save(str(directory / "tokenizer.json"))
    about = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "chat_template": source.value("tokenizer.chat_template"),
        **{f"{name}_token": vocabulary[at] for name, at in ids.items()},
    }
    _write(directory / "tokenizer_config.json", about)


def configuration(source: Source) -> dict[str, Any]:
    """The config.json of a Llama whose output layer is its embedding."""
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "dtype": "float32",
        "hidden_act": "silu",
        "tie_word_embeddings": True,
        "vocab_size": len(source.value("tokenizer.ggml.tokens")),
        "hidden_size": source.value("llama.embedding_length"),
        "intermediate_size": source.value("llama.feed_forward_length"),
        "num_hidden_layers": source.layers,
        "num_attention_heads": source.value("llama.attention.head_count"),
        "num_key_value_heads": source.value("llama.attention.head_count_kv"),
        "max_position_embeddings": source.value("llama.context_length"),
        "rms_norm_eps": source.value("llama.attention.layer_norm_rms_epsilon"),
        "rope_theta": source.value("llama.rope.freq_base"),
    }


def tokenizer(source: Source) -> Tokenizer:
    """The byte-pair vocabulary, with digits one by one."""
    tokens = source.value("tokenizer.ggml.tokens")
    merges = [tuple(merge.split(" ")) for merge in source.value("tokenizer.ggml.merges")]
    made = Tokenizer(models.BPE({token: at for at, token in enumerate(tokens)}, merges))
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    made.decoder = decoders.ByteLevel()
    kinds = source.value("tokenizer.ggml.token_type")
    made.add_special_tokens(
        [token for token, kind in zip(tokens, kinds, strict=True) if kind == gguf.TokenType.CONTROL]
    )
    return made


def pack(directory: Path, path: Path, like: Path) -> None:
    """Writes the weights of a directory with all that `like` says of its model apart from its own."""
    source = Source(like)
    writer = gguf.GGUFWriter(path, "llama")
    for name, field in source.reader.fields.items():
        if not name.startswith("GGUF.") and name not in {"general.architecture", "general.file_type"}:
            kind, *of = field.types
            writer.add_key_value(name, field.contents(), kind, sub_type=of[-1] if of else None)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_Q8_0)
    weights = {
        name: found
        for file in sorted(directory.glob("*.safetensors"))
        for name, found in load_file(file).items()
    }
    for ours, theirs in names(source.layers):
        found, heads = weights[theirs].astype(np.float32), source.heads(ours)
        whole = found if heads is None else np.ascontiguousarray(halves_together(found, heads))
        kind = gguf.GGMLQuantizationType.F32 if whole.ndim == 1 else gguf.GGMLQuantizationType.Q8_0
        writer.add_tensor(ours, gguf.quants.quantize(whole, kind), raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _write(path: Path, content: dict[str, Any]) -> None:
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("verb", choices=("unpack", "pack"))
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--like", type=Path, help="pack: the file that was unpacked")
    given = parser.parse_args()
    if given.verb == "unpack":
        unpack(given.source, given.target)
    elif given.like is None:
        parser.error("pack needs --like")
    else:
        pack(given.source, given.target, given.like)
