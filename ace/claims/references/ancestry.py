"""Which claims stand behind a claim: surely, on whatever path one reads it, or on some paths only.

Sets of claims are integers with one bit per claim, so that no path is ever walked by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum

Groups = tuple[tuple[int, ...], ...]
"""References of a claim: each a choice of parents. Several references add up; within one, any will do."""


MAX_MISSING_PATHS = 8
"""Most ways without basis that are told."""


class Cover(IntEnum):
    """On how many of a claim's paths something stands."""

    NONE = 0
    SOME = 1
    ALL = 2


class Ancestry:
    """Ancestry of all claims of a set. `order` has parents before children wherever that is possible."""

    def __init__(self, groups: Mapping[int, Groups]) -> None:
        self._groups = groups
        self.bit = {number: 1 << place for place, number in enumerate(groups)}
        self._numbers = tuple(groups)
        self.order = _parents_first(groups)
        self._sure: dict[int, int] = {}
        self.possible: dict[int, int] = {}
        for number in self.order:
            sure = possible = self.bit[number]
            for group in groups[number]:
                common = -1
                for parent in group:
                    common &= self._sure.get(parent, 0)
                    possible |= self.possible.get(parent, 0)
                sure |= common if group else 0
            self._sure[number], self.possible[number] = sure, possible

    def cover(self, number: int, holders: int) -> Cover:
        """On how many paths of the claim, itself included, one of `holders` (bits) stands."""
        if self._sure[number] & holders:
            return Cover.ALL
        if not self.possible[number] & holders:
            return Cover.NONE
        behind = self.possible[number]
        held = 0
        for claim in self.order:
            bit = self.bit[claim]
            if behind & bit and (
                holders & bit
                or any(
                    group and all(held & self.bit[parent] for parent in group)
                    for group in self._groups[claim]
                )
            ):
                held |= bit
            if claim == number:
                break
        return Cover.ALL if held & self.bit[number] else Cover.SOME

    def nearest(self, number: int, holders: int) -> int:
        """The last of `holders` (bits, at least one of them behind the claim) that stands behind it."""
        return self._numbers[(self.possible[number] & holders).bit_length() - 1]

    def paths_without(self, number: int, holders: int) -> tuple[tuple[int, ...], ...]:
        """Some ways from the claim to an independent one on which none of `holders` (bits) stands."""
        found: list[tuple[int, ...]] = []
        waiting: list[tuple[int, ...]] = [(number,)]
        tries = 0
        while waiting and len(found) < MAX_MISSING_PATHS and tries < 50 * MAX_MISSING_PATHS:
            tries += 1
            path = waiting.pop()
            onward = [parent for group in self._groups[path[-1]] for parent in group if parent not in path]
            if not onward:
                found.append(path)
            waiting.extend((*path, each) for each in reversed(onward) if not self.bit[each] & holders)
        return tuple(found)

    def path_to(self, number: int, target: int) -> tuple[int, ...]:
        """The claims from one to another that stands behind it, both included; () where it does not."""
        path = [number]
        bit = self.bit[target]
        while path[-1] != target:
            onward = (parent for group in self._groups[path[-1]] for parent in group)
            step = next(
                (parent for parent in onward if self.possible[parent] & bit and parent not in path), None
            )
            if step is None:
                return ()
            path.append(step)
        return tuple(path)


def _parents_first(groups: Mapping[int, Groups]) -> Sequence[int]:
    """All claims, each after those it refers to; in a circle, in the order met."""
    order: list[int] = []
    state: dict[int, bool] = {}
    for start in groups:
        waiting = [start]
        while waiting:
            number = waiting[-1]
            if number in state:
                waiting.pop()
                if not state[number]:
                    state[number] = True
                    order.append(number)
                continue
            state[number] = False
            waiting.extend(
                parent for group in groups[number] for parent in reversed(group) if parent not in state
            )
    return order
