"""Databases that a backup is restored into: an empty one, or one that exists for a check alone."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from uuid import uuid4

from psycopg.errors import InsufficientPrivilege
from sqlalchemy import Connection, Engine, create_engine, inspect, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError

from ace.errors import NotConfigured, Refused, Unavailable
from ace.store.database import UNHURRIED, driver_url, reaching, session

ROLES: Final = ("ace_api", "ace_watch", "ace_work")
"""Roles belong to the server and not to a database, so no backup of a database holds them."""


def prepare(connection: Connection) -> None:
    """Makes the roles that a backup grants rights to, unless the server has them. Raises Refused if the
    database is not empty."""
    if inspect(connection).get_table_names():
        raise Refused("this database is not empty: restore into a new one", code="not_empty")
    for role in ROLES:
        connection.execute(
            text(
                f"DO $$ BEGIN IF to_regrole('{role}') IS NULL THEN CREATE ROLE {role} NOLOGIN; END IF;"
                " EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$"
            )
        )


def analyse(connection: Connection) -> None:
    """Gathers the planner's statistics, which a backup does not hold."""
    connection.execute(text("SET LOCAL statement_timeout = 0"))
    connection.execute(text("ANALYZE"))


@contextmanager
def scratch(url: str) -> Iterator[str]:
    """The URL of a new database beside that of `url`, which is dropped at the end.

    Raises NotConfigured if the login may not create databases, Unavailable without a server; if that goes
    away meanwhile, the error names the database, which may be left.
    """
    name = f"ace_check_{uuid4().hex[:12]}"
    engine = create_engine(
        driver_url(url),
        isolation_level="AUTOCOMMIT",
        hide_parameters=True,
        connect_args=session("ace restore", UNHURRIED),
    )
    try:
        _create(engine, name)
        try:
            made = make_url(url).set(database=name)
            with reaching():
                yield made.render_as_string(hide_password=False)
        finally:
            _drop(engine, name)
    finally:
        engine.dispose()


def _drop(engine: Engine, name: str) -> None:
    try:
        with reaching(), engine.connect() as connection:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    except Unavailable as error:
        left = f"{error}; the database {name} may be left there: drop it"
        raise Unavailable(error.part, left, cause=error.cause) from None


def _create(engine: Engine, name: str) -> None:
    try:
        with reaching(), engine.connect() as connection:
            connection.execute(text(f"CREATE DATABASE {name} TEMPLATE template0"))
    except DBAPIError as error:
        if isinstance(error.orig, InsufficientPrivilege):
            raise NotConfigured("this login may not create databases: check with one that may") from None
        raise
