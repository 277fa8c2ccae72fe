-- Part: filings `f` as a list shows them, with the evaluations that count by state and by verdict.
SELECT f.id, f.docket, f.priority, f.claim_count, f.created_at, f.purged_at,
  (SELECT coalesce(jsonb_object_agg(state, n), '{}') FROM
    (SELECT state, count(*) AS n FROM evaluations e WHERE filing_id = f.id AND :CURRENT_EVALUATION GROUP BY state) s)
    AS states,
  (SELECT coalesce(jsonb_object_agg(verdict, n), '{}') FROM
    (SELECT verdict, count(*) AS n FROM evaluations e
     WHERE filing_id = f.id AND verdict IS NOT NULL AND :CURRENT_EVALUATION GROUP BY verdict) v) AS verdicts,
  (SELECT count(*) FROM evaluations e WHERE filing_id = f.id AND disputed AND :CURRENT_EVALUATION) AS disputed,
  (SELECT max(updated_at) FROM evaluations WHERE filing_id = f.id) AS updated_at,
  EXISTS (SELECT FROM evaluations WHERE filing_id = f.id
    AND state IN ('queued', 'screening', 'escalated', 'examining')) AS open
FROM filings f
