-- The claims of a filing, each with its evaluation, and the analysis of them: the one that obeys the term list, or
-- without one the newest, with whether it is the one.
-- Parameters: id uuid; tenant text, whose it must be; rules, jurisdiction, terms: of the analysis.
-- By hand: -v id="gen_random_uuid()" -v tenant="'office'" -v rules="'r'" -v jurisdiction="'US'" -v terms="''"
SELECT f.purged_at, a.claims AS analysis, a.obeys,
  (SELECT jsonb_agg(jsonb_build_object('number', c.number, 'text', c.text, 'ancestors', c.ancestors, 'status', c.status,
     'evaluation', (
       SELECT e.id FROM evaluations e
       WHERE e.filing_id = f.id AND e.claim_number = c.number AND :CURRENT_EVALUATION))
     ORDER BY c.number)
   FROM claims c WHERE c.filing_id = f.id) AS claims
FROM filings f
:ANALYSIS_UNDER ON true
WHERE f.id = :id AND f.tenant = :tenant;
