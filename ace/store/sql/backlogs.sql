-- The tenants with the most claims on their way: how many wait for each stage or are in it, and since when the oldest
-- has been due.
-- Parameter: limit.
-- By hand: -v limit=50
WITH backlog AS (
  SELECT tenant,
    coalesce(sum(count) FILTER (WHERE state = 'queued'), 0) AS queued,
    coalesce(sum(count) FILTER (WHERE state = 'screening'), 0) AS screening,
    coalesce(sum(count) FILTER (WHERE state = 'escalated'), 0) AS escalated,
    coalesce(sum(count) FILTER (WHERE state = 'examining'), 0) AS examining
  FROM tallies WHERE state IN ('queued', 'screening', 'escalated', 'examining')
  GROUP BY tenant HAVING sum(count) > 0 ORDER BY sum(count) DESC, tenant LIMIT :limit
)
SELECT b.*, (SELECT min(first.due_at) FROM (VALUES ('queued'), ('escalated')) AS stages (state)
  CROSS JOIN generate_series(0, 9) AS priorities (priority) CROSS JOIN LATERAL (
    SELECT due_at FROM evaluations e WHERE e.tenant = b.tenant AND e.priority = priorities.priority
      AND e.state = stages.state AND due_at <= now() ORDER BY due_at LIMIT 1) first) AS oldest
FROM backlog b ORDER BY queued + screening + escalated + examining DESC, tenant;
