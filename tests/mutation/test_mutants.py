"""The sampler of mutants: the places it finds, repeatable samples, and a list of equivalents that holds."""

import tomllib
from pathlib import Path

from tests.mutation.__main__ import EQUIVALENT, ROOT
from tests.mutation.areas import AREAS
from tests.mutation.mutants import mutants_of, sampled

SOURCE = """LIMIT = 7


def found(rows: list[int], *, least: int) -> bool:
    return any(row > least + 1 for row in rows)
"""


def test_every_operator_finds_its_places_and_no_others(tmp_path: Path) -> None:
    # Given a file with a named number, a signature with a star, and one expression
    (tmp_path / "code.py").write_text(SOURCE, encoding="utf-8")

    # When its mutants are listed
    changed = {mutant.change(tmp_path).splitlines()[-1] for mutant in mutants_of(tmp_path, "code.py")}

    # Then each changes the expression once, and neither the named number nor the signature
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
