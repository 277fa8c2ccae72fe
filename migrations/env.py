"""Runs migrations on one connection, under one advisory lock, each in a transaction of its own."""

import time

from alembic import context
from sqlalchemy import NullPool, create_engine, text
from sqlmodel import SQLModel

import ace.store.tables  # noqa: F401  # fills SQLModel.metadata
from ace.store.database import UNHURRIED, driver_url, session

LOCK = 112_000_112  # any number, the same in every migrating process


def run() -> None:
    """Runs the requested migrations while no other process migrates."""
    url = context.config.get_main_option("sqlalchemy.url")
    if url is None:
        raise RuntimeError("no database URL was given")
    engine = create_engine(
        driver_url(url), poolclass=NullPool, connect_args=session("ace db upgrade", UNHURRIED)
    )
    with engine.connect() as connection:
        # Polled, because a session that waits inside a statement delays the building of indexes, and with
        # it the very process that it waits for.
        while not connection.execute(text("SELECT pg_try_advisory_lock(:lock)"), {"lock": LOCK}).scalar():
            connection.commit()
            time.sleep(0.2)
        connection.commit()
        context.configure(
            connection=connection,
            target_metadata=SQLModel.metadata,
            transaction_per_migration=True,
            compare_server_default=True,
        )
        with context.begin_transaction():
            context.run_migrations()
        connection.execute(text("SELECT pg_advisory_unlock(:lock)"), {"lock": LOCK})
        connection.commit()


run()
