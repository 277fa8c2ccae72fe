-- The workers that hold something: their stage, messages and claims, since when, and for how long at least.
-- By hand: no options.
SELECT worker, stage, count(DISTINCT token) AS messages, count(e.id) AS claims, min(started_at) AS since,
  max(until) AS until
FROM leases LEFT JOIN evaluations e ON e.lease = token
WHERE started_at IS NOT NULL GROUP BY worker, stage ORDER BY stage, since, worker;
