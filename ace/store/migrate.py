"""Brings a database to the newest schema (or another), through Alembic."""

from collections.abc import Callable
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.util import CommandError

import migrations
from ace.errors import Refused
from ace.store.database import reaching


def config(url: str) -> Config:
    """Alembic's configuration for the database at `url`; there is no ini file to keep in step."""
    made = Config()
    made.set_main_option("script_location", str(Path(migrations.__file__).parent))
    made.set_main_option("sqlalchemy.url", url.replace("%", "%%"))
    made.set_main_option("file_template", "%%(year)d_%%(month).2d_%%(day).2d_%%(slug)s")
    return made


def upgrade(url: str, revision: str = "head") -> None:
    """Moves forward to `revision`. Safe beside running workers, and when run twice at once.

    Raises Refused if there is no such revision, Unavailable if the database cannot be reached.
    """
    _move(command.upgrade, url, revision)


def downgrade(url: str, revision: str) -> None:
    """Moves back to `revision`. Raises like `upgrade`."""
    _move(command.downgrade, url, revision)


def _move(direction: Callable[[Config, str], None], url: str, revision: str) -> None:
    try:
        with reaching():
            direction(config(url), revision)
    except CommandError as error:
        raise Refused(str(error), code="unknown_revision") from None
