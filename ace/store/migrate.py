"""Brings a database to the newest schema (or another), through Alembic."""

from pathlib import Path

from alembic import command
from alembic.config import Config

import migrations


def config(url: str) -> Config:
    """Alembic's configuration for the database at `url`; there is no ini file to keep in step."""
    made = Config()
    made.set_main_option("script_location", str(Path(migrations.__file__).parent))
    made.set_main_option("sqlalchemy.url", url.replace("%", "%%"))
    made.set_main_option("file_template", "%%(year)d_%%(month).2d_%%(day).2d_%%(slug)s")
    return made


def upgrade(url: str, revision: str = "head") -> None:
    """Moves forward to `revision`. Safe beside running workers, and when run twice at once."""
    command.upgrade(config(url), revision)


def downgrade(url: str, revision: str) -> None:
    """Moves back to `revision`."""
    command.downgrade(config(url), revision)
