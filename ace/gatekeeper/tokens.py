"""Claims to token ids: [CLS] claim [SEP] hints, ancestors [SEP], cut to the model's length.

Shared by both engines and by training, so that a score is always of the same ids. Needs
`tokenizers` and numpy only.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence
from copy import copy
from functools import cache
from pathlib import Path
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from ace.gatekeeper.canonical import canonical
from ace.gatekeeper.inputs import ClaimInput, Spell, as_shown

TAIL_TOKENS: Final = 32
"""The last tokens that are kept of a claim too long for the model: a missing period is at the end."""

HINT_TOKENS: Final = 64
"""The maximum of tokens for the hints; a quarter of the room if the model is short."""

LEAST_BESIDE: Final = 64
"""Tokens of hints and ancestors that are kept beside a claim longer than usual."""

Arrays = dict[str, NDArray[np.int64]]
"""The model's three inputs by name, each of shape (claims, width)."""

Encoded = tuple[list[int], int]
"""A claim's ids, and how many of them belong to the first segment."""

Number = TypeVar("Number", np.float32, np.int64)

_CHARACTERS_PER_TOKEN: Final = 16
_LIKELY_CHARACTERS: Final = 6  # of a token; the hints and the claim need some of the room as well
_CLS, _SEP, _PAD = ("[CLS]", "<s>"), ("[SEP]", "</s>"), ("[PAD]", "<pad>")


class PairTokenizer:
    """A tokenizer.json, and the one layout of a claim, its hints and its ancestors.

    The hints get room first, up to HINT_TOKENS, then the claim; the ancestors are cut from the far end.
    A claim longer than its room keeps its beginning and its last TAIL_TOKENS tokens. With `usual_tokens`,
    ancestors fill up a claim to that length only, for what they add is worth less than what they cost; a
    claim that is longer itself takes up to `max_tokens`, with LEAST_BESIDE of them for hints and ancestors.
    """

    def __init__(
        self, path: Path, *, max_tokens: int, hints: bool = False, usual_tokens: int | None = None
    ) -> None:
        self._tokenizer = Tokenizer.from_file(str(path))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self.max_tokens, self.hints = max_tokens, hints
        self._usual = usual_tokens or max_tokens
        self._max_hints = min(HINT_TOKENS, max_tokens // 4)
        self._cls, self._sep = self._special(_CLS), self._special(_SEP)
        self.pad = self._special(_PAD)

    def _special(self, names: Sequence[str]) -> int:
        for name in names:
            if (found := self._tokenizer.token_to_id(name)) is not None:
                return int(found)
        raise ValueError(f"the tokenizer has none of the special tokens {', '.join(names)}")

    def without_hints(self) -> PairTokenizer:
        """The same tokenizer for a model, or a training row, that reads no hints."""
        bare = copy(self)
        bare.hints = False
        return bare

    def encode(self, inputs: Sequence[ClaimInput], spell: Spell = canonical) -> list[Encoded]:
        """Per claim: its ids, and how many of them belong to the first segment. `spell` as in `as_shown`."""
        shown = [as_shown(claim, with_hints=self.hints, spell=spell) for claim in inputs]
        own = self._ids([self._cut(own) for own, _, _ in shown])
        hints = self._ids([self._cut(hints) for _, hints, _ in shown])
        chains = self._chains({chain for _, _, chain in shown})
        return [
            self._laid_out(own_ids, hint_ids, chains[chain])
            for own_ids, hint_ids, (_, _, chain) in zip(own, hints, shown, strict=True)
        ]

    def _chains(self, chains: Collection[str]) -> dict[str, list[int]]:
        """For each chain its first tokens, at least as many as fit; claims of a filing share chains."""
        # Words are tokenised one by one, so a text cut at a space gives the same tokens up to there. The
        # first, cheap attempt nearly always gives enough.
        likely = _LIKELY_CHARACTERS * self.max_tokens
        tried = [chain if len(chain) <= likely else chain[:likely].rpartition(" ")[0] for chain in chains]
        found = {
            chain: ids
            for chain, beginning, ids in zip(chains, tried, self._ids(tried), strict=True)
            if len(ids) >= self.max_tokens or beginning == chain
        }
        left = [chain for chain in chains if chain not in found]
        whole = self._ids([chain[: self._max_characters] for chain in left])
        return {**found, **dict(zip(left, whole, strict=True))}

    def _ids(self, texts: list[str]) -> list[list[int]]:
        return [found.ids for found in self._tokenizer.encode_batch_fast(texts, add_special_tokens=False)]

    def marked(self, claim: ClaimInput, start: int, end: int) -> list[int]:
        """Positions, in the ids of `encode`, of the tokens that touch claim.text[start:end].

        For training only; the text must already be canonical, or offsets would not match.
        """
        own, hints, _ = as_shown(claim, with_hints=self.hints)
        shift = len(own) - len(claim.text)
        offsets = self._tokenizer.encode(own, add_special_tokens=False).offsets
        touching = [
            index for index, (low, high) in enumerate(offsets) if low < end + shift and high > start + shift
        ]
        room, length = self._room(self._ids([self._cut(hints)])[0]), len(offsets)
        if length <= room:
            return [index + 1 for index in touching]
        head, gone = room - TAIL_TOKENS, length - room
        return [
            index + 1 - (gone if index >= head else 0)
            for index in touching
            if index < head or index >= length - TAIL_TOKENS
        ]

    def places(
        self,
        inputs: Sequence[ClaimInput],
        positions: NDArray[np.int64],
        classes: Sequence[int] | NDArray[np.int64],
    ) -> list[tuple[int, int] | None]:
        """`place` of the position, of shape (N, 6), that belongs to each claim's class."""
        spell = cache(canonical)
        return [
            self.place(claim, int(row[index]), spell)
            for claim, row, index in zip(inputs, positions, classes, strict=True)
        ]

    def place(self, claim: ClaimInput, position: int, spell: Spell = canonical) -> tuple[int, int] | None:
        """Where in claim.text the token stands that `encode` put at `position`: [start:end].

        The nearest token of the text, if it is the claim's number or a separator. None for a claim
        without tokens, and if its canonical spelling cannot be traced back.
        """
        own, hints, _ = as_shown(claim, with_hints=self.hints, spell=spell)
        shift = len(own) - len(spell(claim.text))
        offsets = self._tokenizer.encode(self._cut(own), add_special_tokens=False).offsets
        room = self._room(self._ids([self._cut(hints)])[0])
        if len(offsets) > room:
            offsets = offsets[: room - TAIL_TOKENS] + offsets[-TAIL_TOKENS:]
        first = next((at for at, (_, end) in enumerate(offsets) if end > shift), None)
        if first is None:
            return None
        start, end = offsets[min(max(position - 1, first), len(offsets) - 1)]
        lost = len(own) - len(self._cut(own))
        if lost and start > self._max_characters:
            start, end = start + lost, end + lost
        return _traced(claim.text, own[shift:], start - shift, end - shift)

    @property
    def _max_characters(self) -> int:
        return self.max_tokens * _CHARACTERS_PER_TOKEN

    def _cut(self, own: str) -> str:
        """The beginning and the end of a text too long for any model."""
        # Tokenising 50,000 characters to keep 256 tokens would be most of a worker's time.
        limit = self._max_characters
        return own if len(own) <= 2 * limit else own[:limit] + " " + own[-limit:]

    def _room(self, hints: list[int]) -> int:
        """Tokens that the claim itself may take beside its hints."""
        taken = min(len(hints), self._max_hints)
        return self.max_tokens - 2 - (taken + 1 if taken else 0)

    def _laid_out(self, own: list[int], hints: list[int], chain: list[int]) -> Encoded:
        room = self._room(hints)
        if len(own) > room:
            own = own[: room - TAIL_TOKENS] + own[-TAIL_TOKENS:]
        ids = [self._cls, *own, self._sep]
        head = len(ids)
        left = min(max(self._usual - head, LEAST_BESIDE), self.max_tokens - head) - 1
        if left > 0 and (second := [*hints[: self._max_hints], *chain][:left]):
            ids += [*second, self._sep]
        return ids, head


def _traced(text: str, spelling: str, start: int, end: int) -> tuple[int, int] | None:
    """The characters of `text` that spelling[start:end] was made of, `spelling` being canonical(text).

    Both have the same visible base characters in the same order, except in scripts whose letters NFC
    composes differently: None for those.
    """
    if text == spelling:
        return start, end
    visible = {character for character in set(text) if canonical(character) and _is_base(character)}
    source = [at for at, character in enumerate(text) if character in visible]
    shown = [at for at, character in enumerate(spelling) if character != " " and _is_base(character)]
    within = [number for number, at in enumerate(shown) if start <= at < end]
    if len(source) != len(shown) or not within:
        return None
    return source[within[0]], source[within[-1]] + 1


def _is_base(character: str) -> bool:
    return not unicodedata.combining(character)


def padded(encoded: Sequence[Encoded], pad: int, *, multiple: int = 1) -> Arrays:
    """The model's three inputs, each of shape (claims, width), padded at the right.

    The width is that of the longest claim, rounded up to `multiple`: kernels compiled per shape then
    see few shapes.
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
