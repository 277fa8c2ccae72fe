"""Unpaired brackets, except those of labels ("a)", "iv)")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ace.claims.checks.syntax.rules import RULE
from ace.claims.findings import Flaw

_BRACKET: Final = re.compile(r"[()\[\]{}]")
_CLOSES: Final = {")": "(", "]": "[", "}": "{"}
_INTERVAL: Final = re.compile(r"[\[(]\s?[-+−0-9.∞]+\s?[,;]\s?[-+−0-9.∞]+\s?[\])]$")
_INTERVAL_CHARACTERS: Final = 40
_MAX_REPORTED: Final = 4
"""The maximum number of brackets that are reported for one claim: more have one cause."""
_LABEL: Final = re.compile(
    r"(?<![\w(\[{])(?:(?:and|or)(?=[a-z]\)))?"
    r"(?P<label>[A-Za-z]{1,2}|[ivxIVX]{1,5}|[A-Za-z]?[0-9](?:\.[0-9])?|(?:(?<=[;:,]\s)|^)[0-9]{2})['′*]?[)\]](?!\w)"
)
_PAIRED_LABEL: Final = re.compile(r"[;:,]\s?(?:and\s)?\(([a-z])\)\s[a-z]")


def unbalanced(text: str) -> Iterator[Flaw]:
    """The first few unpaired brackets, except those of labels ("a)") and half-open intervals."""
    for position in sorted(_unpaired(text))[:_MAX_REPORTED]:
        yield Flaw(
            RULE["unbalanced_bracket"], position, position + 1, f"“{text[position]}” has no matching bracket."
        )


def _unpaired(text: str) -> Iterator[int]:
    labels: set[int] | None = None
    waiting: list[tuple[str, int]] = []
    for match in _BRACKET.finditer(text):
        mark, position = match.group(), match.start()
        if mark in "([{":
            waiting.append((mark, position))
        elif waiting and waiting[-1][0] == _CLOSES[mark]:
            waiting.pop()
        elif not _closes_interval(text, position, waiting):
            labels = _labels(text) if labels is None else labels
            if position not in labels:
                yield from _stray(mark, position, waiting)
    yield from (position for _, position in waiting)


def _stray(mark: str, position: int, waiting: list[tuple[str, int]]) -> Iterator[int]:
    """Of a closing bracket and the last open one that do not match, the one that is unpaired."""
    if len(waiting) > 1 and waiting[-2][0] == _CLOSES[mark]:
        yield waiting.pop()[1]
        waiting.pop()
    else:
        yield position


def _closes_interval(text: str, position: int, waiting: list[tuple[str, int]]) -> bool:
    """Whether the bracket ends a half-open interval, which is then closed: "[0, 1)"."""
    start = waiting[-1][1] if waiting else -_INTERVAL_CHARACTERS
    if position - start >= _INTERVAL_CHARACTERS or not _INTERVAL.match(text[start : position + 1]):
        return False
    waiting.pop()
    return True


def _labels(text: str) -> set[int]:
    """Offsets of the closing brackets of labels.

    A label that lost its space ("andc)") counts if its neighbour in the alphabet is a label too. A label
    that lost its opening bracket does not count if the label before has kept it ("(a) …; b) …").
    """
    labels = [(match["label"], match.end() - 1) for match in _LABEL.finditer(text)]
    closed = {end for _, end in labels}
    letters = {label for label, _ in labels if len(label) == 1 and label.islower()}
    if letters:
        near = {chr(ord(letter) + step) for letter in letters for step in (-1, 0, 1)}
        closed |= {at for at, mark in enumerate(text) if mark == ")" and at and text[at - 1] in near}
    paired = set(_PAIRED_LABEL.findall(text))
    for label, end in labels:
        before = chr(ord(label) - 1) if len(label) == 1 else ""
        if before in paired and before not in letters:
            closed.discard(end)
    return closed
