-- A filing, its evaluations (as JSON text), and how many of them are in each state.
-- Parameters: id uuid; tenant text, whose it must be.
-- By hand: -v id="gen_random_uuid()" -v tenant="'office'"
SELECT f.id, f.docket, f.priority, f.metadata, f.claim_count, f.created_at, f.purged_at,
  (SELECT jsonb_object_agg(state, n) FROM
    (SELECT state, count(*) AS n FROM evaluations WHERE filing_id = f.id GROUP BY state) s) AS states,
  (SELECT CAST(jsonb_agg(jsonb_build_object('id', e.id, 'claim', claim_number, 'state', state,
     'verdict', verdict, 'ground', :VERDICT_GROUND, 'disputed', disputed, 'error', error)
     ORDER BY claim_number, e.id) AS text)
   FROM evaluations e WHERE filing_id = f.id) AS evaluations
FROM filings f WHERE f.id = :id AND f.tenant = :tenant;
