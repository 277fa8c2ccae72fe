-- Part: filings `f` as a list shows them, with their evaluations by state and by verdict.
SELECT f.id, f.docket, f.priority, f.claim_count, f.created_at, f.purged_at,
  (SELECT coalesce(jsonb_object_agg(state, n), '{}') FROM
    (SELECT state, count(*) AS n FROM evaluations WHERE filing_id = f.id GROUP BY state) s) AS states,
  (SELECT coalesce(jsonb_object_agg(verdict, n), '{}') FROM
    (SELECT verdict, count(*) AS n FROM evaluations
     WHERE filing_id = f.id AND verdict IS NOT NULL GROUP BY verdict) v) AS verdicts,
  (SELECT count(*) FROM evaluations WHERE filing_id = f.id AND disputed) AS disputed,
  (SELECT max(updated_at) FROM evaluations WHERE filing_id = f.id) AS updated_at
FROM filings f
