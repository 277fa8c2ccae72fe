"""Command lines as docs and containers write them, held against the real command."""

import re
import shlex
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import typer

from ace.cli import app

_ASSIGNMENT = re.compile(r"[A-Z_][A-Z0-9_]*=\S*")
_ENDS = {"|", "&&", "||", ";", ">", "<", "&"}


def simple_commands(line: str) -> Iterator[list[str]]:
    """The commands of a shell line as words, without assignments before them and comments after."""
    words: list[str] = []
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>")
    lexer.whitespace_split = True
    lexer.commenters = "#"
    for word in [*lexer, ";"]:
        if word not in _ENDS:
            words.append(word)
            continue
        while words and _ASSIGNMENT.fullmatch(words[0]):
            words.pop(0)
        if words:
            yield words
        words = []


@cache
def root() -> Any:
    """`ace` itself, with all of its commands."""
    return typer.main.get_command(app)


def commands() -> Iterator[tuple[list[str], Any]]:
    """Every command of `ace` with the words that lead to it, groups and `ace` itself too."""

    def walk(path: list[str], command: Any) -> Iterator[tuple[list[str], Any]]:
        yield path, command
        for name, inner in getattr(command, "commands", {}).items():
            yield from walk([*path, name], inner)

    yield from walk([], root())


def parse(words: Sequence[str]) -> None:
    """Parses what follows `ace` as the command line does, and runs nothing. A command without anything
    after it is only named. Options of `ace` itself act while they are parsed, so they are only looked up.

    Raises click's errors for an unknown command or option, a surplus argument or a wrong type.
    """
    rest = list(words)
    command = root()
    context = command.make_context("ace", [], resilient_parsing=True)
    while hasattr(command, "commands") and rest and not rest[0].startswith("-"):
        if rest[0] not in command.commands:
            raise LookupError(f"there is no command {rest[0]!r}")
        command = command.commands[rest.pop(0)]
        name = str(command.name)
        context = command.make_context(name, [], parent=context, resilient_parsing=True)
    if command is root():
        known = {option for parameter in command.params for option in parameter.opts}
        if unknown := set(rest) - known - {"--help"}:
            raise LookupError(f"no such option or command: {', '.join(sorted(unknown))}")
    elif rest and rest != ["--help"]:
        command.make_context(command.name, rest, parent=context)
