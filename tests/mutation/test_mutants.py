"""The sampler of mutants: the places it finds, repeatable samples, and a list of equivalents that holds."""

import tomllib
from pathlib import Path

import pytest

from tests.mutation.__main__ import EQUIVALENT, ROOT
from tests.mutation.areas import AREAS
from tests.mutation.mutants import mutants_of, sampled
from tests.mutation.reach import Reach, statement_at

SOURCE = """LIMIT = 7


@kept(always=True)
def found(rows: list[int], *, least: int) -> bool:
    return any(row > least + 1 for row in rows)
"""


def test_every_operator_finds_its_places_and_no_others(tmp_path: Path) -> None:
    # Given a file with a named number, a decorator, a signature with a star, and one expression
    (tmp_path / "code.py").write_text(SOURCE, encoding="utf-8")

    # When its mutants are listed
    changed = {mutant.change(tmp_path).splitlines()[-1] for mutant in mutants_of(tmp_path, "code.py")}

    # Then each changes the expression once, and nothing else
    assert changed == {
        "+ return all(row > least + 1 for row in rows)",
        "+ return any(row >= least + 1 for row in rows)",
        "+ return any(row <= least + 1 for row in rows)",
        "+ return any(row > least - 1 for row in rows)",
        "+ return any(row > least + 2 for row in rows)",
        "+ return any(row > least + 0 for row in rows)",
    }


def test_a_seed_repeats_its_sample() -> None:
    mutants = mutants_of(ROOT, "ace/flow/dispatching.py")
    assert sampled(mutants, 5, seed=3) == sampled(mutants, 5, seed=3) != sampled(mutants, 5, seed=4)


def test_areas_and_equivalents_name_files_that_exist() -> None:
    listed = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8")).get("equivalent", [])
    places = [place for area in AREAS for place in area.code] + [one["path"] for one in listed]
    tests = [word for area in AREAS for tests in area.rounds for word in tests if word.startswith("tests/")]
    assert [place for place in places + tests if not (ROOT / place).exists()] == []
    assert all(one["why"] for one in listed)


@pytest.mark.parametrize(
    ("line", "lines"),
    [
        pytest.param(1, [1], id="simple"),
        pytest.param(5, [5], id="head of a function"),
        pytest.param(6, [6], id="return"),
    ],
)
def test_the_statement_around_a_line(line: int, lines: list[int]) -> None:
    assert list(statement_at(SOURCE, line)) == lines


def test_a_statement_of_several_lines_is_one() -> None:
    source = "if found(\n    rows,\n):\n    stop(\n        rows,\n    )\n"
    assert [list(statement_at(source, line)) for line in (2, 5)] == [[1, 2, 3], [4, 5, 6]]


def test_quick_tests_of_the_first_round_come_first() -> None:
    # Given three tests that run a line, and one that a session's fixtures or an import run too
    reach = Reach(
        tests={
            "code.py": {1: {"a::slow", "a::quick", "b::later"}, 2: {"a::slow", "a::quick", "b::later", ""}}
        },
        seconds={"a::slow": 2.0, "a::quick": 1.0, "b::later": 0.1},
        rounds={"a::slow": 0, "a::quick": 0, "b::later": 1},
    )

    # Then they are in order, and are all of them only if nothing else runs the line
    assert reach.of("code.py", range(1, 2)) == (["a::quick", "a::slow", "b::later"], True)
    assert reach.of("code.py", range(2, 3)) == (["a::quick", "a::slow", "b::later"], False)
    assert reach.of("code.py", range(3, 4)) == ([], False)
