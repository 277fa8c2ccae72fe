-- One evaluation's claim, and the findings of the rules on it: of any confidence from an analysis, or those that were
-- stored, above a threshold, before there were analyses; null without either. Remarks are in analyses alone.
-- Parameters: id uuid; tenant text, whose it must be; rules, jurisdiction, terms: of the analysis.
-- By hand: -v id="gen_random_uuid()" -v tenant="'office'" -v rules="'r'" -v jurisdiction="'US'" -v terms="''"
SELECT e.id, e.filing_id, e.claim_number, c.text, f.purged_at,
  (SELECT sum(length(text)) FROM claims s WHERE s.filing_id = f.id) AS set_characters,
  coalesce(a.jurisdiction, k.jurisdiction) AS jurisdiction, coalesce(a.rules, k.rules) AS rules, k.threshold,
  CASE WHEN a.at IS NULL THEN k.found
       ELSE coalesce(a.claims -> CAST(e.claim_number AS text) -> 'findings', '[]') END AS found,
  a.claims -> CAST(e.claim_number AS text) -> 'remarks' AS remarks, coalesce(a.at, k.at) AS at,
  a.terms, a.obeys
FROM evaluations e JOIN filings f ON f.id = e.filing_id
JOIN claims c ON c.filing_id = e.filing_id AND c.number = e.claim_number
:ANALYSIS_UNDER ON true
LEFT JOIN findings k ON k.evaluation_id = e.id
WHERE e.id = :id AND e.tenant = :tenant;
