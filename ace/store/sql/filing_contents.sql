-- The claims of a filing, each with its evaluation, and the analysis of them.
-- Parameters: id uuid; tenant text, whose it must be; rules, jurisdiction: of the analysis.
-- By hand: -v id="gen_random_uuid()" -v tenant="'office'" -v rules="'r'" -v jurisdiction="'US'"
SELECT f.id, f.docket, f.purged_at, a.claims AS analysis,
  (SELECT jsonb_agg(jsonb_build_object('number', c.number, 'text', c.text, 'ancestors', c.ancestors, 'status', c.status,
     'evaluation', (SELECT e.id FROM evaluations e WHERE e.filing_id = f.id AND e.claim_number = c.number LIMIT 1))
     ORDER BY c.number)
   FROM claims c WHERE c.filing_id = f.id) AS claims
FROM filings f
LEFT JOIN analyses a ON a.filing_id = f.id AND a.rules = :rules AND a.jurisdiction = :jurisdiction
WHERE f.id = :id AND f.tenant = :tenant;
