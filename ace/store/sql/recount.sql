-- Corrects the tallies while evaluations move: one statement sees both at one moment, so what it adds is exact.
-- By hand: no options.
INSERT INTO tallies (tenant, state, decided_by, count)
SELECT tenant, state, decided_by, sum(n) FROM (
  SELECT tenant, state, coalesce(decided_by, '') AS decided_by, count(*) AS n FROM evaluations GROUP BY 1, 2, 3
  UNION ALL SELECT tenant, state, decided_by, -count FROM tallies) AS difference
GROUP BY tenant, state, decided_by HAVING sum(n) <> 0;
