"""Which claims a claim inherits from: on every path through its dependencies, or on some paths only.

Sets of claims are integers with one bit for each claim, so that paths need not be walked one by one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Final

Groups = tuple[tuple[int, ...], ...]
"""References of a claim, each a choice of parents: all references apply, with any one parent of each."""


MAX_MISSING_PATHS: Final = 8
"""The maximum number of paths without basis that are reported."""

MAX_PATH_CLAIMS: Final = 100
"""The maximum number of claims in a path: else the answer for a chain would be quadratic in its length."""


class Cover(IntEnum):
    """On how many of a claim's paths something is introduced."""

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
        self._choices = {
            number: [sum({self.bit[parent] for parent in group}) for group in each if group]
            for number, each in groups.items()
        }
        self._held: dict[int, int] = {}
        self._paths: dict[tuple[int, int], tuple[int, ...]] = {}
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
        """On how many paths of the claim, itself included, one of `holders` (bits) lies."""
        if self._sure[number] & holders:
            return Cover.ALL
        if not self.possible[number] & holders:
            return Cover.NONE
        return Cover.ALL if self._held_by(holders) & self.bit[number] else Cover.SOME

    def branch_alike(self, number: int, other: int) -> bool:
        """Whether two claims depend on the same claim, the other one first: "claim 1" for claims 2 and 3."""
        mine = {parent for group in self._groups[number] for parent in group}
        return other < number and any(parent in mine for group in self._groups[other] for parent in group)

    def _held_by(self, holders: int) -> int:
        """The claims on each of whose paths, themselves included, one of `holders` lies (all as bits)."""
        held = self._held.get(holders)
        if held is None:
            held = 0
            for claim in self.order:
                bit = self.bit[claim]
                if holders & bit or any(held & choice == choice for choice in self._choices[claim]):
                    held |= bit
            self._held[holders] = held
        return held

    def nearest(self, number: int, holders: int) -> int:
        """The last of `holders` (bits) among the claim and its ancestors; there is at least one."""
        return self._numbers[(self.possible[number] & holders).bit_length() - 1]

    def paths_without(self, number: int, holders: int) -> tuple[tuple[int, ...], ...]:
        """Some paths, not too long, from the claim to an independent one on which none of `holders` lies."""
        found: list[tuple[int, ...]] = []
        waiting: list[tuple[int, ...]] = [(number,)]
        tries = 0
        while waiting and len(found) < MAX_MISSING_PATHS and tries < 50 * MAX_MISSING_PATHS:
            tries += 1
            path = waiting.pop()
            onward = [parent for group in self._groups[path[-1]] for parent in group if parent not in path]
            if not onward:
                found.append(path)
                tries += len(path)
            elif len(path) < MAX_PATH_CLAIMS:
                waiting.extend((*path, each) for each in reversed(onward) if not self.bit[each] & holders)
        return tuple(found)

    def path_to(self, number: int, target: int) -> tuple[int, ...]:
        """The claims from one to an ancestor of it, both included; () if there is no such path.

        A path longer than MAX_PATH_CLAIMS leaves out those before the ancestor.
        """
        found = self._paths.get((number, target))
        if found is None:
            found = self._paths[number, target] = self._path_to(number, target)
        return found

    def _path_to(self, number: int, target: int) -> tuple[int, ...]:
        path = {number: None}
        bit = self.bit[target]
        while number != target and len(path) < MAX_PATH_CLAIMS - 1:
            onward = (parent for group in self._groups[number] for parent in group)
            step = next((each for each in onward if self.possible[each] & bit and each not in path), None)
            if step is None:
                return ()
            path[step] = None
            number = step
        return (*path,) if number == target else (*path, target)


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
