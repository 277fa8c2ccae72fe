-- Locks filings to purge and their failed evaluations. Another purge's filings are skipped; a failed evaluation
-- that somebody is replaying leaves its filing open.
-- Parameter: filings uuid[]. Rows: id, tenant, failed (how many), closed (whether nothing can move any more).
-- By hand: -v filings="'{}'"
WITH held AS MATERIALIZED (
  SELECT id, tenant FROM filings WHERE id = ANY(:filings) AND purged_at IS NULL
  ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
), failed AS MATERIALIZED (
  SELECT id FROM evaluations WHERE filing_id IN (SELECT id FROM held) AND state = 'failed'
  ORDER BY id FOR UPDATE SKIP LOCKED
)
SELECT held.id, held.tenant, count(f.id) AS failed,
  bool_and(e.state IN ('decided', 'cancelled') OR f.id IS NOT NULL) AS closed
FROM held JOIN evaluations e ON e.filing_id = held.id LEFT JOIN failed f ON f.id = e.id
GROUP BY held.id, held.tenant;
