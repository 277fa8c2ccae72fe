-- Part of every move: logs and counts the rows it moved, in the same statement, and writes down for clients what
-- has settled.
-- Needs a CTE `moved` with id, tenant, moves, move, before, after, decided_by and detail of every row.
-- Parameter: actor text, who moves.
-- Counting only adds rows, so that no two moves ever wait for one counter; compact_tallies.sql sums them up.
logged AS (
  INSERT INTO events (evaluation_id, number, move, before, after, actor, detail)
  SELECT id, moves, move, before, after, :actor, detail FROM moved
), counted AS (
  INSERT INTO tallies (tenant, state, decided_by, count)
  SELECT tenant, state, decided_by, sum(n) FROM (
    SELECT tenant, before AS state, '' AS decided_by, -1 AS n FROM moved
    UNION ALL SELECT tenant, after, coalesce(decided_by, ''), 1 FROM moved) AS steps
  GROUP BY tenant, state, decided_by
), told AS (
  INSERT INTO outbox (tenant, kind, subjects, details)
  SELECT tenant, 'evaluation.' || after, array_agg(id), array_agg(CAST(detail AS text)) FROM moved
  WHERE after IN ('decided', 'failed', 'cancelled') GROUP BY tenant, after
)
