"""Makes the synchronous half of the Python client from the asynchronous one: `python -m tests.client_halves`.

Names are replaced token by token; ruff then sorts the imports and breaks the lines anew.
"""

import io
import re
import subprocess
import sys
import tokenize
from itertools import pairwise
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
ASYNC: Final = ROOT / "patent_ace_client" / "_async"
SYNC: Final = ROOT / "patent_ace_client" / "_sync"
HEAD: Final = "# Made from ../_async/{name} by `python -m tests.client_halves`; change that file.\n"
NAMES: Final = {
    "__aenter__": "__enter__",
    "__aexit__": "__exit__",
    "__aiter__": "__iter__",
    "_async": "_sync",
    "aclose": "close",
    "aclosing": "closing",
    "aiter_bytes": "iter_bytes",
    "aiter_lines": "iter_lines",
    "aread": "read",
    "asyncio": "time",
}
_AWAITABLE: Final = re.compile(r"\bAwaitable\[(.*)\]\]")  # the result of a function type


def synchronous(source: str) -> str:
    """The source with `async` and `await` gone, and each name as the synchronous half has it."""
    source = _AWAITABLE.sub(r"\1]", source).replace("Awaitable, ", "")
    tokens = [*tokenize.generate_tokens(io.StringIO(source).readline)]
    lines = source.splitlines(keepends=True)
    for token, following in reversed([*pairwise(tokens)]):
        row, start = token.start
        end = token.end[1]
        if token.type == tokenize.NAME and token.string in {"async", "await"}:
            lines[row - 1] = lines[row - 1][:start] + lines[row - 1][following.start[1] :]
        elif token.type in {tokenize.NAME, tokenize.STRING} and token.start[0] == token.end[0]:
            lines[row - 1] = lines[row - 1][:start] + _renamed(token) + lines[row - 1][end:]
        elif token.type == tokenize.STRING:  # a docstring over several lines
            for at in range(row - 1, token.end[0]):
                lines[at] = _words(lines[at])
    return "".join(lines)


def _renamed(token: tokenize.TokenInfo) -> str:
    if token.type == tokenize.STRING:
        return _words(token.string)
    return NAMES.get(token.string, re.sub(r"^Async(?=[A-Z])", "", token.string))


def _words(text: str) -> str:
    return re.sub(r"\bAsync(?=[A-Z])", "", text)


def files() -> dict[str, str]:
    """What the synchronous half has to be, by file name."""
    made = {}
    for path in sorted(ASYNC.glob("*.py")):
        source = HEAD.format(name=path.name) + synchronous(path.read_text(encoding="utf-8"))
        for command in (["check", "--select", "I,F401", "--fix", "--quiet"], ["format", "--quiet"]):
            ran = [sys.executable, "-m", "ruff", *command, "--stdin-filename", str(SYNC / path.name), "-"]
            source = subprocess.run(ran, input=source, capture_output=True, text=True, check=True).stdout
        made[path.name] = source
    return made


if __name__ == "__main__":
    for name, made in files().items():
        (SYNC / name).write_text(made, encoding="utf-8")
