"""Which tests run which lines: what coverage saw when the tests of an area ran once on unchanged code."""

import ast
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from coverage import CoverageData


@dataclass(slots=True)
class Reach:
    """For each file and line the test functions that run it, and the seconds that each takes."""

    tests: dict[str, dict[int, set[str]]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    rounds: dict[str, int] = field(default_factory=dict)

    def add(self, number: int, root: Path, data_file: Path, seconds: dict[str, float]) -> None:
        """Adds a round of tests that ran in `root`."""
        data = CoverageData(str(data_file))
        data.read()
        for name in data.measured_files():
            lines = self.tests.setdefault(str(Path(name).relative_to(root)), defaultdict(set))
            for line, contexts in data.contexts_by_lineno(name).items():
                lines[line].update(contexts)
        self.seconds |= seconds
        self.rounds |= dict.fromkeys(seconds, number)

    def of(self, path: str, lines: range) -> tuple[list[str], bool]:
        """The tests that run any of the lines, quick ones first, and whether they are all.

        They are not if an import runs a line, or nothing does.
        """
        reached = self.tests.get(path, {})
        found = {test for line in lines for test in reached.get(line, ())}
        tests = found & self.seconds.keys()
        of_file: defaultdict[str, float] = defaultdict(float)
        for test in tests:
            of_file[_file(test)] += self.seconds[test]
        ordered = sorted(
            tests, key=lambda test: (self.rounds[test], of_file[_file(test)], _file(test), self.seconds[test])
        )
        return ordered, bool(tests) and found == tests

    def took(self, tests: Sequence[str]) -> float:
        """The seconds that the tests took together."""
        return sum(self.seconds[test] for test in tests)


def _file(test: str) -> str:
    return test.partition("::")[0]


def statement_at(source: str, line: int) -> range:
    """The lines of the smallest statement around the line; of one with a body, its head."""
    spans = [span for node in ast.walk(ast.parse(source)) for span in _spans(node) if line in span]
    return min(spans, key=len, default=range(line, line + 1))


def _spans(node: ast.AST) -> Iterator[range]:
    if isinstance(node, ast.stmt):
        body = getattr(node, "body", None) or getattr(node, "cases", None)
        stop = node.end_lineno or node.lineno
        if body:
            first = body[0].pattern if isinstance(body[0], ast.match_case) else body[0]
            stop = max(node.lineno, first.lineno - 1)
        yield range(node.lineno, stop + 1)
