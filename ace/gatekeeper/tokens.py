"""Claims to token ids: [CLS] claim [SEP] hints, ancestors [SEP], cut to the model's length.

Shared by both engines and by training, so that a score is always of the same ids. Needs
`tokenizers` and numpy only.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from ace.claims.taxonomy import LABELS
from ace.gatekeeper.batching import batches
from ace.gatekeeper.inputs import ClaimInput, as_shown

TAIL_TOKENS = 32
"""Of a claim too long for the model, this many last tokens stay: a missing period is at the end."""

HINT_TOKENS = 64
"""What the hints may take of the room at most, and of a short model a quarter."""

_CHARACTERS_PER_TOKEN = 16
_CLS, _SEP, _PAD = ("[CLS]", "<s>"), ("[SEP]", "</s>"), ("[PAD]", "<pad>")


class PairTokenizer:
    """A tokenizer.json with one way to lay out a claim, its hints and its ancestors.

    The hints, HINT_TOKENS at most, have the first right to the room, then the claim; the ancestors
    are cut from the far end. A claim longer than its room keeps its beginning and its last
    TAIL_TOKENS tokens.
    """

    def __init__(self, path: Path, *, max_tokens: int, hints: bool = False) -> None:
        self._tokenizer = Tokenizer.from_file(str(path))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self.max_tokens, self.hints = max_tokens, hints
        self._most_hints = min(HINT_TOKENS, max_tokens // 4)
        self._cls, self._sep = self._special(_CLS), self._special(_SEP)
        self.pad = self._special(_PAD)

    def _special(self, names: Sequence[str]) -> int:
        for name in names:
            if (found := self._tokenizer.token_to_id(name)) is not None:
                return int(found)
        raise ValueError(f"the tokenizer has none of the special tokens {', '.join(names)}")

    def encode(self, inputs: Sequence[ClaimInput]) -> list[tuple[list[int], int]]:
        """Per claim: its ids, and how many of them belong to the first segment."""
        cut = self.max_tokens * _CHARACTERS_PER_TOKEN
        shown = [as_shown(claim, with_hints=self.hints) for claim in inputs]
        # Tokenising 50,000 characters to keep 256 tokens would be most of a worker's time.
        own = self._ids([o if len(o) <= 2 * cut else o[:cut] + " " + o[-cut:] for o, _, _ in shown])
        told = self._ids([hints for _, hints, _ in shown])
        chain = self._ids([chain[:cut] for _, _, chain in shown])
        return [self._laid_out(*parts) for parts in zip(own, told, chain, strict=True)]

    def _ids(self, texts: list[str]) -> list[list[int]]:
        return [found.ids for found in self._tokenizer.encode_batch(texts, add_special_tokens=False)]

    def marked(self, claim: ClaimInput, start: int, end: int) -> list[int]:
        """Positions, in the ids of `encode`, of the tokens that touch claim.text[start:end].

        For training only; the text must be canonical already, else offsets would not match.
        """
        own, told, _ = as_shown(claim, with_hints=self.hints)
        shift = len(own) - len(claim.text)
        offsets = self._tokenizer.encode(own, add_special_tokens=False).offsets
        touching = [
            index for index, (low, high) in enumerate(offsets) if low < end + shift and high > start + shift
        ]
        room, length = self._room(self._ids([told])[0]), len(offsets)
        if length <= room:
            return [index + 1 for index in touching]
        head, gone = room - TAIL_TOKENS, length - room
        return [
            index + 1 - (gone if index >= head else 0)
            for index in touching
            if index < head or index >= length - TAIL_TOKENS
        ]

    def _room(self, told: list[int]) -> int:
        """Tokens that the claim itself may take beside its hints."""
        taken = min(len(told), self._most_hints)
        return self.max_tokens - 2 - (taken + 1 if taken else 0)

    def _laid_out(self, own: list[int], told: list[int], chain: list[int]) -> tuple[list[int], int]:
        room = self._room(told)
        if len(own) > room:
            own = own[: room - TAIL_TOKENS] + own[-TAIL_TOKENS:]
        ids = [self._cls, *own, self._sep]
        head = len(ids)
        left = self.max_tokens - head - 1
        if left > 0 and (second := [*told[: self._most_hints], *chain][:left]):
            ids += [*second, self._sep]
        return ids, head


def padded(
    encoded: Sequence[tuple[list[int], int]], pad: int, *, multiple: int = 1
) -> dict[str, NDArray[np.int64]]:
    """The model's three inputs, each of shape (claims, width), padded at the right.

    The width is the longest claim's, rounded up to `multiple`: kernels that are compiled per shape
    then see few shapes.
    """
    width = max(len(ids) for ids, _ in encoded)
    width = -(-width // multiple) * multiple
    shape = (len(encoded), width)
    input_ids = np.full(shape, pad, dtype=np.int64)
    attention_mask = np.zeros(shape, dtype=np.int64)
    token_type_ids = np.zeros(shape, dtype=np.int64)
    for row, (ids, head) in enumerate(encoded):
        input_ids[row, : len(ids)] = ids
        attention_mask[row, : len(ids)] = 1
        token_type_ids[row, head : len(ids)] = 1
    return {
        "input_ids": input_ids,
        "attention_mask": attention_mask,
        "token_type_ids": token_type_ids,
    }


def in_batches(
    inputs: Sequence[ClaimInput],
    tokenizer: PairTokenizer,
    forward: Callable[[dict[str, NDArray[np.int64]]], NDArray[np.float32]],
    *,
    budget_tokens: int,
    max_items: int,
) -> NDArray[np.float32]:
    """`forward` over all claims, length-sorted within the budget; rows (N, 6) in the order given."""
    out = np.zeros((len(inputs), len(LABELS)), dtype=np.float32)
    encoded = tokenizer.encode(inputs)
    lengths = [len(ids) for ids, _ in encoded]
    for batch in batches(lengths, budget_tokens=budget_tokens, max_items=max_items):
        out[batch] = forward(padded([encoded[index] for index in batch], tokenizer.pad))
    return out
