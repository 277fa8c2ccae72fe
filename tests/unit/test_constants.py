"""A name in capitals is bound once: `Final` makes the type checker refuse a second binding, which would
silently change what earlier functions mean."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
CONSTANT = re.compile(r"_?[A-Z][A-Z0-9_]+")


def constants_without_final(file: Path) -> Iterator[str]:
    for statement in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.Assign):
            names = [target.id for target in statement.targets if isinstance(target, ast.Name)]
            final = False
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            names, final = [statement.target.id], "Final" in ast.unparse(statement.annotation)
        else:
            continue
        yield from (
            f"{file.relative_to(ROOT)}: {name}" for name in names if not final and CONSTANT.fullmatch(name)
        )


def test_every_constant_of_the_product_is_final() -> None:
    files = [*(ROOT / "ace").rglob("*.py"), *(ROOT / "workers").rglob("*.py")]
    assert [found for file in files for found in constants_without_final(file)] == []
    assert len(files) > 300
