-- Sums the tallies up, so that reading them stays cheap, and keeps how many claims are decided by this minute.
-- Any number may do it at once: one of two may then see part of a sum, which is never more than the whole.
-- By hand: no options.
WITH gone AS (DELETE FROM tallies RETURNING tenant, state, decided_by, count),
summed AS (
  INSERT INTO tallies (tenant, state, decided_by, count)
  SELECT tenant, state, decided_by, sum(count) FROM gone
  GROUP BY tenant, state, decided_by HAVING sum(count) <> 0
  RETURNING tenant, state, decided_by, count
)
INSERT INTO decided_by_minute AS m (tenant, decided_by, minute, total)
SELECT tenant, decided_by, date_trunc('minute', now()), count FROM summed s
WHERE state = 'decided' AND count > coalesce((
  SELECT total FROM decided_by_minute d WHERE d.tenant = s.tenant AND d.decided_by = s.decided_by
  ORDER BY minute DESC LIMIT 1), 0)
ON CONFLICT (tenant, decided_by, minute) DO UPDATE SET total = greatest(m.total, excluded.total);
