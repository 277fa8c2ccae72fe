-- What must not be, whatever happened: evaluations that were decided twice, claims with two that count, verdicts that
-- are missing, and tallies that say something else than the rows; and how many rows there are.
-- By hand: no options.
SELECT
  (SELECT count(*) FROM filings) AS filings,
  (SELECT count(*) FROM evaluations) AS evaluations,
  (SELECT count(*) FROM (
    SELECT evaluation_id FROM events WHERE move = 'decide' GROUP BY evaluation_id HAVING count(*) > 1
    UNION
    SELECT evaluation_id FROM examinations WHERE verdict IS NOT NULL GROUP BY evaluation_id HAVING count(*) > 1
    UNION
    SELECT CAST(min(CAST(id AS text)) AS uuid) FROM evaluations e WHERE :CURRENT_EVALUATION
    GROUP BY filing_id, claim_number HAVING count(*) > 1
  ) AS t) AS twice,
  (SELECT count(*) FROM evaluations WHERE state = 'decided' AND verdict IS NULL) AS verdictless,
  (SELECT count(*) FROM (
    SELECT tenant, state, coalesce(decided_by, '') AS decided_by, count(*) AS n FROM evaluations GROUP BY 1, 2, 3
  ) AS counted FULL JOIN (
    SELECT tenant, state, decided_by, sum(count) AS n FROM tallies GROUP BY 1, 2, 3 HAVING sum(count) <> 0
  ) AS kept USING (tenant, state, decided_by) WHERE counted.n IS DISTINCT FROM kept.n) AS miscounted;
