-- What a purge of these filings would do, without a lock. The columns are in the order of `Purged`.
-- Parameters: filings uuid[]; final text[], the states in which nothing moves by itself.
-- By hand: -v filings="'{}'" -v final="'{decided}'"
WITH closed AS MATERIALIZED (
  SELECT filing_id FROM evaluations WHERE filing_id = ANY(:filings)
  GROUP BY filing_id HAVING bool_and(state = ANY(:final))
), theirs AS MATERIALIZED (
  SELECT id, state FROM evaluations WHERE filing_id IN (SELECT filing_id FROM closed)
)
SELECT (SELECT count(*) FROM closed) AS filings,
  (SELECT count(*) FROM claims WHERE filing_id IN (SELECT filing_id FROM closed) AND text <> '') AS claims,
  (SELECT count(*) FROM examinations WHERE evaluation_id IN (SELECT id FROM theirs)
     AND (raw IS NOT NULL OR reasoning IS NOT NULL)) AS examinations,
  (SELECT count(*) FROM theirs WHERE state = 'failed') AS cancelled;
