"""Every regular expression of the product runs in linear time, whatever a stranger sends.

Constants of modules are found there, in tables too; calls of `re` by their source, with a
word for each value.
"""

import ast
import importlib
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

import ace
import workers
from tests.pumping import attacks, given_up_when_stuck, run_of, slow_growth

SEARCHED: Final = frozenset({"search", "finditer", "findall", "sub", "subn", "split", "scanner"})
ANCHORED: Final = frozenset({"match", "fullmatch"})
TAKES_A_PATTERN: Final = SEARCHED | ANCHORED
LEFT_OUT: Final = frozenset({"ace.gatekeeper.torch_engine"})
"""Modules that need torch, and have no patterns."""


class Used(NamedTuple):
    """A pattern of the product: where it is, and whether it is tried everywhere in a text."""

    place: str
    pattern: re.Pattern[Any]
    searched: bool


@cache
def _modules() -> dict[str, ast.Module]:
    found = {}
    for package in (ace, workers):
        root = Path(package.__path__[0])
        for path in sorted(root.rglob("*.py")):
            parts = (package.__name__, *path.relative_to(root).with_suffix("").parts)
            name = ".".join(parts).removesuffix(".__init__")
            if parts[-1] != "__main__" and name not in LEFT_OUT:
                found[name] = ast.parse(path.read_text(encoding="utf-8"))
    return found


def _uses(module: str, name: str) -> set[str]:
    """The methods that are called on this constant, in its module and in those that import it."""
    return {
        node.attr
        for other, tree in _modules().items()
        if other == module or _imports(tree, module, name)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        if (isinstance(node.value, ast.Name) and node.value.id == name)
        or (isinstance(node.value, ast.Attribute) and node.value.attr == name)
        or (isinstance(node.value, ast.Subscript) and ast.unparse(node.value.value) == name)
    } & TAKES_A_PATTERN


def _imports(tree: ast.Module, module: str, name: str) -> bool:
    return any(
        isinstance(node, ast.ImportFrom)
        and node.module == module
        and any(alias.name == name for alias in node.names)
        for node in tree.body
    )


def _patterns_in(value: object) -> Iterator[re.Pattern[Any]]:
    """The patterns of a constant, also in tables of any depth."""
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _patterns_in(each)
    elif isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from _patterns_in(each)


def patterns() -> Iterable[Used]:
    """All patterns, each with each way of use once."""
    found: dict[tuple[Any, int, bool], Used] = {}
    for module in _modules():
        for name, value in vars(importlib.import_module(module)).items():
            for pattern in _patterns_in(value):
                uses = _uses(module, name)
                searched = not uses or not uses <= ANCHORED
                key = (pattern.pattern, pattern.flags, searched)
                found.setdefault(key, Used(f"{module}.{name}", pattern, searched))
        for node in ast.walk(_modules()[module]):
            if (inline := _inline(node)) is not None:
                pattern, searched = inline
                found.setdefault(
                    (pattern.pattern, pattern.flags, searched),
                    Used(f"{module}:{ast.unparse(node)[:60]}", *inline),
                )
    return found.values()


def _inline(node: ast.AST) -> tuple[re.Pattern[Any], bool] | None:
    """The pattern of a call such as re.search(…), with a word in place of each value in it."""
    if not (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and ast.unparse(node.func.value) == "re"
        and node.func.attr in TAKES_A_PATTERN
    ):
        return None
    written = node.args[0]
    parts = written.values if isinstance(written, ast.JoinedStr) else [written]
    pattern = "".join(str(part.value) if isinstance(part, ast.Constant) else "plate" for part in parts)
    flags = re.IGNORECASE if "IGNORECASE" in ast.unparse(node) else re.NOFLAG
    return re.compile(pattern, flags), node.func.attr in SEARCHED


def slow(used: Used) -> str | None:
    """How the pattern grows on some text that is made for it, or None if it is linear."""
    written = used.pattern.pattern
    text = written.decode("latin-1") if isinstance(written, bytes) else written
    flags = used.pattern.flags & ~re.UNICODE if isinstance(written, bytes) else used.pattern.flags
    run = run_of(used.pattern, searched=used.searched)
    with given_up_when_stuck():
        found = (slow_growth(run, head, pump) for head, pump in attacks(text, flags, searched=used.searched))
        return next((grown for grown in found if grown is not None), None)


def test_every_pattern_is_linear() -> None:
    grown = {used.place: how for used in patterns() if (how := slow(used)) is not None}
    assert grown == {}


@pytest.mark.parametrize(
    ("pattern", "searched"),
    [
        (r"\s*,?\s*the", False),
        (r"\s+the", True),
        (r"\bwhen\b[^;]*$", True),
        (r"(?:a+)+b", False),
        (r"(?:[a-z]+ ?){1,3}x", False),
        (r"(?P<a>x|\w+\s)+!", True),
    ],
)
def test_slow_patterns_are_found(pattern: str, searched: bool) -> None:
    assert slow(Used("", re.compile(pattern), searched)) is not None


@pytest.mark.parametrize(
    ("pattern", "searched"),
    [
        (r"\s*the", False),
        (r"(?<!\s)\s+the", True),
        (r"\s?,?\s?the", True),
        (r"(?:a|b)+c", False),
        (rb"\d", True),
    ],
)
def test_linear_patterns_are_not(pattern: str, searched: bool) -> None:
    assert slow(Used("", re.compile(pattern), searched)) is None
