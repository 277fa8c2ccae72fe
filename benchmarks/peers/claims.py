"""The table behind every peer: claims come in, one SELECT and one UPDATE decide each, or a chunk of them."""

import os
from collections.abc import Sequence
from typing import Final

from sqlalchemy import Engine, create_engine, text

from ace.store.database import driver_url

PROCESSES: Final = 2
TASKS_AT_A_TIME: Final = 4  # in each process

SCHEMA: Final = (
    "CREATE TABLE peer_claims (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
    " text text NOT NULL, state text NOT NULL, verdict text)"
)
SELECT: Final = "SELECT text FROM peer_claims WHERE id = "
UPDATE: Final = "UPDATE peer_claims SET state = 'decided', verdict = 'Pass' WHERE id = "
ANY_OF: Final = "ANY(CAST(:ids AS bigint[]))"


def connect() -> Engine:
    """An engine with a connection for every task at a time."""
    return create_engine(driver_url(os.environ["ACE_DATABASE_URL"]), pool_size=TASKS_AT_A_TIME)


def create(db: Engine) -> None:
    """An empty table."""
    with db.begin() as connection:
        connection.execute(text("DROP TABLE IF EXISTS peer_claims"))
        connection.execute(text(SCHEMA))


def insert(db: Engine, texts: Sequence[str]) -> list[int]:
    """Stores claims in one statement, and answers their ids once they are committed."""
    with db.begin() as connection:
        return list(
            connection.execute(
                text(
                    "INSERT INTO peer_claims (text, state)"
                    " SELECT t, 'queued' FROM unnest(CAST(:texts AS text[])) t RETURNING id"
                ),
                {"texts": list(texts)},
            ).scalars()
        )


def decide(db: Engine, id_: int) -> None:
    """Reads one claim, thinks nothing of it, and writes its verdict."""
    with db.begin() as connection:
        connection.execute(text(f"{SELECT}:id"), {"id": id_}).one()
        connection.execute(text(f"{UPDATE}:id"), {"id": id_})


def decide_all(db: Engine, ids: Sequence[int]) -> None:
    """Reads a chunk of claims, thinks nothing of them, and writes their verdicts in one statement."""
    with db.begin() as connection:
        connection.execute(text(f"{SELECT}{ANY_OF}"), {"ids": list(ids)}).all()
        connection.execute(text(f"{UPDATE}{ANY_OF}"), {"ids": list(ids)})


def undecided(db: Engine) -> bool:
    """Whether a verdict is still missing."""
    with db.connect() as connection:
        return bool(
            connection.execute(
                text("SELECT EXISTS (SELECT FROM peer_claims WHERE state = 'queued')")
            ).scalar_one()
        )
