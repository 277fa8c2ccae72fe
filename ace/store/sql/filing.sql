-- A filing, the evaluation that counts for each of its claims (as JSON text), how many of these are in each state, and
-- how many re-evaluations are under way.
-- Parameters: id uuid; tenant text, whose it must be.
-- By hand: -v id="gen_random_uuid()" -v tenant="'office'"
SELECT f.id, f.tenant, f.docket, f.priority, f.metadata, f.claim_count, f.created_at, f.purged_at,
  (SELECT jsonb_object_agg(state, n) FROM
    (SELECT state, count(*) AS n FROM evaluations e WHERE filing_id = f.id AND :CURRENT_EVALUATION GROUP BY state) s)
    AS states,
  (SELECT count(*) FROM evaluations WHERE filing_id = f.id AND supersedes IS NOT NULL
     AND state IN ('queued', 'screening', 'escalated', 'examining')) AS reevaluating,
  (SELECT CAST(jsonb_agg(jsonb_build_object('id', e.id, 'claim', claim_number, 'state', state,
     'verdict', verdict, 'ground', :VERDICT_GROUND, 'disputed', disputed, 'error', error)
     ORDER BY claim_number, e.id) AS text)
   FROM evaluations e WHERE filing_id = f.id AND :CURRENT_EVALUATION) AS evaluations
FROM filings f WHERE f.id = :id AND f.tenant = :tenant;
