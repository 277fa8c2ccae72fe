-- When the claims of a tenant that have been due longest became due, for each stage: one index probe for each priority.
-- Parameter: tenant text.
-- By hand: -v tenant="'office'"
SELECT min(q.due_at) AS fast, min(s.due_at) AS slow
FROM generate_series(0, 9) AS priorities (priority)
LEFT JOIN LATERAL (
  SELECT due_at FROM evaluations e
  WHERE e.state = 'queued' AND e.tenant = :tenant AND e.priority = priorities.priority AND e.due_at <= now()
  ORDER BY due_at LIMIT 1) q ON true
LEFT JOIN LATERAL (
  SELECT due_at FROM evaluations e
  WHERE e.state = 'escalated' AND e.tenant = :tenant AND e.priority = priorities.priority AND e.due_at <= now()
  ORDER BY due_at LIMIT 1) s ON true;
