"""Training recipes by name or file: a TOML table with fields of a dataclass, which validates them."""

import tomllib
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

from ace.errors import Refused

R = TypeVar("R")


def read(recipe_type: type[R], folder: Path, name: str, changes: Mapping[str, Any]) -> R:
    """The recipe of that name in `folder`, or in the TOML file at that path, with fields changed.

    "paper" means the defaults of `recipe_type`. Raises Refused if there is none or a field is unknown.
    """
    given: dict[str, Any] = {}
    if name != "paper":
        path = folder / f"{name}.toml" if "/" not in name and not name.endswith(".toml") else Path(name)
        try:
            given = tomllib.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError as error:
            ours = ", ".join(["paper", *sorted(known.stem for known in folder.glob("*.toml"))])
            raise refused("recipe", f"a file, or one of {ours}") from error
        except (OSError, ValueError) as error:
            raise Refused(f"the recipe {path.name} cannot be read: {error}", code="recipe") from error
    known = {field.name for field in fields(recipe_type)}  # type: ignore[arg-type]  # a dataclass
    if unknown := sorted(given.keys() - known):
        raise Refused(f"the recipe has no field {', '.join(unknown)}", code="recipe")
    return recipe_type(**{**given, **changes})


def refused(name: str, limit: str) -> Refused:
    """The error for a field `name` that is out of its range."""
    return Refused(f"{name} must be {limit}", code="recipe", pointer=f"/{name}", limit=limit)
