"""How every move ends: the rows it moved are logged in its own statement.

Locks are always taken in the same order, first the lease and then its evaluations: two moves over
one lease never wait for each other, and a worker frozen in its move keeps only its own lease.
"""

from typing import Final

# After a CTE `moved` that gives id, moves, move, before, after and detail of every row it moved.
LOG: Final = """
logged AS (
  INSERT INTO events (evaluation_id, number, move, before, after, actor, detail)
  SELECT id, moves, move, before, after, :actor, detail FROM moved
)"""
