-- Part: the tenants and priorities that have escalated claims. Belongs behind WITH RECURSIVE.
-- Found by leaps over an index that begins with both, so that it costs as many steps as there are lines,
-- however many claims wait in them. The state is a literal because the index is partial.
escalated_lines AS (
  (SELECT tenant, priority FROM evaluations WHERE state = 'escalated' ORDER BY tenant, priority LIMIT 1)
  UNION ALL
  SELECT next.* FROM escalated_lines l CROSS JOIN LATERAL (
    SELECT tenant, priority FROM evaluations
    WHERE state = 'escalated' AND (tenant, priority) > (l.tenant, l.priority)
    ORDER BY tenant, priority LIMIT 1) next
)
