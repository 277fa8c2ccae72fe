"""Expressions of several words, looked up where they begin in a run of words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, TypeVar

Meaning = TypeVar("Meaning")


class Expressions(Generic[Meaning]):
    """Expressions as the tables write them, with underscores for spaces, and what each of them means."""

    def __init__(self, meanings: Iterable[tuple[str, Meaning]]) -> None:
        self._by_first: dict[str, list[tuple[tuple[str, ...], Meaning]]] = {}
        for written, meaning in meanings:
            words = tuple(written.split("_"))
            self._by_first.setdefault(words[0], []).append((words, meaning))
        for found in self._by_first.values():
            found.sort(key=lambda each: -len(each[0]))

    def __contains__(self, word: str) -> bool:
        """Whether an expression begins with the word."""
        return word in self._by_first

    def beginnings(self) -> Iterator[tuple[str, str]]:
        """The first two words of every expression of several words."""
        for found in self._by_first.values():
            for expression, _ in found:
                if len(expression) > 1:
                    yield expression[0], expression[1]

    def items(self) -> Iterator[tuple[str, Meaning]]:
        """Every expression as the tables write it, and its meaning."""
        for found in self._by_first.values():
            for expression, meaning in found:
                yield "_".join(expression), meaning

    def at(self, words: Sequence[str], index: int = 0) -> tuple[Meaning, int] | None:
        """The meaning of the longest expression that begins at words[index], and the index after it."""
        if index >= len(words):
            return None
        for expression, meaning in self._by_first.get(words[index], ()):
            end = index + len(expression)
            if tuple(words[index:end]) == expression:
                return meaning, end
        return None

    def all_at(self, words: Sequence[str], index: int = 0) -> list[tuple[Meaning, int]]:
        """The meanings of every expression that begins at words[index], the longest first."""
        if index >= len(words):
            return []
        return [
            (meaning, index + len(expression))
            for expression, meaning in self._by_first.get(words[index], ())
            if tuple(words[index : index + len(expression)]) == expression
        ]
