"""Brings a database to the newest schema (or another), through Alembic."""

from collections.abc import Callable
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy.exc import DBAPIError
from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_random

from ace.errors import Refused, Unavailable
from ace.store.database import collided, reaching

# A revision takes the locks of whole tables while others work. One that meets them in another order, or not
# in time, is undone by the server and begun again. What it does outside of a transaction can be repeated.
ATTEMPTS: Final = 10
PAUSE_SECONDS: Final = (0.5, 2)


def config(url: str) -> Config:
    """Alembic's configuration for the database at `url`; there is no ini file to keep in step."""
    made = Config()
    made.set_main_option("script_location", "ace:migrations")
    made.set_main_option("sqlalchemy.url", url.replace("%", "%%"))
    made.set_main_option("file_template", "%%(year)d_%%(month).2d_%%(day).2d_%%(slug)s")
    return made


def upgrade(url: str, revision: str = "head") -> None:
    """Moves forward to `revision`. Safe beside running workers, and when run twice at once.

    Raises Refused if there is no such revision, Unavailable if the database cannot be reached or its tables
    stay locked.
    """
    _move(command.upgrade, url, revision)


def downgrade(url: str, revision: str) -> None:
    """Moves back to `revision`. Raises like `upgrade`."""
    _move(command.downgrade, url, revision)


def _move(direction: Callable[[Config, str], None], url: str, revision: str) -> None:
    try:
        for attempt in Retrying(
            retry=retry_if_exception(collided),
            stop=stop_after_attempt(ATTEMPTS),
            wait=wait_random(*PAUSE_SECONDS),
            reraise=True,
        ):
            with attempt, reaching():
                direction(config(url), revision)
    except CommandError as error:
        raise Refused(str(error), code="unknown_revision") from None
    except DBAPIError as error:
        if collided(error):
            raise Unavailable("postgres", "database: tables stay locked", cause="busy") from None
        raise
