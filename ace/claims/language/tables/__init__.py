"""The word lists of the rules: one TOML file for each subject, each read once.

A file opens with what its lists are for, where the entries come from and how to add one; above each list
stands what membership means. A list is one string of words, apart by spaces and in alphabetical order.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Final

_HERE: Final = Path(__file__).parent


@cache
def table(name: str) -> dict[str, Any]:
    """The file tables/NAME.toml as it stands."""
    return tomllib.loads((_HERE / f"{name}.toml").read_text(encoding="utf-8"))


def word_list(name: str, key: str) -> frozenset[str]:
    """The words of one list of a file."""
    return frozenset(table(name)[key].split())


def word_groups(name: str, key: str) -> dict[str, tuple[str, ...]]:
    """A list in which each entry has words of its own: entry to words."""
    return {entry: tuple(words.split()) for entry, words in table(name)[key].items()}
