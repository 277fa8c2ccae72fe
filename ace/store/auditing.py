"""The audit of a database: what the laws of the store forbid, counted. It reads every row and locks none."""

from dataclasses import dataclass

from sqlalchemy import Connection, text

from ace.store.statements import statement
from ace.store.tables import MOVES


@dataclass(frozen=True, slots=True)
class Audit:
    """How many rows there are, and how many are wrong, by what is wrong."""

    filings: int
    evaluations: int
    illegal: int  # evaluations with a trail that no sequence of moves explains
    twice: int  # decided twice, or beside another one that counts for the claim
    verdictless: int  # decided without a verdict
    miscounted: int  # tallies that differ from the rows

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return not (self.illegal or self.twice or self.verdictless or self.miscounted)


def audit(connection: Connection) -> Audit:
    """Audits the database that the connection is to."""
    connection.execute(text("SET LOCAL statement_timeout = 0"))
    rows = connection.execute(statement("audit_rows")).mappings().one()
    return Audit(illegal=illegal_trails(connection), **rows)


def illegal_trails(connection: Connection) -> int:
    """Evaluations whose events are not a chain of legal moves that ends where they stand."""
    legal = [f"{move}:{before or ''}:{after}" for move, pairs in MOVES.items() for before, after in pairs]
    return int(connection.execute(statement("audit_trails"), {"legal": legal}).scalar_one())
