"""Statements of more than a few lines: each is a file of `sql/`, which can also be run by hand in psql.

In a file, `:name` is a value that is bound, and `:PART` stands for the text of `part.sql`, which several
statements share. psql reads both as variables of its own; `sql/parts.psql` says how.
"""

import re
from functools import cache
from importlib.resources import files
from typing import Final

from sqlalchemy import TextClause, text

_COMMENT: Final = re.compile(r"(?<!\s)\s*--.*")
_PART: Final = re.compile(r"(?<!:):([A-Z_]+)\b")


@cache
def statement(name: str) -> TextClause:
    """The statement in `sql/<name>.sql`. SQLAlchemy looks for its parameters once, since it is made once."""
    return text(source(name))


@cache
def source(name: str) -> str:
    """Its text, with its parts filled in and without comments."""
    written = files(__package__).joinpath("sql", f"{name}.sql").read_text(encoding="utf-8")
    return _PART.sub(lambda part: source(part[1].lower()), _COMMENT.sub("", written)).strip()
