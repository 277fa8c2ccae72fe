-- Sums the tallies up, so that reading them stays cheap. Any number may do it at once.
-- By hand: no options.
WITH gone AS (DELETE FROM tallies RETURNING tenant, state, decided_by, count)
INSERT INTO tallies (tenant, state, decided_by, count)
SELECT tenant, state, decided_by, sum(count) FROM gone
GROUP BY tenant, state, decided_by HAVING sum(count) <> 0;
