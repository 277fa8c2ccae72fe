"""Every regular expression of the product runs in linear time, whatever a stranger sends.

Constants of modules are found there, in tables too; calls of `re` by their source, with a
word for each value. A pattern whose whole text is a value must therefore be a constant.
"""

import ast
import importlib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

import ace
import ace.workers
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
    for package in (ace, ace.workers):
        root = Path(package.__path__[0])
        for path in sorted(root.rglob("*.py")):
            parts = (package.__name__, *path.relative_to(root).with_suffix("").parts)
            name = ".".join(parts).removesuffix(".__init__")
            if parts[-1] != "__main__" and name not in LEFT_OUT:
                found[name] = ast.parse(path.read_text(encoding="utf-8"))
    return found


@cache
def _called() -> Mapping[tuple[str, str], set[str]]:
    """By module and name of a constant: the methods of patterns that are called on it anywhere."""
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for module, tree in _modules().items():
        homes = {
            alias.name: node.module
            for node in tree.body
            if isinstance(node, ast.ImportFrom) and node.module
            for alias in node.names
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in TAKES_A_PATTERN:
                value = node.value.value if isinstance(node.value, ast.Subscript) else node.value
                name = value.attr if isinstance(value, ast.Attribute) else ast.unparse(value)
                found[homes.get(name, module), name].add(node.attr)
    return found


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


@cache
def patterns() -> Iterable[Used]:
    """All patterns, each with each way of use once."""
    found: dict[tuple[Any, int, bool], Used] = {}
    for module, tree in _modules().items():
        constants = vars(importlib.import_module(module))
        used = [
            Used(f"{module}.{name}", pattern, not uses or not uses <= ANCHORED)
            for name, value in constants.items()
            for pattern in _patterns_in(value)
            for uses in [_called().get((module, name))]
        ]
        used += (_inline(module, call, constants) for call in _calls(tree))
        for each in used:
            found.setdefault((each.pattern.pattern, each.pattern.flags, each.searched), each)
    return found.values()


def _calls(tree: ast.Module) -> Iterator[ast.Call]:
    """The calls of `re` that have a pattern: all, except those that only make a module's constant."""
    for statement in tree.body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                made = node.func.attr == "compile" and isinstance(statement, ast.FunctionDef | ast.ClassDef)
                if ast.unparse(node.func.value) == "re" and (made or node.func.attr in TAKES_A_PATTERN):
                    yield node


def _inline(module: str, call: ast.Call, constants: Mapping[str, Any]) -> Used:
    """The pattern of a call such as re.search(…), with a word in place of each value that is no constant."""
    assert isinstance(call.func, ast.Attribute)
    flags = re.NOFLAG
    for node in ast.walk(call):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "re":
            flags |= getattr(re.RegexFlag, node.attr, re.NOFLAG)
    pattern = re.compile(_written(call.args[0], constants), flags)
    return Used(f"{module}:{ast.unparse(call)[:60]}", pattern, call.func.attr not in ANCHORED)


def _written(expression: ast.expr, constants: Mapping[str, Any]) -> str:
    """What an expression of literals, constants and other values makes."""
    if isinstance(expression, ast.Constant):
        return str(expression.value)
    if isinstance(expression, ast.JoinedStr):
        return "".join(_written(part, constants) for part in expression.values)
    if isinstance(expression, ast.FormattedValue):
        return _written(expression.value, constants)
    if isinstance(expression, ast.Name) and isinstance(constants.get(expression.id), str):
        return str(constants[expression.id])
    return "plate"


def slow(used: Used) -> str | None:
    """How the pattern grows on some text that is made for it, or None if it is linear."""
    written = used.pattern.pattern
    text = written.decode("latin-1") if isinstance(written, bytes) else written
    flags = used.pattern.flags & ~re.UNICODE if isinstance(written, bytes) else used.pattern.flags
    run = run_of(used.pattern, searched=used.searched)
    with given_up_when_stuck():
        found = (slow_growth(run, attack) for attack in attacks(text, flags, searched=used.searched))
        return next((grown for grown in found if grown is not None), None)


@pytest.mark.slow
def test_every_pattern_is_linear() -> None:
    grown = {used.place: how for used in patterns() if (how := slow(used)) is not None}
    assert grown == {}


@pytest.mark.parametrize(
    ("pattern", "searched"),
    [
        (r"\s*,?\s*the", False),
        (r"\s+the", True),
        (r"\bwhen\b[^;]*$", True),
        (r"\([^()]* [^()]*\)", True),
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
