"""Which claims go through the encoder together. Pure arithmetic on lengths; no text, no model."""

from collections.abc import Sequence


def batches(lengths: Sequence[int], *, budget_tokens: int, max_items: int) -> list[list[int]]:
    """Indices of `lengths` in batches, shortest first; every index once.

    A batch costs its longest member times its size, since the others are padded to it; that cost
    stays within `budget_tokens`, and the size within `max_items`. A claim longer than the whole
    budget goes alone. Ties keep their order, so equal inputs give equal batches.
    """
    if budget_tokens < 1 or max_items < 1:
        raise ValueError("budget_tokens and max_items must be positive")
    found: list[list[int]] = []
    current: list[int] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        # Sorted ascending, so the newcomer is always the longest of its batch.
        padded = lengths[index] * (len(current) + 1)
        if current and (padded > budget_tokens or len(current) == max_items):
            found.append(current)
            current = []
        current.append(index)
    if current:
        found.append(current)
    return found
